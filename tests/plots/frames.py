"""Small fixed frames, as `ttrsim.stats` and `ttrsim.trials` make them."""

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from ttrsim.boards import Board, load_board
from ttrsim.stats.paths import TicketPaths

STRATEGIES = ["planner", "one_step", "planner(risk=2,greed=10)", "random"]
GAMES = 20_000


def known(name: str, values: Any, half: Any) -> dict[str, Any]:
    """Return the columns of an estimate with its interval."""
    middle = np.asarray(values, float)
    return {name: middle, f"{name}_low": middle - half, f"{name}_high": middle + half}


def of_tickets(board: Board) -> pd.DataFrame:
    """Return every ticket with all that plots of tickets look at; the last one has no fair value."""
    count = len(board.tickets)
    spread = np.cos(np.arange(count))
    fair_value = np.append([t.points + 3 * s for t, s in zip(board.tickets, spread, strict=True)][:-1], np.nan)
    return pd.DataFrame(
        {
            "ticket": [board.ticket_name(t) for t in board.tickets],
            "deck": ["long" if t.long else "regular" for t in board.tickets],
            "points": [t.points for t in board.tickets],
            **known("win_effect", spread / 30, 0.012),
            **known("score_effect", 3 * spread, 1.2),
            **known("difficulty", 0.3 + 0.25 * spread, 0.03),
            **known("fair_value", fair_value, 1.1),
        }
    )


def of_strategies() -> pd.DataFrame:
    """Return strategies with all that plots of strategies look at."""
    count = len(STRATEGIES)
    shrunk = np.linspace(1, 0.6, count)
    parts = {"points_routes": 50, "points_won": 30, "points_lost": -12, "points_trail": 3.3, "points_tokens": 0}
    columns = [known(name, mean * shrunk, 0.1) for name, mean in parts.items()]
    return pd.DataFrame(
        {
            "players": np.full(count, 4),
            "strategy": STRATEGIES,
            **known("win_share", [0.6, 0.2, 0.2, 0.0], [0.01, 0.01, 0.01, np.nan]),
            **known("score", 71.3 * shrunk, 0.4),
            **known("strength", [1.5, 0.1, 0.05, -1.65], 0.08),
            "rank": [1, 2, 2, 4],
            "rank_low": [1, 2, 2, 4],
            "rank_high": [1, 3, 3, 4],
            **{name: values for part in columns for name, values in part.items()},
        }
    )


def of_pairs() -> pd.DataFrame:
    """Return every strategy against every other."""
    pairs = [(a, b) for a in range(len(STRATEGIES)) for b in range(len(STRATEGIES)) if a != b]
    names = {"strategy": [STRATEGIES[a] for a, _ in pairs], "other": [STRATEGIES[b] for _, b in pairs]}
    return pd.DataFrame(names | known("ahead", [0.5 + 0.15 * (b - a) for a, b in pairs], 0.012))


def of_seats() -> pd.DataFrame:
    """Return three seats, one balanced."""
    shares = known("win_share", [0.36, 0.33, 0.31], 0.006)
    return pd.DataFrame({"players": [3] * 3, "seat": range(3), "verdict": ["undecided"] * 3, **shares})


def of_tickets_by_players() -> pd.DataFrame:
    """Return tickets at tables of 2 to 5 players."""
    tickets = of_tickets(load_board("usa"))
    tables = [tickets.assign(players=players) for players in range(2, 6)]
    for players, table in enumerate(tables, 2):
        for column in ("win_effect", "win_effect_low", "win_effect_high"):
            table[column] += players / 500
    return pd.concat(tables, ignore_index=True)


def of_seats_by_players() -> pd.DataFrame:
    """Return seats of one board at tables of 2 to 5; whoever is first wins more, whoever is last less."""
    made = []
    for players in range(2, 6):
        advantage = known("advantage", np.linspace(0.03, -0.03, players), 0.01)
        made.append(pd.DataFrame({"players": players, "seat": range(players), **advantage}))
    return pd.concat(made, ignore_index=True).assign(board="USA")


def of_ticket_pairs() -> pd.DataFrame:
    """Return every two tickets, of which some fit and some clash."""
    board = load_board("usa")
    pairs = [*combinations(board.tickets, 2)]
    synergy = 0.25 * np.sin(np.arange(len(pairs)))
    q = np.where(np.abs(synergy) > 0.24, 0.01, 0.8)
    keys = {"ticket": 0, "other": 1}
    names = {key: [board.ticket_name(pair[place]) for pair in pairs] for key, place in keys.items()}
    points = {"points": [a.points for a, _ in pairs], "other_points": [b.points for _, b in pairs]}
    values = known("win_synergy", synergy, 0.04) | known("score_synergy", 20 * synergy, 4)
    return pd.DataFrame(names | points | values | {"win_q": q, "score_q": q})


def of_scores() -> pd.DataFrame:
    """Return how often each strategy had each score, and how often it won with it, in 60ths."""
    score = np.arange(-20, 160)
    made = []
    for place, name in enumerate(STRATEGIES):
        games = np.round(1000 * np.exp(-(((score - 90 + 15 * place) / 20) ** 2))).astype(int)
        won = np.round(60 * games / (1 + np.exp((100 - score) / 8))).astype(int)
        made.append(pd.DataFrame({"strategy": name, "score": score, "seats": games, "win60": won}))
    frame = pd.concat(made, ignore_index=True)
    return frame[frame["seats"] > 0]


