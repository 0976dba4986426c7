"""The server of a browser without a network: it runs in a web worker, over the worker's storage. See docs/offline.md.

Every worker is a process of one small server: the worker of another tab shares its store, and the number of an event
decides which of two came first. `sevenhues.offline.server` is where JavaScript begins.
"""
