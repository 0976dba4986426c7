"""Training of networks by self-play, in JAX."""
