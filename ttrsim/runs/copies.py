"""The board and the strategies of a stored run, from their own files or from the copies in its folder."""

import contextlib
import hashlib
from dataclasses import replace
from typing import Literal

from ttrsim.boards import Board, load_board
from ttrsim.core.constants import RULES_VERSION
from ttrsim.errors import UserError
from ttrsim.runs.playing import Player
from ttrsim.runs.recipe import Recipe, StoredStrategy, kit_sha256, show_home
from ttrsim.runs.store import Folder
from ttrsim.strategies import Strategy, load_strategy
from ttrsim.strategies.loading import load_source
from ttrsim.strategies.source import read_source, read_text

PLAY_AGAIN = "play it again, or use the version of ttrsim that played it"


def load_player(folder: Folder, recipe: Recipe) -> Player:
    """Return a player for a stored run, with board and strategies from their own files or from the run's copies."""
    return Player(recipe, _load_board(folder, recipe), [load_stored(folder, s) for s in recipe.strategies])


def check_rules(folder: Folder, recipe: Recipe) -> None:
    """Refuse a run whose games this version would play differently."""
    folder.read()  # refuses a folder of format 1
    if recipe.rules_version != RULES_VERSION:
        problem = f"was played by rules version {recipe.rules_version}, and this ttrsim plays by {RULES_VERSION}"
        raise UserError([f"{folder.path}: {problem}; {PLAY_AGAIN}"])
    if recipe.kit_sha256 != kit_sha256():
        problem = "the helpers of strategies (ttrsim.bot) have changed since it was played"
        raise UserError([f"{folder.path}: {problem}; {PLAY_AGAIN}"])


def _load_board(folder: Folder, recipe: Recipe) -> Board:
    copy = str(folder.path / "board.toml") + (f":{recipe.board.variant}" if recipe.board.variant else "")
    for name in (show_home(recipe.board.id), copy):
        try:
            board = load_board(name)
        except UserError:
            continue
        if board.sha256 == recipe.board.sha256:
            return replace(board, id=recipe.board.id)
    hint = f"restore the file, or {recipe.board.id} as it was"
    raise UserError([f"{folder.path / 'board.toml'}: is missing, or is not the board of the run; {hint}"])


def load_stored(
    folder: Folder, strategy: StoredStrategy, known_by: Literal["sha256", "content_sha256"] = "content_sha256"
) -> Strategy:
    """Return a strategy of a run with the text of the run's copy.

    One that comes with ttrsim and still does the same is taken from there, and so is a file that does the same where
    the copy is missing or was altered: `check_replay` finds that.
    """
    copy, loaded = folder.path / "strategies" / strategy.copy_name, []
    for name in (show_home(strategy.source), str(copy)):
        with contextlib.suppress(UserError):
            loaded.append(load_strategy(name, strategy.params))
    same = [found for found in loaded if getattr(found, known_by) == getattr(strategy, known_by)]
    for found in sorted(same, key=lambda found: found.guarded and found.sha256 != strategy.sha256):
        return replace(found, name=strategy.name.partition("(")[0].partition(" #")[0])
    hint = f"restore the file, or {strategy.source} as it was"
    raise UserError([f"{copy}: is missing, or is not the strategy of the run; {hint}"])


def described(folder: Folder, recipe: Recipe) -> dict[str, str]:
    """Return the first sentence of each strategy of a run about itself, without those that cannot be read."""
    found = {}
    for strategy in recipe.strategies:
        copy = folder.path / "strategies" / strategy.copy_name
        with contextlib.suppress(UserError, RecursionError):
            own = read_source(copy, read_text(copy)) if copy.is_file() else load_source(show_home(strategy.source))
            found[strategy.name] = own.sentence
    return {name: sentence for name, sentence in found.items() if sentence}


def check_replay(folder: Folder, recipe: Recipe) -> None:
    """Refuse to play games of a run again that would come out otherwise, or whose copies were altered."""
    check_rules(folder, recipe)
    if problems := altered_copies(folder, recipe):
        raise UserError(problems)


def altered_copies(folder: Folder, recipe: Recipe) -> list[str]:
    """List the problems of the run's copies of its board and strategies."""
    copies = {folder.path / "board.toml": recipe.board.sha256}
    copies |= {folder.path / "strategies" / s.copy_name: s.sha256 for s in recipe.strategies}
    return [
        f"{path}: is missing, or was altered; ttrsim run --resume copies it again"
        for path, sha256 in copies.items()
        if not path.is_file() or hashlib.sha256(path.read_bytes()).hexdigest() != sha256
    ]


def remove_copies(folder: Folder) -> None:
    """Remove the copies of board and strategies of a run that is replaced; `check_free` has found nothing else."""
    for path in (folder.path / "board.toml", *(folder.path / "strategies").glob("*.py")):
        path.unlink(missing_ok=True)
