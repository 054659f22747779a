"""`ttrsim.habits`: a habit is judged on the same deals as its absence; one that cannot matter changes nothing."""

import pytest

import ttrsim
from ttrsim.errors import UsageError
from ttrsim.restricted import parse_habit
from ttrsim.tuning.habits import habit_words

pytestmark = pytest.mark.usefixtures("not_the_first_run")
WHERE = {"board": "usa", "seats": [2, 3], "games": 400, "seed": 5, "threads": 2}


@pytest.fixture(scope="module")
def found():
    return ttrsim.habits(habits=["claims_at_once", "never_builds_stations"], players="planner,hoarder", **WHERE)


def test_a_costly_habit_is_found_at_every_table(found):
    rows = found.frame[found.frame["habit"] == "claims_at_once"]
    assert set(rows["verdict"]) == {"costs"}
    assert (rows["score_change_high"] < 0).all()
    assert found.answers[1].startswith("Claiming at once costs wins at all 4 tables, most −")


def test_a_habit_that_cannot_matter_on_the_board_changes_no_game(found):
    rows = found.frame[found.frame["habit"] == "never_builds_stations"]
    assert list(rows["verdict"]) == ["same"] * 4
    assert (rows[["win_change", "score_change"]] == 0).all(axis=None)
    assert found.answers[-1] == "Never building stations changes no game at any of 4 tables."


def test_changes_are_those_between_two_plays_of_the_same_deals(found):
    found = ttrsim.habits(**{**WHERE, "habits": "draws_blind", "players": "planner", "seats": 3, "games": 300})
    (row,) = found.frame.to_dict("records")
    shares, scores = [], []
    for focal, rotations in (("planner(draws_blind=1)", 3), ("planner", 1)):  # a table of equals plays a deal once
        games = row["games"] // 3 * rotations
        played = ttrsim.simulate(board="usa", players=f"{focal},planner,planner", games=games, seed=5)
        own = played.seats["strategy"] == 0
        shares.append(played.win_share[own].mean())
        scores.append(played.seats["score"][own].mean())
    assert row["games"] == 300
    assert row["win_change"] == pytest.approx(shares[0] - shares[1])
    assert row["score_change"] == pytest.approx(scores[0] - scores[1])
    assert row["win_share"] == pytest.approx(shares[1])


def test_all_intervals_hold_at_once_so_they_are_wider_than_each_alone(found):
    rows = found.frame[found.frame["habit"] == "claims_at_once"]
    half = (rows["win_change_high"] - rows["win_change_low"]) / 2
    assert (half > 2.2 * rows["win_error"]).all()  # 2.0 for each alone, 2.6 by Šidák's bound for four
    assert (half < 2.7 * rows["win_error"]).all()


def test_without_a_habit_named_all_that_matter_on_the_board_are_played():
    few = {"players": "long_hauler,planner", "seats": 2, "games": 20, "seed": 1}
    names = {board: set(ttrsim.habits(board=board, **few).frame["habit"]) for board in ("usa", "europe")}
    assert names["europe"] - names["usa"] == {"never_builds_stations"}
    assert {"opening_tickets=1", "opening_tickets=8", "draws_blind"} <= names["usa"]


def test_a_strategy_is_played_with_the_habits_that_it_has():
    frame = ttrsim.habits(board="usa", players="long_hauler,planner", seats=2, games=20, seed=1).frame
    own = frame.groupby("strategy")["habit"].nunique()
    assert own["long_hauler"] == 4  # opening_tickets twice, draws_blind, ignores_trail
    assert own["planner"] == 8


def test_opponents_can_be_others_than_copies():
    found = ttrsim.habits(**{**WHERE, "habits": "draws_blind", "players": "planner", "against": "hoarder,random"})
    assert (found.frame["win_share"] > 0.6).all()
    assert found.about.startswith("against hoarder, random, ")


def test_pictures_have_a_panel_for_each_strategy(found, tmp_path):
    axes = found.plot(tmp_path / "habits.svg")
    assert [panel.get_title("left") for panel in axes.figure.axes] == ["planner", "hoarder"]
    assert "Claiming at once costs most" in (tmp_path / "habits.svg").read_text("utf-8")
    assert "<svg" in found._repr_html_()


def test_json_has_the_seed_the_answers_and_the_table(found):
    told = found.json()
    assert (told["board"], told["players"], told["seats"], told["seed"]) == ("usa", ["planner", "hoarder"], [2, 3], 5)
    assert told["answers"] == found.answers
    changes = [row["win_change"] for row in told["tables"]["habits"]["rows"]]
    assert changes == pytest.approx(found.frame["win_change"].tolist())


@pytest.mark.parametrize(
    ("text", "habit", "words"),
    [
        ("draws_blind", ("draws_blind", 1.0), "drawing blind"),
        ("draws_blind=1", ("draws_blind", 1.0), "drawing blind"),
        ("opening_tickets = 3", ("opening_tickets", 3.0), "keeping 3 opening tickets"),
        ("opening_tickets=8", ("opening_tickets", 8.0), "keeping all opening tickets"),
    ],
)
def test_habits_are_read(text, habit, words):
    assert parse_habit(text) == habit
    assert habit_words(text.replace(" ", "").removesuffix("=1")) == words


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"habits": "draw_blind"}, "there is no habit of that name; did you mean draws_blind"),
        ({"habits": "opening_tickets"}, "say how many, as in opening_tickets=3"),
        ({"habits": "opening_tickets=9"}, "must be from 1 to 8"),
        ({"habits": "draws_blind=0"}, "must be 1"),
        ({"habits": "claims_at_once", "players": "long_hauler"}, "is not among the SWITCHES of long_hauler"),
        ({"players": "random"}, "none of them has SWITCHES"),
        ({"players": []}, "names nobody"),
        ({"seats": 6}, "2 to 5 players, not 6"),
        ({"games": 0}, "must be from 1 to"),
    ],
)
def test_what_cannot_be_played_is_refused_in_words(options, words):
    with pytest.raises(UsageError, match=words):
        ttrsim.habits(**{**WHERE, **options})
