"""Drawing tables in a terminal."""
