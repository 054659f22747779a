"""Win shares as a run goes on are those of its first games."""

import numpy as np
import pytest
from runs.making import store

from ttrsim import stats
from ttrsim.stats.standings import FIRST_STEP, convergence, convergence_steps


def test_at_the_end_it_says_what_the_whole_run_says(recorded):
    last = convergence(recorded).groupby("strategy").last()
    whole = stats.strategies(recorded).set_index("strategy").loc[last.index]
    columns = ["win_share", "win_share_low", "win_share_high"]
    np.testing.assert_allclose(last[columns], whole[columns])
    assert (last["games"] == recorded.games_played).all()


def test_each_share_is_that_of_the_rows_of_the_first_games(recorded):
    rows = recorded.players
    for row in convergence(recorded).iloc[::7].itertuples():
        played = rows[(rows["game"] < row.games) & (rows["strategy"] == row.strategy)]
        assert played["win_share"].mean() == pytest.approx(row.win_share)


def test_steps_grow_and_end_with_the_last_batch():
    for batches in (FIRST_STEP, 7, 50, 200):
        found = convergence_steps(batches)
        assert (found[0], found[-1]) == (FIRST_STEP, batches)
        assert (np.diff(found) > 0).all()


def test_a_run_of_few_batches_has_no_rows(tmp_path):
    assert convergence(store(tmp_path / "run", games=6, record=())).empty
