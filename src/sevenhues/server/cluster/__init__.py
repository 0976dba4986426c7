"""Cooperation of several server processes: messages, leases and presence."""
