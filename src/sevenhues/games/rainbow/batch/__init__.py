"""Rainbow in JAX: many games at once."""
