"""The panel: sound runs pass, unsound ones are found."""

from itertools import islice

import pandas as pd
import pytest
from runs.making import make_player, play, store

from ttrsim.files import data_folder
from ttrsim.report.answers import caveats, not_tested
from ttrsim.runs import Run
from ttrsim.runs.laps import Portion
from ttrsim.runs.playing import local_engine
from ttrsim.runs.stored_files import file_record
from ttrsim.runs.tally import FILE, TABLES, write_sums
from ttrsim.stats.sanity_checks import sanity, verdict
from ttrsim.stats.ticket_values import tickets


def results(run: Run) -> pd.DataFrame:
    return sanity(run).set_index("check")


def test_sound_runs_pass(recorded):
    found = results(recorded)
    assert set(found["result"]) <= {"ok", "–"}
    assert (found["result"] == "ok").sum() >= len(found) - 2
    untold = (found["result"] == "–").sum()
    assert verdict(sanity(recorded)).endswith(f" ok, {untold} cannot be checked" if untold else "checks, all ok")


def test_corners_of_the_rules_are_counted(recorded):
    value, games, players = results(recorded)["value"], recorded.games, recorded.players
    assert value["games won by several"] == (games["winners"] > 1).sum()
    assert value["games that ended with nobody able to move"] == (games["ending"] == "stalemate").sum()
    assert value["times the discards became the deck"] == games["reshuffles"].sum()
    assert value["turns in which nothing was possible"] == players["passes"].sum()
    assert value["tunnels given up"] == players["withdrawn"].sum()


def test_one_strategy_under_two_names_is_compared_with_itself(tmp_path):
    copy = tmp_path / "twin.py"
    text = (data_folder() / "strategies" / "random_kind.py").read_text("utf-8")
    copy.write_text(text + "\n# the same in what it does\n", "utf-8")
    run = store(tmp_path / "run", players=f"random_kind,{copy},random", games=3000, record=())
    row = results(run).loc["one strategy under two names wins as often"]
    assert row["result"] == "ok"
    assert 0 < row["value"] < 3.3
    assert row["words"].startswith("standard errors, the most of 1;")


def test_where_no_strategy_has_two_names_nothing_is_said_of_it(recorded):
    assert "one strategy under two names wins as often" not in results(recorded).index


@pytest.fixture
def altered(tmp_path):
    """A run that was stored with something wrong: with so much more in the first rows of a column."""
    run = store(tmp_path / "run", games=2000, record=())

    def alter(table, column, rows, by):
        level = TABLES[table].level
        tables = (run.tally.tables(level, number)[table] for number in sorted(run.tally.parts[level]))
        filled = (row for array in tables for row in array.reshape(-1).view(TABLES[table].dtype) if any(row))
        for row in islice(filled, rows):
            row[column] += by
        path = run.folder.summary / FILE
        path.write_bytes(write_sums(run.tally))
        files = run.summary.files | {FILE: file_record(path.read_bytes())}
        summary = run.summary.model_copy(update={"files": files})
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
    found = altered("seats", "score", 250, 50)  # of 500 rows
    assert found["result"]["both halves of the run agree"] == "odd"


def test_run_that_is_not_finished_is_told_and_read_by_its_whole_batches(tmp_path):
    play(make_player(games=4000, record=()), tmp_path / "run", local_engine(1), portion=Portion(1, 2))
    run = Run.open(tmp_path / "run")
    row = results(run).loc["nothing is unfinished"]
    assert row["result"] == "notable"
    assert row["value"] == 4000 - run.games_played > 0
    assert set(results(run)["result"]) == {"notable", "ok"}
    assert tickets(run)["offered"].sum() == 3 * 2 * run.games_played


@pytest.mark.parametrize(("cards", "looked_into"), [(120, False), (12, True)])
def test_a_table_that_lives_on_a_dry_deck_is_looked_into(tmp_path, board_file, small_board, cards, looked_into):
    text = small_board.replace("colours.red = { cards = 12 }", f"colours.red = {{ cards = {cards} }}")
    players = ",".join(["random"] * 3)
    run = store(tmp_path / "run", board=str(board_file(text)), players=players, games=60, record=("games",))
    row = results(run).loc["turns that began with neither deck nor discards"]
    assert (row["result"], row["value"]) == ("notable" if looked_into else "ok", run.games["dry_turns"].sum())
    for words in (row["words"], not_tested([run])):
        assert ("--set 'rules.draw_when_dry = false'" in words) == looked_into
    assert any("Cards run out" in words for words in caveats([run], "")) == looked_into
