"""Show what changes from one run, board or strategy to another (`ttrsim compare`)."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import ttrsim
from ttrsim.cli.compare_balances import balances_of, print_balances, refuse_options
from ttrsim.cli.console import console
from ttrsim.cli.options import (
    csv_option,
    design_options,
    games_option,
    json_option,
    out_option,
    players_option,
    quiet_option,
    seed_option,
    threads_option,
)
from ttrsim.cli.output import ANSWERS_WIDER, check_form, heading, note, paragraph, table, write, write_csv, write_json
from ttrsim.cli.stop_options import hypothesis_options, print_sprt, sprt_json
from ttrsim.errors import UsageError
from ttrsim.formatting import counted, seat_name, settled_by
from ttrsim.report.tables import cell, lopsided, what_words

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.comparison import Comparison, Side
    from ttrsim.runs import Run
    from ttrsim.runs.recipe import Sprt
    from ttrsim.runs.stopping import SprtState
    from ttrsim.stats.verdicts import ConditionResult

TABLES = ("strategies", "seats", "games", "tickets", "routes")
OVERVIEW = ("strategies", "seats", "games")
"""The tables printed if none is asked for."""
PRINTED = {"tickets": ("score_effect", "win_effect", "completed_kept"), "routes": ("claims", "turn")}
"""The columns that are printed of tickets and routes, each as a table of its own."""


@click.command()
@click.argument("words", metavar="[A B] [TABLE]", nargs=-1)
@click.option(
    "--map",
    "boards",
    metavar="BOARD",
    multiple=True,
    help="For example usa, europe:mega or my.toml; give it once or twice.",
)
@players_option("For example planner,random; give it once for both sides, or twice.", multiple=True)
@games_option(
    "Games on each side, rounded up to whole laps; 100,000 by default. A larger number continues the runs in -o."
)
@design_options()
@seed_option("The seed of both sides")
@threads_option
@out_option("A folder for the runs, a and b; runs already begun there are continued.")
@click.option("--sprt", metavar="STRATEGY", help="Test after each batch whether this strategy wins more in B, and stop once that is known.")  # fmt: skip  # noqa: E501
@hypothesis_options("the change")
@click.option("--fail-on", "fail_on", metavar="CONDITION", multiple=True, help="Exit with code 3 if this condition clearly holds, for example seat>1pp; may be repeated.")  # fmt: skip  # noqa: E501
@click.option("--undecided", type=click.Choice(["pass", "fail"]), default="pass", show_default=True, help="How --fail-on treats a condition that may or may not hold.")  # fmt: skip  # noqa: E501
@click.option("--wide", is_flag=True, help="Print all rows, even those that are 0 in both A and B.")
@json_option
@csv_option
@quiet_option
def compare(words: tuple[str, ...], boards: tuple[str, ...], players: tuple[str, ...], threads: int | None, out: Path | None, fail_on: tuple[str, ...], undecided: str, wide: bool, as_json: bool, as_csv: bool, quiet: bool, **options: Any) -> int:  # fmt: skip  # noqa: E501
    """Show what changes from A to B, with 95 % intervals of the changes.

    A and B are folders of runs, or boards, which are then played with the same deals:

    \b
    ttrsim compare runs/first runs/second
    ttrsim compare usa my_usa.toml --players planner,blocker,hoarder -n 2e5 --seed 1
    ttrsim compare --map usa --players planner,random --players my_bot.py,random
    ttrsim compare runs/first my_usa.toml tickets

    Answers come first: what changed, by how much, and what did not. TABLE is strategies, seats, games, tickets or
    routes; by default the first three are printed.

    Two folders of ttrsim balance -o are compared by how far from fair they are: each size, and each seat, ticket,
    strategy, city and route.

    --fail-on WHAT>BOUND exits with code 3 if the whole interval of a change lies beyond the bound: seat>1pp,
    strategy:planner>+2pp (rises by more), ticket>3points (either way), turns<-5turns (falls by more), or any column
    that --csv has, for example points_lost:planner>2points.
    """
    check_form(as_json=as_json, as_csv=as_csv)
    which = words[-1] if words and words[-1] in TABLES else None
    given = {name: value for name, value in options.items() if value is not None}
    if balances := balances_of(words):
        refuse_options({**given, "map": boards, "players": players, "out": out, "fail_on": fail_on})
        print_balances(ttrsim.compare_balances(*balances), as_json=as_json, as_csv=as_csv)
        return 0
    a, b = sides_of(words[:-1] if which else words, boards, players, given)
    with console(quiet=quiet, out=out) as shown:
        found = ttrsim.compare(a, b, **given, out=out, threads=threads, fail_on=fail_on, **shown.callbacks)
    if as_json:
        write_json(_json(found, which))
    elif as_csv:
        write_csv(found.table(which) if which else found.changes)
    else:
        _print_changes(found, which, wide=wide)
        _print_test(found.test, found.state)
    if not as_json:
        print_conditions(found.conditions, err=as_csv)
    return 3 if fails(found.conditions, undecided) else 0


def sides_of(words: Sequence[str], boards: Sequence[str], players: Sequence[str], options: dict[str, Any]) -> "list[Side]":  # fmt: skip  # noqa: E501
    """Return both sides: a run, or the board and players to play.

    words: folders of runs, or boards. Whatever is given once holds for both sides.
    """
    from ttrsim.comparison import check_board, is_run

    stored, named = [word for word in words if is_run(word)], [word for word in words if not is_run(word)]
    for word in named:
        check_board(word)
    boards = [*named, *boards]
    if len(stored) > 2 or len(boards) > 2 or len(players) > 2:
        raise UsageError(["a comparison has two sides: give two runs, two boards or --players twice"])
    if len(stored) == 2 and (others := [*boards, *players]):
        raise UsageError([f"{others[0]}: {stored[0]} and {stored[1]} are already the two sides; leave it out"])
    if len(stored) == 1 and (len(boards) > 1 or len(players) > 1):
        raise UsageError(["one side is a run: give one board or --players once for the other"])
    if not (len(stored) == 1 and options) and max(len(boards), len(players)) + len(stored) < 2:
        raise UsageError(["both sides are the same: give two runs, two boards, or --players twice"])
    played = [
        {name: given[i % len(given)] for name, given in (("board", boards), ("players", players)) if given}
        for i in range(2 - len(stored))
    ]
    return [*stored, *played] if words and is_run(words[0]) else [*played, *stored]


def fails(results: "Sequence[ConditionResult]", undecided: str) -> bool:
    """Return whether the results of conditions make the command exit with code 3."""
    bad = {"broken"} | ({"undecided"} if undecided == "fail" else set())
    return any(one.result in bad for one in results)


def _json(found: "Comparison", which: str | None) -> dict[str, Any]:
    from ttrsim.stats.compare import dealt_otherwise

    pair, frame = found.pair, found.changes
    rows = found.table(which) if which else frame
    return {
        "a": _run_json(pair.a),
        "b": _run_json(pair.b),
        "paired": pair.unpaired is None,
        "unpaired_because": pair.unpaired,
        "dealt_otherwise": dealt_otherwise(pair.a, pair.b),
        "answers": found.answers,
        "sprt": sprt_json(found.state),
        "conditions": [_condition_json(one) for one in found.conditions],
        "columns": {c: {"unit": frame.attrs["units"][c], "meaning": m} for c, m in frame.attrs["meanings"].items()},
        "rows": json.loads(rows.to_json(orient="records", double_precision=15)),
    }


def _run_json(run: "Run") -> dict[str, Any]:
    from ttrsim.stats.sanity_checks import sanity, verdict

    recipe = run.recipe
    return {
        "board": recipe.board.id,
        "strategies": run.strategies,
        "seed": recipe.seed,
        "games": run.games_played,
        "rules_version": recipe.rules_version,
        "digest": run.digest,
        "sanity": verdict(sanity(run)),
    }


def _condition_json(one: "ConditionResult") -> dict[str, Any]:
    change, more = one.change, one.more_games
    return {
        "condition": one.condition.text,
        "result": one.result,
        "of": one.of,
        "change": float(change.value),
        "change_low": float(change.low),
        "change_high": float(change.high),
        "more_games": None if math.isnan(more) else int(more),
    }


def _print_changes(found: "Comparison", which: str | None, *, wide: bool) -> None:
    """Print both sides, the answers, how both are paired, and the tables of changes."""
    from ttrsim.report.compare_answers import players
    from ttrsim.stats.compare import CHANGES, dealt_otherwise

    pair = found.pair
    for name, run in (("A", pair.a), ("B", pair.b)):
        games = f"{counted(run.games_played, 'game')}, seed {run.recipe.seed}"
        heading(f"{name}  {run.board.name} ({run.board.id}); {players(run)}; {games}")
    for answer in [] if which else found.answers:
        paragraph(answer)
    _print_checks(pair.a, pair.b)
    versions = [run.recipe.rules_version for run in (pair.a, pair.b)]
    if versions[0] != versions[1]:
        paragraph(f"Played by different rules: versions {versions[0]} and {versions[1]} of ttrsim's rules.")
    if pair.unpaired:
        paragraph(f"Not paired, because {pair.unpaired}: ± treats the runs as independent.")
    else:
        paragraph(_pairing_words(dealt_otherwise(pair.a, pair.b)))
    for name in [which] if which else OVERVIEW:
        _print_table(name, found.table(name), wide=wide)
    write()
    paragraph("± is half of the 95 % interval of the change, or its ends where it is lopsided. " + CHANGES.intervals)
    if not which:
        paragraph(ANSWERS_WIDER)
    if which == "tickets":
        paragraph("completed only describes: strategies chose what to complete.")
    if which == "routes":
        paragraph("A row is a connection, with all of its routes.")


def _print_checks(*runs: "Run") -> None:
    """Print how many checks are fine, or what is wrong with which run."""
    from ttrsim.stats.sanity_checks import checks_line, sanity, verdict

    frames = [sanity(run) for run in runs]
    line = checks_line(*frames)
    if line.endswith("all ok"):
        paragraph(f"Checks: {line.replace(' checks', '', 1)}.")
    else:
        for name, frame in zip("AB", frames, strict=True):
            paragraph(f"{verdict(frame).replace('Sanity', f'Checks of {name}', 1)}.")


def _pairing_words(otherwise: Sequence[str]) -> str:
    if not otherwise:
        return "Paired: both played the same blocks, so ± is computed from differences batch by batch."
    dealt = " and ".join(otherwise)
    return (
        f"Both played blocks with the same numbers, but the boards deal different {dealt}: pairing gains nothing, "
        "and ± is about that of independent runs."
    )


def _print_table(name: str, rows: "pd.DataFrame", *, wide: bool) -> None:
    """Print the changes in strategies, seats, games, tickets or routes. wide: also those that nobody asks for first."""
    if name in PRINTED:
        for what in dict.fromkeys(rows["what"]) if wide else PRINTED[name]:
            some = rows[rows["what"] == what].sort_values("change", ascending=False, kind="stable")
            title = f"{name.capitalize()}: {what_words(what, some['unit'].iloc[0])}"
            _print_rows(title, some, name.capitalize().removesuffix("s"))
        return
    shown = rows if wide else rows[[is_printed(what, name) for what in rows["what"]] & _happens(rows)]
    _print_groups(name, shown.sort_values("of", key=_first_seen, kind="stable"))


def _happens(rows: "pd.DataFrame") -> Any:
    """Return which rows have a value other than 0 on one side at least."""
    return rows[["a", "b"]].fillna(0).any(axis=1).to_numpy()


def _first_seen(names: "pd.Series[str]") -> Any:
    import pandas as pd

    return pd.factorize(names)[0]


def is_printed(what: str, table_name: str) -> bool:
    """Return whether `ttrsim stats` prints the column too."""
    from ttrsim.stats.distributions import GAMES
    from ttrsim.stats.standings import STRATEGIES

    return bool((GAMES if table_name == "games" else STRATEGIES).column(what).head)


def _print_groups(name: str, rows: "pd.DataFrame") -> None:
    """Print what changed for each strategy or seat beneath its name, and of games without one."""
    write()
    heading(name.capitalize())
    lines: list[list[str]] = []
    for of, group in rows.groupby("of", sort=False):
        title = seat_name(int(str(of))) if name == "seats" else str(of)
        lines += [[title, *[""] * 3]] if title else []
        indent = "  " if title else ""
        lines += [[f"{indent}{what_words(r['what'], r['unit'])}", *_values(r)] for r in group.to_dict("records")]
    table(["", "A", "B", "Change"], lines)


def _print_rows(title: str, rows: "pd.DataFrame", of: str) -> None:
    write()
    heading(title)
    table([of, "A", "B", "Change"], [[row["of"], *_values(row)] for row in rows.to_dict("records")])


def _values(row: dict[Any, Any]) -> list[str]:
    """Return the values on both sides, and the change with half its interval, or its ends where it is lopsided."""
    unit, ends = row["unit"], (row["change_low"], row["change_high"])
    a, b, change, low, high, half = (
        cell(value, unit) for value in (row["a"], row["b"], row["change"], *ends, (ends[1] - ends[0]) / 2)
    )
    if lopsided(row["change"], *ends):
        return [a, b, f"{change} ({low} to {high})"]
    return [a, b, change if half == "–" else f"{change} ± {half}"]


def _print_test(test: "Sprt | None", state: "SprtState | None") -> None:
    if test is None or state is None:
        return
    write()
    print_sprt(f"{test.first} in B against {test.second} in A", state, test, "batches")
    if state.accepted:
        paragraph("A run that a test stops overestimates the change, on average.")


def print_conditions(results: "Sequence[ConditionResult]", *, err: bool) -> None:
    """Print each condition and its result to stdout or stderr."""
    for one in results:
        unit, more = one.condition.unit, one.more_games
        value, low, high = (cell(end, "share" if unit == "pp" else unit) for end in one.change)
        of = f"{one.of}: " if one.of else ""
        wanted = settled_by(more, of="of each")
        ends = f"{low} to {high}{f'; {wanted}' if wanted else ''}"
        line = f"--fail-on {one.condition.text}: {one.result} ({of}{value} {unit}, {ends})"
        (note if err else paragraph)(line)
