"""A recorded game as text for people."""

from collections.abc import Sequence

from ttrsim.boards.words import status_words
from ttrsim.cli.output import heading, paragraph, table, write
from ttrsim.games import SeatedGame
from ttrsim.recording import Recording
from ttrsim.report.story import (
    ENDING_WORDS,
    opening_rows,
    score_rows,
    seat_names,
    ticket_rows,
    turn_rows,
    winner_words,
)


def write_transcript(game: SeatedGame, recording: Recording, index: int) -> None:
    """Print a game: what was dealt, a line for each turn, and the scores."""
    board, names = game.board, seat_names(game)
    _write_header(game, recording, index)
    _write_section("Opening", opening_rows(board, recording.events, names))
    turns = turn_rows(board, recording.events, names)
    _write_section("Turns", [[str(turn).rjust(3) if name else "", name, words] for turn, name, words in turns])
    if len(recording.seats):
        write()
        write(ENDING_WORDS[int(recording.result[0]["ending"])])
        write()
        seats = range(len(names))
        table(["Points for", *(f"Seat {seat}" for seat in seats)], score_rows(board, recording.seats[0]))
        _write_section("Tickets", ticket_rows(board, recording, names))
        write()
        paragraph(winner_words(board, recording.seats[0], names))


def _write_header(game: SeatedGame, recording: Recording, index: int) -> None:
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