def of_lengths() -> pd.DataFrame:
    """Return how many games had each number of rounds."""
    return pd.DataFrame({"rounds": range(25, 45), "games": [1 + (i * (20 - i)) for i in range(20)]})


def of_course() -> pd.DataFrame:
    """Return win shares after more and more games; two strategies end at the same one."""
    made = []
    for name, share in zip(STRATEGIES, (0.5, 0.245, 0.245, 0.01), strict=True):
        games = np.unique(np.geomspace(500, GAMES, 20).astype(int))
        frame = pd.DataFrame({"games": games, **known("win_share", share + 3 / games, 1 / np.sqrt(games))})
        made.append(frame.assign(strategy=name, players=4))
    return pd.concat(made, ignore_index=True)


def of_trace() -> pd.DataFrame:
    """Return twenty generations of a search that gains a little."""
    number = np.arange(20)
    gain = 0.03 * (1 - np.exp(-number / 6)) + 0.01 * np.cos(7 * number)
    return pd.DataFrame({"generation": number, "games": 1000 * (number + 1), "start": 0.5, "tuned": 0.5 + gain})


def of_parameters() -> pd.DataFrame:
    """Return three parameters, of which the last did not change."""
    worth = known("worth", [0.021, -0.001, np.nan], [0.004, 0.004, np.nan])
    ends = {"start": [20.0, 0.25, 3.0], "tuned": [31.8, 0.0, 3.0], "low": [0.0] * 3, "high": [60.0, 5.0, 9.0]}
    return pd.DataFrame({"parameter": ["tempo", "weight", "patience"], **ends, **worth})


def of_race() -> pd.DataFrame:
    """Return two games of twelve and fifteen rounds."""
    made = []
    for game, rounds in ((0, 12), (700, 15)):
        for seat, name in enumerate(STRATEGIES):
            turns = np.append(np.arange(1, rounds + 1), rounds)
            frame = pd.DataFrame(
                {"round": turns, "score": (5 + seat) * turns, "final": np.arange(rounds + 1) == rounds}
            )
            made.append(frame.assign(game=game, strategy=name, seat=seat))
    return pd.concat(made, ignore_index=True)


def of_routes(board: Board) -> pd.DataFrame:
    """Return every route with all that plots of routes look at."""
    count = len(board.routes)
    shares = np.linspace(0, 1, count)
    return pd.DataFrame(
        {
            "route": [board.route_name(r) for r in board.routes],
            **known("claim_rate", shares, 0.01),
            **known("turn", 30 * shares, 1),
            **known("taken", shares, 0.01),
            **known("score_effect", 4 * shares - 1, 0.5),
            **known("win_effect", shares / 9, 0.01),
            **known("completed_effect", shares / 5, 0.02),
        }
    )


def of_cities(board: Board) -> pd.DataFrame:
    """Return every city with all that plots of cities look at."""
    shares = np.linspace(0, 1, len(board.cities))
    names = {"city": [city.name for city in board.cities]}
    values = {"visitors": 3 * shares, "turn": 20 * shares, "taken": shares}
    return pd.DataFrame(names | {c: v for name, value in values.items() for c, v in known(name, value, 0.1).items()})


def of_closed(board: Board) -> pd.DataFrame:
    """Return the first route, the connection of the last one and the first city, closed."""
    last = board.routes[-1]
    names = [board.route_name(0), f"{board.cities[last.a].name}–{board.cities[last.b].name}", board.cities[0].name]
    values = {"score_change": [-1, -2, -3], "win_change": [0.1, 0, -0.1], "completed_change": [0, -0.1, -0.2]}
    columns = {c: v for name, value in values.items() for c, v in known(name, value, 0.3).items()}
    return pd.DataFrame({"strategy": "planner", "closed": names, **columns, **known("turns_change", [1, 2, 3], 1)})


def of_paths(board: Board) -> TicketPaths:
    """Return a ticket completed by 500 seats over one path or the other, at 10 more with a station's help."""
    ticket, count = board.tickets[0], len(board.routes)
    name = board.ticket_name(ticket)
    ways = {"path": [name.replace("–", " – "), "round about"], "trains": [7, 12], "seats": [400, 100]}
    return TicketPaths(
        ticket=name,
        cities=(ticket.a, ticket.b),
        games=2000,
        played=True,
        seats=500,
        lent=10,
        paths=pd.DataFrame(ways | known("share", [0.8, 0.2], 0.035)),
        routes=pd.DataFrame(
            {"route": [board.route_name(r) for r in board.routes]} | known("share", np.linspace(0, 0.8, count), 0.01)
        ),
    )


def of_luck() -> pd.DataFrame:
    """Return scores and wins of two runs; in the second no two strategies play the same deal."""
    parts = {
        "strategy": [0.15, 0.12, 0.0, 0.0],
        "others": [0.0, 0.0, 0.02, 0.02],
        "seat": [0.006, 0.004, 0.01, 0.01],
        "tickets": [0.015, 0.044, np.nan, np.nan],
        "cards": [0.049, 0.048, np.nan, np.nan],
        "rest": [0.78, 0.784, 0.97, 0.97],
    }
    names = {"board": "usa", "players": [4, 4, 2, 2], "design": "mixed", "outcome": ["score", "win"] * 2}
    values = {column: of for name, value in parts.items() for column, of in known(name, value, 0.01).items()}
    return pd.DataFrame(names | values)
