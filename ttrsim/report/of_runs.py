"""Report on several runs: which strategy wins where, and whether it is the same everywhere."""

from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING

from ttrsim import plots, stats
from ttrsim.batches import level_of_each
from ttrsim.errors import UserError
from ttrsim.formatting import counted
from ttrsim.report.answers import caption, caveats, chance_in_tables, known_to, not_tested, warnings
from ttrsim.report.document import Answer, Figure, Report, Section, Shown, provenance
from ttrsim.report.prose import Row, estimate, in_pp, methods, number, sentence, signed
from ttrsim.stats.catalogue import definition
from ttrsim.stats.sanity_checks import checks_line, panels_of, sanity
from ttrsim.stats.several_runs import ACROSS, across, seats_by_players, table_name
from ttrsim.stats.standings import SEATS, differences_at_once
from ttrsim.stats.variance import LUCK_ACROSS, luck_across
from ttrsim.strategies.loading import TUNED, load_strategy
from ttrsim.words import listed

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run

LISTED = 8
"""Answers list up to this many tables one by one; of more they give the extremes."""
METHODS = ("games", "designs", "errors", "rare", "families", "answers", "margin", "strength", "sanity")


def report_of_runs(runs: "Sequence[Run]", margin: float) -> Report:
    """Make the report of which strategy wins in which run. margin: by how much win share a seat may be off."""
    tuned = [pair for run in runs for pair in _tuned(run)]
    level = level_of_each(2 * len(runs) + bool(tuned))  # of each table strategies and seats are families
    frame, seats = _across(runs, level), [stats.seats(run, margin, level) for run in runs]
    boards = list(dict.fromkeys(run.board.name for run in runs))
    games, checks = sum(run.games_played for run in runs), [(run, sanity(run)) for run in runs]
    sections = _sections(runs, frame, seats, margin, level)
    return Report(
        kind="runs",
        title=_finding(frame, boards),
        about=[counted(games, "game"), counted(len(runs), "table"), listed(boards)],
        warnings=warnings(*runs),
        caveats=caveats(runs, checks_line(*(frame for _, frame in checks))),
        sections=sections,
        closing=[
            Answer("How sure are we?", f"{known_to(frame)}{chance_in_tables(sections)}".strip()),
            Answer("What was not tested?", not_tested(runs)),
        ],
        sanity=panels_of(checks),
        methods=methods(METHODS),
        provenance=provenance(runs),
        commands=[run.recipe.command for run in runs],
    )


def _across(runs: "Sequence[Run]", level: float) -> "pd.DataFrame":
    """Return how each strategy does at each table, tuned ones under one name wherever they play."""
    frame = across(runs, level)
    names = [dict(zip(run.strategies, _called(run), strict=True)) for run in runs for _ in run.strategies]
    frame["strategy"] = [name[of] for name, of in zip(names, frame["strategy"], strict=True)]
    return frame


def _called(run: "Run") -> list[str]:
    """Call a strategy that plays with its profile of the table `planner(tuned)`, and others as the run does.

    Profiles have other values at each table, which would make it another strategy there.
    """
    names = [*run.strategies]
    for shipped, tuned in _tuned(run):
        if names[tuned] == _best_title(names[shipped], run):
            names[tuned] = f"{names[shipped]}{TUNED}"
    return names


def _best_title(name: str, run: "Run") -> str:
    """Return the title of a strategy that comes with ttrsim as `planner@best` plays at a run's table; "" for others."""
    try:
        return load_strategy(f"{name}@best", board=run.board, seats=run.recipe.seats).title
    except UserError:
        return ""


def _finding(frame: "pd.DataFrame", boards: Sequence[str]) -> str:
    """State which strategy is clearly the best most often."""
    tables = _tables(frame)
    best = [rows[0]["strategy"] for _, rows in tables if rows[0]["rank_high"] == 1 and rows[1:]]
    where = f"{boards[0]}: " if not boards[1:] else ""
    if not best:
        which = f"{where}which" if where else "Which"
        return f"{which} strategy wins is too close to call at {counted(len(tables), 'table')}"
    first = max(dict.fromkeys(best), key=best.count)
    count = len(tables)
    share = (
        f"{best.count(first)} of {counted(count, 'table')}" if best.count(first) < count else counted(count, "table")
    )
    return f"{where}{first} is clearly the best at {'all ' * (best.count(first) == count > 1)}{share}"


