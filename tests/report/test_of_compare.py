"""The report of a comparison claims what its frame says for sure, and nothing else."""

import re

import pytest
from conftest import SMALL_BOARD, with_dearer_ticket
from runs.making import store
from stats.test_compare import HANDICAPPED

from report.reading import answer, first_words, report, tables, untold
from ttrsim.comparison import compare
from ttrsim.core.constants import RULES_VERSION
from ttrsim.report.compare_glance import answering, summary_cards
from ttrsim.runs import Run
from ttrsim.stats.compare import Pair, changes

NASTY = "<i>Ayr</i>|*x*"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("of_compare")


@pytest.fixture(scope="module")
def boards(folder):
    """The small board, and that board with a ticket that is worth much more and a city with a nasty name."""
    found = {}
    for name, text in (
        ("plain", SMALL_BOARD),
        ("dearer", with_dearer_ticket(8)),
        ("nasty", SMALL_BOARD.replace('"Ayr"', f'"{NASTY}"')),
    ):
        (folder / name).mkdir()
        found[name] = folder / name / "small.toml"
        found[name].write_text(text, "utf-8")
    return found


@pytest.fixture(scope="module")
def runs(folder, boards):
    """Folders of runs by name; those of `better` differ in that one strategy is handicapped in the first."""
    bot = folder / "handicapped.py"
    bot.write_text(HANDICAPPED, "utf-8")
    plain = {"board": str(boards["plain"]), "games": 8000, "record": ()}
    many = {**plain, "board": "san_francisco", "games": 2000}
    made = {
        "plain": plain,
        "dearer": {**plain, "board": str(boards["dearer"])},
        "seed": {**plain, "seed": 6},
        "nasty": {**plain, "board": str(boards["nasty"])},
        "three": {**plain, "players": "random,random_kind,random", "games": 300},
        "one": {**plain, "players": "random,random", "games": 300},
        "other": {**plain, "players": "random_kind,random_kind", "games": 300},
        "short": {**plain, "games": 2000},
        "better/a": {**many, "players": f"random,{bot}(percent=100)"},
        "better/b": {**many, "players": f"random,{bot}"},
    }
    (folder / "better").mkdir()
    return {name: store(folder / name / "run" if "/" not in name else folder / name, **made[name]).folder.path for name in made}  # fmt: skip  # noqa: E501


PAIRS = [("plain", "dearer"), ("plain", "seed"), ("plain", "nasty"), ("better/a", "better/b")]


@pytest.fixture(scope="module")
def better(runs):
    """A folder as `ttrsim compare -o` makes it."""
    return runs["better/a"].parent


def rows(a, b, table, what):
    """Return changes by their subject, with intervals of which ten families hold together."""
    frame = changes(Pair.of(Run.open(a), Run.open(b)), 1 - 0.05 / 10)
    frame = frame[(frame["table"] == table) & (frame["what"] == what) & frame["change_low"].notna()]
    return frame.set_index("of").to_dict("index")


def surely(row):
    return row["change_low"] > 0 or row["change_high"] < 0


def test_a_strategy_that_is_clearly_better_in_b_is_named_as_such(reported, better):
    _, told = reported(better)
    assert told["kind"] == "compare"
    row = rows(better / "a", better / "b", "strategies", "win_share")["handicapped(percent=100) → handicapped"]
    assert row["change_low"] > 0.05
    gain, half = 100 * row["change"], 50 * (row["change_high"] - row["change_low"])
    words = answer(told, "What changed")
    assert f"handicapped in place of handicapped(percent=100) {gain:.1f} ± {half:.1f} pp more" in words
    assert f"({100 * row['b']:.1f} % instead of {100 * row['a']:.1f} %)" in words
    assert "random 10" not in words
    assert "Clearly by more than 1 pp: all of them." in words
    assert "RECONSTRUCTION" in " ".join(told["warnings"])


