"""Matches between bots and what they prove: entrants play a match, a ledger keeps it, a report judges it."""
