"""Route trials: closing a route and giving one away."""

import numpy as np
import pytest

from ttrsim import trials
from ttrsim.boards import load_board
from ttrsim.boards.board import find_places, find_tickets
from ttrsim.encode import UNCHANGED, Intervention
from ttrsim.errors import UsageError
from ttrsim.games import make_games


def test_changes_are_those_of_the_games(small):
    trial = small(games=1000)
    frame = trials.closed(trial, ["bern-cordoba"]).set_index("strategy")
    arms = [
        make_games(trial.board, trial.line_up, 1).changed(change).play(range(1000))
        for change in (UNCHANGED, Intervention(closed=trial.board.connections[1]))
    ]
    turns = [arm.games["turns"].mean() for arm in arms]
    for place, strategy in enumerate(("random", "random_kind")):
        mine = [arm.seats["strategy"] == place for arm in arms]
        scores = [arm.seats["score"][where].mean() for arm, where in zip(arms, mine, strict=True)]
        wins = [arm.win_share[where].mean() for arm, where in zip(arms, mine, strict=True)]
        row = frame.loc[strategy]
        assert row["score_change"] == pytest.approx(scores[1] - scores[0])
        assert row["win_change"] == pytest.approx(wins[1] - wins[0])
        assert row["turns_change"] == pytest.approx(turns[1] - turns[0])


def test_closing_the_only_way_costs_all_who_need_it(small, line):
    frame = trials.closed(small(line), ["Bern-Córdoba"])
    assert (frame["completed_change_high"] < 0).all()
    assert (frame["score_change_high"] < 0).all()


def test_two_seats_of_one_strategy_are_one_row(small):
    frame = trials.closed(small(players="random,random,random_kind"), ["Ayr-Dax", "Bern"])
    assert sorted(frame["strategy"]) == ["random", "random", "random_kind", "random_kind"]
    wins = frame.pivot(index="closed", columns="strategy", values="win_change")
    assert (2 * wins["random"] + wins["random_kind"]).to_numpy() == pytest.approx([0, 0], abs=1e-12)


def test_a_gift_is_worth_the_tickets_that_it_completes(small, line):
    """On a board whose seats hold one ticket each, which the gift alone completes, and can do nothing else."""
    trial = small(line, players="random,random")
    frame = trials.gifts(trial, ["Bern-Córdoba"])
    row = frame.iloc[0]
    assert row["completed_effect_low"] > 0
    assert row["win_effect_low"] > 0
    assert (row["length"], row["points"]) == (3, 4)
    run = make_games(trial.board, trial.line_up, 1)
    assert run.schedule.lap_games == 1  # a run leaves out seatings that are alike; a trial must not
    assert row["games"] == 2000


def test_busiest_connections_are_those_of_the_analysis():
    board = load_board("usa")
    from ttrsim.boards.analysis import route_table

    table = route_table(board)
    shares = {board.connection_name(r.connection): table["connection_share"][r.index] for r in board.routes}
    busiest = trials.busiest(board, 6)
    assert len(set(busiest)) == 6
    told = [shares[name] for name in busiest]
    assert told == sorted(shares.values(), reverse=True)[:6]


def test_a_name_stands_for_a_route_a_connection_or_a_city():
    board = load_board("usa")
    route, connection, city = find_places(board, ["denver - kansas city (BLACK)", "Denver–Kansas City", "montreal"])
    assert len(route.routes) == 1
    assert set(route.routes) < set(connection.routes)
    assert {board.routes[r].connection for r in connection.routes} == {board.routes[route.routes[0]].connection}
    assert set(city.routes) == {r.index for r in board.routes if board.city("Montréal") in (r.a, r.b)}
    assert city.name == "Montréal"


def test_either_city_of_a_name_may_come_first():
    board = load_board("usa")
    turned, printed = find_places(board, ["Kansas City-Denver (black)", "Denver–Kansas City (black)"])
    assert turned == printed
    assert find_tickets(board, ["Seattle-New York"]) == find_tickets(board, ["New York–Seattle"])


@pytest.mark.parametrize("name", ["Denver–Miami", "Denvr", ""])
def test_unknown_names_are_refused_with_near_ones(name):
    board = load_board("usa")
    with pytest.raises(UsageError, match="no route, connection or city"):
        find_places(board, [name])
    with pytest.raises(UsageError, match="no ticket"):
        find_tickets(board, [name])


def test_seats_that_only_win_from_each_other_have_no_error(small):
    """All seats are of one strategy, whose wins are the same in sum whatever is changed."""
    frame = trials.closed(small(players="random,random"), ["Ayr-Dax"])
    assert frame["win_change"].tolist() == [0]
    assert frame["win_change_low"].isna().all()


def test_a_rare_win_has_no_error(small):
    frame = trials.closed(small(games=10), ["Ayr-Dax"])
    assert np.isnan(frame["win_change_low"]).all()
    assert frame["win_change"].notna().all()
