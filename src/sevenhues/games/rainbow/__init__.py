"""Rainbow: two-faced cards; you see the backs of your opponent's hand and not of your own."""

from sevenhues.games.rainbow.game import Rainbow

game = Rainbow()
