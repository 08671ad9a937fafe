"""Small external bots, good and bad: `python bots_for_tests.py KIND`."""

import json
import sys
import time

kind = sys.argv[1]
for line in sys.stdin:
    asked = json.loads(line)
    if kind == "crash":
        sys.exit(1)
    if kind == "late":
        time.sleep(60)
    if kind == "sleepy":
        time.sleep(0.1)
    while kind == "busy":
        pass
    words = {
        "sleepy": json.dumps({"move": asked["legal"][0]}),
        "first": json.dumps({"move": asked["legal"][0]}),
        "illegal": json.dumps({"move": "-DDDDDDD"}),
        "nonsense": "I take the gold",
        "unreadable": json.dumps({"move": "gold"}),
        "flood": "x" * 100_000,
    }[kind]
    sys.stdout.write(words + "\n")
    sys.stdout.flush()
