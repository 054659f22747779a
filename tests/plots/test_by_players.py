"""Plots of what changes with the number of players, and of pairs: what they find, and from which runs."""

import pandas as pd
import pytest
from runs.making import store

from plots import frames
from plots.test_plots import words
from ttrsim import plots
from ttrsim.errors import UsageError
from ttrsim.stats.several_runs import seats_by_players, tickets_by_players


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """Runs of one board with two and with three players, as an examination has them."""
    folder = tmp_path_factory.mktemp("tables")
    shared = {"board": "usa", "players": "random,random_kind", "games": 60, "design": "mixed", "record": ()}
    return [store(folder / f"{seats}-mixed", seats=seats, **shared) for seats in (2, 3)]


def title(ax):
    return ax.figure.texts[0].get_text()


def test_each_number_of_players_has_its_rows(tables):
    tickets, seats = tickets_by_players(tables), seats_by_players(tables)
    assert tickets.groupby("players").size().to_dict() == {2: 30, 3: 30}
    assert seats.groupby("players").size().to_dict() == {2: 2, 3: 3}
    assert set(seats["board"]) == {"USA"}
    assert set(seats["run_games"]) == {run.games_played for run in tables}


def test_intervals_of_two_runs_are_wider_than_of_one(tables):
    alone, together = (tickets_by_players(runs).head(1) for runs in (tables[:1], tables))
    assert (together["score_effect_high"] > alone["score_effect_high"]).all()


def test_two_runs_of_one_table_are_refused(tables):
    with pytest.raises(UsageError, match="two runs are on usa with 2 players"):
        seats_by_players([tables[0], tables[0]])


def test_a_folder_of_tables_is_drawn_on_the_command_line(tables, ttrsim, tmp_path):
    folder = tables[0].folder.path.parent
    for kind in ("tickets_by_players", "seats_by_players"):
        assert ttrsim("plot", kind, folder, "-o", tmp_path / "x.svg").code == 0
        assert "USA · 2 and 3 players" in (tmp_path / "x.svg").read_text("utf-8")


def test_several_runs_are_refused_for_a_plot_of_one(tables, ttrsim, tmp_path):
    ended = ttrsim("plot", "seats", *(run.folder.path for run in tables), "-o", tmp_path / "x.svg")
    assert ended.code == 2
    assert "seats is drawn from one run, not from 2; draw tickets_by_players or seats_by_players" in ended.err


def test_the_title_says_where_to_sit_only_if_that_is_clear():
    frame = frames.of_seats_by_players()
    assert title(plots.seats_by_players(frame)) == "Go first"
    late = frame.assign(advantage_low=-frame["advantage_high"], advantage_high=-frame["advantage_low"], board="Late")
    assert title(plots.seats_by_players(pd.concat([frame, late]))) == "Go first in USA; go last in Late"
    wide = frame.assign(advantage_low=-0.1, advantage_high=0.1)
    assert title(plots.seats_by_players(wide)) == "What the seat does to winning"


def test_the_title_of_seats_names_the_one_that_is_clearly_off():
    frame = frames.of_seats()
    assert title(plots.seats(frame)) == "The 1st player wins 2.7 games in 100 more than a fair share"
    wide = frame.assign(win_share_low=0.2, win_share_high=0.5)
    assert title(plots.seats(wide)) == "What the seat does to winning"


def test_the_title_names_tickets_that_are_clearly_best_and_worst():
    frame = frames.of_tickets_by_players()
    best, worst = (frame.groupby("ticket")["win_effect"].mean().agg(end) for end in ("idxmax", "idxmin"))
    said = " ".join(text.get_text() for text in plots.tickets_by_players(frame).figure.texts)
    assert f"{best} brings" in said
    assert f"{worst} costs" in said
    wide = frame.assign(win_effect_low=-1.0, win_effect_high=1.0)
    assert title(plots.tickets_by_players(wide)) == "What being offered a ticket does to winning"


def test_pairs_that_may_be_chance_are_not_named():
    frame = frames.of_ticket_pairs()
    said = words(plots.pairs(frame))
    most = frame.loc[frame["win_synergy"].idxmax()]
    assert f"{most['ticket']} with {most['other']}  +{100 * most['win_synergy']:.1f} ± 4.0" in said
    assert "none is clear yet" in words(plots.pairs(frame.assign(win_q=0.5)))
    least = frame.loc[frame["win_q"] > 0.5].iloc[0]
    assert f"{least['ticket']} with {least['other']}" not in said


def test_a_narrow_picture_says_the_same_in_less_width():
    ax = plots.pairs(frames.of_ticket_pairs(), about="USA, 20,000 games")
    narrow = ax.narrow()
    assert narrow.figure.get_size_inches()[0] < ax.figure.get_size_inches()[0] / 2
    assert "20,000 games" in words(narrow)
