"""Live tables for people, bots and watchers."""
