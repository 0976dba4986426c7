"""Networks that play: what they are told, how they are kept, and a player by NumPy alone."""
