"""Web push: which browsers are kept, for whom, and for how long."""

from jaipur.server.people.push.sender import PushSender
from jaipur.store.subscriptions import MOST_EACH, Subscription, Subscriptions
from jaipur.table import Tables, hashed
from tests.server.people.test_people import device_link, send
from tests.support.push_service import PushService
from tests.support.pushing import BROWSER, rows, subscribe
from tests.support.server import FRIEND, PAIR, PEOPLE, STRANGER, Caller

_BAD_FIELDS: list[dict[str, str]] = [
    {"endpoint": ""},
    {"endpoint": "https://127.0.0.1/send"},
    {"endpoint": "https://push.example/" + "x" * 3000},
    {"p256dh": "", "auth": ""},
    {"p256dh": "AAAA"},
    {"p256dh": "B" * 87},
    {"p256dh": "é" * 20},
    {"auth": "AAAA"},
    {"auth": "!" * 22},
    {"auth": "x" * 3000},
]


def test_the_life_of_a_subscription(http: Caller, tables: Tables, service: PushService, sender: PushSender) -> None:
    subscribe(http, service.endpoint())
    assert rows(tables) == []  # nobody without a seat is ever notified
    tables.create(PEOPLE)
    subscribe(http, service.endpoint())
    subscribe(http, service.endpoint())
    assert rows(tables) == [service.endpoint()]
    subscribe(http, service.endpoint(), FRIEND)  # the same browser, now used by somebody else
    assert (rows(tables), rows(tables, PAIR[1])) == ([], [service.endpoint()])
    assert http.post("/push/stop", {"endpoint": service.endpoint()}, cookie=True).status == 204
    assert rows(tables, PAIR[1]) == []
    for number in range(MOST_EACH + 3):
        subscribe(http, service.endpoint(str(number)))
    assert rows(tables) == [service.endpoint(str(number)) for number in range(MOST_EACH + 2, 2, -1)]
    http.post("/push/stop", {"endpoint": service.endpoint(str(MOST_EACH + 2))}, cookie=True)
    assert len(rows(tables)) == MOST_EACH - 1  # older ones do not come back


def test_forget_me_and_another_device(http: Caller, tables: Tables, service: PushService, sender: PushSender) -> None:
    tables.create(PEOPLE)
    send(http, "/games", {"kind": "friend"}, token=STRANGER)
    subscribe(http, service.endpoint("phone"), STRANGER)
    link = device_link(http)
    assert send(http, f"/device/{link}", {}, token=STRANGER).status == 303
    assert rows(tables, hashed(STRANGER)) == []
    assert rows(tables) == [service.endpoint("phone")]
    assert send(http, "/me/forget", {}).status == 200
    assert rows(tables) == []


def test_old_subscriptions_are_cleared_out(http: Caller, tables: Tables, service: PushService) -> None:
    assert http.services is not None
    kept = Subscriptions(tables.store)
    day = 24 * 3600 * 1000
    now = 800 * day
    tables.clock = lambda: now
    for age in (731, 729):
        kept.keep(Subscription(PAIR[0], service.endpoint(str(age)), "", "", "en", now - age * day))
    http.services.housekeeping.sweep()
    assert rows(tables) == [service.endpoint("729")]


def test_nothing_is_kept_of_a_bad_subscription(
    http: Caller, tables: Tables, service: PushService, sender: PushSender
) -> None:
    tables.create(PEOPLE)
    good = {"endpoint": service.endpoint(), **BROWSER.keys}
    for bad in _BAD_FIELDS:
        answer = http.post("/push", good | bad, cookie=True)
        assert answer.status in {400, 422}, bad
        assert http.raised is None
        assert rows(tables) == []
    assert http.post("/push", good, cookie=True).status == 204


def test_other_sites_cannot_subscribe(http: Caller, tables: Tables, service: PushService, sender: PushSender) -> None:
    tables.create(PEOPLE)
    wanted = {"endpoint": service.endpoint(), **BROWSER.keys}
    assert http.post("/push", wanted, cookie=True, headers={"sec-fetch-site": "cross-site"}).status == 403
    assert rows(tables) == []
