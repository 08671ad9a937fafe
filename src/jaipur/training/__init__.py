"""Learning from nothing by self-play."""
