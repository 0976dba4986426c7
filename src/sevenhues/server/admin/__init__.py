"""The admin API and its page. Without a valid token they are not there: requests go to the other routes."""
