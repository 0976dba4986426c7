"""What the bots of Nimble search with."""
