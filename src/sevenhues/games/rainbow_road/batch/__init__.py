"""Rainbow Road for many games at once, in JAX."""
