"""A game and a bot written outside the package, in plain Python."""
