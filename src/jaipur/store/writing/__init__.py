"""How rows are written: who is next, and many writes with one flush."""
