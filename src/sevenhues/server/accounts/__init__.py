"""Guest accounts: signed cookies and names."""
