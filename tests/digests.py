"""Digests of small games, records and sums, which must be the same however the core is compiled.

Processes of their own import this, because only a new one compiles otherwise.
"""

import hashlib
from pathlib import Path

from ttrsim.encode import Intervention
from ttrsim.games import Games, Results, make_games
from ttrsim.runs.playing import Player
from ttrsim.runs.recipe import make_recipe
from ttrsim.runs.tally import Adder, Tally, write_sums

BOARDS = ("usa", "europe", "old_west:alvin", "san_francisco")
PLAYERS = "random,random_kind"
BOT = """\
from ttrsim.kit.chance import any_kind

PARAMS = {"patience": (10, 0, 40)}


def take_turn(board, table, hand, mind):
    if table.turn < mind.params["patience"] and table.deck_cards > 0:
        return 1
    return any_kind(board, table, hand, mind)


def decide(board, table, hand, mind):
    return any_kind(board, table, hand, mind)
"""
"""A strategy of a user's own, which is guarded."""


def of_games(results: Results) -> str:
    """Return the digest of all that is known of games."""
    return hashlib.sha256(results.games.tobytes() + results.seats.tobytes()).hexdigest()


def of_sums() -> str:
    """Return the digest of the sums of a few games."""
    player = Player(*make_recipe(board="old_west", players=PLAYERS, design="mixed", seats=3, games=10, seed=4))
    results, tally = player.play(range(1)), Tally(player.sizes, 1)
    Adder(player.record, tally).add(0, results, player.schedule.line_up_of)
    return hashlib.sha256(write_sums(tally) + repr(sorted(tally.orders.items())).encode()).hexdigest()


def of_record(board: str) -> str:
    """Return the digest of a recorded game."""
    recording = make_games(board, PLAYERS, 5).seated(0).replay()
    return hashlib.sha256(recording.events.tobytes() + recording.seats.tobytes()).hexdigest()


def changed_deals() -> Games:
    """Return games whose deals are changed."""
    games = make_games("old_west", "random,random_kind,random", 7)
    return games.changed(Intervention(place=1, slot=1, ticket=30, forced=True, closed=(3,), gift=(8,)))


def of_core(games: int) -> dict[str, str]:
    """Return the digests of what the core plays and adds up. games: on each board."""
    played = {f"games on {board}": of_games(make_games(board, PLAYERS, 5).play(range(games))) for board in BOARDS}
    return {**played, "sums": of_sums()}


def of_others(folder: Path) -> dict[str, str]:
    """Return the digests of all else that is played. folder: where a strategy may be written."""
    (folder / "bot.py").write_text(BOT, "utf-8")
    bot = str(folder / "bot.py")
    return {
        "games of changed deals": of_games(changed_deals().play(range(2))),
        "a game of a user's strategy": of_games(make_games("usa", f"{bot}(patience=30),{bot}", 42).play(range(1))),
        **{f"a record on {board}": of_record(board) for board in ("san_francisco", "old_west:alvin")},
    }
