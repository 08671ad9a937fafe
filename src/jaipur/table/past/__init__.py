"""What is made of games that were played: histories, figures, an operator's work."""