def test_the_page_begins_with_the_greatest_clear_change_and_python_says_the_same(reported, better):
    page, _, told = reported(better, page=True)
    found = compare(better / "a", better / "b")
    row = rows(better / "a", better / "b", "strategies", "win_share")["handicapped(percent=100) → handicapped"]
    gain, half = 100 * row["change"], 50 * (row["change_high"] - row["change_low"])
    assert told["title"] == (
        f"From A to B, handicapped in place of handicapped(percent=100) wins {gain:.1f} ± {half:.1f} more games in 100"
    )
    assert found.answers == [f"{told['title']}.", *(f"{card['title']}: {card['words']}" for card in told["cards"])]
    assert page.count('class="card"') == len(told["cards"]) == 4


def test_answers_at_a_glance_take_few_words(reported, better):
    page, *_ = reported(better, page=True)
    assert 40 < len(first_words(page)) <= 120


def test_games_that_differ_by_chance_alone_make_no_finding(reported, runs):
    _, told = reported(runs["plain"], runs["seed"], "--kind", "compare")
    words = {card["title"]: card["words"] for card in told["cards"]}
    assert told["title"] == "From A to B, neither wins nor scores clearly change"
    assert words["Wins"].startswith(("Too close to call: ", "No change beyond 1 of 100 games: "))
    assert words["Tickets"] == "None of 6 tickets clearly change."


def test_bars_of_what_is_not_clear_are_pale(runs):
    pair = Pair.of(Run.open(runs["better/a"]), Run.open(runs["better/b"]))
    frame = answering(pair)
    shown = {bar.name: bar for card in summary_cards(pair, frame, 0.01) if card.title == "Wins" for bar in card.bars}
    found = frame[(frame["table"] == "strategies") & (frame["what"] == "win_share")].set_index("of").to_dict("index")
    assert {name: bar.value for name, bar in shown.items()} == {
        name: 100 * row["change"] for name, row in found.items()
    }
    assert {name: bar.faint for name, bar in shown.items()} == {name: not surely(row) for name, row in found.items()}


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_win_shares_are_said_to_change_where_their_interval_says_so(reported, runs, a, b):
    _, told = reported(runs[a], runs[b], "--kind", "compare")
    found = rows(runs[a], runs[b], "strategies", "win_share")
    claims = re.findall(r"[\d.]+ ± [\d.]+ pp (?:more|less)", answer(told, "What changed"))
    assert len(claims) == sum(map(surely, found.values()))
    left = answer(told, "What did not change")
    assert ("win share" in left) == (len(claims) < len(found))


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_seat_and_length_are_told_as_their_intervals_say(reported, runs, a, b):
    _, told = reported(runs[a], runs[b], "--kind", "compare")
    first = rows(runs[a], runs[b], "seats", "win_share")["0"]
    said = re.search("clearly (better|worse)", answer(told, "Is the first seat"))
    assert bool(said) == surely(first)
    assert not said or (said[1] == "better") == (first["change"] > 0)
    length = rows(runs[a], runs[b], "games", "turns")[""]
    said = re.search("turns (longer|shorter) ", answer(told, "Are the games"))
    assert bool(said) == surely(length)
    assert not said or (said[1] == "longer") == (length["change"] > 0)


def test_equal_runs_of_other_seeds_are_not_paired_and_nothing_changed_for_sure(reported, runs):
    _, told = reported(runs["plain"], runs["seed"], "--kind", "compare")
    assert answer(told, "What is compared").startswith("They differ in the seed (A: 5; B: 6).")
    assert answer(told, "What changed").startswith("No strategy's win share clearly changed.")
    assert "is too close to call" in answer(told, "What did not change")
    assert answer(told, "How sure").startswith("The runs are not paired: seeds are 5 and 6.")


