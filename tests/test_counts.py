"""Numbers of things in words."""

import pytest

from ttrsim.batches import Interval
from ttrsim.cli.compare import print_conditions
from ttrsim.formatting import counted, games_more
from ttrsim.report.tables import games_more_cell
from ttrsim.stats.verdicts import ConditionResult, read_condition


@pytest.mark.parametrize(("count", "words"), [(0, "no games"), (1, "1 game"), (20_000, "20,000 games")])
def test_one_thing_is_told_as_one(count, words):
    assert counted(count, "game") == words


@pytest.mark.parametrize("of", ["", "of each"])
def test_games_beyond_reach_are_not_counted(of):
    assert games_more(1e9, of) == f"at least 1,000,000,000 more games {of}".strip()
    assert "practical" in games_more(1.1e9, of)
    assert of in games_more(1.1e9, of)
    assert not any(c.isdigit() for c in games_more(1.1e9, of) + games_more_cell(1.1e9))
    cells = [games_more_cell(more) for more in (1e7, 1.1e7, 0.0, float("nan"))]
    assert cells == ["10,000,000", "too close to call", "no estimate", "–"]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (4000.0, "; at least 4,000 more games of each would settle it)"),
        (2e7, "; too close to call)"),
    ],
)
def test_a_condition_out_of_reach_says_so(capsys, more, words):
    print_conditions(
        [ConditionResult(read_condition("seat>1pp"), "undecided", "seat 0", Interval(0.01, 0.0, 0.02), more)], err=False
    )
    assert words in " ".join(capsys.readouterr().out.split())
