"""Nimble in JAX: many games at once."""
