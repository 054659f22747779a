"""`ttrsim.sweep`: all values play the same deals, and the start changes nothing."""

import pytest

import ttrsim
from ttrsim.cli.tune import parse_grid
from ttrsim.errors import UsageError

pytestmark = pytest.mark.usefixtures("not_the_first_run")
WHERE = {"board": "usa", "seats": 2, "against": "hoarder", "games": 400, "seed": 5, "threads": 2}


@pytest.fixture(scope="module")
def found():
    return ttrsim.sweep("planner", grid={"tempo": [0, 22], "alarm": [13.5, 90]}, **WHERE)


def test_the_values_of_the_start_change_nothing(found):
    row = found.frame.set_index("parameters").loc["tempo=22, alarm=13.5"]
    assert row["change"] == 0


def test_win_shares_are_those_of_a_run(found):
    run = ttrsim.simulate(board="usa", players="planner(tempo=0,alarm=90),hoarder", games=400, seed=5)
    share = run.win_share[run.seats["strategy"] == 0].mean()
    assert found.frame.set_index("parameters").loc["tempo=0, alarm=90", "win_share"] == pytest.approx(share)


def test_what_is_surely_worse_is_said(found):
    worse = found.frame[found.frame["verdict"] == "worse"]
    assert set(worse["parameters"]) >= {"tempo=0, alarm=90"}
    assert found.answers == ["No values clearly win more than planner."]


def test_pictures_are_drawn(found, tmp_path):
    assert found.plot(tmp_path / "map.svg").get_xlabel() == "tempo"
    line = ttrsim.sweep("planner", grid={"tempo": [0, 10, 20]}, **{**WHERE, "games": 100})
    assert line.plot().get_ylabel() == "wins per 100 games"


@pytest.mark.parametrize(
    ("grid", "words"),
    [
        ({}, "no parameter: a sweep is over one or two"),
        ({"tempo": []}, "tempo: 0 values"),
        ({"tempo": range(600)}, "tempo: 600 values"),
        ({"tempo": range(10**9), "alarm": range(10**9)}, "tempo and alarm: 1,000,000,000,000,000,000 pairs of values"),
        ({"tempo": [99]}, "must be from 0 to 60"),
        ({"temp": [1]}, "did you mean tempo"),
    ],
)
def test_grids_that_cannot_be_played_are_refused(grid, words):
    with pytest.raises(UsageError, match=words) as refused:
        ttrsim.sweep("planner", grid=grid, **WHERE)
    assert "grid" not in str(refused.value)  # which nobody types in a terminal


@pytest.mark.parametrize(
    ("text", "values"),
    [("risk=0:20:5", [0, 5, 10, 15, 20]), ("risk=0:1:0.3", [0, 0.3, 0.6, 0.9]), ("risk=1,2.5", [1, 2.5])],
)
def test_grids_are_read(text, values):
    assert parse_grid((text,)) == {"risk": values}


HUGE = "9" * 400
WRONG = ["risk", "risk=", "risk=1:2", "risk=2:1:1", "risk=1:2:0", "risk=0:1:1e-9", "=1:2:1:2", "risk=0:1000:1"]


@pytest.mark.parametrize("text", [*WRONG, f"risk=0:{HUGE}:1", f"risk=-{HUGE}:1:1", f"risk=0:{HUGE[:300]}:.{'0' * 99}1"])
def test_grids_that_make_no_sense_are_refused(text):
    with pytest.raises(UsageError):
        parse_grid((text,))


def test_a_parameter_is_given_once():
    with pytest.raises(UsageError, match="given twice"):
        parse_grid(("risk=1,2", "risk=3,4"))
