"""Training networks by self-play, in JAX."""
