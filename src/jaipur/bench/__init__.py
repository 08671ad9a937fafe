"""Measurements of the other rooms: `jaipur bench`."""
