"""Small external bots, good and bad: `python bots_for_tests.py KIND`; `parent` also takes a folder for process ids."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

kind = sys.argv[1]
for number, line in enumerate(sys.stdin):
    asked = json.loads(line)
    if kind == "crash":
        sys.exit(7)
    if kind == "closed":
        os.close(1)
    if kind == "parent":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        for pid in (os.getpid(), child.pid):
            (Path(sys.argv[2]) / str(pid)).touch()
    if kind in {"closed", "late", "parent"} or (kind == "tired" and number):
        time.sleep(600)
    if kind == "sleepy":
        time.sleep(0.1)
    while kind == "busy":
        pass
    words = {
        "sleepy": json.dumps({"move": asked["legal"][0]}),
        "tired": json.dumps({"move": asked["legal"][0]}),
        "first": json.dumps({"move": asked["legal"][0]}),
        "illegal": json.dumps({"move": "-DDDDDDD"}),
        "nonsense": "I take the gold",
        "unreadable": json.dumps({"move": "gold"}),
        "flood": "x" * 100_000,
    }[kind]
    sys.stdout.write(words + "\n")
    sys.stdout.flush()
