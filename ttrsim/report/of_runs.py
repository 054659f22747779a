"""Report on several runs: which strategy wins where, and whether it is the same everywhere."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ttrsim import plots, stats
from ttrsim.batches import level_of_each
from ttrsim.formatting import counted
from ttrsim.report.answers import caption, chance_in_tables, known_to, not_tested, warnings
from ttrsim.report.document import Answer, Figure, Report, Section, Shown, provenance
from ttrsim.report.prose import Row, estimate, in_pp, methods, number, sentence
from ttrsim.stats.catalogue import definition
from ttrsim.stats.rating import ACROSS, across, table_name
from ttrsim.stats.sanity_checks import panels
from ttrsim.stats.standings import differences_at_once
from ttrsim.stats.variance import LUCK_ACROSS, luck_across
from ttrsim.words import listed

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run

LISTED = 8
"""Answers list up to this many tables one by one; of more they give the extremes."""
METHODS = ("games", "designs", "errors", "rare", "families", "answers", "margin", "strength", "sanity")


def report_of_runs(runs: "Sequence[Run]", margin: float) -> Report:
    """Make the report of which strategy wins in which run. margin: by how much win share a seat may be off."""
    level = level_of_each(2 * len(runs))  # of each table strategies and seats are families
    frame, seats = across(runs, level), [stats.seats(run, margin, level) for run in runs]
    boards = list(dict.fromkeys(run.board.name for run in runs))
    games, panel = sum(run.games_played for run in runs), panels(runs)
    sections = _sections(runs, frame, seats, margin)
    return Report(
        kind="runs",
        title=f"Which strategy wins {'Ticket to Ride' if boards[1:] else boards[0]}?",
        about=[counted(games, "game"), counted(len(runs), "table"), listed(boards)],
        warnings=warnings(*runs),
        opening=[
            Answer("Which strategy wins?", _everywhere(frame)),
            Answer("Where does which one win, and by how much?", _where(runs, frame, level)),
            Answer("What scores does it take?", _scores(frame)),
            Answer("Is the first seat better?", _seats(runs, seats, margin)),
            Answer("How sure are we?", f"{known_to(frame)}{chance_in_tables(sections)}{panel}."),
            Answer("What was not tested?", not_tested(runs)),
        ],
        sections=sections,
        sanity=panel,
        methods=methods(METHODS),
        provenance=provenance(runs),
        commands=[run.plan.command for run in runs],
    )


def _name(run: "Run") -> str:
    return table_name(run.plan.board.id, run.plan.seats, run.plan.design)


def _tables(frame: "pd.DataFrame") -> list[tuple[str, list[Row]]]:
    """Return each table with its strategies, the best first."""
    tables: dict[tuple[str, int, str], list[Row]] = {}
    for row in frame.to_dict("records"):
        tables.setdefault((row["board"], row["players"], row["design"]), []).append(row)
    return [(table_name(*table), rows) for table, rows in tables.items()]


def _everywhere(frame: "pd.DataFrame") -> str:
    """Name the strategies that are clearly the best, and at how many tables."""
    sure: dict[str, list[str]] = {}
    open_ = []
    for table, rows in _tables(frame):
        if rows[0]["rank_high"] == 1:
            sure.setdefault(rows[0]["strategy"], []).append(table)
        else:
            open_.append(f"{table} ({listed((str(r['strategy']) for r in rows if r['rank_low'] == 1), 'or')})")
    count = len(_tables(frame))
    if len(sure) == 1 and not open_:
        return f"{next(iter(sure))}, clearly the best at {'all ' if count > 1 else ''}{counted(count, 'table')}."
    ranked = sorted(sure.items(), key=lambda item: -len(item[1]))
    words = [f"{name} is clearly the best at {_some(tables, count)}" for name, tables in ranked]
    told_open = f"not settled at {_some(open_, count)}" if open_ else ""
    return f"{'; '.join(filter(None, [*words, told_open]))}."


def _some(tables: list[str], count: int) -> str:
    return (
        f"{len(tables)} of {count} tables"
        if len(tables) > 3
        else f"{len(tables)} of {count} tables ({'; '.join(tables)})"
    )


def _where(runs: "Sequence[Run]", frame: "pd.DataFrame", level: float) -> str:
    tables = _tables(frame)
    if len(tables) > LISTED:
        met = [(run, *of) for run, of in zip(runs, tables, strict=True) if of[1][1:] and run.plan.design != "mirror"]
        if not met:
            return "Strategies meet at none of these tables."
        leads = [(name, _lead(run, rows, level)) for run, name, rows in met]
        return f"The best wins more often than the next best by {_ends(leads, 'lead', 'share difference')}."
    words = []
    for table, (best, *others) in tables:
        share = estimate(best, "win_share", "share")
        then = f", then {others[0]['strategy']} {estimate(others[0], 'win_share', 'share')}" if others else ""
        words.append(f"{table}: {best['strategy']} {share}{then} (fair: {number(100 * best['fair_share'])} %)")
    return f"{'; '.join(words)}."


def _lead(run: "Run", rows: Sequence[Row], level: float) -> Row:
    """Return the lead of the best strategy over the next best, with the interval that decides ranks."""
    best, next_best = (run.strategies.index(row["strategy"]) for row in rows[:2])
    ends = zip(("lead", "lead_low", "lead_high"), differences_at_once(run, level), strict=True)
    return {name: float(apart[best, next_best]) for name, apart in ends}


def _ends(rows: Sequence[tuple[str, Row]], column: str, unit: str) -> str:
    """Format the smallest and the largest estimate, each with its table."""
    ends = [choose(rows, key=lambda of: of[1][column]) for choose in (min, max)]
    return " to ".join(f"{estimate(row, column, unit)} ({table})" for table, row in ends)


def _scores(frame: "pd.DataFrame") -> str:
    tables = _tables(frame)
    if len(tables) > LISTED:
        best = [(name, rows[0]) for name, rows in tables]
        return f"Mean score of the best strategy: {_ends(best, 'score', 'points')}. All are in the table below."
    words = [f"{table} {estimate(rows[0], 'score', 'points')}" for table, rows in tables]
    return f"Mean score of the best strategy: {'; '.join(words)}."


def _seats(runs: "Sequence[Run]", seats: "Sequence[pd.DataFrame]", margin: float) -> str:
    """State how much more than its fair share the first seat wins, table by table."""
    rows = [(_name(run), frame.iloc[0].to_dict()) for run, frame in zip(runs, seats, strict=True)]
    firsts = [(name, row) for name, row in rows if row["verdict"] != "not rotated"]
    if not firsts:
        return "Unknown: strategies did not sit in all seats equally often."
    surely = [(name, row["advantage"]) for name, row in firsts if row["verdict"] == "imbalanced"]
    more, less = ([name for name, advantage in surely if sign * advantage > 0] for sign in (1, -1))
    if len(runs) > LISTED:
        words = _ends(firsts, "advantage", "share difference")
    else:
        words = "; ".join(f"{name} {estimate(row, 'advantage', 'share difference')}" for name, row in firsts)
    found = [(more, "better"), (less, "worse")]
    counts = [f"clearly {what} at {_some(names, len(runs))}" for names, what in found if names]
    judged = f"by more than {in_pp(margin)} it is {listed(counts) or 'nowhere clearly off'}"
    return f"More wins of the first seat than its fair share: {words}. {sentence(judged)}"


def _sections(
    runs: "Sequence[Run]", frame: "pd.DataFrame", seats: "Sequence[pd.DataFrame]", margin: float
) -> list[Section]:
    parts = luck_across(runs)
    overview = Section(
        "All tables",
        figures=[
            Figure(
                plots.across(frame, about=caption(run.board for run in runs)),
                "A square for each strategy and table with its win share",
            ),
            Figure(plots.luck(parts, about=caption(run.board for run in runs)), "How much of scores and wins is luck"),
        ],
        tables=[Shown("across", "All tables", ACROSS, frame), Shown("luck", "How much is luck", LUCK_ACROSS, parts)],
    )
    each = enumerate(zip(runs, seats, strict=True), 1)
    return [overview, *(_section(run, number, of_seats, margin) for number, (run, of_seats) in each)]


def _section(run: "Run", place: int, seats: "pd.DataFrame", margin: float) -> Section:
    """Return the section of one table: who wins, and the seats."""
    strategies = stats.strategies(run)
    about = f"{run.plan.seats} players, {counted(run.games_played, 'game')}"
    if told_so := caption([run.board]):
        about = f"{told_so}; {about}"
    return Section(
        _name(run),
        figures=[
            Figure(plots.strategies(strategies, about=about), "Win share of each strategy"),
            Figure(plots.seats(seats, margin=margin, about=about), "Win share of each seat"),
        ],
        tables=[
            Shown(f"strategies_{place}", "Strategies", definition("strategies"), strategies),
            Shown(f"versus_{place}", "Head to head", definition("versus"), stats.versus(run)),
            Shown(f"seats_{place}", "Seats", definition("seats"), seats),
        ],
    )
