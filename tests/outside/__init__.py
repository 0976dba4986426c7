"""Games and bots outside the package, in plain Python."""
