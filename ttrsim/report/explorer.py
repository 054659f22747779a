"""A page to explore a board: what each ticket, route and city is worth at each table, on the map.

The page holds its data as JSON and works from a file. Its script shows what is chosen: the number of players, the
strategy, up to three tickets of an opening offer, a route or a city.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from markupsafe import Markup

from ttrsim.boards.rules_in_words import status_words
from ttrsim.compiling import compile_first
from ttrsim.errors import UsageError
from ttrsim.files import check_output, write_file
from ttrsim.plots.theme import PAGE_PAINTS
from ttrsim.progress import Listener, OnMessage, OnProgress
from ttrsim.report.page import own_script, render
from ttrsim.report.replay import draw
from ttrsim.runs import Run
from ttrsim.runs.store import Folder
from ttrsim.stats.deciding import read_tables, table_names
from ttrsim.stats.paths import Way, in_words, ways
from ttrsim.stats.routes_cities import cities, routes
from ttrsim.stats.ticket_values import pairs, tickets

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.boards import Board

WAY_GAMES = 4_000
"""Games of each table that are played again to see over which routes tickets are completed."""
WAYS = 6
"""Ways of a ticket that the page shows, the most frequent ones."""
ALL = "all"
"""All strategies together."""
TICKET = ("win_effect", "score_effect", "keep_rate", "completed_kept", "turns", "blocked")
ROUTE = ("claim_rate", "turn")
CITY = ("visitors", "turn")
PAIR = ("score_synergy", "win_effect", "score_effect")
"""The values that the page has of each; each an estimate with the ends of its interval."""
DIGITS = 4


def explore(
    data: str | Path | Sequence[Run],
    out: str | Path,
    *,
    progress: OnProgress | None = None,
    message: OnMessage | None = None,
) -> None:
    """Write a page to explore a board, from the folder of a balance or a run, or from runs with each number of players.

    >>> ttrsim.explore("tables", "usa.html")
    """
    path = Path(out)
    if path.suffix != ".html":
        raise UsageError([f"`out` {path}: must be a page, with a name that ends in .html"])
    check_output(path)
    runs = _runs_of(Path(data)) if isinstance(data, str | Path) else list(data)
    write_file(path, explorer_page(runs, Listener(progress, message)))


def explorer_page(runs: Sequence[Run], listener: Listener) -> str:
    """Return the page of these runs."""
    tables = _tables(runs)
    board = tables[0].board
    compile_first([strategy for run in tables for strategy in run.player.strategies], listener)
    listener.doing("Playing some of the games again, for the ways of tickets ...")
    data = {"strategies": _names(tables), **_of_board(board), "tables": [_of_table(run) for run in tables]}
    # Nothing in the data can end the element that it is written in.
    written = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")
    return render(
        "explorer.html",
        board=board,
        warning=status_words(board),
        drawing=draw(board),
        runs=tables,
        data=Markup(written),
        themes=PAGE_PAINTS,
        **own_script("explorer.js"),
    )


def _runs_of(folder: Path) -> list[Run]:
    """Return the runs in a folder."""
    if Folder(folder).begun:
        return [Run.open(folder)]
    if table_names(folder):
        return read_tables(folder)
    raise UsageError([f"{folder}: needs the folder of a run, or one that ttrsim balance -o made"])


def _tables(runs: Sequence[Run]) -> list[Run]:
    """Return one run for each number of players, in which all strategies meet where there is a choice."""
    of: dict[int, Run] = {}
    for run in sorted(runs, key=lambda run: run.recipe.design == "mixed"):
        if (run.board.id, run.board.sha256) != (runs[0].board.id, runs[0].board.sha256):
            boards = f"{runs[0].board.id} and {run.board.id}"
            raise UsageError([f"runs of {boards}: a page is about a single board; choose runs of the same"])
        of[run.recipe.seats] = run
    if not of:
        raise UsageError(["no runs: a page needs at least one"])
    return [of[seats] for seats in sorted(of)]


def _names(tables: Sequence[Run]) -> list[str]:
    """Return the strategies of any table, in the order in which they come up."""
    return list(dict.fromkeys(name for run in tables for name in run.strategies))


def _of_board(board: "Board") -> dict[str, Any]:
    """Return what is printed on the board and its tickets."""
    return {
        "board": board.name,
        "cities": [city.name for city in board.cities],
        "routes": [
            {"name": board.route_name(r), "a": r.a, "b": r.b, "length": r.length, "colour": board.colour_name(r.colour)}
            for r in board.routes
        ],
        "tickets": [
            {"name": board.ticket_name(t), "a": t.a, "b": t.b, "points": t.points, "long": t.long}
            for t in board.tickets
        ],
    }


def _of_table(run: Run) -> dict[str, Any]:
    """Return what the games of a table say."""
    board = run.board
    played, found = ways(run, WAY_GAMES)
    return {
        "players": run.recipe.seats,
        "games": run.games_played,
        "strategies": list(run.strategies),
        "tickets": _split(
            _known_by_deck(tickets(run, "all")),
            _known_by_deck(tickets(run)),
            "ticket",
            [f"{board.ticket_name(t)}, {'long' if t.long else 'regular'}" for t in board.tickets],
            TICKET,
        ),
        "routes": _split(routes(run), routes(run, "strategy"), "route", [*map(board.route_name, board.routes)], ROUTE),
        "cities": _split(cities(run), cities(run, "strategy"), "city", [city.name for city in board.cities], CITY),
        "pairs": _pairs(run),
        "way_games": played,
        "ways": {ticket: _ways(run, ticket, counts) for ticket, counts in sorted(found.items())},
    }


def _known_by_deck(frame: "pd.DataFrame") -> "pd.DataFrame":
    """Return tickets with the deck in their names: a long ticket may join the cities of another."""
    return frame.assign(ticket=frame["ticket"] + ", " + frame["deck"])


def _split(
    of_all: "pd.DataFrame", by: "pd.DataFrame", key: str, names: Sequence[str], columns: Sequence[str]
) -> dict[str, list[Any]]:
    """Return the estimates of each thing, by its number, over all strategies and for each."""
    frames = {ALL: of_all, **dict(iter(by.groupby("strategy", observed=True)))}
    return {
        str(strategy): list(map(list, zip(*(_estimates(rows, column) for column in columns), strict=True)))
        for strategy, frame in frames.items()
        for rows in [frame.set_index(key).loc[list(names)]]
    }


def _estimates(frame: "pd.DataFrame", column: str) -> list[list[float | None]]:
    """Return each estimate with the ends of its interval."""
    ends = np.column_stack([frame[name] for name in (column, f"{column}_low", f"{column}_high")])
    return [[round(float(x), DIGITS) if np.isfinite(x) else None for x in row] for row in ends]


def _pairs(run: Run) -> list[list[Any]]:
    """Return of each pair its tickets, the q of its synergy, and its estimates."""
    frame = pairs(run)
    number = {(run.board.ticket_name(ticket), ticket.points): ticket.index for ticket in run.board.tickets}
    ends = [
        (number[name, points], number[other, other_points])
        for name, points, other, other_points in zip(
            frame["ticket"], frame["points"], frame["other"], frame["other_points"], strict=True
        )
    ]
    estimates = zip(*(_estimates(frame, column) for column in PAIR), strict=True)
    return [
        [int(a), int(b), round(float(q), DIGITS) if np.isfinite(q) else None, *values]
        for (a, b), q, values in zip(ends, frame["score_q"], estimates, strict=True)
    ]


def _ways(run: Run, ticket: int, counts: Counter[tuple[int, Way]]) -> dict[str, Any]:
    """Return by how many seats of each strategy a ticket was completed, and the most frequent ways.

    A way is the cities that it goes through; its routes are those of its parallel ones that were used most.
    """
    start, none = run.board.tickets[ticket].a, [0] * len(run.strategies)
    completed, of_way, tracks = [*none], defaultdict[str, list[int]](none.copy), defaultdict[str, Counter[Way]](Counter)
    for (strategy, way), seats in counts.items():
        cities = in_words(run.board, way, start)
        completed[strategy] += seats
        of_way[cities][strategy] += seats
        tracks[cities][way] += seats
    most = sorted(of_way, key=lambda cities: (-sum(of_way[cities]), cities))[:WAYS]
    return {
        "completed": completed,
        "ways": [
            {
                "cities": cities,
                "routes": max(tracks[cities], key=lambda way: (tracks[cities][way], way)),
                "seats": of_way[cities],
            }
            for cities in most
        ],
    }
