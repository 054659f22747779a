"""Report on the examination of a board: whether it is fair, and what is off."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ttrsim import plots, stats
from ttrsim.batches import LEVEL, level_of_each
from ttrsim.formatting import counted
from ttrsim.report.answers import caption, chance_in_tables, not_tested, verdict_words, warnings
from ttrsim.report.document import Answer, Figure, Report, Section, Shown, provenance
from ttrsim.report.prose import Row, at_most, estimate, methods, sentence, signed, some
from ttrsim.report.size_words import beyond_words, fair_words, size_points
from ttrsim.stats.balance import BALANCE, LIKE_PUBLISHED, SUMMARY, Bounds, balance, summary
from ttrsim.stats.deciding import LOOK_LEVEL
from ttrsim.stats.effects import EFFECTS, PLACES
from ttrsim.stats.published_boards import published_boards
from ttrsim.stats.sanity_checks import panels
from ttrsim.stats.sizes import SIZES, sizes
from ttrsim.words import listed

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ttrsim.runs import Run
    from ttrsim.stats.deciding import Look

METHODS = ("games", "designs", "errors", "exact", "families", "answers", "offers", "descriptions", "sanity")


def report_of_balance(runs: "Sequence[Run]", bounds: Bounds = LIKE_PUBLISHED, looks: "Sequence[Look]" = ()) -> Report:
    """Make the report of the mirror and mixed tables of a board.

    bounds: of each question; looks: those that were made until all was decided, if so.
    """
    level = LOOK_LEVEL if looks else LEVEL
    frame, board = balance(runs, bounds, level), runs[0].board
    of_board = sizes(runs, frame, bounds, level)
    mixed, panel = _mixed(runs), panels(runs)
    words, words_of_board, each = answering(runs, bounds, level)
    sections = _sections(mixed, frame, of_board, level)
    chance = chance_in_tables(sections, level)
    games, players = sum(run.games_played for run in runs), sorted({run.plan.seats for run in runs})
    return Report(
        kind="balance",
        title=f"{board.name}: is it fair?",
        about=[
            counted(games, "game"),
            f"{listed(map(str, players))} players",
            f"board {board.id} ({board.title})",
            f"seed {runs[0].plan.seed}",
        ],
        warnings=[*warnings(*runs), *filter(None, [published_boards().unlike(runs[0])])],
        opening=[
            Answer("Is this board fair?", fair_words(words, words_of_board, bounds), size_points(words_of_board)),
            *answers_of_effects(words, mixed, bounds, each),
            Answer("Is there a city or a route that nobody needs?", _places(words)),
            Answer("How do games end?", _ends(words)),
            Answer(
                "How sure are we?",
                f"{counted(games, 'game')} at {counted(len(runs), 'table')}. {_looks(looks)}{_width(frame)}{chance}"
                f"{panel}.",
            ),
            Answer("What was not tested?", not_tested(runs)),
        ],
        sections=sections,
        sanity=panel,
        methods=methods((*METHODS, "sizes" if None in bounds.values() else "margin", *(["looks"] if looks else []))),
        provenance=provenance(runs),
        commands=[run.plan.command for run in runs],
        caption=caption([board]),
    )


def _mixed(runs: "Sequence[Run]") -> "list[Run]":
    """Return the runs in which all strategies meet."""
    return [run for run in runs if run.plan.design == "mixed"] or [*runs]


def answering(
    runs: "Sequence[Run]", bounds: Bounds, level: float = LEVEL
) -> "tuple[pd.DataFrame, pd.DataFrame, float]":
    """Return verdicts, sizes and their level for answers in words, whose intervals hold in all of them together.

    Families are the seats of every table; of mixed tables tickets, the leads of strategies, and for whom tickets turn
    around; cities, routes and ends of games; and each size that is judged. level: at which they hold together.
    """
    mixed = _mixed(runs)
    of_mixed = 3 if len(mixed[0].strategies) > 1 else 1
    judged = list(bounds.values()).count(None) * (len(mixed) + 1)
    each = level_of_each(len(runs) + of_mixed * len(mixed) + len(PLACES) + 1 + judged, level)
    frame = balance(runs, bounds, each, at_once=True)
    return frame, sizes(runs, frame, bounds, each), each


def answers_of_effects(frame: "pd.DataFrame", mixed: "Sequence[Run]", bounds: Bounds, level: float) -> list[Answer]:
    """Answer for seats, tickets and strategies. level: of the intervals of each family."""
    return [_seats(frame, bounds), _for_whom(_tickets(frame, bounds), mixed, level), _strategies(frame, mixed)]


def _of(frame: "pd.DataFrame", question: str) -> "pd.DataFrame":
    return frame[frame["question"] == question]


def _rows(frame: "pd.DataFrame", question: str, **wanted: Any) -> list[Row]:
    """Return the verdicts on a question, the farthest off first."""
    rows = _of(frame, question)
    for column, value in wanted.items():
        rows = rows[rows[column] == value]
    order = rows["value"].abs().sort_values(ascending=False, kind="stable").index
    return [*rows.loc[order].to_dict("records")]


def _by_players(rows: "pd.DataFrame", describe: Callable[["pd.DataFrame"], str]) -> list[str]:
    """Return a sentence about the rows of each number of players."""
    tables = rows.groupby("players")
    return [f"{players} players: {words}" for players, table in tables if (words := describe(table))]


def _seats(frame: "pd.DataFrame", bounds: Bounds) -> Answer:
    """Answer for the first seat at every table."""
    rows = _of(frame, "seats")

    def firsts(tables: "pd.DataFrame") -> str:
        seats = tables.to_dict("records")
        return listed(f"{signed(seat, 'value', 'share difference')} ({seat['table']})" for seat in seats)

    judged = _judged(rows, "seat", bounds["seats"])
    words = f"Over all tables, {judged}. Win share of the first seat less its fair share:"
    return Answer("Is the first seat better?", words, _by_players(rows[rows["of"] == "seat 0"], firsts))


def _tickets(frame: "pd.DataFrame", bounds: Bounds) -> Answer:
    rows = _of(frame, "tickets")

    def farthest(table: "pd.DataFrame") -> str:
        far = _rows(table, "tickets")
        found = {
            "help most": [row for row in far if row["value_low"] > 0],
            "hurt most": [row for row in far if row["value_high"] < 0],
        }
        return "; ".join(f"{which} {_named(rows)}" for which, rows in found.items() if rows)

    judged = _judged(rows, "ticket", bounds["tickets"])
    each = "counting each ticket at every table, " if rows["players"].nunique() > 1 else ""
    points = _by_players(rows, farthest)
    words = sentence(each + judged) + (" By the effect of being offered them:" if points else "")
    return Answer("Which tickets help, and which hurt?", words, points)


def _judged(rows: "pd.DataFrame", what: str, bound: float | None) -> str:
    if bound is None:
        return beyond_words(rows, what)
    return verdict_words(rows["verdict"].to_numpy(), rows["more_games"].to_numpy(), what, bound)


def _named(rows: list[Row]) -> str:
    return some([f"{row['of']} ({signed(row, 'value', 'share difference')})" for row in rows])


def _for_whom(answer: Answer, mixed: "Sequence[Run]", level: float) -> Answer:
    """Add which strategies the effects are means over, and for how many tickets the sign depends on who plays."""
    names = mixed[0].strategies
    if len(names) == 1:
        return replace(answer, points=[*answer.points, f"All of this holds for {names[0]} against copies of itself."])
    signs = [(run.plan.seats, stats.tickets(run, "all", level)["win_effect_sign"]) for run in mixed]
    counts = [(players, int((sign != "").sum())) for players, sign in signs]
    depends = listed([f"{number} at {players} players" for players, number in counts])
    words = f"All are means over {listed(names)}. Tickets that clearly help one of them and hurt another: {depends}."
    return replace(answer, points=[*answer.points, words])


def _strategies(frame: "pd.DataFrame", mixed: "Sequence[Run]") -> Answer:
    question, rows = "Which strategy wins, and by how much?", _of(frame, "strategies")
    if rows.empty:
        return Answer(question, f"Only {listed(mixed[0].strategies)} played, so this was not measured.")

    def lead(table: "pd.DataFrame") -> str:
        (row,) = table.to_dict("records")
        surely = "clearly dominant" if row["verdict"] == "imbalanced" else row["verdict"] or "not judged"
        return f"{row['of']}, by {estimate(row, 'value', 'share difference')} ({surely})"

    words = "A strategy that dominates may just be the better bot. The best one, and its lead over the next best:"
    return Answer(question, words, _by_players(rows, lead))


def _places(frame: "pd.DataFrame") -> str:
    parts = []
    for question, what in (("cities", "city"), ("routes", "route")):
        dead = [row["of"] for row in _rows(frame, question) if row["verdict"] == "imbalanced"]
        open_ = int((_of(frame, question)["verdict"] == "undecided").sum())
        several = {"city": "cities", "route": "routes"}[what]
        part = f"Clearly dead: {counted(len(dead), what, several)}" + (f" ({listed(dead)})" if dead else "")
        parts.append(part + (f"; {open_} undecided" if open_ else ""))
    return f"{'. '.join(parts)}. Something is dead if fewer than 1 in 100 use it at the table where it is used most."


def _ends(frame: "pd.DataFrame") -> str:
    worst = {end: max(_rows(frame, "games", of=end), key=lambda row: row["value_high"]) for end in ENDS}
    words = [f"{estimate(worst[end], 'value', 'share')} {what}" for end, what in ENDS.items()]
    off = _rows(frame, "games", verdict="imbalanced")
    return f"At the worst table {listed(words)}. {'That is too many.' if off else 'Neither is clearly more than 1 %.'}"


ENDS = {
    "stalemate": "of games end with nobody able to move",
    "stopped at 400 turns per player": "are stopped at 400 turns per player",
}
"""Ways in which games should rarely end."""


def _width(frame: "pd.DataFrame") -> str:
    half = (frame["value_high"] - frame["value_low"]) / 2
    widest = {question: half[frame["question"] == question].max() for question in ("seats", "tickets")}
    known = [
        f"to ± {at_most(100 * width)} pp or better for {what}" for what, width in widest.items() if np.isfinite(width)
    ]
    return f"Effects on win shares are precise {listed(known)}, for a whole table at once. " if known else ""


def _looks(looks: "Sequence[Look]") -> str:
    """State how many looks there were, if more was played for undecided verdicts."""
    return f"More games were played for undecided verdicts, with {counted(len(looks), 'look')}. " if looks else ""


def _sections(mixed: "Sequence[Run]", frame: "pd.DataFrame", of_board: "pd.DataFrame", level: float) -> list[Section]:
    several = len(mixed[0].strategies) > 1
    margins = frame.groupby(["question", "players"])["bound"].first()
    figures = {
        "seats": _figures(
            mixed,
            "Win share of each seat with {} players, against the fair share",
            lambda run, about: _of_seats(run, float(margins["seats", run.plan.seats]), level, about),
        ),
        "tickets": _figures(
            mixed,
            "What each ticket does to the win share with {} players",
            lambda run, about: plots.tickets(
                stats.tickets(run, "all", level), margin=float(margins["tickets", run.plan.seats]), about=about
            ),
        ),
    }
    if several:
        figures["strategies"] = _figures(
            mixed,
            "Win share of each strategy with {} players",
            lambda run, about: plots.strategies(stats.strategies(run), about=about),
        )
    largest = mixed[-1]
    routes = plots.routes(stats.routes(largest), largest.board, about=_size(largest))
    cities = plots.cities(stats.cities(largest), largest.board, about=_size(largest))
    figures["routes"] = [Figure(routes, "The board, with how often each route is claimed")]
    figures["cities"] = [Figure(cities, "The board, with how many players come to each city")]
    figures["games"] = []
    shown = Section("How far from fair", tables=[Shown("sizes", "All sizes", SIZES, of_board)])
    counts = Section("Verdicts", tables=[Shown("summary", "All verdicts", SUMMARY, summary(frame))])
    return [shown, counts, *(_section(question, drawn, frame) for question, drawn in figures.items())]


def _of_seats(run: "Run", margin: float, level: float, about: str) -> "Axes":
    axes: Axes = plots.seats(stats.seats(run, margin, level), margin=margin, about=about)
    return axes


def _section(question: str, figures: list[Figure], frame: "pd.DataFrame") -> Section:
    rows = _of(frame, question).drop(columns="question").reset_index(drop=True)
    rows.attrs = frame.attrs
    definition = replace(BALANCE, at_once=("value",) if question in EFFECTS else ())
    return Section(TITLES[question], figures=figures, tables=[Shown(question, TITLES[question], definition, rows)])


TITLES = {
    "seats": "Seats",
    "tickets": "Tickets",
    "strategies": "Strategies",
    "routes": "Routes",
    "cities": "Cities",
    "games": "How games end",
}
"""Titles of the sections, by question."""


def _size(run: "Run") -> str:
    return f"{run.plan.seats} players, {run.games_played:,} games of all compositions"


def _figures(mixed: "Sequence[Run]", alt: str, draw: "Callable[[Run, str], Axes]") -> list[Figure]:
    """Draw a figure of each run. alt: with a place for the number of players."""
    return [Figure(draw(run, _size(run)), alt.format(run.plan.seats)) for run in mixed]
