"""Check that `ttrsim improve` mends what is broken and nothing else: `python scripts/verify.py improve`."""

import random
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click
from improving.star import star

import ttrsim
from ttrsim.boards import load_board
from ttrsim.compiling import cores
from ttrsim.improver import Improvement
from ttrsim.improving.measuring import USUAL_GOALS, Bench
from ttrsim.runs.in_memory import play_all

from .own_boards import LAYOUTS, write_board

JUDGES = ("hoarder", "long_hauler", "one_step")
UNSEEN = 10**12
"""Added to the seed: the deals on which boards are judged, which no search played."""
MOVED, DOUBLED = 10, 2
"""Tickets that the sabotage moves by 3 to 8 points, and routes that it makes twice as long."""
MOST_CLAIMS = 0.1
"""The share of fair boards for which changes may be proposed."""
MOST_CHANGES, SEATS = 12, 0.02
"""The changes that a board of one's own may need, and how large its effects of seats may be in the end."""


class JudgedBoard(NamedTuple):
    """Sizes of a board, as strategies judge it that no search played with."""

    tickets: float
    seats: float
    dead: float


def judged(board: str, seed: int, games: int) -> JudgedBoard:
    """Measure a board on deals that no search played."""
    seats = range(load_board(board).rules.players[0], load_board(board).rules.players[1] + 1)
    bench = Bench(JUDGES, seats, USUAL_GOALS, seed + UNSEEN, partial(play_all, cores()), lambda played: None)
    sizes = bench.measure([board], 0, games)[0].sizes
    return JudgedBoard(sizes["tickets"], sizes["seats"], sizes["routes"])


def sabotaged(seed: int) -> str:
    """Return USA with ten tickets moved, two routes doubled, and two cards more for the first seat."""
    dice, usa = random.Random(seed), load_board("usa")
    settings = []
    for ticket in dice.sample(usa.tickets, MOVED):
        by = dice.randint(3, 8) * dice.choice((-1, 1))
        points = ticket.points + by if ticket.points + by >= 2 else ticket.points - by
        settings.append(f"ticket {usa.ticket_name(ticket)} = {points}")
    single = [tracks for tracks in usa.connections if len(tracks) == 1 and usa.routes[tracks[0]].length <= 3]
    for (route,) in dice.sample(single, DOUBLED):
        name = usa.connection_name(usa.routes[route].connection)
        settings.append(f"route {name} length = {2 * usa.routes[route].length}")
    return f"usa[{'; '.join([*settings, 'rules.hand = [6, 4, 4, 4, 4]'])}]"


def shown(name: str, of: JudgedBoard) -> None:
    """Print a line about a board."""
    click.echo(f"  {name:12} tickets {100 * of.tickets:5.2f} pp, seats {100 * of.seats:5.2f} pp, dead {of.dead:.0f}")


def search(board: str, games: int, seed: int, **options: object) -> Improvement:
    """Search, and print how long it took and what it proposes."""
    started, cpu = time.monotonic(), time.process_time()
    found = ttrsim.improve(board, games=games, seed=seed, judges=",".join(JUDGES), **options)
    wall, busy = time.monotonic() - started, time.process_time() - cpu
    click.echo(
        f"  {found.games:,} games, {wall / 60:.1f} minutes, {busy / 60:.1f} of CPU; {len(found.changes)} changes:"
    )
    for line in found.diff:
        click.echo(f"    {line}")
    return found


def usa(games: int, seed: int, folder: Path) -> bool:
    """Bring a sabotaged USA back to at most the sizes of the published board."""
    board = sabotaged(seed)
    click.echo(f"A sabotaged USA: {board}")
    found = search(board, games, seed)
    sizes = {"published": judged("usa", seed, games // 4), "sabotaged": judged(board, seed, games // 4)}
    sizes["improved"] = judged(found.board.id, seed, games // 4)
    for name, of in sizes.items():
        shown(name, of)
    return (
        sizes["improved"].tickets <= sizes["published"].tickets and sizes["improved"].seats <= sizes["published"].seats
    )


def fair(games: int, seed: int, folder: Path) -> bool:
    """Propose nothing for a board that is fair by its making, in at least nine of ten runs."""
    path = folder / "star.toml"
    path.write_text(star(), "utf-8")
    runs = [
        ttrsim.improve(path, goal="tickets,seats", seats=[2, 3], games=max(20_000, games // 20), seed=seed + number)
        for number in range(10)
    ]
    claims = sum(found.verdict == "better" for found in runs)
    click.echo(f"A board that is fair by its making: changes proposed in {claims} of {len(runs)} runs")
    return claims <= MOST_CLAIMS * len(runs)


def own(name: str) -> Callable[[int, int, Path], bool]:
    """Return the check of a board drawn by rule: half of the effects of tickets, seats even, nothing dead."""

    def check(games: int, seed: int, folder: Path) -> bool:
        board = str(write_board(name, folder))
        click.echo(f"The board {name}:")
        found = search(board, games, seed, max_changes=MOST_CHANGES)
        before, after = judged(board, seed, games // 4), judged(found.board.id, seed, games // 4)
        shown("drawn", before)
        shown("improved", after)
        return after.tickets <= before.tickets / 2 and after.seats <= SEATS and not after.dead

    return check


CHECKS: dict[str, Callable[[int, int, Path], bool]] = {
    "fair": fair,
    "usa": usa,
    **{name: own(name) for name in LAYOUTS},
}


@click.command()
@click.option("--games", default=2_000_000, show_default=True, help="Games of each search.")
@click.option("--seed", default=1, show_default=True)
@click.option("--only", multiple=True, type=click.Choice([*CHECKS]), help="Only this; may be repeated.")
def improve(games: int, seed: int, only: Sequence[str]) -> None:
    """Mend a sabotaged USA and two boards drawn by rule, and leave a fair board alone."""
    failed: list[str] = []
    with TemporaryDirectory() as name:
        for check, run in CHECKS.items():
            if not only or check in only:
                if not (passed := run(games, seed, Path(name))):
                    failed.append(check)
                click.echo(f"  {'as wanted' if passed else 'NOT AS WANTED'}\n")
    click.echo(f"Not as expected: {', '.join(failed)}" if failed else "All as expected.")
    sys.exit(bool(failed))
