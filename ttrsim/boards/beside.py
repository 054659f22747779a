"""Set a board beside the published ones: how crowded it is, its routes, tickets and colours, against their range."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import pandas as pd

from ttrsim.boards.analysis import cheapest_trains
from ttrsim.boards.board import Board
from ttrsim.boards.reading import load_board
from ttrsim.formatting import decimal

PUBLISHED = ("usa", "europe", "old_west")
"""San Francisco is a reconstruction, so it sets no standard."""
SHARES = (0.1, 0.5, 0.9)
"""The percentiles of routes and tickets that are compared."""

NAMED = 3
"""The most sizes outside the range that the answer names."""


def beside_published(board: Board) -> pd.DataFrame:
    """Return a table with one row per size of a board.

    size                what is measured; of routes and tickets, what 10, 50 and 90 % of them reach at most
    value               of this board
    lowest, highest     of USA, Europe and Old West
    verdict             within their range, below it or above it, to the decimals that are printed
    """
    rows = []
    for name, value in _sizes(board).items():
        others = [_published(other)[name] for other in PUBLISHED]
        row = {"size": name, "value": value, "lowest": min(others), "highest": max(others)}
        rows.append({**row, "verdict": _verdict(value, min(others), max(others))})
    return pd.DataFrame(rows)


def answer(board: Board, table: pd.DataFrame) -> str:
    """Return in a sentence how a board compares, with the first sizes in which it is outside the range."""
    outside = table[table.verdict != "within"].to_dict("records")
    count = f"in {len(table) - len(outside)} of {len(table)} sizes"
    whole = f"{board.name} is within the range of USA, Europe and Old West {count}"
    named = [
        f"{row['size']}: {shown(row['value'])} ({row['verdict']} {shown(row['lowest'], row['highest'])})"
        for row in outside[:NAMED]
    ]
    more = f"; {len(outside) - NAMED} more are in the table" if len(outside) > NAMED else ""
    return f"{whole}; outside are {'; '.join(named)}{more}." if outside else f"{whole}."


def shown(low: float, high: float | None = None) -> str:
    """Return a number or a range as text.

    >>> shown(2.0), shown(0.656, 0.75)
    ('2', '0.66–0.75')
    """
    first, last = _number(low), _number(low if high is None else high)
    return first if first == last else f"{first}–{last}"


def _number(value: float) -> str:
    rounded = round(value, 2)
    return decimal(value, 0 if rounded == int(rounded) else 2 if value < 10 else 1)


def _verdict(value: float, lowest: float, highest: float) -> str:
    if round(value, 2) < round(lowest, 2):
        return "below"
    return "above" if round(value, 2) > round(highest, 2) else "within"


@lru_cache
def _published(name: str) -> dict[str, float]:
    return _sizes(load_board(name))


def _sizes(board: Board) -> dict[str, float]:
    """Return the sizes of a board by their names."""
    rules, routes = board.rules, board.routes
    spaces = [route.length for route in routes]
    narrow = sum(routes[connection[0]].length for connection in board.connections)
    open_spaces = sum(spaces) if rules.parallel_open_from <= rules.players[0] else narrow
    of_colour: Counter[int | None] = Counter()
    for route in routes:
        of_colour[route.colour] += route.length
    asked = [(colour.cards, of_colour[colour.index]) for colour in board.colours if of_colour[colour.index]]
    trains = cheapest_trains(board)
    regular = sum(not ticket.long for ticket in board.tickets)
    per_train = [ticket.points / needed for ticket, needed in zip(board.tickets, trains, strict=True)]
    loads = [space / cards for cards, space in asked] or [1.0]
    return {
        "trains a space, most players": rules.trains * rules.players[1] / sum(spaces),
        "trains a space, fewest players": rules.trains * rules.players[0] / open_spaces,
        "connections of a city": 2 * len(board.connections) / len(board.cities),
        "parallel routes, % of connections": 100 * sum(len(c) > 1 for c in board.connections) / len(board.connections),
        **_spread("spaces of a route", spaces),
        **_spread("trains of a ticket", trains),
        **_spread("points a train of a ticket", per_train),
        "regular tickets a player": regular / rules.players[1],
        "gray spaces, % of spaces": 100 * of_colour[None] / sum(spaces),
        "colours: most to least spaces a card": max(loads) / min(loads),
        "cards a space, scarcest colour": 1 / max(loads),
    }


def _spread(name: str, values: Sequence[float]) -> dict[str, float]:
    numbers = np.quantile(values, SHARES, method="inverted_cdf")
    return {f"{name}, {100 * share:.0f} %": float(number) for share, number in zip(SHARES, numbers, strict=True)}
