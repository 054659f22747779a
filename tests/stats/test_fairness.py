"""A board that came nearer to fair is found to, and nothing is found where nothing changed."""

import json

import numpy as np
import pytest
from conftest import SMALL_BOARD, TICKET, with_dearer_ticket
from runs.making import store

import ttrsim
from ttrsim.batches import Estimate, ratio
from ttrsim.errors import UsageError
from ttrsim.report.size_words import nearer_words
from ttrsim.stats.fairness import SIZE, fairness, from_zero
from ttrsim.stats.sizes import ALL

DEARER = 40
OTHER = SMALL_BOARD.replace("Dax", "Dex")
"""A board on which a city, and so its tickets, have another name."""


@pytest.fixture(scope="module")
def examined(tmp_path_factory):
    """Folders of examinations: the sound board, again at another seed, and with a ticket worth too much."""
    folder = tmp_path_factory.mktemp("fairness")
    found = {}
    for name, text, seed in (
        ("fair", SMALL_BOARD, 1),
        ("again", SMALL_BOARD, 2),
        ("planted", with_dearer_ticket(DEARER), 1),
        ("other", OTHER, 1),
    ):
        board = folder / f"{name}.toml"
        board.write_text(text, "utf-8")
        options = {"board": str(board), "players": "random", "games": 16_000, "seed": seed, "record": ()}
        store(folder / name / "2-mirror", design="mirror", seats=2, **options)
        found[name] = folder / name
    return found


def compared(examined, a, b):
    return ttrsim.compare_balances(examined[a], examined[b])


def verdicts(frame, of, players=2):
    return frame[(frame["of"] == of) & (frame["players"] == players)].set_index("question")["verdict"]


def test_a_ticket_made_too_dear_is_farther_from_fair_and_so_are_tickets(examined):
    found = compared(examined, "fair", "planted")
    assert found.unpaired == []
    assert verdicts(found.frame, TICKET)["tickets"] == "farther"
    assert verdicts(found.frame, SIZE)["tickets"] == verdicts(found.frame, SIZE, ALL)["tickets"] == "farther"
    assert "farther from fair in tickets (" in nearer_words(found.frame)
    back = compared(examined, "planted", "fair")
    assert verdicts(back.frame, TICKET)["tickets"] == "nearer"
    assert nearer_words(back.frame).startswith("B is nearer to fair in tickets (")


def test_the_same_games_are_nowhere_nearer_or_farther(examined):
    frame = compared(examined, "fair", "fair").frame
    assert set(frame[(frame["question"] == "tickets") & (frame["of"] != SIZE)]["verdict"]) == {"same"}
    assert set(frame["verdict"]) <= {"undecided", "same"}
    assert (frame["farther"] == 0).all()


def test_other_deals_of_the_same_board_are_not_paired_and_nowhere_nearer_or_farther(examined):
    found = compared(examined, "fair", "again")
    assert found.unpaired == ["seeds are 1 and 2"]
    assert set(found.frame["verdict"]) <= {"undecided", "same"}


def test_what_only_one_board_has_is_listed(examined):
    frame = compared(examined, "fair", "other").frame
    alone = frame[frame["verdict"].str.startswith("only")].set_index("of")["verdict"].to_dict()
    assert len(alone) == 6
    assert {name for name in alone if "Dax" in name} == {name for name in alone if alone[name] == "only in A"}
    assert {name for name in alone if "Dex" in name} == {name for name in alone if alone[name] == "only in B"}


def test_examinations_without_a_table_in_common_are_refused(examined, tmp_path):
    run = store(tmp_path / "3-mirror", design="mirror", players="random", seats=3, games=20, record=())
    with pytest.raises(UsageError, match="no table in common"):
        fairness([run], [run.open(examined["fair"] / "2-mirror")])


def test_command_prints_the_sentences_of_the_library(examined, ttrsim):
    told = ttrsim("compare", examined["fair"], examined["planted"])
    found = compared(examined, "fair", "planted")
    assert " ".join(found.answers) in " ".join(told.out.split())
    assert "\nSeats, tickets, strategies, cities and routes that moved\n" in told.out
    answer = json.loads(ttrsim("compare", examined["fair"], examined["planted"], "--json").out)
    assert answer["answers"] == found.answers
    assert [row["verdict"] for row in answer["rows"]] == [*found.frame["verdict"]]
    refused = ttrsim("compare", examined["fair"], examined["planted"], "--seed", "1")
    assert (refused.code, "has no effect on two stored examinations" in refused.err) == (2, True)


def test_page_of_both_says_the_same(examined, ttrsim, tmp_path):
    ended = ttrsim("report", examined["fair"], examined["planted"], "-o", tmp_path / "fairer.json", "--quiet")
    assert ended.code == 0, ended.err
    report = json.loads((tmp_path / "fairer.json").read_text("utf-8"))
    found = compared(examined, "fair", "planted")
    wide = fairness(found.a, found.b, 1 - 0.05 / 6)  # sizes, cities, routes, and at most three families at the table
    answers = {answer["question"]: answer["answer"] for answer in report["answers"]}
    assert answers["Is B nearer to fair than A?"] == nearer_words(wide)
    assert f"Farther from fair: {TICKET} with 2 players (+" in answers["Which seats, tickets and strategies moved?"]
    made = found.report()
    assert made.answers[0].words == nearer_words(wide)
    assert found.answers == [f"{made.title}.", *(f"{card.title}: {card.words}" for card in made.cards)]


def two(a, b, dice, batches=100):
    """Return estimates of b − a and b + a from batches with noise; errors are about 1."""
    noise = dice.standard_normal((2, batches, len(a))) * np.sqrt(batches)
    one, other = (ratio(true + part, np.ones(part.shape)) for true, part in zip((a, b), noise, strict=True))
    less = Estimate(other.value - one.value, other.replicates - one.replicates)
    return one, other, less, Estimate(other.value + one.value, other.replicates + one.replicates)


def test_distance_from_zero_and_its_intervals_hold_for_all_at_once():
    dice = np.random.default_rng(5)
    a, b = np.array([-7, -2, 0, 0, 3, -5, 0.5]), np.array([15, 2, 0, 3, 0, 4, -0.5])
    missed = 0
    for _ in range(200):
        one, other, less, total = two(a, b, dice)
        value, low, high = from_zero(less, total)
        assert np.allclose(value, np.abs(other.value) - np.abs(one.value))
        assert (low <= value).all()
        assert (value <= high).all()
        missed += not ((low <= abs(b) - abs(a)) & (abs(b) - abs(a) <= high)).all()
    assert missed <= 16
    assert from_zero(*two(a, b, dice)[2:]).low[0] > 0  # −7 to +15 is no gain
