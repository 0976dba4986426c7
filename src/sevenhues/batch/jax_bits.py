"""Bit operations on arrays of uint32, for batched games. It needs JAX, so only batched games import it."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

U32 = jnp.uint32
GOLDEN = np.uint32(0x9E3779B9)
MIX_1 = np.uint32(0x21F0AAAD)
MIX_2 = np.uint32(0x735A2D97)


def count(words: Array) -> Array:
    """Count the bits of each word."""
    return jax.lax.population_count(words)


def mix(words: Array) -> Array:
    """Hash each word: every bit of the result depends on every bit of the word."""
    words = (words ^ (words >> 16)) * MIX_1
    words = (words ^ (words >> 15)) * MIX_2
    return words ^ (words >> 15)


def below(bits: Array, n: Array) -> Array:
    """Return a number below n from the upper 16 of 32 random bits, for n up to 64. The bias is below n / 65536."""
    return ((bits >> 16) * n) >> 16


def nth(words: Array, n: Array, width: int = 32) -> Array:
    """Return the index of the set bit that has n set bits below it; n must be below the count.

    Words have `width` bits, a power of two.
    """
    index = jnp.zeros_like(words)
    for half in (16, 8, 4, 2, 1):
        if half >= width:
            continue
        low = count(words & np.uint32((1 << half) - 1))
        above = (n >= low).astype(U32)
        n = n - low * above
        index = index + above * half
        words = words >> (above * half)
    return index


def seeds(keys: Array) -> tuple[Array, Array]:
    """Return two words for each key of jax.random, typed or raw."""
    data = jax.random.key_data(keys) if jnp.issubdtype(keys.dtype, jax.dtypes.prng_key) else keys
    return data[..., 0].astype(U32), data[..., 1].astype(U32)
