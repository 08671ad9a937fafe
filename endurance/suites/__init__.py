"""Tests that are too slow for `make test`; `make endure` runs them."""
