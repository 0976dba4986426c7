"""Bots of Rainbow: levels, heuristics, a fast policy and its fitted values."""
