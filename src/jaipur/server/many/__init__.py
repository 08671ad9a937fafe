"""Several processes that share the games."""
