"""What every strategy that comes with ttrsim keeps to, on all boards with every number of players.

A short form of `ttrsim strategies check`; each strategy takes some seconds, and more where it must be compiled first.
"""

import pytest

from ttrsim.checking import QUICK, check_strategy
from ttrsim.checking.checks import all_tables
from ttrsim.core.jit import COMPILED
from ttrsim.strategies import load_strategy, strategy_names
from ttrsim.strategies.loading import load_source, new_text


@pytest.mark.skipif(not COMPILED, reason="uncompiled games are too slow to play so many")
@pytest.mark.parametrize("name", strategy_names())
def test_every_strategy_passes_the_check(name):
    found = check_strategy(load_strategy(name), extent=QUICK)
    assert found.problems == []
    assert [report.table for report in found.reports] == list(all_tables())
    assert found.checked >= 20
    assert found.compared >= 1


@pytest.mark.skipif(not COMPILED, reason="uncompiled games are too slow to play so many")
def test_the_file_to_start_from_passes_the_check(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(new_text("mine"))
    assert check_strategy(load_strategy(str(path)), ["usa", "old_west:alvin"], QUICK).problems == []


@pytest.mark.parametrize("name", strategy_names())
def test_every_strategy_says_in_a_sentence_what_it_does(name):
    source = load_source(name)
    assert source.name == name
    assert 20 < len(source.doc.partition(". ")[0]) < 200
