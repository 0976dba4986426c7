"""Terminal rendering: ANSI colours and the canvas of the terminal interface."""
