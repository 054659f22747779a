"""Check that the compiled core and the plain reference agree: `python scripts/verify.py reference`."""

import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from time import monotonic
from typing import NamedTuple

import click
from core.agreement import Duel

from ttrsim.checking.checks import all_tables
from ttrsim.checking.examiner import GameTable
from ttrsim.errors import UserError
from ttrsim.formatting import clock

PIECE = 20
"""Games a process plays before it reports."""
SHOWN = 10
"""Disagreements printed in full."""


class Piece(NamedTuple):
    """Some games at one table, and their results."""

    table: GameTable
    games: int
    decisions: int
    seen: Counter[str]
    failures: list[str]


@click.command()
@click.option("--games", default=100_000, show_default=True, help="Games in all, spread over the boards.")
@click.option("--board", "boards", multiple=True, help="Only this board, by name or file; may be given again.")
@click.option("--players", type=int, help="Only with this many players.")
@click.option("--first", default=0, show_default=True, help="Number of the first game of each table.")
@click.option("--processes", default=2, show_default=True)
def reference(games: int, boards: tuple[str, ...], players: int | None, first: int, processes: int) -> None:
    """Play games in the compiled core and in the plain reference, and compare all of both at every decision."""
    try:
        tables = [table for table in all_tables(boards) if players in (None, table[1])]
    except UserError as error:
        raise click.UsageError(str(error)) from error
    if not tables:
        raise click.UsageError(f"no board is for {players} players")
    started = monotonic()
    click.echo("Compiling, which can take a minute.", err=True)
    play(tables[0], first, 0)
    done: list[Piece] = []
    with ProcessPoolExecutor(processes) as pool:
        work = [pool.submit(play, *piece) for piece in pieces(tables, games, first)]
        progress = ProgressLine(games)
        for future in as_completed(work):
            done.append(future.result())
            progress.show(done)
    report(done, tables, monotonic() - started)
    sys.exit(any(piece.failures for piece in done))


def pieces(tables: list[GameTable], games: int, first: int) -> Iterator[tuple[GameTable, int, int]]:
    """Yield the table, the first game and the end of each piece of work, one table after the other."""
    ends = [first + games // len(tables) + (i < games % len(tables)) for i in range(len(tables))]
    for start in range(first, max(ends), PIECE):
        for table, end in zip(tables, ends, strict=True):
            if start < end:
                yield table, start, min(start + PIECE, end)


def play(table: GameTable, start: int, end: int) -> Piece:
    """Play the games from `start` to before `end`."""
    decisions, seen, failures = 0, Counter[str](), list[str]()
    for number in range(start, end):
        duel = Duel(*table, number)
        try:
            seen += duel.play().seen()
        except Exception as error:
            name, players = table
            again = f"--board {name} --players {players} --first {number} --games 1"
            failures.append(f"{type(error).__name__}: {error}\n  again: python scripts/verify.py reference {again}")
        decisions += len(duel.actions)
    return Piece(table, max(0, end - start), decisions, seen, failures)


class ProgressLine:
    """A line of progress on stderr; off a terminal, one line for each twentieth of the work."""

    def __init__(self, games: int) -> None:
        self.games, self.started, self.told = games, monotonic(), -1

    def show(self, done: list[Piece]) -> None:
        played, wrong = sum(p.games for p in done), sum(len(p.failures) for p in done)
        steps = 1000 if sys.stderr.isatty() else 20
        if steps * played // self.games == self.told:
            return
        self.told = steps * played // self.games
        seconds = monotonic() - self.started
        left = clock(seconds / played * (self.games - played))
        text = f"{played:,} of {self.games:,} games, {played / seconds:.0f} a second, {left} left, {wrong} disagree"
        click.echo(f"\r\033[K{text}" if sys.stderr.isatty() else text, err=True, nl=not sys.stderr.isatty())


def report(done: list[Piece], tables: list[GameTable], seconds: float) -> None:
    """Print the games played, the events in them, and each disagreement."""
    if sys.stderr.isatty():
        click.echo(err=True)
    failures = [failure for piece in done for failure in piece.failures]
    games, decisions = sum(p.games for p in done), sum(p.decisions for p in done)
    click.echo(f"{'board':20} {'players':>7} {'games':>8} {'decisions':>12} {'disagree':>8}")
    for table in tables:
        mine = [piece for piece in done if piece.table == table]
        numbers = [sum(p.games for p in mine), sum(p.decisions for p in mine), sum(len(p.failures) for p in mine)]
        click.echo(f"{table[0]:20} {table[1]:7} {numbers[0]:8,} {numbers[1]:12,} {numbers[2]:8,}")
    seen = sum((piece.seen for piece in done), Counter[str]())
    click.echo(
        "\nAmong other things there were " + ", ".join(f"{many:,} {what}" for what, many in seen.items() if many) + "."
    )
    for failure in failures[:SHOWN]:
        click.echo(f"\n{failure}")
    if len(failures) > SHOWN:
        click.echo(f"\n… and {len(failures) - SHOWN:,} more.")
    verdict = f"{len(failures):,} of {games:,} games disagree" if failures else f"All {games:,} games agree"
    click.echo(f"\n{verdict}: {decisions:,} decisions in {clock(seconds)}.")
