"""Rainbow Flip & Slide in JAX: many games at once."""
