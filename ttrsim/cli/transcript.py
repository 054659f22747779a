"""A recorded game as a person reads it."""

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

from ttrsim.boards import Board
from ttrsim.boards.words import status_words
from ttrsim.cli.output import heading, paragraph, table, write
from ttrsim.core import constants as c
from ttrsim.encode import members
from ttrsim.loans import loans_of
from ttrsim.record import Recording
from ttrsim.simulation import Series
from ttrsim.words import cards_words, listed, loans_words, plural, symbol_name, ticket_words, turn_words

ENDINGS = {
    c.ENDED: "The last round is over.",
    c.STALEMATE: "A stalemate: nobody can do anything.",
    c.OVERLONG: f"Stopped after {c.TURN_LIMIT} turns a player.",
}
TIE_BREAKS: dict[str, Callable[[Board, Any], int]] = {
    "tickets": lambda board, seat: len(members(seat["completed"])),
    "fewest_stations": lambda board, seat: int(seat["parts"][c.POINTS_STATIONS]),
    "longest_trail": lambda board, seat: int(seat["parts"][c.POINTS_TRAIL]),
}
"""What each tie-break compares; more is better."""
TIE_WORDS = {"tickets": "more tickets", "fewest_stations": "fewer stations used", "longest_trail": "the longest trail"}


def write_transcript(series: Series, recording: Recording, index: int) -> None:
    """Print a game: what was dealt, a line for each turn, and the scores."""
    names = [f"seat {seat} ({series.line_up[which].name})" for seat, which in enumerate(recording.seating)]
    _write_header(series, recording, index)
    _write_opening(series.board, recording.events, names)
    _write_turns(series.board, recording.events, names)
    if len(recording.seats):
        write()
        write(ENDINGS[int(recording.result[0]["ending"])])
        _write_scores(series.board, recording.seats[0])
        _write_tickets(series.board, recording, names)
        write()
        paragraph(_winner_words(series.board, recording.seats[0], names))


def _write_header(series: Series, recording: Recording, index: int) -> None:
    board = series.board
    heading(f"{board.name} ({board.id})")
    paragraph(board.title)
    if status := status_words(board):
        paragraph(f"* {board.name}: {status}")
    write(f"Seed {series.seed}, game {index}")
    write()
    table(["Seat", "Strategy"], [[seat, series.line_up[which].spec] for seat, which in enumerate(recording.seating)])


def _write_opening(board: Board, events: Any, names: Sequence[str]) -> None:
    events = events[[phase in c.BEFORE_THE_FIRST_TURN for phase in events["phase"]]]  # a copy
    rows: list[list[str | int]] = []
    if len(events):
        anew = f", dealt anew for too many {plural(board.wild_name)}" if events[0]["refreshes"] else ""
        rows.append(["Face up", cards_words(board, events[0]["display"]) + anew])
        events["refreshes"] = 0
    if souvenirs := board.rules.souvenirs:
        stacks = souvenirs.players[len(names)]
        places = [f"{symbol_name(i)} in {board.cities[city].name}" for i, city in enumerate(souvenirs.fixed)]
        further = f"; {stacks.placed_height} in each further stack" if stacks.placed_by else ""
        rows.append(["Souvenirs", f"tokens {listed(places)}, {stacks.height} in each stack{further}"])
    if alvin := board.rules.alvin:
        rows.append(["Alvin", f"stands in {board.cities[alvin.city].name}"])
    for event in events:
        dealt = f"is dealt {cards_words(board, event['cards'])}; " if event["phase"] == c.OPENING else ""
        rows.append([names[event["seat"]], dealt + turn_words(board, [event])])
    _write_section("Opening", rows)


