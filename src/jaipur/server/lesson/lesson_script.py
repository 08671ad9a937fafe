"""The script of the guided round, as data: a deal, and one step for each turn of the learner."""

from dataclasses import dataclass

from jaipur.rules.errors import N_
from jaipur.server.lesson.lesson_words import Words

SEED = 1803
"""Deals the scripted round. The later rounds are predictable too: a guided match is for learning, not for winning."""


@dataclass(frozen=True)
class Step(Words):
    """A turn of the script: what the learner is told, the move that this suggests, and the opponent's reply."""

    move: str
    reply: str


STEPS = (
    Step(
        "take-one-good",
        N_("Take one good"),
        N_(
            "Welcome! You win the round by being richer than the Pedlar. Gold is a good start: select it, then "
            "press the button."
        ),
        "+G",
        "+C",
    ),
    Step(
        "take-the-camels",
        N_("Take the camels"),
        N_("Select a camel, and all four join your herd. Four new cards come, and the Pedlar chooses first."),
        "+M",
        "+S",
    ),
    Step(
        "exchange",
        N_("Give camels, take goods"),
        N_("To take several goods, give as many cards back. Select the gold, the cloth and two camels from your herd."),
        "+GC-MM",
        "+M",
    ),
    Step(
        "sell",
        N_("A full hand: sell"),
        N_(
            "Seven cards is the most you can hold; camels do not count. So sell this turn instead of taking: two "
            "cloth earn the top tokens, 5 and 3."
        ),
        "-CC",
        "-CC",
    ),
    Step(
        "exchange",
        N_("Give goods, take goods"),
        N_(
            "You got 8 rupees for your cloth, the Pedlar only 5: tokens fall in value, so sell early. Now take "
            "both diamonds and give two leather."
        ),
        "+DD-LL",
        "+PPP-GLM",
    ),
    Step(
        "sell",
        N_("Precious goods in pairs"),
        N_("Diamonds, gold and silver are sold at least two at a time. You have two diamonds: that makes 14 rupees!"),
        "-DD",
        "-PPPPP",
    ),
    Step(
        "bonus-tokens",
        N_("Collect a set"),
        N_(
            "The Pedlar sold five spice and earned a bonus token. Three cards are enough for one: take your third gold."
        ),
        "+G",
        "+G",
    ),
    Step(
        "bonus-tokens",
        N_("A bonus for three"),
        N_("Sell all three gold. The bonus is a surprise worth 1 to 3 rupees, and only you get to see it."),
        "-GGG",
        "+L",
    ),
    Step(
        "exchange",
        N_("Camels fill your hand"),
        N_("Only one card in hand? Take the silver and two leather in one go, and give three camels."),
        "+SLL-MMM",
        "+L",
    ),
    Step(
        "scoring-and-ties",
        N_("The camel token"),
        N_(
            "Take all four camels: the larger herd earns 5 rupees when the round ends. If the herds are equal, "
            "nobody does."
        ),
        "+M",
        "+L",
    ),
    Step(
        "exchange",
        N_("Give goods and camels"),
        N_(
            "Take two silver and the spice; give two leather and a camel. You never take and give the same good, "
            "nor swap one card for one."
        ),
        "+SSP-LLM",
        "+GL-SM",
    ),
    Step(
        "first-hints",
        N_("Snap up precious goods"),
        N_("Your fifth silver! Whatever diamonds, gold and silver you leave behind, the Pedlar may take."),
        "+S",
        "-GG",
    ),
    Step(
        "bonus-tokens",
        N_("The big sale"),
        N_("Sell all five silver at once. Four cards earn a bonus of 4 to 6 rupees; five or more earn 8 to 10!"),
        "-SSSSS",
        "+L",
    ),
    Step(
        "end-of-a-round",
        N_("How a round ends"),
        N_(
            "The round ends when three kinds of tokens are gone, or when the deck cannot refill the market. Gold "
            "and silver are gone: take the spice."
        ),
        "+P",
        "-LLLLL",
    ),
    Step(
        "end-of-a-round",
        N_("Finish the round"),
        N_("You lead in rupees and in camels. Sell both spice: that takes the last two tokens and ends the round."),
        "-PP",
        "",
    ),
)

LINE = tuple(move for step in STEPS for move in (step.move, step.reply) if move)
"""All moves of the script, the learner's and the replies in turn."""
