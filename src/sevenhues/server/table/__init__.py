"""A table as its log of events says: state, commands and replays. Nothing here waits, stores or sends."""
