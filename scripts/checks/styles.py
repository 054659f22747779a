"""Find which strategy wins with each at its best: `python scripts/verify.py styles`.

The five strategies of the standard examination play in all combinations, each with its values as they were before any
was tuned, with its defaults, and with its values of the table (`planner@best`). The share of a strategy's seats that
win is even where it is 1 in the number of players. Errors are 95 % half widths.
"""

from collections import Counter

import click

import ttrsim
from ttrsim.boards import load_board
from ttrsim.choices import BALANCE_PLAYERS

from .profiles import BEFORE

NAMES = BALANCE_PLAYERS.split(",")
VALUES = {
    "before": [BEFORE.get(name, name) for name in NAMES],
    "defaults": NAMES,
    "best": [f"{name}@best" for name in NAMES],
}


@click.command()
@click.option("--board", "boards", multiple=True, default=("usa", "europe", "old_west", "san_francisco"), show_default=True, help="May be repeated.")  # fmt: skip  # noqa: E501
@click.option("--games", default=40_000, show_default=True, help="At each table with each set of values.")
@click.option("--seed", default=7, show_default=True, help="Not that of the tunings.")
def styles(boards: tuple[str, ...], games: int, seed: int) -> None:
    """Let five strategies meet with the fewest and the most players, before tuning, with defaults and at their best."""
    click.echo(" ".join([f"{'table':16} {'values':8}", *(f"{name:>12}" for name in NAMES)]))
    leaders = Counter()
    for board in boards:
        for seats in load_board(board).rules.players:
            for values, players in VALUES.items():
                shares = win_shares(board, seats, players, games, seed)
                leaders[values, max(NAMES, key=lambda name: shares[name][0])] += 1
                cells = [f"{100 * share:.1f} ± {100 * half:.1f}" for share, half in shares.values()]
                click.echo(" ".join([f"{board + '/' + str(seats):16} {values:8}", *(f"{cell:>12}" for cell in cells)]))
    said = [
        f"{values}: " + ", ".join(f"{name} at {n}" for (of, name), n in leaders.most_common() if of == values)
        for values in VALUES
    ]
    click.echo(f"\nMost wins: {'; '.join(said)}.")


def win_shares(board: str, seats: int, players: list[str], games: int, seed: int) -> dict[str, tuple[float, float]]:
    """Return the win share of each strategy and half of its interval, by name."""
    run = ttrsim.run(board=board, players=players, seats=seats, design="mixed", games=games, seed=seed)
    rows = run.stats("strategies").set_index("strategy").loc[run.strategies].to_dict("records")
    shares = [(row["win_share"], (row["win_share_high"] - row["win_share_low"]) / 2) for row in rows]
    return dict(zip(NAMES, shares, strict=True))
