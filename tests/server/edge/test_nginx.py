"""The example deploy/nginx.conf, run by a real nginx in front of a real server."""

import json
import re
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from endurance.support.servers import nginx_program
from tools.catalogue import ROOT

from jaipur.bench.own_postgres import free_port
from jaipur.programs import ends_with_us
from tests.support.program import PATIENCE
from tests.support.push_service import make_certificate
from tests.support.served import Served, wait_for
from tests.support.server import FRIEND, ME
from tests.support.several_servers import require_nginx

pytestmark = pytest.mark.slow

NAME = "jaipur.example"
ELSEWHERE = "127.0.0.2"
"""The client's address; the proxy's is 127.0.0.1."""


def configuration(folder: Path, certificate: Path, http: int, https: int, app: int) -> str:
    """The example as it is, except for ports, certificates and the places where nginx may write."""
    site = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    for old, new in {
        "listen 80;": f"listen 127.0.0.1:{http};",
        "listen 443 ssl http2;": f"listen 127.0.0.1:{https} ssl http2;",
        "server 127.0.0.1:8000;": f"server 127.0.0.1:{app};",
        "/etc/letsencrypt/live/jaipur.example/fullchain.pem": str(certificate),
        "/etc/letsencrypt/live/jaipur.example/privkey.pem": str(certificate),
    }.items():
        assert old in site
        site = site.replace(old, new)
    places = "".join(
        f"{kind}_temp_path {folder}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return (
        f"daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{places}{site}}}\n"
    )


@dataclass
class Front:
    """nginx with the app behind it."""

    client: httpx.Client
    http: int
    served: Served


@pytest.fixture(name="front", scope="module")
def _front(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    require_nginx()
    folder = tmp_path_factory.mktemp("nginx")
    certificate = make_certificate(folder, NAME)
    with Served(folder / "games.sqlite3", "--proxy", "127.0.0.1", "--log", "json", "--pause", "0") as served:
        http, https = free_port(), free_port()
        app = int(str(served.client.base_url).rstrip("/").rpartition(":")[2])
        (folder / "nginx.conf").write_text(configuration(folder, certificate, http, https, app), encoding="utf-8")
        command = [
            nginx_program(),
            "-p",
            str(folder),
            "-e",
            str(folder / "error.log"),
            "-c",
            str(folder / "nginx.conf"),
        ]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL, **ends_with_us()) as running:
            try:
                trusted = ssl.create_default_context(cafile=str(certificate))
                with httpx.Client(
                    base_url=f"https://127.0.0.1:{https}",
                    headers={"host": NAME, "origin": f"https://{NAME}"},
                    transport=httpx.HTTPTransport(verify=trusted, local_address=ELSEWHERE),
                    timeout=PATIENCE,
                ) as client:
                    client.event_hooks["request"].append(lambda request: request.extensions.update(sni_hostname=NAME))
                    wait_for(lambda: _answers(https))
                    yield Front(client, http, served)
            finally:
                running.terminate()


def _answers(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


def test_plain_http_is_sent_to_https(front: Front) -> None:
    answer = httpx.get(f"http://127.0.0.1:{front.http}/rules", headers={"host": NAME}, timeout=PATIENCE)
    assert (answer.status_code, answer.headers["location"]) == (301, f"https://{NAME}/rules")


def test_cookies_are_secure_and_forms_are_accepted(front: Front) -> None:
    """The app learns from nginx that this is HTTPS, and under which name it is reached."""
    first = front.client.get("/")
    assert first.status_code == 200
    assert first.headers["strict-transport-security"]
    assert re.search(r"jaipur_seat=\S+;.*; Secure", first.headers["set-cookie"])
    made = front.client.post("/games", data={"kind": "friend"}, headers={"sec-fetch-site": "same-origin"})
    assert made.status_code == 303
    foreign = {"origin": f"http://{NAME}", "sec-fetch-site": "same-origin"}
    assert front.client.post("/games", data={"kind": "friend"}, headers=foreign).status_code == 403


def test_the_app_sees_real_addresses(front: Front) -> None:
    """The address that a client claims is replaced by the one nginx sees, and it is not nginx's own."""
    shown = front.client.get("/rules", headers={"x-forwarded-for": "6.6.6.6", "x-forwarded-proto": "http"})
    wait_for(lambda: shown.headers["x-request-id"] in front.served.errors.read_text())
    lines = [json.loads(line) for line in front.served.errors.read_text().splitlines()]
    (line,) = [line for line in lines if line.get("request") == shown.headers["x-request-id"]]
    assert line["address"] == ELSEWHERE
    assert shown.headers["strict-transport-security"]


def test_operators_pages_are_not_passed_on(front: Front) -> None:
    assert [front.client.get(path).status_code for path in ("/health", "/health/live", "/metrics")] == [404] * 3
    assert front.served.client.get("/health").status_code == 200


def test_events_come_at_once(front: Front) -> None:
    """Each arrives before the next thing happens, so nothing on the way has buffered it."""
    tokens = [{"authorization": f"Bearer {secret}"} for secret in (ME, FRIEND)]
    made = front.client.post("/api/games", json={"kind": "friend"}, headers=tokens[0]).json()
    front.client.post(f"/api/invites/{made['invite']}", json={}, headers=tokens[1]).raise_for_status()
    game = f"/api/games/{made['game']}"
    heard: list[int] = []
    arrived = threading.Condition()

    def listen() -> None:
        with front.client.stream("GET", f"{game}/events?after=1", headers=tokens[0]) as stream:
            for line in stream.iter_lines():
                if line.startswith("id:"):
                    with arrived:
                        heard.append(int(line[3:]))
                        arrived.notify()
                if len(heard) == 3:
                    return

    listener = threading.Thread(target=listen, daemon=True)
    listener.start()
    for number in (2, 3, 4):
        view = front.client.get(game, headers=tokens[0]).json()
        mine = tokens[view["turn"]]
        legal = front.client.get(game, headers=mine).json()["legal"]
        body = {"move": legal[0], "ply": view["ply"]}
        assert front.client.post(f"{game}/moves", json=body, headers=mine).status_code == 200
        with arrived:
            assert arrived.wait_for(lambda number=number: number in heard, PATIENCE)  # type: ignore[misc]
    listener.join(PATIENCE)
    assert heard == [2, 3, 4]
