"""Adapters of the games to PettingZoo, OpenSpiel, Gymnasium and Pgx. See docs/research.md."""
