"""Our games in the frameworks researchers use: PettingZoo, OpenSpiel, Gymnasium. See docs/research.md."""
