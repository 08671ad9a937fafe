"""Duels between players, and what they prove."""
