"""Training is tried with programs that are run a few times: compile them quickly, and leave cores to other tests."""

import os

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false --xla_backend_optimization_level=0")
