"""Bots at the tables: what waits for them, and the processes they think in."""
