"""HTTP routes, by resource."""
