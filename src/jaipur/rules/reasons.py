"""Why a move is illegal: the one predicate behind errors, pages and bots (R8 to R15)."""

from mypy_extensions import i64

from jaipur.rules.bag import CAMEL_SHIFT, GOODS_MASK, ONE_CAMEL, count, kind_of, kinds_mask, size
from jaipur.rules.box import GOODS, HAND_LIMIT, SMALLEST_EXCHANGE, smallest_sale
from jaipur.rules.errors import KIND_NAMES, N_, IllegalMove
from jaipur.rules.move import Move


def why_illegal(hand: i64, herd: i64, market: i64, move: Move) -> IllegalMove | None:
    """The first rule that forbids a player with this hand and herd to make the move, or None."""
    take = move.take
    give = move.give
    if take == 0:
        return _sale(hand, give)
    if take >= ONE_CAMEL:
        return _camels(market, take, give)
    missing = _missing(
        market,
        take,
        N_("There is no {card} in the market (R8, R10)."),
        N_("Too few {card} cards in the market: {have} (R10)."),
    )
    if missing is not None:
        return missing
    if give == 0:
        return _single(hand, take)
    return _exchange(hand, herd, take, give)


def _sale(hand: i64, give: i64) -> IllegalMove | None:
    if give >= ONE_CAMEL:
        return IllegalMove(N_("Camels are not sold (R14)."))
    good = kind_of(give)
    if size(give) != count(give, good):
        return IllegalMove(N_("A sale is of a single kind of good (R14)."))
    missing = _missing(
        hand, give, N_("You have no {card} in your hand (R14)."), N_("Too few {card} cards in your hand: {have} (R14).")
    )
    if missing is not None:
        return missing
    if count(give, good) < smallest_sale(good):
        return IllegalMove(N_("Diamond, gold and silver are sold at least two at a time (R15)."))
    return None


def _camels(market: i64, take: i64, give: i64) -> IllegalMove | None:
    if give or take & GOODS_MASK:
        return IllegalMove(
            N_("Camels are never taken with goods or in an exchange: take them all, and nothing else (R9, R11).")
        )
    if take > ONE_CAMEL:
        return IllegalMove(N_("The camels are taken all together: write +M once (R9)."))
    if market < ONE_CAMEL:
        return IllegalMove(N_("There is no camel in the market (R9)."))
    return None


def _single(hand: i64, take: i64) -> IllegalMove | None:
    if size(take) > 1:
        return IllegalMove(
            N_("Only one good is taken for nothing: for {cards} goods give {cards} cards back (R10)."), cards=size(take)
        )
    if size(hand) >= HAND_LIMIT:
        return IllegalMove(N_("Your hand is full: with 7 cards you cannot take one more (R8)."))
    return None


def _exchange(hand: i64, herd: i64, take: i64, give: i64) -> IllegalMove | None:
    cards = size(take)
    if cards == 1 and size(give) == 1:
        return IllegalMove(N_("One card is never exchanged for one card: at least two for two (R12)."))
    if cards != size(give) or cards < SMALLEST_EXCHANGE:
        return IllegalMove(
            N_(
                "An exchange gives as many cards as it takes, at least two; this takes {taken} and gives {given} (R10)."
            ),
            taken=cards,
            given=size(give),
        )
    both = kinds_mask(take) & kinds_mask(give)
    if both:
        return IllegalMove(
            N_("The same good is never both taken and given back: {card} (R11)."), card=KIND_NAMES[kind_of(both)]
        )
    missing = _missing(
        hand,
        give & GOODS_MASK,
        N_("You have no {card} in your hand (R10)."),
        N_("Too few {card} cards in your hand: {have} (R10)."),
    )
    if missing is not None:
        return missing
    camels = give >> CAMEL_SHIFT
    if camels > herd:
        return IllegalMove(
            N_("Your herd is too small: it has {have}, and the exchange gives {wanted} (R10)."),
            have=herd,
            wanted=camels,
        )
    if size(hand) + camels > HAND_LIMIT:
        return IllegalMove(
            N_("Your hand would hold {cards} cards: the limit is 7, and each camel you give adds a card to it (R13)."),
            cards=size(hand) + camels,
        )
    return None


def _missing(bag: i64, wanted: i64, none: str, some: str) -> IllegalMove | None:
    """Complains about the first good of which the bag has too few, in one of two sentences: it has none, or some."""
    for good in range(i64(GOODS)):
        have = count(bag, good)
        if count(wanted, good) > have:
            return IllegalMove(some if have else none, have=have, card=KIND_NAMES[good])
    return None
