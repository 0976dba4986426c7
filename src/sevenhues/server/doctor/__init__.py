"""Checks an installation of a server, and says what to do about what is wrong."""
