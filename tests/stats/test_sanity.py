"""The panel: sound runs pass, unsound ones are found."""

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from runs.making import store

from ttrsim.data import data_folder
from ttrsim.runs import Run
from ttrsim.runs.local import local_engine
from ttrsim.runs.make import Part, carry_out, opened
from ttrsim.runs.plan import make_plan
from ttrsim.runs.playing import Player
from ttrsim.runs.store import Folder, file_record
from ttrsim.stats import tickets
from ttrsim.stats.sanity import sanity, verdict


def results(run: Run) -> pd.DataFrame:
    return sanity(run).set_index("check")


def test_sound_runs_pass(recorded):
    found = results(recorded)
    assert set(found["result"]) <= {"ok", "–"}
    assert (found["result"] == "ok").sum() >= len(found) - 2
    untold = (found["result"] == "–").sum()
    assert verdict(sanity(recorded)).endswith(f" ok, {untold} cannot be told" if untold else "checks, all ok")


def test_corners_of_the_rules_are_counted(recorded):
    value, games, players = results(recorded)["value"], recorded.games, recorded.players
    assert value["games won by several"] == (games["winners"] > 1).sum()
    assert value["games that ended with nobody able to move"] == (games["ending"] == "stalemate").sum()
    assert value["times the discards became the deck"] == games["reshuffles"].sum()
    assert value["turns in which nothing was possible"] == players["passes"].sum()
    assert value["tunnels given up"] == players["withdrawn"].sum()


def test_one_strategy_under_two_names_is_compared_with_itself(tmp_path):
    copy = tmp_path / "twin.py"
    copy.write_bytes((data_folder() / "strategies" / "random_kind.py").read_bytes())
    run = store(tmp_path / "run", players=f"random_kind,{copy},random", games=3000, record=())
    row = results(run).loc["one strategy under two names wins as often"]
    assert row["result"] == "ok"
    assert 0 < row["value"] < 3.3
    assert row["told"].startswith("standard errors, the most of 1;")


def test_where_no_strategy_has_two_names_nothing_is_said_of_it(recorded):
    assert "one strategy under two names wins as often" not in results(recorded).index


@pytest.fixture
def altered(tmp_path):
    """A run that was stored with something wrong: with so much more in the first rows of a column."""
    run = store(tmp_path / "run", games=2000, record=())

    def alter(table, column, rows, by):
        path = tmp_path / "run" / "summary" / f"{table}.parquet"
        stored = pq.read_table(path)
        values = stored[column].to_numpy().copy()
        values[:rows] += by
        kind = stored.schema.field(column).type
        pq.write_table(stored.set_column(stored.schema.get_field_index(column), column, pa.array(values, kind)), path)
        files = run.folder.read_summary().files | {path.name: file_record(path.read_bytes(), len(values))}
        summary = run.folder.read_summary().model_copy(update={"files": files})
        (path.parent / "summary.json").write_text(summary.model_dump_json(), "utf-8")
        return results(Run.open(run.folder.path))

    return alter


@pytest.mark.parametrize(
    ("table", "column", "check"),
    [
        ("seats", "win60", "win shares of a game sum to 1"),
        ("seats", "points_won", "parts of the score sum to it"),
        ("tickets", "offered", "offers of regular tickets are complete"),
        ("tickets", "offered_score", "offers of regular tickets are complete"),
    ],
)
def test_sums_that_do_not_fit_are_wrong(altered, table, column, check):
    row = altered(table, column, 1, 1).loc[check]
    assert row["result"] == "wrong"
    assert row["value"] == 1


def test_halves_that_differ_are_odd(altered):
    found = altered("seats", "score", 400, 50)  # of 800 rows
    assert found["result"]["both halves of the run agree"] == "odd"


def test_run_that_is_not_finished_is_told_and_read_by_its_whole_batches(tmp_path):
    player = Player(*make_plan(board="usa", players="random,random_kind", seed=5, games=4000, record=()))
    folder = Folder(tmp_path / "run")
    with opened(folder, player, resume=False):
        carry_out(player, local_engine(1), folder, part=Part(1, 2))
    run = Run.open(folder.path)
    row = results(run).loc["nothing is unfinished"]
    assert row["result"] == "look"
    assert row["value"] == 4000 - run.games_played > 0
    assert set(results(run)["result"]) == {"look", "ok"}
    assert tickets(run)["offered"].sum() == 3 * 2 * run.games_played
