"""Rainbow Road: two fairies on a ring of numbers, under weather that turns every round."""

from sevenhues.games.rainbow_road.game import RainbowRoad

game = RainbowRoad()
