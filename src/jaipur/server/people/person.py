"""People without accounts: a name, a picture, another device, and being forgotten."""

from dataclasses import dataclass

from jaipur.art import AVATARS
from jaipur.coach.grades import judge_name
from jaipur.rules.errors import N_, JaipurError
from jaipur.server.coach.progress import Skill, skill_of
from jaipur.server.services import Guest, Services, clean_name
from jaipur.store import DeviceLink, Person
from jaipur.table import Damaged, GameOver, NoSuchGame, NotAllowed, fresh_secret, hashed
from jaipur.table.past.career import Statistics, statistics_of
from jaipur.table.secrets import sealed, unsealed

LINK_MINUTES = 10
_COUNTED_GAMES = 20_000
_COUNTED_REVIEWS = 200


def clean_avatar(avatar: str) -> str:
    """One of the pictures, or none."""
    if avatar and avatar not in AVATARS:
        raise JaipurError(N_("There is no such picture: choose one of {pictures}."), pictures=", ".join(AVATARS))
    return avatar


def introduce(services: Services, guest: Guest, name: str, avatar: str) -> Person:
    """Stores the name and picture that somebody chose; their tables show them from now on."""
    holder = guest.required_holder()
    wanted = Person(clean_name(name), clean_avatar(avatar))
    if wanted != services.people.person(holder):
        services.people.keep(holder, wanted, services.tables.clock())
        services.tables.look_again(holder)
    return wanted


def statistics(services: Services, guest: Guest) -> Statistics:
    """What somebody has done so far."""
    return statistics_of(services.people.played(guest.holder or "", _COUNTED_GAMES))


def skill(services: Services, guest: Guest) -> Skill | None:
    """What the reviews of somebody's matches say."""
    return skill_of(services.reviews.shelf.of(guest.holder or "", judge_name(), _COUNTED_REVIEWS))


def new_link(services: Services, guest: Guest) -> str:
    """The token of a link to another device. It works once, for a few minutes; an older one stops working."""
    token, now = fresh_secret(), services.tables.clock()
    link = DeviceLink(hashed(token), guest.required_holder(), sealed(guest.secret, token), now + LINK_MINUTES * 60_000)
    services.people.link(link, now)
    return token


@dataclass(frozen=True)
class Arrival:
    """Somebody who opened a link on another device: who they are, and how many games they bring along."""

    person: Person
    already_here: bool
    games: int


def arrival(services: Services, guest: Guest, token: str) -> Arrival:
    """What the page of a link says before the link is used."""
    link = _link(services, token)
    brought = services.tables.store.games_of(guest.holder or "", 1000)
    return Arrival(services.people.person(link.holder), link.holder == guest.holder, len(brought))


def arrive(services: Services, guest: Guest, token: str) -> str:
    """Uses a link: this device's games join the others. Returns the secret that this device keeps from now on."""
    link = _link(services, token)
    holder = guest.holder
    if holder is not None and services.people.against_each_other(holder, link.holder):
        raise NotAllowed(N_("You play against yourself on these two devices: finish that game first."))
    if not services.people.carry(link, holder):
        raise _unknown_link()
    for changed in {holder or "", link.holder}:
        services.tables.look_again(changed)
    return unsealed(link.sealed, token)


def _link(services: Services, token: str) -> DeviceLink:
    link = services.people.linked(hashed(token), services.tables.clock())
    if link is None:
        raise _unknown_link()
    return link


def _unknown_link() -> NoSuchGame:
    return NoSuchGame(N_("This link has been used or has expired: create a new one on your other device."))


def forget(services: Services, guest: Guest) -> None:
    """Resigns unfinished games, so that nobody waits in vain, and removes the person from everything."""
    holder = guest.required_holder()
    tables = services.tables
    for game, seat in services.people.unfinished(holder):
        try:
            tables.resign(tables.open(game), seat)
        except GameOver:  # ended a moment ago, or by the other seat of two at one screen
            continue
        except (Damaged, NoSuchGame):  # nobody can resign there, and nobody is waiting
            continue
    services.people.forget(holder)
    tables.look_again(holder)