def _write_turns(board: Board, events: Any, names: Sequence[str]) -> None:
    """A line a turn."""
    rows: list[list[str | int]] = []
    last_round = False
    turns = events[[phase not in c.BEFORE_THE_FIRST_TURN for phase in events["phase"]]]
    for turn, group in groupby(turns, key=lambda event: int(event["turn"])):
        of_turn = list(group)
        seat = int(of_turn[0]["seat"])
        rows.append([str(turn + 1).rjust(3), names[seat], turn_words(board, of_turn)])
        if not last_round and of_turn[-1]["turns_to_go"] != c.NOBODY:
            last_round = True
            left = int(of_turn[-1]["trains"][seat])
            trains = "no train" if left == 0 else f"{left} train{'s' if left > 1 else ''}"
            begins = f"The last round begins: {names[seat]} has {trains} left. Everybody has one more turn."
            rows.append(["", "", begins])
    _write_section("Turns", rows)


def _write_section(title: str, rows: Sequence[Sequence[str | int]]) -> None:
    """Rows under a heading, if there are any."""
    if rows:
        write()
        heading(title)
        table([], rows, indent=2)


def part_names(board: Board) -> dict[int, str]:
    """What points are given for on this board, in the order of a game."""
    rules = board.rules
    named = {
        c.POINTS_ROUTES: ("Routes", True),
        c.POINTS_MARKERS: ("Routes of others", rules.markers),
        c.POINTS_CAPTURES: ("Alvin captured", rules.alvin),
        c.POINTS_ALVIN: ("Alvin held", rules.alvin),
        c.POINTS_TOKENS: ("Souvenirs", rules.souvenirs),
        c.POINTS_STATIONS: ("Stations left", rules.stations),
        c.POINTS_WON: ("Tickets completed", True),
        c.POINTS_LOST: ("Tickets failed", True),
        c.POINTS_TRAIL: ("Longest trail", rules.longest_trail_bonus),
        c.POINTS_MOST_TICKETS: ("Most tickets", rules.most_tickets_bonus),
    }
    return {part: name for part, (name, there) in named.items() if there}


def _write_scores(board: Board, seats: Any) -> None:
    rows: list[list[str | int]] = [
        [name, *(_signed(int(points)) for points in seats["parts"][:, part])]
        for part, name in part_names(board).items()
    ]
    rows.append(["Score", *(_signed(int(score)) for score in seats["score"])])
    rows.append(["Rank", *map(int, seats["rank"])])
    rows.append(["Trains in longest trail", *map(int, seats["trail"])])
    rows.append(["Trains left", *map(int, seats["trains"])])
    write()
    table(["Points for", *(f"Seat {seat}" for seat in range(len(seats)))], rows)


def _signed(number: int) -> str:
    return str(number).replace("-", "−")


def _write_tickets(board: Board, recording: Recording, names: Sequence[str]) -> None:
    rows: list[list[str | int]] = []
    for number, (name, seat) in enumerate(zip(names, recording.seats[0], strict=True)):
        done = members(seat["completed"])
        failed = [ticket for ticket in members(seat["kept"]) if ticket not in done]
        rows.append([name, "completed", ticket_words(board, done) or "no ticket"])
        if loans := loans_of(board, recording, number):
            rows.append(["", "borrowed", loans_words(board, loans)])
        if failed:
            rows.append(["", "failed", ticket_words(board, failed)])
    _write_section("Tickets", rows)


def _winner_words(board: Board, seats: Any, names: Sequence[str]) -> str:
    """`Seat 0 (random) wins with 65 points.`"""
    winners = [names[i] for i in range(len(seats)) if seats[i]["rank"] == 1]
    verb = "wins" if len(winners) == 1 else "share the win"
    best = int(seats["score"].max())
    text = f"{listed(winners)} {verb} with {_signed(best)} point{'' if best == 1 else 's'}"
    reasons = _tie_words(board, seats)
    return text[0].upper() + text[1:] + (f", tied and then ahead by {listed(reasons)}." if reasons else ".")


def _tie_words(board: Board, seats: Any) -> list[str]:
    """The tie-breaks that put somebody with the best score behind somebody else."""
    tied = [seat for seat in seats if seat["score"] == seats["score"].max()]
    reasons = []
    for rule in board.rules.tie_breaks:
        values = [TIE_BREAKS[rule](board, seat) for seat in tied]
        if len(set(values)) > 1:
            reasons.append(TIE_WORDS[rule])
            tied = [seat for seat, value in zip(tied, values, strict=True) if value == max(values)]
    return reasons
