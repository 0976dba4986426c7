"""Compile the games of other packages like our own. See docs/adding-a-game.md."""
