"""People without accounts: a name, a picture, another device, and being forgotten."""

from contextlib import suppress

from jaipur.art import AVATARS
from jaipur.rules.errors import N_, JaipurError
from jaipur.server.services import Guest, Services, clean_name
from jaipur.store import DeviceLink, Person
from jaipur.table import Damaged, GameOver, NoSuchGame, NotAllowed, fresh_secret, hashed
from jaipur.table.secrets import sealed, unsealed

LINK_MINUTES = 10


def clean_avatar(avatar: str) -> str:
    """One of the pictures, or none."""
    if avatar and avatar not in AVATARS:
        raise JaipurError(N_("There is no such picture: choose one of {pictures}."), pictures=", ".join(AVATARS))
    return avatar


def introduce(services: Services, guest: Guest, name: str, avatar: str) -> Person:
    """Stores the name and picture that a player chose; their tables show them from now on."""
    holder = guest.required_holder()
    person = Person(clean_name(name), clean_avatar(avatar))
    if person != services.people.person(holder):
        services.people.keep(holder, person, services.tables.clock())
        services.tables.look_again(holder)
    return person


def new_link(services: Services, guest: Guest) -> str:
    """The token of a link to another device. It works once, for a few minutes; an older one stops working."""
    token, now = fresh_secret(), services.tables.clock()
    link = DeviceLink(hashed(token), guest.required_holder(), sealed(guest.secret, token), now + LINK_MINUTES * 60_000)
    services.people.link(link, now)
    return token


def find_link(services: Services, token: str) -> DeviceLink:
    """The link with this token, unless it has been used or has expired."""
    link = services.people.linked(hashed(token), services.tables.clock())
    if link is None:
        raise _unknown_link()
    return link


def use_link(services: Services, guest: Guest, token: str) -> str:
    """Uses a link: this device's games join the others. Returns the secret that this device keeps from now on."""
    link = find_link(services, token)
    holder = guest.holder
    if holder is not None and services.people.against_each_other(holder, link.holder):
        raise NotAllowed(N_("You play against yourself on these two devices: finish that game first."))
    if not services.people.carry(link, holder):
        raise _unknown_link()
    for changed in {holder or "", link.holder}:
        services.tables.look_again(changed)
    return unsealed(link.sealed, token)


def _unknown_link() -> NoSuchGame:
    return NoSuchGame(N_("This link has been used or has expired: create a new one on your other device."))


def forget(services: Services, guest: Guest) -> None:
    """Resigns unfinished games, so that nobody waits in vain, and removes the person from everything."""
    holder = guest.required_holder()
    tables = services.tables
    for game, seat in services.people.unfinished(holder):
        # Over by now, perhaps by the other seat of two at one screen; in a damaged game, nobody is waiting.
        with suppress(GameOver, Damaged, NoSuchGame):
            tables.resign(tables.open(game), seat)
    services.people.forget(holder)
    tables.look_again(holder)
