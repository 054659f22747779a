"""Compare the published agents in thousands of games with their own program: `python scripts/verify.py agents`.

The figures of agents.csv are those of the program, made to play by the rules, with their 95 % errors: means of each
agent at the tables of all four (USA and Europe), of three and of two (USA). The program looks through cities in an
arbitrary order, on which its results depend, and its figures are means over such orders, a new one every 50 to 100
games. Its order is that of dictionaries of Python 2.7, which draws new hashes for each process. So this plays with the
hashes of many processes, on boards whose files list cities and connections in random orders, and its own errors are
those of means over orders. The spread between orders is known for some figures.
"""

import csv
import random
import re
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import click
import numpy as np
from scipy.stats import t

from ttrsim.batches import Array
from ttrsim.boards import Board, load_board
from ttrsim.boards.board import plain
from ttrsim.core import constants as c
from ttrsim.games import Games, make_games

FIGURES = Path(__file__).with_name("agents.csv")
ORDERS = {
    ("one_step", "win share"): 3.0,
    ("one_step", "ticket draws"): 0.08,
    ("one_step", "tickets completed"): 0.07,
    ("one_step", "routes"): 0.2,
    ("long_route", "tickets completed"): 0.05,
    ("long_route", "tickets missed"): 0.05,
    ("long_route", "routes"): 0.125,
    ("route_focused", "tickets completed"): 0.05,
    ("route_focused", "tickets missed"): 0.05,
    ("route_focused", "routes"): 0.125,
    ("destination_hungry", "score"): 2.0,
    ("destination_hungry", "tickets completed"): 0.09,
}
"""Standard deviations between orders, where one was seen. Long Route and Route Focused hold as many tickets in every
game, so what they miss varies as what they complete."""
LEAST = 0.93
"""Share of the figures that must be met within their tolerance; none may be missed by more than twice that."""


class PublishedMean(NamedTuple):
    """A mean of one agent at one table, as the program has it."""

    board: str
    players: tuple[str, ...]
    agent: str
    quantity: str
    value: float
    error: float


class Cell(NamedTuple):
    """A published mean and what was found."""

    published: PublishedMean
    found: float
    error: float

    @property
    def tolerance(self) -> float:
        """Return the error from chance in both figures and from an arbitrary order of cities."""
        spread = ORDERS.get((self.published.agent, self.published.quantity), 0.0)
        return float(np.hypot(np.hypot(self.published.error, self.error), 2 * spread))

    @property
    def miss(self) -> float:
        """The distance from the page's figure, in tolerances."""
        distance = abs(self.found - self.published.value)
        if not distance:
            return 0.0
        return distance / self.tolerance if self.tolerance else float("inf")


