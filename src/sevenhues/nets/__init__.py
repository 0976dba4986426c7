"""Networks that play: what they are told, how they are kept, and a player by NumPy alone."""

import os

# A network is small: threads of its own would spend more time waiting for each other than they save.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
