"""Ticket difficulty: what is found on the routes of a game is what networkx finds, and planted difficulty is found."""

from types import SimpleNamespace

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from conftest import SMALL_BOARD

from ttrsim import trials
from ttrsim.encode import Intervention, members
from ttrsim.trials.difficulty import Network, answer, blockers, par_of, strongest, where_hard
from ttrsim.trials.trial import FOCAL

FIRST = 4


def graph(board, routes):
    """Return the cities of a board, and these routes between them."""
    found = nx.MultiGraph()
    found.add_nodes_from(range(len(board.cities)))
    for route in (board.routes[index] for index in routes):
        found.add_edge(route.a, route.b, length=route.length)
    return found


def usable(board, players, own, claimed):
    """Return the routes that a seat has, or might still claim when the game ends."""
    taken = [r for r in range(len(board.routes)) if claimed[r] >= 0]
    closed = set(taken)
    for route in taken:
        twins = board.connections[board.routes[route].connection]
        if route in own or players < board.rules.parallel_open_from:
            closed |= set(twins)
    return own | set(range(len(board.routes))) - closed


def by_networkx(board, players, ticket, seat, game):
    """Return the numbers of one game that `Network.measure` gives."""
    own, claimed = set(members(seat["routes"])), game["claimed"]
    ends = (board.tickets[ticket].a, board.tickets[ticket].b)
    connected, turns, trains = 0, 0, 0
    for route in sorted(own, key=lambda route: claimed[route]):
        if nx.has_path(graph(board, [r for r in own if claimed[r] <= claimed[route]]), *ends):
            connected, turns = 1, claimed[route] // players + 1
            trains = nx.shortest_path_length(graph(board, own), *ends, weight="length")
            break
    left = usable(board, players, own, claimed)
    failed = ticket not in members(seat["completed"])
    blocked = failed and not nx.has_path(graph(board, left), *ends)
    lost = [not left & set(routes) for routes in board.connections]
    nothing = [False] * len(lost)
    return [connected, turns, trains, blocked, *(lost if failed else nothing), *(nothing if failed else lost)]


@pytest.mark.parametrize(
    ("board", "players", "slot", "tickets"),
    [
        ("usa", "one_step,one_step", 0, (0, 7, 29)),
        ("europe", "one_step,random,random,random", 1, (20, 40)),
        (None, "random,random", 0, (3, 5)),
    ],
)
def test_what_a_seat_found_on_its_routes_is_what_networkx_finds(small, board, players, slot, tickets):
    trial = small(games=60) if board is None else trials.make_trial(board=board, players=players, games=20, seed=4)
    board, seats = trial.board, len(trial.line_up)
    seen = np.zeros(FIRST)
    for ticket in tickets:
        change = Intervention(FOCAL, slot, ticket, forced=True)
        games = trial.unchanged.changed(change).play(trial.games_of(range(trial.schedule.laps)))
        mine = games.seats[games.seats["strategy"] == FOCAL]
        found = Network.of(board, seats).measure(change, mine, games.games)
        expected = [by_networkx(board, seats, ticket, *rows) for rows in zip(mine, games.games, strict=True)]
        assert found.tolist() == np.array(expected, int).tolist()
        seen += found[:, :FIRST].sum(axis=0)
    assert (seen[:3] > 0).all()


def test_columns_are_means_over_the_games(small):
    trial = small(games=600, players="random,random")
    frame = trials.difficulty(trial).set_index("ticket")
    turns, rows = {}, {}
    for ticket in trial.board.tickets:
        change = Intervention(FOCAL, 0, ticket.index, forced=True)
        games = trial.unchanged.changed(change).play(range(600))
        mine = games.seats[games.seats["strategy"] == FOCAL]
        found = np.array(
            [by_networkx(trial.board, 2, ticket.index, *rows) for rows in zip(mine, games.games, strict=True)]
        )
        failed = np.array([ticket.index not in members(seat["completed"]) for seat in mine])
        name = trial.board.ticket_name(ticket)
        turns[name] = found[:, 1].sum() / found[:, 0].sum()
        rows[name] = (failed.mean(), found[:, 3].sum() / failed.sum())
    for name, (difficulty, blocked) in rows.items():
        assert frame.loc[name, "difficulty"] == pytest.approx(difficulty)
        assert frame.loc[name, "blocked"] == pytest.approx(blocked)
        assert frame.loc[name, "extra_turns"] == pytest.approx(turns[name] - np.mean([*turns.values()]))
    forced = trials.forced(trial).set_index("ticket")
    for column in ("difficulty", "difficulty_low", "score_effect", "win_effect", "win_effect_high"):
        assert frame[column].to_dict() == pytest.approx(forced[column].to_dict(), nan_ok=True)


