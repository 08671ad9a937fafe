"""What concerns only PostgreSQL: connections, notices, locks, moving there and back."""
