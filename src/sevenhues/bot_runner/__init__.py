"""Keeps a bot account online: accepts challenges, plays at many tables at once, and searches in worker processes."""