def test_a_run_and_itself_do_not_differ(reported, runs):
    _, told = reported(runs["plain"], runs["plain"], "--kind", "compare")
    assert answer(told, "What is compared") == "Nothing: A and B are the same games."
    assert answer(told, "What did not").startswith("The win share of random and random_kind came out the same")
    assert answer(told, "Is the first seat").endswith("that came out the same.")
    said = " ".join(answer(told, question) for question in ("What changed", "Which tickets", "Are the games"))
    assert "±" not in said


def test_where_everybody_plays_the_same_the_win_share_is_not_told(reported, runs):
    _, told = reported(runs["one"], runs["other"], "--kind", "compare")
    assert "Everybody plays the same strategy on each side" in answer(told, "What changed")
    assert "win share" not in answer(told, "What did not")


def test_a_ticket_that_is_worth_more_has_gained(reported, runs):
    _, told = reported(runs["plain"], runs["dearer"], "--kind", "compare")
    assert "the values of tickets (Bern–Córdoba 3 → 8)" in answer(told, "What is compared")
    found = rows(runs["plain"], runs["dearer"], "tickets", "score_effect")
    gained = [name for name, row in found.items() if row["change_low"] > 0]
    assert "Bern–Córdoba" in gained
    words = answer(told, "Which tickets")
    assert {name for name in found if f"{name} (+" in words.partition("On the score")[2]} == set(gained)
    assert answer(told, "How sure").startswith("The runs are paired:")


def test_boards_without_a_common_ticket_are_told_apart(reported, runs):
    _, told = reported(runs["short"], runs["better/b"], "--kind", "compare")
    assert answer(told, "Which tickets") == "Unknown: the boards have no ticket in common."
    assert "pairing does not help here" in answer(told, "How sure")
    assert "other tickets and other cards" in answer(told, "How sure")


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_tables_are_whole_and_every_number_is_in_the_json(reported, runs, a, b):
    markdown, told = reported(runs[a], runs[b], "--kind", "compare")
    assert [table for table in tables(markdown) if len({len(row) for row in table}) != 1] == []
    assert untold(markdown, told) == []
    assert {"strategies", "tickets_win_effect", "tickets_score_effect", "seats", "games"} <= set(told["tables"])


def test_names_stay_text(reported, runs):
    page, markdown, told = reported(runs["plain"], runs["nasty"], "--kind", "compare", page=True)
    assert any(NASTY in row["of"] for row in told["tables"]["tickets_win_effect"]["rows"])
    assert "<i>" not in page
    assert "&lt;i&gt;Ayr" in page
    assert "<i>" not in markdown.replace(r"\<i\>", "")


def test_the_same_runs_give_the_same_bytes(reported, ttrsim, tmp_path, better):
    assert reported(better, page=True) == report(ttrsim, tmp_path, better, page=True)


def test_provenance_tells_both_runs_and_how_to_make_them_again(reported, better):
    _, told = reported(better)
    assert {"Digest of A", "Digest of B", "Command of A", "Command of B"} <= set(told["provenance"])
    assert told["commands"][2] == "ttrsim compare A B"
    assert "Sanity of A: " in told["sanity"]
    assert "Sanity of B: " in told["sanity"]


def test_runs_by_other_rules_are_told_first(reported, runs, boards, tmp_path, monkeypatch):
    monkeypatch.setattr("ttrsim.runs.recipe.RULES_VERSION", RULES_VERSION + 1)
    store(tmp_path / "later", board=str(boards["plain"]), games=2000, record=())
    _, told = reported(runs["short"], tmp_path / "later", "--kind", "compare")
    assert [text for text in told["warnings"] if "played by different rules" in text]
    assert "the version of the rules" in answer(told, "What is compared")


def test_tables_of_different_sizes_are_refused_in_a_line(ttrsim, tmp_path, runs):
    ended = ttrsim("report", runs["plain"], runs["three"], "--kind", "compare", "-o", tmp_path / "x.html")
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert "tables of 2 players and tables of 3 cannot be compared" in ended.err
