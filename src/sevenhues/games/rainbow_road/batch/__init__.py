"""Rainbow Road in JAX: many games at once."""
