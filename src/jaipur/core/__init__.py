"""The rulebook of Jaipur in code: pure, deterministic, compiled by mypyc.

Read it in this order: box, bag, errors, move, legal, reasons, rng, trader, round, view.
"""
