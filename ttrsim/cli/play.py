"""Play one game (`ttrsim play`) or one of a run again (`ttrsim replay`), and show it as text, JSON or pictures."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import ttrsim
from ttrsim.choices import drawn_seed
from ttrsim.cli.console import console, doing
from ttrsim.cli.options import (
    OutFile,
    PathName,
    board_option,
    game_option,
    options,
    players_option,
    quiet_option,
    replace_option,
    seed_option,
)
from ttrsim.cli.output import heading, note, paragraph, table, write, write_json
from ttrsim.errors import UsageError, UserError
from ttrsim.files import check_parent
from ttrsim.formatting import command_line, seat_name

if TYPE_CHECKING:
    from ttrsim.games import SeatedGame
    from ttrsim.recording import Recording
    from ttrsim.report.game import Game
    from ttrsim.schedule import Order

_path = OutFile(dir_okay=False, page="game")
output_options = options(
    click.option("--json", "as_json", is_flag=True, help="Write JSON: every decision and its consequences."),
    click.option("--html", type=_path, help="Write a page that shows the game turn by turn to this file."),
    click.option("--png", type=_path, help="Draw the final board to this file."),
    click.option("--gif", type=_path, help="Draw the board turn by turn to this file, as an animation."),
    replace_option,
)
"""A command gets them as `as_json`, `html`, `png` and `gif`, and hands them to `check_files` and `write_game`."""


def check_files(*, html: Path | None, png: Path | None, gif: Path | None, **_: bool) -> None:
    """Refuse files that cannot be written, before a game is played."""
    for ending, path in (("png", png), ("gif", gif)):
        if path and path.suffix.lower() != f".{ending}":
            raise UsageError([f"--{ending} {path}: the picture's name must end in .{ending}"])
    for option, path in (("--html", html), ("--png", png), ("--gif", gif)):
        if path:
            check_parent(path, option)


def write_game(game: "Game", *, as_json: bool, html: Path | None, png: Path | None, gif: Path | None, quiet: bool) -> None:  # fmt: skip  # noqa: E501
    """Write the files and the JSON asked for, or else print the transcript."""
    writes = [(path, write) for path, write in ((html, game.html), (png, game.png), (gif, game.gif)) if path]
    with doing("Drawing the game ...", quiet=quiet or not writes):
        for path, write in writes:
            write(path)
    if not quiet:
        for path, _ in writes:
            note(f"Wrote {path}")
    if as_json:
        write_json(game.json())
    elif not writes:
        write_transcript(game.seated, game.recording, game.number)


def write_transcript(game: "SeatedGame", recording: "Recording", index: int) -> None:
    """Print a game: the deal, a line for each turn, and the scores."""
    from ttrsim.report import story

    board, names = game.board, story.seat_names(game)
    _write_header(game, recording, index)
    _write_section("Opening", story.opening_rows(board, recording.events, names))
    turns = story.turn_rows(board, recording.events, names)
    _write_section("Turns", [[str(turn).rjust(3) if name else "", name, words] for turn, name, words in turns])
    if len(recording.seats):
        write()
        write(story.ENDING_WORDS[int(recording.result[0]["ending"])])
        write()
        seats = range(len(names))
        table(["Points for", *(seat_name(seat) for seat in seats)], story.score_rows(board, recording.seats[0]))
        _write_section("Tickets", story.ticket_rows(board, recording, names))
        write()
        paragraph(story.winner_words(board, recording.seats[0], names))


def _write_header(game: "SeatedGame", recording: "Recording", index: int) -> None:
    from ttrsim.boards.rules_in_words import status_words

    board = game.board
    heading(f"{board.name} ({board.id})")
    paragraph(board.title)
    if status := status_words(board):
        paragraph(f"* {board.name}: {status}")
    write(f"Seed {game.seed}, game {index}")
    write()
    table(["Seat", "Strategy"], [[seat_name(seat), strategy.spec] for seat, strategy in enumerate(game.line_up)])


def _write_section(title: str, rows: Sequence[Sequence[str | int]]) -> None:
    """Print rows under a heading, if there are any."""
    if rows:
        write()
        heading(title)
        table([], rows, indent=2)


LISTED = 8
"""The most legal actions that are listed next to an illegal one."""


@click.command()
@board_option(required=True)
@players_option("The strategies by seat, for example planner,one_step or planner,my_bot.py.", required=True)
@seed_option()
@game_option("The number of the game of this seed, from 0; by default the first, with the players seated as listed.")
@click.option(
    "--order",
    type=click.Choice(["every", "listed"]),
    help="Play each deal with every order at the table in turn, as `ttrsim run` does, or always with the order listed.",
)
@output_options
@quiet_option
def play(board: str, players: str, seed: int | None, game: int | None, order: "Order | None", quiet: bool, **output: Any) -> None:  # fmt: skip  # noqa: E501
    """Play one game and show what happens in it.

    The game is printed as a transcript, unless --html, --png, --gif or --json asks for another form.

    The same seed and number always give the same game, that of `ttrsim run` with these strategies. From one game to the
    next the strategies change seats; without --game they sit as listed. `ttrsim replay` shows a game of any stored run.
    """
    from ttrsim.compiling import compile_first
    from ttrsim.failures import failure_words
    from ttrsim.games import make_games
    from ttrsim.report.game import Game

    check_files(**output)
    seed_used = drawn_seed() if seed is None else seed
    games = make_games(board, players, seed_used, order or ("listed" if game is None else "every"))
    seated = games.seated(game or 0)

    with console(quiet=quiet) as shown:
        compile_first(games.strategies, shown.listener)
        shown.tell("Playing the game ...")
        recording = seated.replay()
    again = ["ttrsim", "play", "--map", board, "--players", players, "--seed", str(games.seed)]
    again += [] if game is None else ["--game", str(game)]
    again += ["--order", order] if order else []
    write_game(Game(seated, recording, seated.number), quiet=quiet, **output)
    if seed is None and not quiet:
        note(f"The same game again: {command_line(again)}")
    if recording.failure is not None or recording.illegal is not None:
        raise UserError([failure_words(seated, recording) or _illegal_words(seated, recording)])


def _illegal_words(game: "SeatedGame", recording: "Recording") -> str:
    """Say which illegal action the strategy chose, and what was legal."""
    import numpy as np

    from ttrsim.core import constants as c
    from ttrsim.core.legal import list_actions
    from ttrsim.failures import occasion
    from ttrsim.words import action_words

    table, illegal = recording.game.table, recording.illegal
    assert illegal is not None
    hand = recording.game.hands[int(table.seat)]
    legal = np.empty(c.MOST_ACTIONS, np.int64)
    count = list_actions(game.record, table, hand, legal)
    strategy = game.line_up[int(table.seat)]
    try:
        meaning = f"which would be “{action_words(game.board, table, hand, illegal)}”"
    except ValueError:
        meaning = "which means nothing there"
    legal_words = [action_words(game.board, table, hand, action) for action in legal[:count]]
    more = f" and {count - LISTED} more" if count > LISTED else ""
    return (
        f"{strategy.name} ({strategy.path}), {occasion(table)}, returned the illegal action {illegal}, {meaning}; "
        f"legal actions are: {'; '.join(legal_words[:LISTED])}{more}"
    )


@click.command()
@click.argument("run", type=PathName())
@game_option("The number of the game in the run, from 0.", required=True)
@output_options
@quiet_option
def replay(run: Path, game: int, quiet: bool, **output: Any) -> None:
    """Play one game of the run in the folder RUN again and show what happens in it.

    The game is printed as a transcript, unless --html, --png, --gif or --json asks for another form. Any game of the
    run can be played again, whether or not its rows were recorded.
    """
    check_files(**output)
    with console(quiet=quiet) as shown:
        played = ttrsim.Run.open(run).replay(game, **shown.callbacks)
    write_game(played, quiet=quiet, **output)