def read_means(path: Path = FIGURES) -> list[PublishedMean]:
    """Return the means of the program."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            PublishedMean(row["board"], tuple(row["players"].split()), row["agent"], row["quantity"],
                   float(row["value"]), float(row["error"]))
            for row in csv.DictReader(file)
        ]  # fmt: skip


@cache
def shuffled(name: str, seed: int) -> Board:
    """Return a board whose file lists its cities and its connections in a random order."""
    text, rng = load_board(name).source.decode(), random.Random(seed)
    for key in ("cities", "connections"):
        listed = re.search(rf"^{key} = \[\n(.*?)^\]", text, re.MULTILINE | re.DOTALL)
        assert listed is not None
        lines = listed[1].splitlines(keepends=True)
        rng.shuffle(lines)
        text = text[: listed.start(1)] + "".join(lines) + text[listed.end(1) :]
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.toml"
        path.write_text(text, "utf-8")
        return load_board(path)


@cache
def played(board: str, players: tuple[str, ...], games: int, seed: int, orders: int) -> Array:
    """Play games of a line-up under several orders of cities; return the SEAT_RESULTs (orders, games, seats)."""
    each = range(-(-games // orders))
    return np.stack([ordered(board, players, seed, order).play(each).seats for order in range(orders)])


def ordered(board: str, players: tuple[str, ...], seed: int, order: int) -> Games:
    """Return the games of a line-up under an arbitrary order of cities, connections and hashes."""
    games = make_games(shuffled(board, order), ",".join(players), seed + order)
    rehash(games.record, games.board, order)
    return games


def rehash(record: Any, board: Board, seed: int) -> None:
    """Give the cities of a board the hashes that their names have in the program, which writes them in capitals."""
    for city in board.cities:
        record.city_name[city.index] = string_hash(plain(city.name).upper(), seed)


def string_hash(text: str, seed: int) -> np.uint64:
    """Return the hash of a text in Python 2.7, with its option -R and PYTHONHASHSEED set to a seed; without for 0."""
    state, key = seed, []
    for _ in range(16):
        state = (state * 214013 + 2531011) % 2**32
        key.append(state >> 16 & 255 if seed else 0)
    first, last = (int.from_bytes(bytes(key[i : i + 8]), "little") for i in (0, 8))
    value = first ^ ord(text[0]) << 7
    for letter in text:
        value = 1000003 * value % 2**64 ^ ord(letter)
    return np.uint64(value ^ len(text) ^ last)


def amounts(quantity: str, seats: Array) -> Array:
    """Return a quantity of each SEAT_RESULT (…, seats).

    As in the program, there are no points for stations, and all who have the highest score share the win.
    """
    scores = seats["score"] - seats["parts"][..., c.POINTS_STATIONS]
    wins = scores == scores.max(axis=-1, keepdims=True)
    completed = np.bitwise_count(seats["completed"]).sum(axis=-1, dtype=int)
    kept = np.bitwise_count(seats["kept"]).sum(axis=-1, dtype=int)
    found = {
        "win share": 100 * wins / wins.sum(axis=-1, keepdims=True),
        "score": scores,
        "tickets completed": completed,
        "tickets missed": kept - completed,
        "routes": np.bitwise_count(seats["routes"]).sum(axis=-1, dtype=int),
        "longest trail": seats["trail"],
        "trains left": seats["trains_left"],
        "turns": seats["counts"][..., c.TURNS],
        "ticket draws": seats["counts"][..., c.TICKET_DRAWS],
    }
    return np.asarray(found[quantity], float)


def measure(published: PublishedMean, games: int, seed: int, orders: int) -> Cell:
    """Return a published mean with its value in games of that table: the mean over orders, with its error."""
    seats = played(published.board, published.players, games, seed, orders)
    mine = seats["strategy"] == published.players.index(published.agent)
    means = np.average(amounts(published.quantity, seats).reshape(orders, -1), axis=1, weights=mine.reshape(orders, -1))
    return Cell(published, float(means.mean()), float(t.ppf(0.975, orders - 1) * means.std(ddof=1) / orders**0.5))


def verdict(cells: Iterable[Cell]) -> tuple[int, int]:
    """Return how many figures are met within their tolerance, and how many are missed by more than twice that."""
    misses = [cell.miss for cell in cells]
    return sum(miss <= 1 for miss in misses), sum(miss > 2 for miss in misses)


@click.command()
@click.option("--games", default=12_000, show_default=True, help="Games at each table.")
@click.option("--seed", default=1, show_default=True)
@click.option("--orders", default=24, show_default=True, help="Orders to average over.")
def agents(games: int, seed: int, orders: int) -> None:
    """Play the tables at which the program of the published agents was measured, and compare figure by figure."""
    cells, table = [], None
    for published in read_means():
        if (published.board, published.players) != table:
            table = published.board, published.players
            click.echo(f"\n{published.board}: {', '.join(published.players)}")
        cell = measure(published, games, seed, orders)
        cells.append(cell)
        mark = "" if cell.miss <= 1 else "  missed" if cell.miss <= 2 else "  MISSED BY MORE THAN TWICE"
        click.echo(
            f"  {published.agent:18} {published.quantity:17} {published.value:7.2f} ±{published.error:5.2f}"
            f"  found {cell.found:7.2f} ±{cell.error:5.2f}  tolerance {cell.tolerance:5.2f}{mark}"
        )
    met, far = verdict(cells)
    click.echo(
        f"\n{met} of {len(cells)} figures ({100 * met / len(cells):.0f} %) are met within their tolerance; "
        f"missed by more than twice that: {far}."
    )
    sys.exit(met < LEAST * len(cells) or far > 0)
