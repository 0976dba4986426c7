"""Ratings: the model, the queries, and rebuilding them from the log."""
