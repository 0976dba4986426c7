"""What several server processes share: a bus, leases and presence."""
