"""Bit tricks over arrays of uint32, for batched twins; needs JAX, so nothing but a twin imports it."""

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
    """Hash each word: every bit of it depends on every bit given."""
    words = (words ^ (words >> 16)) * MIX_1
    words = (words ^ (words >> 15)) * MIX_2
    return words ^ (words >> 15)


def below(bits: Array, n: Array) -> Array:
    """Turn the upper 16 of 32 random bits into a number below n, for n up to 64: the bias is below n / 65536."""
    return ((bits >> 16) * n) >> 16


def nth(words: Array, n: Array, width: int = 32) -> Array:
    """Return the place of the set bit that has n set bits below it; n must be below the count.

    Words have `width` bits, a power of two.
    """
    place = jnp.zeros_like(words)
    for half in (16, 8, 4, 2, 1):
        if half >= width:
            continue
        low = count(words & np.uint32((1 << half) - 1))
        above = (n >= low).astype(U32)
        n = n - low * above
        place = place + above * half
        words = words >> (above * half)
    return place


def seeds(keys: Array) -> tuple[Array, Array]:
    """Turn keys of jax.random, new or old in style, into two words each."""
    data = jax.random.key_data(keys) if jnp.issubdtype(keys.dtype, jax.dtypes.prng_key) else keys
    return data[..., 0].astype(U32), data[..., 1].astype(U32)
