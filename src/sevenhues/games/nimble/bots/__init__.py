"""Lookahead, heuristics and reaction times for the bots of Nimble."""
