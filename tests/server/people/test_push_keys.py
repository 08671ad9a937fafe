"""`jaipur push-keys` and the options of `jaipur serve`: every error is one sentence."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from jaipur.rules.errors import JaipurError
from jaipur.server.people.push.keys import Keys
from tests.support.terminal import environment, jaipur

pytestmark = pytest.mark.slow

CONTACT = ("--push-contact", "mailto:operator@example.org")
WITHOUT = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "cryptography":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Missing())
from jaipur.cli import main
main()
"""


def test_keys_are_made_once(tmp_path: Path) -> None:
    path = tmp_path / "push.pem"
    done = jaipur("push-keys", str(path), games=tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"jaipur serve --push-keys {path}" in done.stdout
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(Keys.read(str(path), CONTACT[1]).public) == 87
    before = path.read_bytes()
    again = jaipur("push-keys", str(path), games=tmp_path)
    assert again.returncode == 1
    assert "already exists" in again.stderr
    assert path.read_bytes() == before


def test_keys_are_not_awaited_from_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(JaipurError, match="pipe is not a regular file"):
        Keys.read(str(tmp_path / "pipe"), CONTACT[1])


@pytest.mark.parametrize(
    ("content", "options", "sentence"),
    [
        (None, CONTACT, "cannot be read"),
        ("nonsense", CONTACT, "holds no keys"),
        ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", CONTACT, "holds no keys"),
        ("made", (), "--push-contact mailto:"),
        ("made", ("--push-contact", "me"), "--push-contact mailto:"),
        ("made", ("--push-contact", "mailto:a\r\nX: y"), "--push-contact mailto:"),
    ],
)
def test_a_server_that_cannot_push_says_why(
    tmp_path: Path, content: str | None, options: tuple[str, ...], sentence: str
) -> None:
    path = tmp_path / "push.pem"
    if content == "made":
        jaipur("push-keys", str(path), games=tmp_path)
    elif content is not None:
        path.write_text(content)
    database = tmp_path / "games.sqlite3"
    where = ("--port", "0", "--database", str(database))
    done = jaipur("serve", *where, "--push-keys", str(path), *options, games=tmp_path)
    assert done.returncode == 1
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
    assert not database.exists()


@pytest.mark.parametrize("arguments", [("push-keys", "new.pem"), ("serve", "--push-keys", "x", *CONTACT)])
def test_what_is_missing_is_named(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """The web app is installed, but the extra for push is not."""
    command = [sys.executable, "-c", WITHOUT, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(tmp_path), cwd=tmp_path, check=False)
    assert done.returncode == 1
    assert "pip install '.[push]' in" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "new.pem").exists()
