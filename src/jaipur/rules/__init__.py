"""The rulebook of Jaipur in code: pure, deterministic, compiled by mypyc. It imports nothing else from this package.

Read it in this order: box, bag, discard, errors, move, rng, bonus, deck, legal, reasons, side, display, view, score,
round, worlds, playout.
"""
