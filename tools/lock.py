"""Updates constraints.txt: installs the newest versions that pyproject.toml allows and writes them down."""

import subprocess
import sys
from pathlib import Path

CONSTRAINTS = Path(__file__).parent.parent / "constraints.txt"
HEADER = "# What was tested, and what `make` installs. `make lock` renews it.\n"


def main() -> None:
    """Upgrades this environment and writes a line `name==version` for each of its packages."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--upgrade", "--upgrade-strategy", "eager", "--editable", ".[dev]"], check=True)
    listed = subprocess.run([*pip, "freeze", "--exclude-editable"], check=True, capture_output=True, text=True)
    lines = [line for line in listed.stdout.splitlines() if "==" in line]
    CONSTRAINTS.write_text(HEADER + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
