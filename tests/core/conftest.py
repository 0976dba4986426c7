"""Make property tests repeatable: the same examples in every run, and no time limit for one of them."""

from hypothesis import settings

settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
