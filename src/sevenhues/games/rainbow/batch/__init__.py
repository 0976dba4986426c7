"""Rainbow for many games at once, in JAX."""
