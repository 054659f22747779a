"""The two sides of a comparison: stored runs, or runs that are played for it."""

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ttrsim.cli.keeping import check_all, kept_in, play_into
from ttrsim.cli.output import note
from ttrsim.errors import UsageError

if TYPE_CHECKING:
    from ttrsim.runs import Run
    from ttrsim.runs.local import Engine
    from ttrsim.runs.plan import Sprt
    from ttrsim.runs.playing import Player

GAMES = 100_000
"""Of each side, if nothing is said."""


@dataclass
class Side:
    """A stored run, or a player of one that is going to be played."""

    run: "Run | None" = None
    player: "Player | None" = None


def sides_of(words: Sequence[str], boards: Sequence[str], players: Sequence[str], options: dict[str, Any], seed: int) -> list[Side]:  # fmt: skip  # noqa: E501
    """Return both sides, from what was given: folders of runs or boards, --map, --players, and shared options.

    What is given once holds for both sides; what is not given is taken from the stored run, if one side is. seed: of
    both sides if none is stored.
    """
    stored = [word for word in words if is_run(word)]
    named = [word for word in words if not is_run(word)]
    _check_boards(named)
    boards = [*named, *boards]
    if len(stored) > 2 or len(boards) > 2 or len(players) > 2:
        raise UsageError(["there are two sides to compare: give two runs, two boards or two --players"])
    flags = ["-n" if name == "games" else f"--{name}" for name in options]
    if len(stored) == 2:
        return _two_stored(stored, [*boards, *players, *flags])
    if stored and flags:
        raise UsageError([f"{flags[0]}: is as in {stored[0]}; give only the board or --players that differ"])
    if max(len(boards), len(players)) + len(stored) < 2:
        raise UsageError(["nothing differs: give two runs, two boards, or --players twice"])
    if stored:
        return _one_stored(words, boards, players)
    for name, given in (("--map", boards), ("--players", players)):
        if not given:
            raise UsageError([f"Missing option '{name}'."])
    shared = {"games": GAMES, **options, "seed": seed}
    return _in_laps(
        [{**shared, "board": boards[i % len(boards)], "players": players[i % len(players)]} for i in (0, 1)]
    )


def is_run(word: str) -> bool:
    """Return whether a name is that of a run's folder rather than a board."""
    from ttrsim.runs.store import Folder

    return bool(word) and Folder(Path(word)).begun


def _check_boards(words: Sequence[str]) -> None:
    """Refuse words that name no board either."""
    from ttrsim.boards.reading import UnknownBoard, locate_board

    for word in words:
        try:
            locate_board(word)
        except UnknownBoard as e:
            raise UsageError(
                [f"{word or repr(word)}: is not the folder of a run, and there is {e.problems[0]}"]
            ) from None


def _two_stored(stored: Sequence[str], others: Sequence[str]) -> list[Side]:
    from ttrsim.runs import Run

    if others:
        raise UsageError([f"{others[0]}: {stored[0]} and {stored[1]} are the two sides; leave out the rest"])
    return [Side(Run.open(path)) for path in stored]


def _one_stored(words: Sequence[str], boards: Sequence[str], players: Sequence[str]) -> list[Side]:
    """Return the run, and the same with another board, other players, or both."""
    from ttrsim.runs import Run

    if len(boards) > 1 or len(players) > 1:
        raise UsageError(["one side is a run: give one board or one --players for the other"])
    run = Run.open(next(word for word in words if is_run(word)))
    options = {**run.plan.options, "stop": None}
    if boards:
        options["board"] = boards[0]
    if players:
        options["players"] = players[0]
    (side,) = _in_laps([options], run.plan.laps)
    return [Side(run), side] if is_run(words[0]) else [side, Side(run)]


def _in_laps(options: Sequence[dict[str, Any]], laps: int | None = None) -> list[Side]:
    """Give all players the same laps, so that their batches are the same blocks, and at least the games asked for."""
    from ttrsim.runs.plan import make_plan
    from ttrsim.runs.playing import Player

    made = [make_plan(**{**side, "record": ()}) for side in options]
    if len(made) == 2 and made[0][0] == made[1][0]:
        raise UsageError(["nothing differs: both sides are the same games"])
    most = laps or max(plan.laps for plan, _, _ in made)
    return [Side(player=Player(plan.changed(laps=most), board, strategies)) for plan, board, strategies in made]


def names_of(side: Side) -> list[str]:
    """Return the strategies of a side."""
    one = side.player or side.run
    assert one
    return one.plan.names


@contextlib.contextmanager
def both_played(sides: Sequence[Side], out: Path | None, test: "Sprt | None", threads: int, *, about_seed: str | None, quiet: bool) -> "Iterator[tuple[Run, Run]]":  # fmt: skip  # noqa: E501
    """Yield both runs, those that are not stored played into folders `a` and `b` of `out`, or of a temporary one.

    With a test, and nothing stored, they are played only until it is answered. about_seed: a sentence about the seed.
    """
    from ttrsim.cli.compiling import compile_first
    from ttrsim.runs.local import local_engine

    until_answered = test if all(side.player for side in sides) else None
    if until_answered:
        _put_in_step(sides)
    if out:
        check_all(out, {name: side.player for name, side in zip("ab", sides, strict=True) if side.player})
    with kept_in(out) as folder:
        to_play = [side.player for side in sides if side.player]
        compile_first([strategy for player in to_play for strategy in player.strategies], quiet=quiet)
        if len(to_play) == len(sides) and about_seed and not quiet:
            note(about_seed)
        folders = [folder / name for name in "ab"]
        if until_answered:
            _play_in_step(sides, folders, until_answered, local_engine(threads), quiet=quiet)
        else:
            _play(sides, folders, local_engine(threads), quiet=quiet)
        a, b = (side.run for side in sides)
        assert a
        assert b
        yield a, b


def _play(sides: Sequence[Side], folders: Sequence[Path], engine: "Engine", *, quiet: bool) -> None:
    """Play what is not stored."""
    for side, path in zip(sides, folders, strict=True):
        if side.player:
            side.run = play_into(path, side.player, engine, quiet=quiet)


def _put_in_step(sides: Sequence[Side]) -> None:
    """Make both sides stop together."""
    from ttrsim.runs.playing import Player
    from ttrsim.runs.step import in_step

    for side in sides:
        assert side.player
        side.player = Player(in_step(side.player.plan), side.player.board, side.player.strategies)


def _play_in_step(sides: Sequence[Side], folders: Sequence[Path], test: "Sprt", engine: "Engine", *, quiet: bool) -> None:  # fmt: skip  # noqa: E501
    """Play both, batch by batch, until the test is answered; then they stay unfinished."""
    from ttrsim.cli.progress import Progress
    from ttrsim.runs import Run
    from ttrsim.runs.step import play_in_step
    from ttrsim.runs.store import Folder
    from ttrsim.stats.paired import tested

    players = [side.player for side in sides if side.player]
    numbers = [player.plan.names.index(name) for player, name in zip(players, (test.second, test.first), strict=True)]
    progress = Progress(players[1], quiet=quiet)
    try:
        laps = play_in_step(
            players,
            [Folder(path) for path in folders],
            engine,
            numbers,
            lambda a, b: tested(test, a, b).accepted is not None,
            progress.update,
            progress.note,
        )
    finally:
        progress.end()
    if laps == players[0].plan.laps:
        _play(sides, folders, engine, quiet=True)
    for side, path in zip(sides, folders, strict=True):
        side.run = Run.open(path)
