"""Ratings: the model and its queries."""
