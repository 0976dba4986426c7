"""What the bots of Rainbow search with."""
