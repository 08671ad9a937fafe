"""Learning from scratch by self-play."""
