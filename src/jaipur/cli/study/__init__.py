"""Commands for people who study the game or write bots."""
