"""A game and a bot as somebody else would write them: plain Python, outside the package."""
