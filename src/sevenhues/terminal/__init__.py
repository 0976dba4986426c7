"""The games in a terminal: a sitting at a table, here or at a server, and an app of Textual that shows it.

Only app.py and the widgets import Textual, so that nothing else waits for it.
"""
