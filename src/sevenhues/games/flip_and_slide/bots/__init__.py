"""What the bots of Rainbow Flip & Slide search with."""
