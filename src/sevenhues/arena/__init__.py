"""Matches between bots: playing them, storing the results, and reporting strength."""
