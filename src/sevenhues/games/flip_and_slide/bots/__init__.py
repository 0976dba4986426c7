"""Search and heuristics for the bots of Rainbow Flip & Slide."""
