"""Bit operations on arrays of uint32, for batched games. It needs JAX, so only batched games import it."""

import functools
from collections.abc import Sequence
from typing import TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

T = TypeVar("T")
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


def bytes_of(numbers: Sequence[Array]) -> Array:
    """Return numbers below 256, (N,) each, as (N, numbers) uint8."""
    words = []
    for at in range(0, len(numbers), 4):
        four = [number.astype(U32) << 8 * i for i, number in enumerate(numbers[at : at + 4])]
        words.append(functools.reduce(jnp.bitwise_or, four))
    columns: Array = _stack(words)
    spread = jax.lax.bitcast_convert_type(columns, jnp.uint8)
    whole = spread.reshape(*columns.shape[:-1], -1)
    return compute(whole)[..., : len(numbers)] if len(numbers) % 4 else whole


def flags_of(parts: Sequence[tuple[Array, int]]) -> Array:
    """Return the lowest bits of words, a number of bits of each (N,) word, one after another as (N, bits) bool.

    Higher bits of a word must be 0.
    """
    words: list[Array] = [jnp.zeros_like(parts[0][0], U32)]
    at = 0
    for part, bits in parts:
        part = part.astype(U32)
        words[-1] |= part << at
        if at + bits >= 32:
            words.append(part >> (32 - at) if at else jnp.zeros_like(part))
        at = (at + bits) % 32
    columns: Array = _stack(words)
    spread = (columns[..., None] >> jnp.arange(32, dtype=U32)) & 1 == 1
    return spread.reshape(*columns.shape[:-1], -1)[..., : sum(bits for _, bits in parts)]


def fields_in(words: Array, index: np.ndarray, shift: np.ndarray, mask: np.ndarray | int) -> Array:
    """Return fields, (N, fields) uint32, of words, (N, words): each is in the word with an index, shifted and masked.

    XLA computes this much faster than a concatenation of the fields.
    """
    fields: Array = _look_up(compute(words), jnp.asarray(index), jnp.asarray(shift, U32)) & jnp.asarray(mask, U32)
    return fields


@jax.custom_batching.custom_vmap
def _look_up(words: Array, index: Array, shift: Array) -> Array:
    return words.at[:, index].get(mode="promise_in_bounds") >> shift


@_look_up.def_vmap
def _look_up_mapped(size: int, mapped: list[bool], words: Array, index: Array, shift: Array) -> tuple[Array, bool]:
    """Look up fields of all games at once under `jax.vmap` too. `jax.lax.cond` maps even what is the same for all."""
    index, shift = index[0] if mapped[1] else index, shift[0] if mapped[2] else shift
    whole = words if mapped[0] else jnp.broadcast_to(words, (size, *words.shape))
    fields = _look_up(whole.reshape(-1, words.shape[-1]), index, shift)
    return fields.reshape(size, -1, fields.shape[-1]), True


@jax.custom_batching.custom_vmap
def _stack(words: list[Array]) -> Array:
    """Compute words, (N,) each, and only then stack them, (N, words).

    Rows are stacked and then transposed, because that is much faster on a GPU than to interleave them.
    """
    return jnp.moveaxis(compute(jnp.stack(compute(words))), 0, -1)


@_stack.def_vmap
def _stack_mapped(size: int, mapped: list[list[bool]], words: list[Array]) -> tuple[Array, bool]:
    """Stack rows of all games under `jax.vmap` too, and not those of each game."""
    whole = [
        word if is_mapped else jnp.broadcast_to(word, (size, *word.shape))
        for word, is_mapped in zip(words, mapped[0], strict=True)
    ]
    stacked: Array = _stack(whole)
    return stacked, True


def compute(arrays: T) -> T:
    """Keep XLA from computing what arrays have in common once for each number that is made of them."""
    computed: T = jax.lax.optimization_barrier(arrays)  # type: ignore[no-untyped-call]
    return computed
