"""Measurements of the other rooms: `jaipur bench rules|bots|server|envs`."""
