"""Published findings, played again: `python scripts/verify.py findings`.

The four agents are those of de Mesentier Silva, Lee, Togelius and Nealen, "AI-based Playtesting of Contemporary Board
Games" (FDG 2017), as their authors' program plays (slips=1) and as evidently meant (slips=0).
"""

from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import numpy as np
from runs.making import store

from ttrsim import stats
from ttrsim.boards import board_names
from ttrsim.boards.changes import with_settings
from ttrsim.checking.checks import all_tables
from ttrsim.checking.examiner import GameTable
from ttrsim.games import make_games
from ttrsim.runs import Run

from .soak import counted
from .strength import AGENTS

MEANT = tuple(f"{name}(slips=0)" for name in AGENTS)
BOARDS = ("usa", "europe", "old_west", "san_francisco")
TURNS = {2: 100.0, 4: 188.5}
"""Turns of all seats in a random game on USA, by players, as two public engines have it."""

Runs = dict[GameTable, Run]


@click.command()
@click.option("--games", default=20_000, show_default=True, help="Games at each table.")
@click.option("--threads", default=2, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option(
    "--set",
    "settings",
    multiple=True,
    help="Change the boards of the first two findings, as in 'rules.draw_when_dry = false'.",
)
def findings(games: int, threads: int, seed: int, settings: tuple[str, ...]) -> None:
    """Play what was published about four agents again, and say whether it is so."""
    with TemporaryDirectory() as folder:

        def runs(players: tuple[str, ...], name: str) -> Runs:
            options = {"players": ",".join(players), "games": games, "seed": seed, "design": "mixed", "record": ()}
            return {
                (board, seats): store(
                    Path(folder) / name / board.replace(":", "-") / str(seats),
                    threads, board=with_settings(board, settings), seats=seats, **options,
                )
                for board, seats in all_tables()
            }  # fmt: skip

        published = runs(AGENTS, "published")
        told = [
            who_leads(published, runs(MEANT, "meant")),
            cities(published),
            gaps(games, threads, seed),
            turns(games, threads, seed),
        ]
    click.echo(" ".join(told))


def who_leads(published: Runs, meant: Runs) -> str:
    """Show finding 1: which agent is best depends on the board, the variant and the number of players."""
    click.echo("1. Who wins most where all mixtures of the four agents sit down evenly (win shares in %).\n")
    click.echo(f"{'board':20} {'players':>7}  {'leader':18} {'wins':>5} {'':5}  {'lead':>5} {'':5} {'slips=0: leader':20} {'wins':>5}")  # fmt: skip  # noqa: E501
    certain: dict[str, int] = {}
    for (board, seats), run in published.items():
        leader, share, lead = leading(run)
        other, meant_share, _ = leading(meant[board, seats])
        sure = lead[1] > 0
        certain[leader] = certain.get(leader, 0) + sure
        click.echo(
            f"{board:20} {seats:7}  {leader:18} {share[0]:5.1f} ±{share[0] - share[1]:4.1f}  {lead[0]:5.1f}"
            f" ±{lead[0] - lead[1]:4.1f} {other.split('(')[0]:20} {meant_share[0]:5.1f}"
            + ("" if sure else "  undecided")
        )
    told = ", ".join(f"{name} at {many}" for name, many in certain.items() if many)
    depends = "depends" if sum(map(bool, certain.values())) > 1 else "does not depend"
    return f"Who is best {depends} on the table: of {len(published)} tables, clear leaders are {told or 'none'}."


def leading(run: Run) -> tuple[str, tuple[float, float], tuple[float, float]]:
    """Return the agent with the largest win share, that and its lead over the next best, each with its lower end."""
    best, second = stats.strategies(run).head(2).to_dict("records")
    duels = stats.versus(run).set_index(["strategy", "other"]).loc[(best["strategy"], second["strategy"])]
    share = (100 * best["win_share"], 100 * best["win_share_low"])
    return best["strategy"], share, tuple(100 * duels[["win_share_difference", "win_share_difference_low"]])


def cities(published: Runs) -> str:
    """Show finding 2: how desirable a city is hardly depends on the number of players."""
    click.echo(
        "\n2. Cities that are built to most and least, and rank correlations of that between numbers of players.\n"
    )
    least = 1.0
    for board in board_names():
        frames = {seats: stats.cities(run) for (name, seats), run in published.items() if name == board}
        ranks = {seats: frame.set_index("city")["visitors"].rank() for seats, frame in frames.items()}
        rho = [ranks[a].corr(ranks[b]) for a, b in combinations(ranks, 2)]
        order = list(ranks[min(ranks)].sort_values(ascending=False).index)
        least = min(least, *rho)
        click.echo(
            f"{board:20} {min(rho):.3f} to {max(rho):.3f}; most {', '.join(order[:3])}; least {', '.join(order[-3:])}"
        )
    return f"City ranks of different numbers of players correlate at {least:.2f} or more (published: above 0.9)."


def gaps(games: int, threads: int, seed: int) -> str:
    """Show finding 3: states that the rules do not cover."""
    click.echo(
        "\n3. What rules leave open, in a thousand games: games in which nobody can move, games without end, and"
    )
    click.echo("displays swept away for three wilds.\n")
    click.echo(f"{'board':14} {'players':>7} {'who':18} {'no move':>9} {'no end':>9} {'swept':>9}")
    found = {}
    for board, seats in all_tables():
        for who in ("random", *AGENTS) if board in BOARDS else ():
            seen = sum_of(board, who, seats, games, threads, seed)
            rates = [1000 * seen[what] / seen["games"] for what in ("stalemates", "overlong", "displays dealt anew")]
            found[board, seats, who] = rates
            if any(rates[:2]):
                click.echo(f"{board:14} {seats:7} {who:18}" + "".join(f" {rate:9.2f}" for rate in rates))
    swept = [rates[2] for rates in found.values()]
    click.echo("\nEverywhere else every game came to its end.")
    click.echo(f"From {min(swept):.0f} to {max(swept):.0f} displays were swept away.")
    stuck, endless = (sum(rates[i] > 0 for rates in found.values()) for i in (0, 1))
    return (
        f"At {stuck} of {len(found)} tables of one agent alone, or of random, games came up in which nobody can move, "
        f"at {endless} games without end."
    )


def sum_of(board: str, who: str, seats: int, games: int, threads: int, seed: int) -> dict[str, int]:
    """Return the endings of games of one agent against itself."""
    all_games = make_games(board, ",".join([who] * seats), seed)
    shards = [counted(results) for results in all_games.shards(range(games), threads)]
    return {name: sum(shard[name] for shard in shards) for name in shards[0]}


def turns(games: int, threads: int, seed: int) -> str:
    """Measure the length of random games."""
    told = []
    for seats, known in TURNS.items():
        all_games = make_games("usa", ",".join(["random"] * seats), seed)
        lengths = np.concatenate([results.games["turns"] for results in all_games.shards(range(games), threads)])
        error = 1.96 * lengths.std() / len(lengths) ** 0.5
        told.append(f"{lengths.mean():.1f} ± {error:.1f} turns with {seats} (published: about {known:g})")
    return (
        f"Random games on USA last {' and '.join(told)}. `random` counts each way to pay as an action, so with 2 it "
        "plays differently from the uniform players of two other engines, whose games last 99.4 turns."
    )
