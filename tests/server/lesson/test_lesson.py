"""The guided round: its script is true, leaving the script gets a fitting answer, and it ends with a graduation."""

import re

import pytest

from jaipur import Match, Move, Rng, Round
from jaipur.language import LANGUAGES, _, use_language
from jaipur.rules.bag import letters
from jaipur.rules.box import GOODS
from jaipur.rules.discard import tokens_left
from jaipur.rules.score import Ending
from jaipur.server.lesson import lesson_words
from jaipur.server.lesson.lesson import Lesson, ideas_in, lesson, scripted_reply
from jaipur.server.lesson.lesson_script import LINE, SEED, STEPS
from jaipur.server.lesson.lesson_words import IDEAS, KIND_ANSWERS, LEARNED, TIPS, Idea, Words
from jaipur.table import GameKind, Seating, Status, Tables, hashed, see
from tests.support.server import ME, Caller, play, play_some

GUIDED = Seating(GameKind.GUIDED, ("Ann", ""), (None, "pedlar"), (hashed(ME), None))
LONGEST = 175
"""The most characters in a lesson, in any language: more would be a wall of text on a phone."""


def guided(tables: Tables, moves: int = 0) -> str:
    """A guided game after this many moves of the script."""
    game = tables.create(GUIDED, history=Match(SEED)).game.id
    for move in LINE[:moves]:
        play(tables, game, move)
    return game


def lesson_of(tables: Tables, game: str) -> Lesson:
    said = lesson(see(tables.open(game), 0))
    assert said is not None
    return said


def after(moves: int) -> Round:
    match = Match(SEED)
    for move in LINE[:moves]:
        match.play(Move.parse(move))
    return match.round


def step(title: str) -> int:
    """How many moves are played before the step with this title."""
    return 2 * [step.title for step in STEPS].index(title)


def test_the_script_is_a_whole_round_that_the_learner_wins() -> None:
    played = after(len(LINE))
    assert played.starter == 0
    assert played.ending is Ending.TOKENS
    score = played.score()
    assert score.winner == 0
    assert score.tallies[0].camel > 0
    assert 12 <= len(STEPS) <= 16
    assert all(step.reply for step in STEPS[:-1])


def test_the_script_meets_every_idea_and_the_simple_ones_first() -> None:
    first = {idea: n for n, step in reversed(list(enumerate(STEPS))) for idea in ideas_in(Move.parse(step.move))}
    assert set(first) == set(Idea) == set(IDEAS)
    assert first[Idea.TAKE] < first[Idea.CAMELS] < first[Idea.GIVE_CAMELS] < first[Idea.SELL]
    assert first[Idea.SELL] < first[Idea.GIVE_GOODS] < first[Idea.PAIR] < first[Idea.BONUS]


def test_what_the_script_says_is_so() -> None:
    full = after(step("A full hand: sell"))
    assert len(letters(full.first.hand)) == 7
    early = after(step("Give goods, take goods"))
    assert (early.first.goods_rupees, early.second.goods_rupees) == (8, 5)
    assert after(step("Collect a set")).first.goods_rupees == 8 + 14
    assert letters(after(step("Collect a set")).moves[-1].give) == "PPPPP"
    assert len(letters(after(step("Camels fill your hand")).first.hand)) == 1
    assert letters(after(step("The camel token")).market).count("M") == 4
    end = tokens_after(step("How a round ends"))
    assert [letter for letter, pile in zip("DGSCPL", end, strict=True) if not pile] == ["G", "S"]
    last = after(step("Finish the round"))
    assert last.first.goods_rupees > last.second.goods_rupees + last.second.bonus_rupees
    assert last.first.herd > last.second.herd
    assert tokens_after(step("Finish the round"))[4] == [1, 1]


def tokens_after(moves: int) -> list[list[int]]:
    """The tokens that are left."""
    return [list(tokens_left(after(moves).discard, good)) for good in range(GOODS)]


def test_each_step_says_its_words_and_marks_the_cards_of_its_move(http: Caller, tables: Tables) -> None:
    game = guided(tables)
    for number, now in enumerate(STEPS, 1):
        said = lesson_of(tables, game)
        assert (said.title, said.step) == (now.title, number)
        page = http.get(f"/game/{game}", cookie=True).text
        assert len(re.findall(r'<li class="(?:fresh |given )?marked">', page)) == len(said.take + said.give) > 0
        assert page.count("marked by the lesson") == len(said.take + said.give)
        assert f'href="/rules#{now.rule}"' in page
        assert "(R" not in page.split('class="lesson"')[1].split("</section>")[0]
        move = Move.parse(now.move)
        assert set(said.take + said.give) == set(letters(move.take) + letters(move.give))
        play(tables, game, now.move)
        if now.reply:
            assert lesson_of(tables, game).title == "The Pedlar's turn"
            assert scripted_reply(tables.open(game)) == Move.parse(now.reply)
            play(tables, game, now.reply)
    assert tables.open(game).status is Status.SHEET


