"""Promises that every strategy that comes with ttrsim keeps, on all boards with every number of players.

A short form of `ttrsim strategies check`; each strategy takes some seconds, and more where it must be compiled first.
"""

import re

import pytest
from in_process import play_here

from ttrsim.checking import QUICK, check_strategy
from ttrsim.checking.checks import all_tables
from ttrsim.core.constants import ENDED
from ttrsim.core.jit import COMPILED
from ttrsim.games import make_games
from ttrsim.strategies import load_strategy, strategy_names
from ttrsim.strategies.loading import load_source, new_text

SLOW = "lookahead"
"""It plays many games for each decision; `scripts/verify.py shipped` checks it."""


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    play_here(monkeypatch)


@pytest.mark.skipif(not COMPILED, reason="uncompiled games are too slow to play so many")
@pytest.mark.parametrize("name", [name for name in strategy_names() if name != SLOW])
def test_every_strategy_passes_the_check(name):
    found = check_strategy(load_strategy(name), extent=QUICK)
    assert found.problems == []
    assert [report.table for report in found.reports] == list(all_tables())
    assert found.compared >= 1


@pytest.mark.skipif(not COMPILED, reason="uncompiled games are too slow to play so many")
@pytest.mark.parametrize(
    ("board", "players"), [("usa", 2), ("europe:mega", 3), ("old_west:alvin", 4), ("san_francisco", 2)]
)
def test_looking_ahead_is_legal_and_the_same_each_time(board, players):
    line_up = [load_strategy(SLOW, {"playouts": 1}), *["one_step"] * (players - 1)]
    first, second = (make_games(board, line_up, 5).play(range(4)) for _ in range(2))
    assert first.seats.tobytes() == second.seats.tobytes()
    assert set(first.games["ending"]) == {ENDED}


@pytest.mark.skipif(not COMPILED, reason="uncompiled games are too slow to play so many")
def test_the_file_to_start_from_passes_the_check(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(new_text("mine"), "utf-8")
    assert check_strategy(load_strategy(str(path)), ["usa", "old_west:alvin"], QUICK).problems == []


@pytest.mark.parametrize("name", strategy_names())
def test_every_strategy_says_in_a_sentence_what_it_does(name):
    source = load_source(name)
    assert source.name == name
    assert 20 < len(re.split(r"\.\s", source.doc)[0]) < 200
