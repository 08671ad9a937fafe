"""What concerns only databases in a file: recognition, the lock, backups."""
