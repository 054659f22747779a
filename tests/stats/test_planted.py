"""A ticket that is worth more than it was is found, with the right size."""

import pytest
from conftest import SMALL_BOARD, TICKET, with_dearer_ticket
from runs.making import store

from ttrsim import stats

MORE = 20
SEAT = ["game", "seat"]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Return the games of a strategy that ignores points, before and after the ticket became dearer."""
    folder = tmp_path_factory.mktemp("planted")
    options = {"players": "random,random", "games": 16_000, "record": ("players", "tickets")}
    found = []
    for name, text in (("fair", SMALL_BOARD), ("planted", with_dearer_ticket(3 + MORE))):
        board = folder / f"{name}.toml"
        board.write_text(text, "utf-8")
        found.append(store(folder / name, board=str(board), **options))
    return found


def test_games_are_the_same_but_for_points(runs):
    fair, planted = runs
    assert fair.tickets.equals(planted.tickets)
    assert not fair.players["score"].equals(planted.players["score"])


def test_effect_on_the_score_is_what_the_points_come_to(runs):
    planted = runs[1]
    offers = planted.tickets[planted.tickets["ticket"] == TICKET]
    gains = offers["kept"] * (2 * offers["completed"].astype(int) - 1) * MORE
    rows = planted.players.merge(offers[SEAT].assign(had=offers["offered"], gain=gains), on=SEAT, how="left")
    rows = rows.fillna({"gain": 0}).assign(had=rows["had"].eq(True))
    before, after = (stats.tickets(run).set_index(["strategy", "ticket"]) for run in runs)
    for strategy, mine in rows.groupby("strategy", observed=True):
        place = (strategy, TICKET)
        expected = mine[mine["had"]]["gain"].mean() - mine[~mine["had"]]["gain"].mean()
        change = after["score_effect"][place] - before["score_effect"][place]
        assert expected > 1.5
        assert change == pytest.approx(expected, abs=0.2)  # rows are not compared within seats
        assert after["score_effect_low"][place] < before["score_effect"][place] + expected
        assert after["score_effect_high"][place] > before["score_effect"][place] + expected


def test_it_stands_out_from_all_others(runs):
    for strategy, frame in stats.tickets(runs[1]).groupby("strategy"):
        first, second = frame.iloc[0], frame.iloc[1]
        assert first["ticket"] == TICKET, strategy
        assert first["score_effect_low"] > second["score_effect_high"]
        assert first["win_effect_low"] > 0
