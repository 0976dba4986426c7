"""Neural networks that play: their input encoding, their file format, and bots that run them with NumPy alone."""

import os

# The networks are small: several BLAS threads would wait for each other longer than they save.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
