"""What the bots of Rainbow Road search with."""
