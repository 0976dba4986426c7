"""Nimble: everybody at once races to lay their thirty cards on three common stacks."""

from sevenhues.games.nimble.game import Nimble

game = Nimble()
