"""People without accounts: who they are, their settings, and calling them."""
