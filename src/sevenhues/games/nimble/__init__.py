"""Nimble: all players race at once to place their thirty cards on three common stacks."""

from sevenhues.games.nimble.game import Nimble

game = Nimble()
