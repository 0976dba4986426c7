"""Answers of the API that follow from games and tables alone, without a request."""
