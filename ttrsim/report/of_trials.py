"""Report on trials: what tickets and routes do, are worth and should be worth, with everything else the same."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ttrsim import plots
from ttrsim.boards.board import find_tickets
from ttrsim.boards.rules_in_words import status_words
from ttrsim.choices import TRIAL_COMMANDS
from ttrsim.errors import UsageError
from ttrsim.formatting import command_line
from ttrsim.report.answers import BOTS_ONLY, caption, chance_in_tables, untested
from ttrsim.report.document import Answer, Figure, Report, Section, Shown
from ttrsim.report.prose import methods
from ttrsim.report.trial_answers import (
    held_together,
    how_hard,
    precision,
    what_changes_do,
    what_closing_does,
    what_worth,
    which_to_own,
    which_to_want,
)
from ttrsim.report.trial_glance import TITLES, TrialFrame, freedom_of, headline, summary_cards
from ttrsim.trials import FRAMES
from ttrsim.trials.routes import printed
from ttrsim.trials.stored import StoredTrials
from ttrsim.trials.tickets import dealt
from ttrsim.words import listed

if TYPE_CHECKING:
    import pandas as pd


SEARCH_OPTIONS = {"rounds": "rounds", "objective": "objective", "least": "min", "most": "max", "step": "step"}
"""Options of a search for fair values, by their parameters."""
METHODS = ("games", "trials", "errors", "exact", "families", "answers")
NO_PANEL = "No games are stored; the same command gives the same numbers again"


@dataclass(frozen=True)
class Subject:
    """The questions that a table of trials answers, and its presentation."""

    question: str
    answer: "Callable[[pd.DataFrame], str]"
    words: str
    effect: str  # the column of effects on the score
    figures: "Callable[[pd.DataFrame, StoredTrials, float], list[Figure]]"


def _of_swaps(frame: "pd.DataFrame", stored: StoredTrials, margin: float) -> list[Figure]:
    if frame["win_effect"].isna().all():
        return []
    return [
        Figure(lambda: plots.tickets(frame, margin=margin), "What being dealt each ticket does to the win share"),
        Figure(lambda: plots.tickets(frame, value="score_effect"), "What being dealt each ticket does to the score"),
    ]


def _of_forced(frame: "pd.DataFrame", stored: StoredTrials, margin: float) -> list[Figure]:
    return [Figure(lambda: plots.difficulty(frame), "How often each ticket fails, against its printed value")]


def _of_fair(frame: "pd.DataFrame", stored: StoredTrials, margin: float) -> list[Figure]:
    return [Figure(lambda: plots.fair(frame), "The value of each ticket, and the one it should have")]


def _of_gifts(frame: "pd.DataFrame", stored: StoredTrials, margin: float) -> list[Figure]:
    return [Figure(lambda: plots.gifts(frame, stored.board), "The board, with what owning each route is worth")]


def _of_closed(frame: "pd.DataFrame", stored: StoredTrials, margin: float) -> list[Figure]:
    """Draw a board for each strategy, the focal one first."""
    names = list(dict.fromkeys([stored.focal, *frame["strategy"]]))
    parts = {name: frame[frame["strategy"] == name].reset_index(drop=True) for name in names}
    return [_closed_for(name, part, stored) for name, part in parts.items() if len(part)]


def _closed_for(name: str, frame: "pd.DataFrame", stored: StoredTrials) -> Figure:
    alt = f"The board, with what closing each place changes for {name}"
    return Figure(lambda: plots.closed(frame, stored.board, about=f"The score of {name}"), alt)


SUBJECTS = {
    "swaps": Subject(
        "Which tickets help, and which hurt?",
        which_to_want,
        "The focal seat is dealt the ticket in place of another, and is free to keep it or not.",
        "score_effect",
        _of_swaps,
    ),
    "forced": Subject(
        "How hard is each ticket, and does its value match?",
        how_hard,
        "The focal seat must keep the ticket, so difficulty does not depend on who chose it.",
        "score_effect",
        _of_forced,
    ),
    "fair": Subject(
        "What should each ticket be worth?",
        what_worth,
        "At its fair value, holding a ticket is worth as much as holding the one that was dealt. All values are "
        "corrected at once and tried in other deals, round after round.",
        "score_effect",
        _of_fair,
    ),
    "gifts": Subject(
        "Which routes are worth owning?",
        which_to_own,
        "The focal seat owns the route from the start: for no cards, no trains and no points.",
        "score_effect",
        _of_gifts,
    ),
    "closed": Subject(
        "What does closing a route or a city change?",
        what_closing_does,
        "Nobody can claim the routes; everything else stays as it was dealt.",
        "score_change",
        _of_closed,
    ),
    "changed": Subject(
        "What do changes of routes do?",
        lambda frame: " ".join(what_changes_do(frame)),
        "The board as it is and the board with each change play the same deals. What clearly changes besides the route "
        "and who wins is listed too; the file has every seat, ticket and route.",
        "change",
        lambda frame, stored, margin: [],
    ),
}
"""The subjects by the name of their table, in the order of the report."""
TICKETS = {"swaps", "forced", "fair"}
PLACES = {"closed": ("--close", "closed"), "gifts": ("--gift", "route"), "changed": ("--change", "setting")}
"""The option that asks for each table, and the column with the names."""


@dataclass(frozen=True)
class StoredTable:
    """A table from a file."""

    kind: str  # of `SUBJECTS`
    name: str  # by which the report has it
    stored: StoredTrials
    frame: "pd.DataFrame"
    of: str  # what distinguishes it from others of its kind


def report_of_trials(files: Sequence[StoredTrials], margin: float) -> Report:
    """Make the report of trials on one board. margin: an effect on the win share that does not matter."""
    board = files[0].board
    parts = _parts(files)
    strategies = list(dict.fromkeys(name for stored in files for name in stored.players))
    sizes = sorted({len(stored.players) for stored in files})
    freedom = min(freedom_of(stored.games, len(stored.players)) for stored in files)
    wide = held_together([(part.kind, part.frame) for part in parts], freedom)
    answers = [SUBJECTS[part.kind].answer(frame) for part, frame in zip(parts, wide, strict=True)]
    sections = [_section(part, words, margin) for part, words in zip(parts, answers, strict=True)]
    shown = [
        TrialFrame(part.kind, frame, _section_title(part), part.stored.focal)
        for part, frame in zip(parts, wide, strict=True)
    ]
    return Report(
        kind="tickets",
        title=headline(board.name, shown),
        about=[f"board {files[0].map}", *dict.fromkeys(_about(stored) for stored in files)],
        warnings=_warnings(files),
        cards=summary_cards(shown),
        caveats=[BOTS_ONLY, f"{NO_PANEL}."],
        sections=sections,
        closing=[
            Answer("How sure are we?", f"{_how_sure(parts)} {chance_in_tables(sections)}".strip()),
            Answer("What was not tested?", untested(strategies, sizes, board)),
        ],
        sanity=NO_PANEL,
        methods=methods(METHODS),
        provenance=_provenance(files),
        commands=[command for stored in files for command in _commands(stored)],
        caption=caption(stored.board for stored in files),
    )


def _parts(files: Sequence[StoredTrials]) -> list[StoredTable]:
    """Return all tables in the order of SUBJECTS; where several are alike the later ones are numbered."""
    found: list[StoredTable] = []
    tables = [(kind, stored) for kind in SUBJECTS for stored in files if kind in stored.frames]
    many = Counter(kind for kind, _ in tables)
    for kind, stored in tables:
        number = 1 + sum(part.kind == kind for part in found)
        of = f" ({_about(stored)}, {stored.path.name})" if many[kind] > 1 else ""
        name = kind if number == 1 else f"{kind}_{number}"
        found.append(StoredTable(kind, name, stored, _checked(stored, kind), of))
    return found


def _checked(stored: StoredTrials, kind: str) -> "pd.DataFrame":
    """Return the frame with all its columns and their meanings."""
    import pandas as pd

    definition, frame = FRAMES[kind][0], stored.frames[kind]
    columns = definition.columns
    texts = {column.name for column in columns if column.kind == "key" and column.name != "players"}
    wanted = [f"{c.name}{end}" for c in columns for end in (("", "_low", "_high") if c.has_interval else ("",))]
    if lacking := [name for name in wanted if name not in frame]:
        raise UsageError(
            [f"{stored.path}: its table {kind} has no {lacking[0]}; write it again with {TRIAL_COMMANDS[kind]}"]
        )
    frame = frame[wanted].copy()
    for name in wanted:
        frame[name] = frame[name].astype(str) if name in texts else pd.to_numeric(frame[name], errors="coerce")
    frame.attrs = definition.attrs
    return frame


def _about(stored: StoredTrials) -> str:
    players = f"{stored.focal} against {', '.join(stored.others)}"
    return f"{players}: {stored.games:,} games with each change, seed {stored.seed}"


def _warnings(files: Sequence[StoredTrials]) -> list[str]:
    """Return the warnings that a reader must see first."""
    board = files[0].board
    found = [f"{board.name}: {status}."] if (status := status_words(board)) else []
    for stored in files:
        if stored.made.get("board_sha256", board.sha256) != board.sha256:
            found.append(f"The file of board {stored.map} has changed since {stored.path.name} was made.")
    if len({str(stored.made.get("rules_version")) for stored in files}) > 1:
        found.append("These files were made by different versions of the rules.")
    return found


def _how_sure(parts: Sequence[StoredTable]) -> str:
    """Describe what the errors are based on, and how large they are."""
    known = [f"{TITLES[p.kind].lower()}{p.of} {precision(p.frame, SUBJECTS[p.kind].effect)}" for p in parts]
    return (
        "The same deals were played with each change and without, so the luck of the deal cancels and what differs is "
        f"the effect of the change. Precision of the effects on the score: {'; '.join(known)}. Intervals of effects "
        "hold at once for all tickets or routes of a table, in 95 of 100 such trials; four times the games would make "
        "them half as wide. Where an outcome changed in fewer than 10 games there is no interval (–)."
    )


def _section_title(part: StoredTable) -> str:
    return f"{TITLES[part.kind]}{part.of}"


def _section(part: StoredTable, answer: str, margin: float) -> Section:
    subject, title = SUBJECTS[part.kind], _section_title(part)
    shown = printed(part.frame) if part.kind == "changed" else part.frame
    return Section(
        title,
        subject.words,
        answer=Answer(f"{subject.question}{part.of}", answer),
        figures=subject.figures(part.frame, part.stored, margin),
        tables=[Shown(part.name, title, FRAMES[part.kind][0], shown)],
    )


def _provenance(files: Sequence[StoredTrials]) -> list[tuple[str, str]]:
    rows = [row for stored in files for row in _of_file(stored)]
    return list(dict.fromkeys(rows))


def _of_file(stored: StoredTrials) -> list[tuple[str, str]]:
    made = stored.made
    rows = [
        (f"File {stored.path.name}", f"{listed(stored.frames)}; {_about(stored)}"),
        (f"Board {stored.map}", f"SHA-256 {made.get('board_sha256', stored.board.sha256)}"),
    ]
    if "ttrsim" in made:
        rows.append(("ttrsim", f"{made['ttrsim']}, rules version {made.get('rules_version', '?')}"))
    return rows + [(f"Strategy {name}", f"SHA-256 {digest}") for name, digest in made["strategies"].items()]


def _commands(stored: StoredTrials) -> list[str]:
    """Return the command that made the file, or one for each table if it was put together from several."""
    kinds = set(stored.frames)
    commands = [
        [*TRIAL_COMMANDS[kind].split(), *_tickets(stored, kind)] for kind in SUBJECTS if kind in kinds & TICKETS
    ]
    if places := [word for kind in PLACES if kind in kinds for word in _places(stored, kind)]:
        commands.append(["ttrsim", "routes", *places])
    common = ["--map", stored.map, "--players", ",".join(stored.players)]
    common += ["-n", str(stored.games), "--seed", str(stored.seed), "--json"]
    return [f"{command_line([*words, *common])} > {command_line([stored.path.name])}" for words in commands]


def _tickets(stored: StoredTrials, kind: str) -> list[str]:
    """Return the options that name the tickets, none for all of them, and the number of rounds."""
    names, board = list(dict.fromkeys(stored.frames[kind]["ticket"])), stored.board
    every = {board.ticket_name(board.tickets[ticket]) for ticket, _ in dealt(board, find_tickets(board, None))}
    return (_search(stored) if kind == "fair" else []) + (
        [] if every == set(names) else [word for name in names for word in ("--ticket", name)]
    )


def _search(stored: StoredTrials) -> list[str]:
    """Return the options of a search for fair values."""
    words = [
        word
        for name, option in SEARCH_OPTIONS.items()
        if name in stored.made
        for word in (f"--{option}", str(stored.made[name]))
    ]
    words += [word for line_up in stored.made.get("also", []) for word in ("--also", str(line_up))]
    return words + ["--free-level"] * bool(stored.made.get("free_level"))


def _places(stored: StoredTrials, kind: str) -> list[str]:
    option, column = PLACES[kind]
    return [word for name in dict.fromkeys(stored.frames[kind][column]) for word in (option, name)]
