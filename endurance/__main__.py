"""`python -m endurance [PART ...]`: runs the parts, keeps the figures of each, and says which promises are broken."""

import argparse
import json
import subprocess
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

from endurance import FIGURES, ROOT
from endurance.parts import PARTS, Part
from jaipur.rules.errors import JaipurError


def main(words: Sequence[str] | None = None, parts: dict[str, Part] = PARTS, folder: Path = FIGURES) -> int:
    """Runs what the words of the command line ask for; returns the exit code."""
    options = _options(words, parts)
    if options.list:
        for name, part in parts.items():
            print(f"{name:10} at most {part.seconds / 60:3.0f} minutes: {part.proves}")
        return 0
    names, commit = options.parts or list(parts), _commit()
    folder.mkdir(parents=True, exist_ok=True)
    results = {}
    for number, name in enumerate(names, 1):
        part, path = parts[name], folder / f"{name}.json"
        wanted = {"part": name, "commit": commit, "seconds": options.seconds or part.seconds}
        results[name] = None if options.again else _done(path, wanted)
        print(f"[{number}/{len(names)}] {name}: {'done already' if results[name] else part.proves}", flush=True)
        results[name] = results[name] or _run(part, path, wanted)
    return _summary(results)


def _options(words: Sequence[str] | None, parts: dict[str, Part]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m endurance", description=main.__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"one of {', '.join(parts)}; all without any")
    parser.add_argument("--list", action="store_true", help="list the parts")
    parser.add_argument("--again", action="store_true", help="run parts again that have figures of this commit")
    parser.add_argument("--seconds", type=float, help="how long each part may take, for a short try")
    options = parser.parse_args(words)
    if unknown := set(options.parts) - parts.keys():
        parser.error(f"there is no part {', '.join(sorted(unknown))}: choose from {', '.join(parts)}")
    return options


def _commit() -> str:
    """The commit that is checked out; with uncommitted changes, it ends in `-dirty`."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


def _done(path: Path, wanted: dict[str, object]) -> dict[str, object] | None:
    """The result of an earlier run of this part, for this long, at this commit."""
    commit = str(wanted["commit"])
    if not path.exists() or not commit or commit.endswith("-dirty"):
        return None
    result: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))
    return result if wanted.items() <= result.items() else None


def _run(part: Part, path: Path, wanted: dict[str, object]) -> dict[str, object] | None:
    """Measures a part and keeps its figures; one that fails has none, so the next run tries it again."""
    start = time.monotonic()
    try:
        figures = part.measure(float(str(wanted["seconds"])))
    except JaipurError as error:
        print(error)
        return None
    except Exception:  # one part that fails does not keep the others from running
        traceback.print_exc()
        return None
    result = wanted | {"took_s": round(time.monotonic() - start), "broken": part.broken(figures), "figures": figures}
    path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return result


def _summary(results: dict[str, dict[str, object] | None]) -> int:
    print()
    kept = True
    for name, result in results.items():
        broken = ["it could not be measured"] if result is None else result["broken"]
        kept = kept and not broken
        took = f"{result['took_s']} s" if result else ""
        print(f"{name:10} {took:>7}  {'; '.join(map(str, broken)) if isinstance(broken, list) and broken else 'holds'}")
    return 0 if kept else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("Stopped. Parts that are done keep their figures; the next run goes on with the others.")
