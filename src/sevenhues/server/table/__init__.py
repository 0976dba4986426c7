"""The state of a table, derived from its log of events. This package does no input or output."""
