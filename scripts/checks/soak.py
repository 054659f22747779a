"""Very many games of all strategies at all tables: `python scripts/verify.py soak`."""

import sys
from collections import Counter
from collections.abc import Iterator
from time import monotonic

import click
import numpy as np
import numpy.typing as npt
import psutil

from ttrsim.checking.checks import all_tables
from ttrsim.checking.examiner import GameTable
from ttrsim.core.constants import OVERLONG, PASS, RUNNING, STALEMATE
from ttrsim.encode import bits
from ttrsim.formatting import clock
from ttrsim.games import Games, Results, make_games
from ttrsim.strategies import strategy_names

ROUNDS = 10
"""The tables are gone through so often; memory is looked at after each round."""
SLOW = "lookahead"
"""Plays a thousandth of the games of another strategy, and tries each move in few games."""
EXPLAINED = 5
"""Stalemates of a line-up and round that are played again and explained."""


@click.command()
@click.option("--games", default=10_000_000, show_default=True, help="Games in all.")
@click.option("--threads", default=2, show_default=True)
@click.option("--seed", default=1, show_default=True)
def soak(games: int, threads: int, seed: int) -> None:
    """Play very many games, and look whether each came to a proper end and memory stays as it is."""
    started, seen, wrong = monotonic(), Counter[tuple[GameTable, str]](), Counter[str]()
    games_of = {table: list(line_ups(table, seed)) for table in all_tables()}
    quick = [one for of_table in games_of.values() for one in of_table if one.strategies[0].name != SLOW]
    each = -(-games // (ROUNDS * len(quick)))
    memory = []
    for lap in range(ROUNDS):
        for table, of_table in games_of.items():
            for one in of_table:
                many = max(1, each // 1000) if one.strategies[0].name == SLOW else each
                for results in one.shards(range(lap * many, (lap + 1) * many), threads, -(-many // threads)):
                    seen.update({(table, what): count for what, count in counted(results).items()})
                    wrong.update(problems(one, results))
        memory.append(psutil.Process().memory_info().rss / 2**20)
        click.echo(f"round {lap + 1} of {ROUNDS}, {clock(monotonic() - started)}", err=True)
    tell(games_of, seen, memory)
    played = sum(count for (_, what), count in seen.items() if what == "games")
    failed = "; ".join(f"{count:,} {what}" for what, count in wrong.items()) or "nothing was wrong with any"
    click.echo(f"\n{played:,} games in {clock(monotonic() - started)}: {failed}.")
    sys.exit(bool(wrong))


def line_ups(table: GameTable, seed: int) -> Iterator[Games]:
    """Yield each strategy with those that follow it in the list."""
    board, players = table
    names = list(strategy_names())
    for first in range(len(names)):
        chosen = [names[(first + place) % len(names)] for place in range(players)]
        if SLOW not in chosen[1:]:
            chosen = [name.replace(SLOW, f"{SLOW}(playouts=2)") for name in chosen]
            yield make_games(board, ",".join(chosen), seed)


def counted(results: Results) -> Counter[str]:
    """Count the endings of games and the rare cases of the rules."""
    games, endings = results.games, results.games["ending"]
    return Counter(
        {
            "games": len(games),
            "stalemates": int((endings == STALEMATE).sum()),
            "overlong": int((endings == OVERLONG).sum()),
            "shared wins": int((games["winners"] > 1).sum()),
            "reshuffles": int(games["reshuffles"].sum()),
            "displays dealt anew": int(games["refreshes"].sum()),
        }
    )


def problems(games_of: Games, results: Results) -> Counter[str]:
    """Return the number of games with each fault."""
    games, seats = results.games, results.seats
    owned = bits(seats["routes"])
    trains = owned @ games_of.record.route_length.astype(np.int64) + seats["trains_left"]
    claims = owned.sum(axis=1, dtype=np.int64)
    stalemates = np.flatnonzero(games["ending"] == STALEMATE)[:EXPLAINED]
    return +Counter(
        {
            "did not end": int((games["ending"] == RUNNING).sum()),
            "have a score that is not the sum of its parts": wrong_games(seats["parts"].sum(axis=2) != seats["score"]),
            "lost trains": wrong_games(trains != games_of.board.rules.trains),
            "have a route of two owners": wrong_games(claims > 1),
            "have no winner": int(((seats["rank"] == 1).sum(axis=1) != games["winners"]).sum()),
            "end in a stalemate without reason": sum(
                not explained(games_of, int(games["index"][i])) for i in stalemates
            ),
        }
    )


def wrong_games(wrong: npt.NDArray[np.bool_]) -> int:
    """Count the games with a fault; wrong: (games, …)."""
    return int(wrong.any(axis=1).sum())


def explained(games_of: Games, index: int) -> bool:
    """Return whether a stalemate is one: everybody has passed, there is no card and no ticket to draw, none is lost."""
    game = games_of.seated(index)
    recording = game.replay()
    table, players = recording.game.table, len(game.line_up)
    drawable = table.deck_cards + table.discards.sum() + table.display.sum() + table.tickets_left
    cards = recording.game.hands["cards"][:players].sum()
    everybody_passed = (recording.events["action"][-players:] == PASS).all()
    return bool(everybody_passed and drawable == 0 and cards == games_of.record.kind_cards.sum())


def tell(games_of: dict[GameTable, list[Games]], seen: Counter[tuple[GameTable, str]], memory: list[float]) -> None:
    """Print a row for each table, and the memory after each round."""
    counts = list(dict.fromkeys(what for _, what in seen))
    click.echo(f"{'board':20} {'players':>7} {'line-ups':>8}" + "".join(f" {what:>19}" for what in counts))
    for table, of_table in games_of.items():
        row = "".join(f" {seen[table, what]:19,}" for what in counts)
        click.echo(f"{table[0]:20} {table[1]:7} {len(of_table):8}" + row)
    click.echo(f"\nStrategies: {', '.join(strategy_names())}.")
    click.echo("Memory after each round, MB: " + ", ".join(f"{used:.0f}" for used in memory) + ".")
