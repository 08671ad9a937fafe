"""How cost grows."""
