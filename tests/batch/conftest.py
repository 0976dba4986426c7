"""Compile JAX programs quickly and on one core: tests run them a few times only."""

import os

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false --xla_backend_optimization_level=0")
