"""Players that are programs."""

from sevenhues.bots.random import RandomBot

__all__ = ["RandomBot"]
