"""One folder a game. Each imports only `sevenhues.core` and offers `game`, which the registry finds."""
