"""Fair values of tickets, judged on deals that no search saw: `python scripts/verify.py fair`."""

import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import click

import ttrsim
from ttrsim.trials import Trial, make_trial
from ttrsim.trials.search import Limits, Search, repriced
from ttrsim.trials.trial import nobody_listens

from .own_boards import LAYOUTS, write_board

TABLES = (("usa", 2), ("usa", 4), ("europe", 3), ("san_francisco", 3), ("grid", 2), ("wheel", 3))
QUICK = (("san_francisco", 3), ("grid", 2))
OBJECTIVES = ("score", "win")
HALF = 0.5
"""The share of the effects of the printed points that may be left."""
UNSEEN = 10**9
"""Added to the seed of a search: the deals on which its result is judged."""


class SearchResult(NamedTuple):
    """The result of a search: root mean squares of effects with noise taken off, on deals that it did not see."""

    before: float
    after: float
    noise: float
    floor: float
    moved: int  # tickets with other points
    rounds: int


@click.command()
@click.option("--games", default=1000, show_default=True, help="Games with each ticket in each round.")
@click.option("--quick", is_flag=True, help="Two boards, and 500 games with each ticket.")
@click.option("--board", "boards", multiple=True, help="Only this board; may be repeated.")
@click.option("--threads", default=2, show_default=True)
@click.option("--seed", default=1, show_default=True)
def fair(games: int, quick: bool, boards: tuple[str, ...], threads: int, seed: int) -> None:
    """Search for fair values at tables of planners, and measure what they leave; then search again from there."""
    games = 500 if quick else games
    tables = [table for table in (QUICK if quick else TABLES) if not boards or table[0] in boards]
    click.echo(
        f"{games} games with each ticket in each round, and {2 * games} of other deals to judge by. RMS of effects in\n"
        "points of score, or in percentage points of win share, noise taken off. Floor: what whole points leave.\n"
        "Again: the same from a board that has the new points already, which must not make it worse.\n"
    )
    click.echo(
        f"{'board':14} {'players':>7} {'goal':5}  {'printed':>7} {'new':>5} {'noise':>5} {'floor':>5} {'moved':>5}"
        f" {'rounds':>6}   {'again':>5} {'moved':>5}"
    )
    failed = 0
    with TemporaryDirectory() as folder:
        for board, players in tables:
            path = str(write_board(board, Path(folder))) if board in LAYOUTS else board
            trial = make_trial(board=path, players=["planner"] * players, games=games, seed=seed)
            for objective in OBJECTIVES:
                first, fairer = search(trial, objective, threads)
                again, _ = search(fairer, objective, threads)
                wrong = first.after > HALF * first.before or again.after > again.before + again.noise
                failed += wrong
                click.echo(
                    f"{board:14} {players:7} {objective:5}  {first.before:7.2f} {first.after:5.2f} {first.noise:5.2f}"
                    f" {first.floor:5.2f} {first.moved:5} {first.rounds:6}   {again.after:5.2f} {again.moved:5}"
                    + ("  FAILED" if wrong else "")
                )
    searches = len(OBJECTIVES) * len(tables)
    click.echo(
        f"\nFair values at least halve the effects of tickets in {searches - failed} of {searches} searches"
        + (", and are never worse than the printed ones." if not failed else ".")
    )
    sys.exit(failed > 0)


def search(trial: Trial, objective: str, threads: int) -> tuple[SearchResult, Trial]:
    """Search for fair values and judge them; return the same table with the new points as well."""
    found = ttrsim.tickets(
        board=trial.board, players=trial.line_up, games=trial.games, seed=trial.seed, fair=True, objective=objective,
        threads=threads,
    )  # fmt: skip
    frame = found.frame.set_index("ticket")
    unseen = make_trial(board=trial.board, players=trial.line_up, games=2 * trial.games, seed=trial.seed + UNSEEN)
    judge = Search([unseen], None, objective, Limits(), threads, nobody_listens)
    names = [trial.board.ticket_name(ticket) for ticket in judge.indices]
    judge.free = frame["fair_value"].notna()[names].to_numpy()
    new = frame["new_points"][names].to_numpy()
    moved = int((new != judge.printed).sum())
    before = judge.round(judge.measure(judge.printed, 0))
    after = judge.round(judge.measure(new, 0)) if moved else before
    unit = 100 if objective == "win" else 1
    rounds = sum(row["played"].startswith("round") for row in found.searched)
    result = SearchResult(
        unit * before.rms, unit * after.rms, unit * after.noise, found.frame.attrs["floor"], moved, rounds
    )
    fairer = repriced(trial.board, dict(zip(judge.indices, new.tolist(), strict=True)))
    return result, replace(trial, board=fairer, seed=trial.seed + 1)
