"""Simulated power cuts."""