def far_city() -> str:
    """Return the small board with a fifth city at the end of one long tunnel, and a cheap ticket to it."""
    text = SMALL_BOARD.replace("3 = 4 }", "3 = 4, 5 = 10 }")
    added = {
        "cities": '{ name = "Egg", x = 50, y = 50 }',
        "connections": '{ between = ["Dax", "Egg"], length = 5, tracks = ["gray"], tunnel = true }',
        "tickets": '{ between = ["Ayr", "Egg"], points = 3, decks = ["base"] }',
    }
    for name, entry in added.items():
        assert text.count(f"\n{name} = [\n") == 1
        text = text.replace(f"\n{name} = [\n", f"\n{name} = [\n  {entry},\n")
    return text


def test_a_ticket_behind_one_long_tunnel_is_harder_than_its_points_say(small):
    frame = trials.difficulty(small(far_city(), players="random,random")).set_index("ticket")
    assert frame.index[0] == "Ayr–Egg"
    row = frame.loc["Ayr–Egg"]
    assert (row["verdict"], row["blocked_by"]) == ("harder", "Dax–Egg")
    assert row["extra_trains"] > 3
    assert "Ayr–Egg" in answer(frame.reset_index()).split("hardest for their points:")[1].split(";")[0]
    assert not (frame["verdict"].drop("Ayr–Egg") == "harder").all()


def test_tickets_named_have_the_numbers_that_they_have_among_all(small):
    trial = small(players="random,random", games=400)
    every, one = trials.difficulty(trial), trials.difficulty(trial, ["dax-bern"])
    pd.testing.assert_frame_equal(one, every[every["ticket"] == "Bern–Dax"].reset_index(drop=True))
    assert one.attrs == every.attrs


def test_a_ticket_that_never_fails_has_no_shares_of_failures_and_nothing_that_blocks_it(ring, small):
    frame = trials.difficulty(small(ring(0), players="random,random", games=40))
    never = frame[frame["difficulty"] == 0]
    assert len(never)
    assert never["blocked"].isna().all()
    assert (never["blocked_by"] == "").all()


def test_threads_change_nothing(small):
    trial = small(players="random,random", games=900)
    one, three = (trials.difficulty(trial, threads=threads) for threads in (1, 3))
    assert one.equals(three)


def test_par_is_the_logistic_curve_that_the_difficulties_lie_on():
    points = np.array([5.0, 8.0, 12.0, 20.0])
    curve = 1 / (1 + np.exp(4 - 0.2 * points))
    np.testing.assert_allclose(par_of(points, curve), curve, rtol=0.01)


@pytest.mark.parametrize(
    ("points", "failed"), [((5.0, 8.0, 12.0), (0.3, 0.2, 0.1)), ((7.0, 7.0), (0.1, 0.3)), ((5.0, 9.0), (0.0, 0.0))]
)
def test_par_is_the_mean_where_points_predict_nothing(points, failed):
    np.testing.assert_allclose(par_of(np.array(points), np.array(failed)), np.mean(failed))


def test_par_rises_to_what_always_fails():
    par = par_of(np.array([5.0, 8.0, 12.0, 20.0]), np.array([0.0, 0.0, 1.0, 1.0]))
    assert (np.diff(par) > 0).all()
    np.testing.assert_allclose(par, [0, 0, 1, 1], atol=0.1)


def test_where_tickets_get_hard_is_told_of_the_strategy_that_fails_least():
    rows = [(2, "a", "Ayr–Bern", 0.1), (2, "b", "Ayr–Bern", 0.5), (4, "a", "Ayr–Bern", 0.2), (4, "a", "Dax–Ayr", 0.4)]
    frame = pd.DataFrame(rows, columns=["players", "strategy", "ticket", "difficulty"])
    assert where_hard(frame) == (
        "a, which fails least, fails 10.0 % of its tickets with 2, 30.0 % with 4 players. "
        "The hardest ticket for it is Dax–Ayr with 4 (40.0 %)."
    )


def test_the_strongest_strategy_is_the_one_whose_tickets_fail_least():
    frame = pd.DataFrame({"strategy": ["a", "a", "b", "b"], "difficulty": [0.1, 0.5, 0.2, 0.3]})
    assert strongest(frame) == "b"


@pytest.mark.parametrize(("failed", "done", "named"), [((13, 13), (900, 987), ""), ((12, 13), (300, 987), "Ayr–Bern")])
def test_a_connection_is_named_only_if_rivals_surely_hold_it_more_often_in_failures(small, failed, done, named):
    """A table of a single ticket, with the first of four connections held by rivals in some of the games."""
    lost = [np.array([[[held, 0, 0, 0]]]) for held in (failed[0], done[0])]
    sums = SimpleNamespace(lost_failed=lost[0], lost_done=lost[1])
    games, completed = np.array([[failed[1] + done[1]]]), np.array([[done[1]]])
    assert blockers(small().board, sums, games, completed).tolist() == [named]
