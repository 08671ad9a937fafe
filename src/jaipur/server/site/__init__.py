"""Pages without a game: start, games, invitations, rules, uploads."""
