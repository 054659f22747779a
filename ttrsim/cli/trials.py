"""`ttrsim tickets` and `ttrsim routes`: what comes of a change alone, from the same deals with it and without."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from ttrsim.choices import ROUNDS
from ttrsim.cli.frames import write_csv, write_frame
from ttrsim.cli.output import check_form, heading, paragraph, write_json
from ttrsim.cli.progress import Counted
from ttrsim.cli.usual import (
    Count,
    board_option,
    chosen_seed,
    cores,
    csv_option,
    json_option,
    options,
    quiet_option,
    seed_option,
    tell_seed,
    threads_option,
)
from ttrsim.errors import UsageError
from ttrsim.report.tables import frames_json

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.boards import Board
    from ttrsim.trials import Trial

GAMES = 4000
TOP = 5
"""Connections that are looked at if none is named."""


trial_options = options(
    board_option(required=True),
    click.option(
        "--players",
        required=True,
        metavar="STRATEGIES",
        help="The strategy of the focal seat, then the others, for example planner,one_step.",
    ),
    click.option(
        "-n",
        "games",
        type=Count(),
        default=GAMES,
        show_default=True,
        help="Games with each change, and as many without.",
    ),
    seed_option(),
    threads_option,
    json_option,
    csv_option,
    quiet_option,
)


@click.command()
@trial_options
@click.option("--force", is_flag=True, help="Make the focal seat keep the ticket, to see how hard it is.")
@click.option("--fair", is_flag=True, help="Find what each ticket should be worth, and try it.")
@click.option("--ticket", "names", multiple=True, metavar="TICKET", help="Only this ticket, for example 'Denver-El Paso'; may be repeated.")  # fmt: skip  # noqa: E501
@click.option("--rounds", type=click.IntRange(1, 20), help=f"With --fair: how many times the values are corrected and tried; {ROUNDS} if not given.")  # fmt: skip  # noqa: E501
def tickets(force: bool, fair: bool, names: tuple[str, ...], rounds: int | None, **given: Any) -> None:
    """Measure what being dealt each ticket does, how hard it is, or what it should be worth.

    The focal seat, that of the first strategy, is dealt the ticket in place of the first one of its deck; everything
    else in the deal stays the same. It is free to keep the ticket or not; with --force it must keep it, and is compared
    with itself made to keep what it was dealt.

    --fair corrects the printed values by what holding the ticket does, and plays other deals with the new values, for
    several rounds, because strategies play differently when values change.
    """
    if force and fair:
        raise UsageError(["--force and --fair exclude each other; --fair forces tickets too"])
    if rounds and not fair:
        raise UsageError([f"--rounds {rounds}: only --fair corrects values"])
    which = "forced" if force else "fair" if fair else "swaps"
    options = {"rounds": rounds or ROUNDS} if fair else {}
    from ttrsim.boards.names import find_tickets

    with prepared(lambda board: find_tickets(board, names), **given) as (trial, make):
        frames = {which: make(which, list(names) or None, **options)}
        tell(trial, frames, {"map": given["board"], **options}, as_json=given["as_json"], as_csv=given["as_csv"])


@click.command()
@trial_options
@click.option("--close", multiple=True, metavar="WHAT", help="Close a route ('Denver-Kansas City (black)'), all routes of a connection ('Denver-Kansas City') or of a city ('Denver'); may be repeated.")  # fmt: skip  # noqa: E501
@click.option("--gift", multiple=True, metavar="ROUTE", help="Give a route to the focal seat, that of the first strategy; may be repeated.")  # fmt: skip  # noqa: E501
@click.option("--top", type=click.IntRange(1, 200), help=f"Close and give away so many of the busiest connections, as ttrsim maps stats lists them; {TOP} if nothing is named.")  # fmt: skip  # noqa: E501
def routes(close: tuple[str, ...], gift: tuple[str, ...], top: int | None, **given: Any) -> None:
    """Measure what closing a route changes for everybody, and what owning it from the start is worth.

    A route that is given away costs no cards and no trains, and scores no points itself.
    """
    if given["as_csv"] and (top or bool(close) == bool(gift)):
        raise UsageError(["--csv: closed routes and gifts are two tables; ask for one, with --close or with --gift"])
    from ttrsim.boards.names import find_places

    with prepared(lambda board: find_places(board, [*close, *gift]), **given) as (trial, make):
        from ttrsim.trials import busiest

        wide = busiest(trial.board, top or TOP) if top or not (close or gift) else []
        wanted = {"closed": [*close, *wide], "gifts": [*gift, *wide]}
        frames = {which: make(which, names) for which, names in wanted.items() if names}
        tell(trial, frames, {"map": given["board"]}, as_json=given["as_json"], as_csv=given["as_csv"])


@contextmanager
def prepared(
    look_up: "Callable[[Board], object]",
    *,
    board: str,
    players: str,
    games: int,
    seed: int | None,
    threads: int | None,
    as_json: bool,
    as_csv: bool,
    quiet: bool,
) -> "Iterator[tuple[Trial, Callable[..., pd.DataFrame]]]":
    """A trial, and what makes a frame of it by name while it tells how it comes along.

    look_up: finds what the user names on the board, or refuses it before anything is compiled.
    """
    check_form(as_json=as_json, as_csv=as_csv)
    from ttrsim.cli.compiling import compile_first
    from ttrsim.trials import FRAMES, make_trial

    trial = make_trial(board=board, players=players, games=games, seed=chosen_seed(seed))
    look_up(trial.board)
    compile_first(trial.line_up, quiet=quiet)
    if seed is None and not quiet:
        tell_seed(trial.seed)
    progress = Counted(quiet=quiet)

    def make(which: str, names: list[str] | None, **options: int) -> "pd.DataFrame":
        frame: pd.DataFrame = FRAMES[which][1](
            trial, names, threads=threads or cores(), on_games=progress.count, **options
        )
        progress.end()
        return frame

    try:
        yield trial, make
    finally:
        progress.end()


def tell(trial: "Trial", frames: "dict[str, pd.DataFrame]", asked: dict[str, Any], *, as_json: bool, as_csv: bool) -> None:  # fmt: skip  # noqa: E501
    """The frames, for people or programs. asked: what was asked for that the trial does not tell."""
    from ttrsim.trials import FRAMES

    if as_csv:
        for frame in frames.values():
            write_csv(frame)
        return
    if as_json:
        write_json({**_about(trial, **asked), "tables": frames_json(frames)})
        return
    focal, *others = (strategy.spec for strategy in trial.line_up)
    heading(f"{trial.board.name} ({trial.board.id}), {trial.schedule.games:,} games with each change and without, seed {trial.seed}")  # fmt: skip  # noqa: E501
    paragraph(f"Focal seat: {focal}, against {', '.join(others)}")
    for name, frame in frames.items():
        write_frame(name, FRAMES[name][0], frame)
    if "fair" in frames:
        counts = frames["fair"]["verdict"].value_counts()
        paragraph(", ".join(f"{counts.get(word, 0)} {word}" for word in ("settled", "undecided", "off")) + ".")


def _about(trial: "Trial", **asked: Any) -> dict[str, Any]:
    """Return all that decides the games. asked: the board as the user named it, and rounds of correcting values."""
    from ttrsim import __version__
    from ttrsim.core.constants import RULES_VERSION
    from ttrsim.runs.plan import hide_home

    return {
        "board": trial.board.id,
        **asked,
        "map": hide_home(asked["map"]),
        "seed": trial.seed,
        "games": trial.schedule.games,
        "players": [strategy.spec for strategy in trial.line_up],
        "ttrsim": __version__,
        "rules_version": RULES_VERSION,
        "board_sha256": trial.board.sha256,
        "strategies": {strategy.spec: strategy.sha256 for strategy in trial.line_up},
    }
