"""What takes too long for `make test`: faults by the hundred, attacks, long runs, memory. `make endure` runs it."""

from pathlib import Path

ROOT = Path(__file__).parent.parent
FIGURES = ROOT / "build" / "endurance"
"""Where each part leaves its figures."""
