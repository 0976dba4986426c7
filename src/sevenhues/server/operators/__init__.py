"""The work of operators: the audit log, announcements, searches for people, and exports of their data."""
