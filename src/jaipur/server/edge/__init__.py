"""What stands between the network and the app: limits, checks, who asks, the log."""
