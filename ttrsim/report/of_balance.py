"""Report on the examination of a board: whether it is fair, and what is off."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ttrsim import plots, stats
from ttrsim.batches import LEVEL, level_of_each
from ttrsim.formatting import counted, seat_name
from ttrsim.report.answers import caption, caveats, chance_in_tables, not_tested, verdict_words, warnings
from ttrsim.report.balance_glance import PLACES_TITLE, dead_words, headline, summary_cards
from ttrsim.report.document import Answer, Figure, Report, Section, Shown, provenance
from ttrsim.report.prose import Row, at_most, estimate, methods, sentence, signed
from ttrsim.report.size_words import beyond_words, fair_words
from ttrsim.stats import several_runs
from ttrsim.stats.balance import BALANCE, SUMMARY, Bounds, balance
from ttrsim.stats.effects import EFFECTS
from ttrsim.stats.sanity_checks import checks_line, panels_of, sanity
from ttrsim.stats.several_runs import across
from ttrsim.stats.sizes import SIZES
from ttrsim.words import listed

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.examination import Balance
    from ttrsim.runs import Run
    from ttrsim.stats.deciding import Look

METHODS = ("games", "designs", "errors", "exact", "families", "answers", "offers", "descriptions", "sanity")


def report_of_balance(found: "Balance") -> Report:
    """Make the report of the mirror and mixed tables of a board."""
    runs, board, level = found.runs, found.runs[0].board, found.level
    checks = [(run, sanity(run)) for run in runs]
    mixed, panel = _mixed(runs), panels_of(checks)
    words, each = answering(runs, found.bounds, level)
    sections = _sections(found, mixed, words, each)
    games, players = sum(run.games_played for run in runs), sorted({run.recipe.seats for run in runs})
    how_sure = (
        f"{counted(games, 'game')} at {counted(len(runs), 'table')}. {_looks(found.looks)}{_width(found.frame)}"
        f"The verdicts at the head hold each by itself, as in the tables. "
        f"{chance_in_tables(sections, level).strip()}"
    )
    whole = len(players) > 2 and players == [*range(players[0], players[-1] + 1)]
    sizes = f"{players[0]} to {players[-1]}" if whole else listed(map(str, players))
    about = [counted(games, "game"), f"{sizes} players"]
    return Report(
        kind="balance",
        title=headline(found),
        about=[*about, f"board {board.id}"],
        warnings=warnings(*runs),
        cards=summary_cards(found),
        caveats=caveats(runs, checks_line(*(frame for _, frame in checks))),
        sections=sections,
        closing=[Answer("How sure are we?", how_sure), Answer("What was not tested?", not_tested(runs))],
        sanity=panel,
        methods=methods(
            (*METHODS, "sizes" if None in found.bounds.values() else "margin", *(["looks"] if found.looks else []))
        ),
        provenance=provenance(runs),
        commands=[run.recipe.command for run in runs],
        caption=caption([board]),
    )


def _mixed(runs: "Sequence[Run]") -> "list[Run]":
    """Return the runs in which all strategies meet."""
    return [run for run in runs if run.recipe.design == "mixed"] or [*runs]


def answering(runs: "Sequence[Run]", bounds: Bounds, level: float = LEVEL) -> "tuple[pd.DataFrame, float]":
    """Return effects and their level for answers in words, whose intervals hold in all of them together.

    Families are the seats of every table; of mixed tables tickets, the leads of strategies, and for whom tickets turn
    around; and ends of games. level: at which they hold together.
    """
    mixed = _mixed(runs)
    of_mixed = 3 if len(mixed[0].strategies) > 1 else 1
    each = level_of_each(len(runs) + of_mixed * len(mixed) + 1, level)
    return balance(runs, bounds, each, at_once=True), each


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
        return listed(f"{signed(seat, 'value', 'of 100')} ({seat['table']})" for seat in seats)

    judged = _judged(rows, "seat", bounds["seats"])
    words = f"Over all tables, {judged}. Wins per 100 games of the {seat_name(0)} beyond a fair share:"
    return Answer("Is the first seat better?", words, _by_players(rows[rows["of"] == "seat 0"], firsts))


def _tickets(frame: "pd.DataFrame", bounds: Bounds) -> Answer:
    rows = _of(frame, "tickets")

    def farthest(table: "pd.DataFrame") -> str:
        far = _rows(table, "tickets")
        found = {
            "clearly help": [row for row in far if row["value_low"] > 0],
            "clearly hurt": [row for row in far if row["value_high"] < 0],
        }
        return "; ".join(f"{len(rows)} {which}, most {_named(rows[0])}" for which, rows in found.items() if rows)

    judged = _judged(rows, "ticket", bounds["tickets"])
    each = "counting each ticket at every table, " if rows["players"].nunique() > 1 else ""
    points = _by_players(rows, farthest)
    words = sentence(each + judged) + (" Extra wins per 100 games when offered:" if points else "")
    return Answer("Which tickets help, and which hurt?", words, points)


def _judged(rows: "pd.DataFrame", what: str, bound: float | None) -> str:
    if bound is None:
        return beyond_words(rows, what)
    return verdict_words(rows["verdict"].to_numpy(), rows["more_games"].to_numpy(), what, bound)


def _named(row: Row) -> str:
    return f"{row['of']} ({signed(row, 'value', 'of 100')})"


def _for_whom(answer: Answer, mixed: "Sequence[Run]", level: float) -> Answer:
    """Add which strategies the effects are means over, and for how many tickets the sign depends on who plays."""
    names = mixed[0].strategies
    if len(names) == 1:
        return replace(answer, points=[*answer.points, f"All of this holds for {names[0]} against copies of itself."])
    signs = [(run.recipe.seats, stats.tickets(run, "all", level)["win_effect_sign"]) for run in mixed]
    counts = [(players, int((sign != "").sum())) for players, sign in signs]
    depends = listed([f"{number} with {players} players" for players, number in counts if number]) or "none"
    words = f"All are means over {listed(names)}. Tickets that clearly help one of them and hurt another: {depends}."
    return replace(answer, points=[*answer.points, words])


def _strategies(frame: "pd.DataFrame", mixed: "Sequence[Run]") -> Answer:
    question, rows = "Which strategy wins, and by how much?", _of(frame, "strategies")
    if rows.empty:
        return Answer(question, f"Only {listed(mixed[0].strategies)} played, so this was not measured.")

    def lead(table: "pd.DataFrame") -> str:
        (row,) = table.to_dict("records")
        surely = {"imbalanced": " (clearly dominant)", "undecided": " (whether it dominates is too close to call)"}
        return f"{row['of']}, by {estimate(row, 'value', 'of 100')}{surely.get(row['verdict'], '')}"

    words = (
        "A strategy that dominates may just be the better bot. The best one, and by how many wins per 100 games it "
        "leads the next best:"
    )
    return Answer(question, words, _by_players(rows, lead))


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


def _sections(found: "Balance", mixed: "Sequence[Run]", words: "pd.DataFrame", level: float) -> list[Section]:
    """Return a section for each question. words, level: the effects that answers go by."""
    frame, strategies = found.frame, listed(mixed[0].strategies)
    about = f"{listed(str(run.recipe.seats) for run in mixed)} players, all compositions of {strategies}"
    seats, tickets, strategies_ = answers_of_effects(words, mixed, found.bounds, level)
    fair = Answer(
        "Is this board fair?",
        f"{fair_words(frame, found.sizes, found.bounds, found.sets_bounds)} {found.unlike_published}".strip(),
    )
    shown = [
        Shown("sizes", "How far from fair, beside the published boards", SIZES, found.sizes),
        Shown("summary", "Numbers of verdicts", SUMMARY, found.summary),
    ]
    largest = mixed[-1]
    claimed = stats.routes(largest)
    dead = f"{dead_words(frame)} Something is dead if fewer than 1 in 100 use it at the table where it is used most."
    return [
        Section("Fairness", answer=fair, tables=shown),
        _section("seats", seats, _drawn("seats_by_players", mixed, found.level, about), frame),
        _section("tickets", tickets, _drawn("tickets_by_players", mixed, found.level, about), frame),
        _section("strategies", strategies_, _strategies_figure(mixed, found.level), frame),
        Section(
            PLACES_TITLE,
            answer=Answer("Is there a city or a route that nobody needs?", dead),
            figures=[
                Figure(
                    lambda: plots.routes(claimed, largest.board, about=_size(largest)),
                    "The board, with how often each route is claimed",
                )
            ],
            tables=[_verdicts(question, frame) for question in ("routes", "cities")],
        ),
        _section("games", Answer("How do games end?", _ends(words)), [], frame),
    ]


ALT = {
    "seats_by_players": "What each seat does to winning, a line for each number of players",
    "tickets_by_players": "What being offered each ticket does to winning, a mark for each number of players",
}


def _drawn(name: str, mixed: "Sequence[Run]", level: float, about: str) -> list[Figure]:
    """Draw what changes with the number of players, of whose tables there is one each."""
    frame = getattr(several_runs, name)(mixed, level)
    known = frame["advantage" if name.startswith("seats") else "win_effect"].notna().any()
    return [Figure(lambda: getattr(plots, name)(frame, about=about), ALT[name])] if known else []


def _strategies_figure(mixed: "Sequence[Run]", level: float) -> list[Figure]:
    if len(mixed[0].strategies) == 1:
        return []
    alt = "A square for each strategy and number of players, with its win share"
    return [
        Figure(
            lambda: plots.across(
                across(mixed, level), about=f"Tables of all compositions of {listed(mixed[0].strategies)}"
            ),
            alt,
        )
    ]


def _section(question: str, answer: Answer, figures: list[Figure], frame: "pd.DataFrame") -> Section:
    return Section(TITLES[question], answer=answer, figures=figures, tables=[_verdicts(question, frame)])


def _verdicts(question: str, frame: "pd.DataFrame") -> Shown:
    """Return the table of all verdicts on a question."""
    rows = _of(frame, question).drop(columns="question").reset_index(drop=True)
    rows.attrs = frame.attrs
    definition = replace(BALANCE, at_once=("value",) if question in EFFECTS else ())
    return Shown(question, f"Verdicts on {TITLES[question].lower()}", definition, rows)


TITLES = {
    "seats": "Seats",
    "tickets": "Tickets",
    "strategies": "Strategies",
    "routes": "Routes",
    "cities": "Cities",
    "games": "Ends of games",
}
"""Titles of the sections, by question."""


def _size(run: "Run") -> str:
    return f"{run.recipe.seats} players, {run.games_played:,} games of all compositions"
