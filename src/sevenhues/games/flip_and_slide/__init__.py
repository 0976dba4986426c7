"""Rainbow Flip & Slide: turn over and slide hexagons until a rainbow touches your own tile."""

from sevenhues.games.flip_and_slide.game import FlipAndSlide

game = FlipAndSlide()
