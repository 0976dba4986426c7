"""Notifications to people who are away: what is sent to whom, by Web Push and by e-mail."""
