"""Print or write a game for `ttrsim play` and `ttrsim replay`: as a transcript, as JSON, or as files to look at."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ttrsim.cli.options import PathName, options
from ttrsim.cli.output import heading, note, paragraph, table, write, write_json
from ttrsim.cli.progress import doing
from ttrsim.errors import UsageError
from ttrsim.files import check_parent

if TYPE_CHECKING:
    from ttrsim.games import SeatedGame
    from ttrsim.recording import Recording
    from ttrsim.report.game import Game

_path = PathName(dir_okay=False)
output_options = options(
    click.option("--json", "as_json", is_flag=True, help="Write JSON: every decision and what came of it."),
    click.option("--html", type=_path, help="Write a page to this file that shows the game turn by turn."),
    click.option("--png", type=_path, help="Draw the board at the end to this file."),
    click.option("--gif", type=_path, help="Draw the board turn by turn to this file, as a moving picture."),
)
"""Given to a command as `as_json`, `html`, `png` and `gif`, which `check_files` and `write_game` take."""


def check_files(*, html: Path | None, png: Path | None, gif: Path | None, **_: bool) -> None:
    """Refuse files that cannot be written, before the game is played."""
    for kind, path in (("png", png), ("gif", gif)):
        if path and path.suffix.lower() != f".{kind}":
            raise UsageError([f"--{kind} {path}: the picture's name must end in .{kind}"])
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
    """Print a game: what was dealt, a line for each turn, and the scores."""
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
        table(["Points for", *(f"Seat {seat}" for seat in seats)], story.score_rows(board, recording.seats[0]))
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
    table(["Seat", "Strategy"], [[seat, strategy.spec] for seat, strategy in enumerate(game.line_up)])


def _write_section(title: str, rows: Sequence[Sequence[str | int]]) -> None:
    """Print rows under a heading, if there are any."""
    if rows:
        write()
        heading(title)
        table([], rows, indent=2)