def test_whoever_goes_another_way_is_answered_kindly_and_may_come_back(http: Caller, tables: Tables) -> None:
    game = guided(tables, 2)
    play(tables, game, "+D")
    assert scripted_reply(tables.open(game)) is None
    play_some(tables, game, 1)
    said = lesson_of(tables, game)
    assert said.answer == KIND_ANSWERS[Idea.TAKE]
    assert (said.title, said.step) == ("Take the camels", None)
    page = http.get(f"/game/{game}", cookie=True).text
    offer = page.split('class="lesson"')[1].split("</section>")[0]
    assert f'action="/game/{game}/undo"' in offer
    assert said.answer in offer
    http.post(f"/game/{game}/undo", {}, cookie=True)
    assert lesson_of(tables, game).step == 2
    play(tables, game, "+M")
    assert scripted_reply(tables.open(game)) == Move.parse(STEPS[1].reply)


def test_only_the_first_move_of_ones_own_is_answered(tables: Tables) -> None:
    game = guided(tables, 2)
    play(tables, game, "+D")
    for _turn in range(3):
        play_some(tables, game, 1)
    assert not lesson_of(tables, game).answer
    assert lesson_of(tables, game).strayed


def test_every_moment_away_from_the_script_has_a_lesson_about_cards_that_are_there(tables: Tables) -> None:
    titles = set()
    for number in range(12):
        history = Match(SEED if number % 2 else number)
        game = tables.create(GUIDED, history=history).game.id
        while (table := tables.open(game)).status is Status.PLAYING:
            said = lesson_of(tables, game)
            titles.add(said.title)
            seen = see(table, 0)
            mine = (seen.sides[0].hand or "") + "M" * seen.sides[0].herd
            assert all(seen.market.count(letter) >= said.take.count(letter) for letter in said.take)
            assert all(mine.count(letter) >= said.give.count(letter) for letter in said.give)
            play_some(tables, game, 1, Rng(number + table.ply))
    assert {words.title for words in IDEAS.values()} <= titles
    assert {"The end is near", "You know it all"} <= titles


def test_another_deal_gets_no_words_of_the_script(tables: Tables) -> None:
    game = tables.create(GUIDED, history=Match(SEED + 1)).game.id
    while tables.open(game).turn != 0:
        assert scripted_reply(tables.open(game)) is None
        play_some(tables, game, 1)
    said = lesson_of(tables, game)
    assert said.step is None
    assert not said.strayed


def test_a_guided_game_is_dealt_from_the_seed_of_the_script(http: Caller, tables: Tables) -> None:
    made = http.post("/games", {"kind": "guided"}, cookie=True).header("location").removeprefix("/game/")
    assert tables.open(made).match == Match(SEED)
    other = http.post("/games", {"kind": "bot"}, cookie=True).header("location").removeprefix("/game/")
    assert tables.open(other).match != Match(SEED)


def test_the_end_is_a_graduation_with_a_first_opponent(http: Caller, tables: Tables) -> None:
    game = guided(tables, len(LINE) - 1)
    assert "graduation" not in http.get(f"/game/{game}", cookie=True).text
    play(tables, game, LINE[-1])
    page = http.get(f"/game/{game}", cookie=True).text
    assert all(sentence in page for sentence in LEARNED)
    assert page.count(f'action="/game/{game}/ready"') == 1
    assert re.search(r'<button [^>]*form="first-opponent"[^>]*value="pedlar"', page)
    form = page.split('id="first-opponent"')[1].split("</form>")[0]
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form)) | {"level": "pedlar"}
    new = http.post("/games", fields, cookie=True).header("location").removeprefix("/game/")
    assert (tables.open(new).kind, tables.open(new).level(1)) == (GameKind.BOT, "pedlar")
    http.post(f"/game/{game}/ready", {}, cookie=True)
    assert lesson(see(tables.open(game), 0)) is None


def test_a_newcomer_is_offered_the_lesson_first(http: Caller) -> None:
    def large_buttons() -> list[tuple[str, str]]:
        page = http.get("/", cookie=True).text
        return re.findall(r'<button class="((?:primary )?large)" name="\w+" value="(\w+)"', page)

    assert large_buttons() == [("primary large", "guided"), ("large", "trader")]
    http.post("/games", {"kind": "guided"}, cookie=True)
    assert large_buttons() == [("primary large", "trader"), ("large", "guided")]


def all_words() -> list[Words]:
    others = [words for words in vars(lesson_words).values() if isinstance(words, Words)]
    return [*STEPS, *IDEAS.values(), *others]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_that_is_linked_is_on_the_rules_page(http: Caller, language: str) -> None:
    page = http.get("/rules", cookie=True, headers={"accept-language": language}).text
    anchors = re.findall(r'<h\d id="([\w-]+)"', page)
    assert len(anchors) == len(set(anchors)) == len(re.findall(r"<h[1-6]", page))
    assert {words.rule for words in all_words()} <= set(anchors)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_lesson_is_a_wall_of_text(language: str) -> None:
    use_language(language)
    try:
        texts = [_(words.text) for words in all_words()] + [_(sentence) for sentence in LEARNED + TIPS]
    finally:
        use_language("en")
    for text in texts:
        assert len(text) <= LONGEST, text
        assert len(re.findall(r"[.!?](?: |$)", re.sub(r"^\S+\s?! ", "", text))) <= 2, text
