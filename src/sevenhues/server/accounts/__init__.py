"""Guest accounts: cookies, transfer codes and names."""
