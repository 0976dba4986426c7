"""Tables in memory: connections, commands, updates, bots."""