def _name(run: "Run") -> str:
    return table_name(run.recipe.board.id, run.recipe.seats, run.recipe.design)


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
    told_open = f"{'it' if words else 'It'} is too close to call at {_some(open_, count)}" if open_ else ""
    return f"{'; '.join(filter(None, [*words, told_open]))}."


def _some(tables: list[str], count: int) -> str:
    return (
        f"{len(tables)} of {count} tables"
        if len(tables) > 3
        else f"{len(tables)} of {count} tables ({'; '.join(tables)})"
    )


def _where(runs: "Sequence[Run]", frame: "pd.DataFrame", level: float) -> Answer:
    """Name the best strategy and the next best of each table; of many tables only by how much it leads."""
    question, tables = "Where does which one win, and by how much?", _tables(frame)
    if len(tables) > LISTED:
        met = [(run, *of) for run, of in zip(runs, tables, strict=True) if of[1][1:] and run.recipe.design != "mirror"]
        if not met:
            return Answer(question, "Strategies meet at none of these tables.")
        leads = [(name, _lead(run, rows, level)) for run, name, rows in met]
        return Answer(
            question, f"The best wins more often than the next best by {_ends(leads, 'lead', 'share difference')}."
        )
    words = []
    for table, (best, *others) in tables:
        share = estimate(best, "win_share", "share")
        then = f", then {others[0]['strategy']} {estimate(others[0], 'win_share', 'share')}" if others else ""
        words.append(f"{table}: {best['strategy']} {share}{then} (fair: {number(100 * best['fair_share'])} %)")
    return Answer(question, "Shares of wins of the two best at each table:", words)


def _lead(run: "Run", rows: Sequence[Row], level: float) -> Row:
    """Return the lead of the best strategy over the next best, with the interval that decides ranks."""
    best, next_best = (_called(run).index(row["strategy"]) for row in rows[:2])
    ends = zip(("lead", "lead_low", "lead_high"), differences_at_once(run, level), strict=True)
    return {name: float(apart[best, next_best]) for name, apart in ends}


def _ends(rows: Sequence[tuple[str, Row]], column: str, unit: str) -> str:
    """Format the smallest and the largest estimate, each with its table."""
    ends = [choose(rows, key=lambda of: of[1][column]) for choose in (min, max)]
    return " to ".join(f"{estimate(row, column, unit)} ({table})" for table, row in ends)


def _scores(frame: "pd.DataFrame") -> Answer:
    question, tables = "What scores does it take?", _tables(frame)
    if len(tables) > LISTED:
        ends = _ends([(name, rows[0]) for name, rows in tables], "score", "points")
        return Answer(question, f"Mean score of the best strategy: {ends}. All are in the table below.")
    words = [f"{table}: {estimate(rows[0], 'score', 'points')}" for table, rows in tables]
    return Answer(question, "Mean score of the best strategy:", words)


def _seats(runs: "Sequence[Run]", seats: "Sequence[pd.DataFrame]", margin: float) -> Answer:
    """State how much more than its fair share the first seat wins, table by table."""
    question = "Is the first seat better?"
    rows = [(_name(run), frame.iloc[0].to_dict()) for run, frame in zip(runs, seats, strict=True)]
    firsts = [(name, row) for name, row in rows if row["verdict"] != "not rotated"]
    if not firsts:
        return Answer(question, "Unknown: strategies did not sit in all seats equally often.")
    surely = [(name, row["advantage"]) for name, row in firsts if row["verdict"] == "imbalanced"]
    more, less = ([name for name, advantage in surely if sign * advantage > 0] for sign in (1, -1))
    found = [(more, "better"), (less, "worse")]
    counts = [f"clearly {what} at {_some(names, len(runs))}" for names, what in found if names]
    judged = sentence(f"by more than {in_pp(margin)} the first seat is {listed(counts) or 'nowhere clearly off'}")
    if len(runs) > LISTED:
        ends = _ends(firsts, "advantage", "share difference")
        return Answer(question, f"The 1st player wins more than a fair share by {ends}. {judged}")
    each = [f"{name}: {signed(row, 'advantage', 'share difference')}" for name, row in firsts]
    return Answer(question, f"{judged} Wins of the 1st player beyond a fair share:", each)


