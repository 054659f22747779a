"""Begin a search for a fairer board: check its options, or read the search to continue."""

import math
import time
from collections.abc import Sequence
from typing import Any

from ttrsim.boards import Board, load_board
from ttrsim.choices import IMPROVE_GAMES, IMPROVE_GOALS, IMPROVE_JUDGES, IMPROVE_PLAYERS, MOST_CHANGES
from ttrsim.errors import UsageError
from ttrsim.improving.changes import Locks
from ttrsim.improving.measuring import GOALS, Bench
from ttrsim.improving.stored import ImprovementFolder, ImprovementRecipe, Step, check_same, recipe_for
from ttrsim.progress import Listener
from ttrsim.runs.arguments import seat_numbers, whole
from ttrsim.runs.in_memory import PlayAll
from ttrsim.runs.recipe import show_home
from ttrsim.strategies import load_line_up

TIMED = 2.0
"""Seconds of play from which a number of games is computed if a number of minutes is given."""
FEWEST_GAMES = 2000


def new_search(given: dict[str, Any], seed: int) -> ImprovementRecipe:
    """Return the recipe of a new search, checked."""
    if "board" not in given:
        raise UsageError(["Missing argument 'BOARD'."])
    board = given["board"].id if isinstance(given["board"], Board) else str(given["board"])
    loaded = load_board(board)
    fewest, most = loaded.rules.players
    seats = given.get("seats", range(fewest, most + 1))
    numbers = seat_numbers(seats)
    for players in numbers:
        loaded.check_players(players)
    goals = given.get("goal", IMPROVE_GOALS)
    goals = [name.strip() for name in goals.split(",")] if isinstance(goals, str) else [*goals]
    for name in goals or [""]:
        if name not in GOALS:
            raise UsageError([f"`goal` {name or 'is empty'}: must be of {', '.join(GOALS)}"])
    line_ups = {
        name: [strategy.spec for strategy in load_line_up(given.get(name, usual), loaded)]
        for name, usual in (("players", IMPROVE_PLAYERS), ("judges", IMPROVE_JUDGES))
    }
    if both := [spec for spec in line_ups["judges"] if spec in line_ups["players"]]:
        raise UsageError([f"`judges` {both[0]}: also plays in the search; judges must be others"])
    if "minutes" in given and "games" in given:
        raise UsageError(["`games`, `minutes`: give one of them"])
    if not 0 < (minutes := given.get("minutes", 1)) < math.inf:
        raise UsageError([f"`minutes` {minutes:g}: must be above 0"])
    if (games := whole("games", given.get("games", IMPROVE_GAMES))) < FEWEST_GAMES:
        raise UsageError([f"`games` {games}: too few for a search; at least {FEWEST_GAMES:,}"])
    if not 1 <= (changes := given.get("max_changes", MOST_CHANGES)) <= 100:
        raise UsageError([f"`max_changes` {changes}: must be from 1 to 100"])
    locks = Locks(**{name: given[name] for name in ("keep", "least", "most", "stretch") if name in given})
    locks.check(loaded)
    return recipe_for(
        board, line_ups["players"], line_ups["judges"], seats=tuple(numbers), goals=tuple(dict.fromkeys(goals)),
        games=games, most_changes=changes, keep=locks.keep, least=locks.least, most=locks.most, stretch=locks.stretch,
        seed=seed,
    )  # fmt: skip


def begun_search(folder: ImprovementFolder | None, given: Sequence[str]) -> tuple[ImprovementRecipe, list[Step]]:
    """Return the search to go on with. given: what else was given, which is refused."""
    if folder is None:
        raise UsageError(["`resume`: needs `out`, the folder of the search"])
    recipe, steps = folder.read()
    if given:
        raise UsageError([f"`{given[0]}`: was chosen when the search in {folder.path} began; leave it out"])
    check_same(recipe)
    return recipe, steps


def games_in(minutes: float, recipe: ImprovementRecipe, play: PlayAll, listener: Listener) -> int:
    """Play some games, and return about how many fit into some minutes."""
    listener.doing("Measuring the speed ...")
    players = [show_home(spec) for spec in recipe.players]
    bench = Bench(players, recipe.seats, recipe.goals, 0, play, lambda games: None)
    games, size, started = 0, 1000, time.monotonic()
    while (seconds := time.monotonic() - started) < TIMED:
        games += bench.measure([show_home(recipe.board)], 0, size)[0].games
        size *= 2
    found = max(FEWEST_GAMES, int(games / seconds * 60 * minutes))
    listener.message(f"About {found:,} games fit into {minutes:g} minutes; --games {found} gives the same result again")
    return found
