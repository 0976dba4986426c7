"""Bots of Rainbow Road: levels, heuristics, a greedy policy, and searches over hypotheses."""
