"""`jaipur calibrate`: whether the network's probabilities, or the coach's grades, are right."""

from typing import Annotated

from typer import Argument, Option

from jaipur.arena.calibration import CHUNK, measure
from jaipur.bots.weights import find_network
from jaipur.cli.kit.options import GradingWorldsOption, JsonOption, SeedOption
from jaipur.cli.kit.output import console, print_json, progress_bar, table_of
from jaipur.coach.checking import cases, check_grades
from jaipur.coach.coach_words import points
from jaipur.coach.grades import WORLDS
from jaipur.language import _, decimal


def calibrate(
    network: Annotated[str, Argument(help=_("Whose network: merchant, vizier, or a file of weights."))] = "vizier",
    rounds: Annotated[int, Option(min=1, help=_("Rounds of the network against itself."))] = 5000,
    seed: SeedOption = 0,
    grades: Annotated[
        int | None,
        Option(
            min=1, help=_("Check the grades of the coach instead, on this many decisions played on in fresh worlds.")
        ),
    ] = None,
    worlds: GradingWorldsOption = WORLDS,
    as_json: JsonOption = False,
) -> None:
    """Prints what was predicted and what was seen, for each tenth of the probability scale."""
    if grades is not None:
        return _check_grades(grades, seed, worlds, as_json)
    learned = find_network(network)
    with progress_bar() as progress:
        *_before, tenths = progress.track(measure(learned, rounds, seed), total=-(-rounds // CHUNK), description="")
    if as_json:
        return print_json([vars(tenth) for tenth in tenths])
    headings = _("tenth"), _("cases"), _("predicted"), _("seen"), _("difference")
    rows = []
    for number, tenth in enumerate(tenths):
        difference = decimal(tenth.seen - tenth.predicted, 3, sign=True)
        figures = str(tenth.cases), decimal(tenth.predicted, 3), decimal(tenth.seen, 3), difference
        rows.append((f"{number * 10}–{number * 10 + 10}%", *figures))
    return console.print(table_of(headings, rows, _("Reliability"), words=0))


def _check_grades(decisions: int, seed: int, worlds: int, as_json: bool) -> None:
    """Prints what the coach said, and what was seen when the moves were played on and judged again."""
    with progress_bar() as progress:
        check = check_grades(progress.track(cases(decisions, seed), total=decisions, description=""), worlds)
    if as_json:
        groups = [vars(group) for group in check.groups()]
        return print_json(check.figures() | {"groups": groups})
    headings = _("said"), _("cases"), _("predicted"), _("seen"), _("difference")
    rows = []
    for group in check.groups():
        seen = f"{points(group.seen)} ± {points(group.error)}"
        difference = points(group.seen - group.predicted, True)
        rows.append((group.range, str(group.cases), points(group.predicted), seen, difference))
    console.print(table_of(headings, rows, _("Loss in points"), words=0))
    labels = _("Labels confirmed with ten times as many worlds: {held} of {number}.")
    reasons = _("Reasons with the same sign in fresh worlds: {held} of {number}.")
    console.print(labels.format(held=check.labels_held, number=check.labels))
    return console.print(reasons.format(held=check.reasons_held, number=check.reasons))
