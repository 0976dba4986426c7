"""Neural networks that play: their input encoding, their file format, and their evaluation with NumPy alone."""

import os

# The networks are small: several BLAS threads would wait for each other longer than they save. NumPy reads this
# variable when it is imported, so this package must be imported before NumPy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
