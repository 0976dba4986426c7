"""Background jobs: analyses and the rebuilding of ratings."""
