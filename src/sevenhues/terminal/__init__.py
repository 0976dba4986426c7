"""The terminal interface: sessions at local and remote tables, and the Textual app that shows them.

Only `app`, `run` and the widgets import Textual, which is slow to import.
"""