def _sections(
    runs: "Sequence[Run]", frame: "pd.DataFrame", seats: "Sequence[pd.DataFrame]", margin: float, level: float
) -> list[Section]:
    parts, about = luck_across(runs), caption(run.board for run in runs)
    matrix = Figure(lambda: plots.across(frame, about=about), "A square for each strategy and table with its win share")
    parts_alt = "How much of scores and wins is luck"
    sections = [
        Section(
            "Who wins where",
            answer=Answer("Which strategy wins?", _everywhere(frame)),
            figures=[matrix],
            tables=[Shown("across", "All tables", ACROSS, frame)],
        ),
        Section("Leads", answer=_where(runs, frame, level)),
        _of_seats(runs, _seats(runs, seats, margin)),
        Section(
            "Scores and luck",
            answer=_scores(frame),
            figures=[Figure(lambda: plots.luck(parts, about=about), parts_alt)],
            tables=[Shown("luck", "How much is luck", LUCK_ACROSS, parts)],
        ),
    ]
    if tuned := [run for run in runs if _tuned(run)]:
        sections.insert(1, Section("Tuned", answer=_brought(tuned, level)))
    each = enumerate(zip(runs, seats, strict=True), 1)
    return [*sections, *(_section(run, number, of_seats) for number, (run, of_seats) in each)]


def _tuned(run: "Run") -> list[tuple[int, int]]:
    """Return the strategies of a run that also play with other values, as pairs: with the defaults, and with others."""
    names = run.strategies
    return [
        (names.index(name.partition("(")[0]), place)
        for place, name in enumerate(names)
        if "(" in name and name.partition("(")[0] in names
    ]


def _brought(runs: "Sequence[Run]", level: float) -> Answer:
    """State how many more games strategies win with other values than with their defaults, at the same tables."""
    gains: dict[str, list[dict[str, float]]] = {}
    each = []
    for run in runs:
        value, low, high = differences_at_once(run, level)
        names, words = _called(run), []
        for shipped, tuned in _tuned(run):
            row = {"more": value[tuned, shipped], "more_low": low[tuned, shipped], "more_high": high[tuned, shipped]}
            gains.setdefault(names[tuned], []).append(row)
            words.append(f"{names[tuned]} {signed(row, 'more', 'of 100')}")
        each.append(f"{_name(run)}: {listed(words)}")
    if len(runs) > LISTED:
        each = [f"{name}: {_gains_words(rows)}" for name, rows in gains.items()]
    return Answer("What does tuning bring?", "Wins per 100 games against the same strategy with its defaults:", each)


def _gains_words(rows: Sequence[dict[str, float]]) -> str:
    """Return the least and the largest gain at some tables, and at how many it is clear."""
    least, largest = (end(rows, key=itemgetter("more")) for end in (min, max))
    clear, worse = sum(row["more_low"] > 0 for row in rows), sum(row["more_high"] < 0 for row in rows)
    but = f", clearly a loss at {worse}" if worse else ""
    return (
        f"{signed(least, 'more', 'of 100')} to {signed(largest, 'more', 'of 100')}, clearly a gain at {clear} of "
        f"{counted(len(rows), 'table')}{but}"
    )


def _of_seats(runs: "Sequence[Run]", answer: Answer) -> Section:
    """Show the seats of all boards, if there is one run for each number of players."""
    tables = [(run.board.id, run.recipe.seats) for run in runs]
    if len(set(tables)) < len(tables):
        return Section("Seats", answer=answer)
    frame = seats_by_players(runs)
    figure = Figure(
        lambda: plots.seats_by_players(frame), "What each seat does to winning, a line for each number of players"
    )
    shown = Shown("seats", "Seats at all tables", SEATS_OF_ALL, frame.drop(columns=["verdict", "more_games"]))
    return Section("Seats", answer=answer, figures=[figure], tables=[shown])


SEATS_OF_ALL = replace(SEATS, columns=(ACROSS.column("board"), ACROSS.column("players"), *SEATS.columns[1:]))


def _section(run: "Run", place: int, seats: "pd.DataFrame") -> Section:
    """Return the section of one table: who wins, and the seats."""
    return Section(
        _name(run),
        folded=True,
        tables=[
            Shown(f"strategies_{place}", "Strategies", definition("strategies"), stats.strategies(run)),
            Shown(f"versus_{place}", "Head to head", definition("versus"), stats.versus(run)),
            Shown(f"seats_{place}", "Seats", definition("seats"), seats),
        ],
    )
