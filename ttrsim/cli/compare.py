"""`ttrsim compare`: what changed from one run to another."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import ttrsim
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
from ttrsim.cli.output import check_form, heading, note, paragraph, table, write, write_csv, write_json
from ttrsim.cli.stop_options import hypothesis_options, sprt_json, tell_sprt
from ttrsim.errors import UsageError
from ttrsim.formatting import counted, games_more
from ttrsim.report.tables import cell, what_words

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.comparison import Comparison, Side
    from ttrsim.runs import Run
    from ttrsim.runs.plan import Sprt
    from ttrsim.runs.sprt import SprtState
    from ttrsim.stats.verdicts import Finding

TABLES = ("strategies", "seats", "games", "tickets")
OVERVIEW = ("strategies", "seats", "games")
"""What is printed if no table is asked for."""
PRINTED_TICKETS = ("score_effect", "win_effect", "completed_kept")


@click.command()
@click.argument("words", metavar="[A B] [TABLE]", nargs=-1)
@click.option(
    "--map", "boards", metavar="BOARD", multiple=True, help="For example usa, europe:mega or my.toml; once or twice."
)
@players_option("For example planner,random; once for both sides, or twice.", multiple=True)
@games_option("Games of each side; 100,000 if not given, rounded up to whole laps; more than were begun in -o go on.")
@design_options()
@seed_option("Seed of both sides")
@threads_option
@out_option("A folder in which to keep what is played, as a and b; what was begun there is continued.")
@click.option("--sprt", metavar="STRATEGY", help="Test batch by batch whether this strategy wins more in B, and stop when that is known.")  # fmt: skip  # noqa: E501
@hypothesis_options("the change")
@click.option("--fail-on", "fail_on", metavar="CONDITION", multiple=True, help="End with exit code 3 if this surely holds, for example seat>1pp; may be repeated.")  # fmt: skip  # noqa: E501
@click.option("--undecided", type=click.Choice(["pass", "fail"]), default="pass", show_default=True, help="What --fail-on makes of a condition that may hold or not.")  # fmt: skip  # noqa: E501
@json_option
@csv_option
@quiet_option
def compare(words: tuple[str, ...], boards: tuple[str, ...], players: tuple[str, ...], threads: int | None, out: Path | None, fail_on: tuple[str, ...], undecided: str, as_json: bool, as_csv: bool, quiet: bool, **options: Any) -> int:  # fmt: skip  # noqa: E501
    """Show what changes from A to B, with 95 % intervals of the changes.

    A and B are folders of runs, or boards, which are then played with the same deals:

    \b
    ttrsim compare runs/first runs/second
    ttrsim compare usa my_usa.toml --players planner,blocker,hoarder -n 2e5 --seed 1
    ttrsim compare --map usa --players planner,random --players my_bot.py,random
    ttrsim compare runs/first my_usa.toml tickets

    TABLE is strategies, seats, games or tickets; without it the first three are printed.

    --fail-on WHAT>BOUND ends with exit code 3 if the interval of a change lies entirely beyond the bound: seat>1pp,
    strategy:planner>+2pp (rises by more), ticket>3points (either way), turns<-5turns (falls by more), or any column
    that --csv shows, for example points_lost:planner>2points.
    """
    check_form(as_json=as_json, as_csv=as_csv)
    which = words[-1] if words and words[-1] in TABLES else None
    given = {name: value for name, value in options.items() if value is not None}
    a, b = sides_of(words[:-1] if which else words, boards, players, given)
    with console(quiet=quiet, out=out) as shown:
        found = ttrsim.compare(a, b, **given, out=out, threads=threads, fail_on=fail_on, **shown.callbacks)
    if as_json:
        write_json(_json(found, which))
    elif as_csv:
        write_csv(found.table(which) if which else found.changes)
    else:
        _tell(found, which)
        _tell_test(found.test, found.state)
    if not as_json:
        tell_findings(found.findings, err=as_csv)
    return 3 if fails(found.findings, undecided) else 0


def sides_of(words: Sequence[str], boards: Sequence[str], players: Sequence[str], options: dict[str, Any]) -> "list[Side]":  # fmt: skip  # noqa: E501
    """Return both sides: runs, or the board and players of each that is going to be played.

    words: folders of runs, or boards. What is given once holds for both sides.
    """
    from ttrsim.comparison import check_board, is_run

    stored, named = [word for word in words if is_run(word)], [word for word in words if not is_run(word)]
    for word in named:
        check_board(word)
    boards = [*named, *boards]
    if len(stored) > 2 or len(boards) > 2 or len(players) > 2:
        raise UsageError(["there are two sides to compare: give two runs, two boards or two --players"])
    if len(stored) == 2 and (others := [*boards, *players]):
        raise UsageError([f"{others[0]}: {stored[0]} and {stored[1]} are the two sides; leave out the rest"])
    if len(stored) == 1 and (len(boards) > 1 or len(players) > 1):
        raise UsageError(["one side is a run: give one board or one --players for the other"])
    if not (len(stored) == 1 and options) and max(len(boards), len(players)) + len(stored) < 2:
        raise UsageError(["nothing differs: give two runs, two boards, or --players twice"])
    played = [
        {name: given[i % len(given)] for name, given in (("board", boards), ("players", players)) if given}
        for i in range(2 - len(stored))
    ]
    return [*stored, *played] if words and is_run(words[0]) else [*played, *stored]


def fails(findings: "Sequence[Finding]", undecided: str) -> bool:
    """Return whether the findings make the command end with 3."""
    bad = {"broken"} | ({"undecided"} if undecided == "fail" else set())
    return any(finding.result in bad for finding in findings)


def _json(found: "Comparison", which: str | None) -> dict[str, Any]:
    from ttrsim.stats.paired import dealt_otherwise

    pair, frame = found.pair, found.changes
    rows = found.table(which) if which else frame
    return {
        "a": _run_json(pair.a),
        "b": _run_json(pair.b),
        "paired": pair.unpaired is None,
        "unpaired_because": pair.unpaired,
        "dealt_otherwise": dealt_otherwise(pair.a, pair.b),
        "sprt": sprt_json(found.state),
        "conditions": [_finding_json(finding) for finding in found.findings],
        "columns": {c: {"unit": frame.attrs["units"][c], "meaning": m} for c, m in frame.attrs["meanings"].items()},
        "rows": json.loads(rows.to_json(orient="records", double_precision=15)),
    }


def _run_json(run: "Run") -> dict[str, Any]:
    from ttrsim.stats.sanity import sanity, verdict

    plan = run.plan
    told = {"board": plan.board.id, "strategies": run.strategies, "seed": plan.seed, "games": run.games_played}
    return {**told, "rules_version": plan.rules_version, "digest": run.digest, "sanity": verdict(sanity(run))}


def _finding_json(finding: "Finding") -> dict[str, Any]:
    change, more = finding.change, finding.more_games
    return {
        "condition": finding.condition.text,
        "result": finding.result,
        "of": finding.of,
        "change": float(change.value),
        "change_low": float(change.low),
        "change_high": float(change.high),
        "more_games": None if math.isnan(more) else int(more),
    }


def _tell(found: "Comparison", which: str | None) -> None:
    """Print all of it, for people."""
    from ttrsim.report.compare_answers import players
    from ttrsim.stats.compare import CHANGES
    from ttrsim.stats.paired import dealt_otherwise
    from ttrsim.stats.sanity import sanity, verdict

    pair = found.pair
    for name, run in (("A", pair.a), ("B", pair.b)):
        games = f"{counted(run.games_played, 'game')}, seed {run.plan.seed}"
        heading(f"{name}  {run.board.name} ({run.board.id}); {players(run)}; {games}")
        paragraph(f"   {verdict(sanity(run))}")
    versions = [run.plan.rules_version for run in (pair.a, pair.b)]
    if versions[0] != versions[1]:
        paragraph(f"Played by other rules: versions {versions[0]} and {versions[1]} of ttrsim's.")
    if pair.unpaired:
        paragraph(f"Not paired, for {pair.unpaired}: ± takes the runs as having nothing in common.")
    else:
        paragraph(_pairing_words(dealt_otherwise(pair.a, pair.b)))
    for name in [which] if which else OVERVIEW:
        _tell_table(name, found.table(name))
    write()
    paragraph("± is half of the 95 % interval of the change. " + CHANGES.intervals)
    if which == "tickets":
        paragraph("Description only, for strategies chose it: completed.")


def _pairing_words(otherwise: Sequence[str]) -> str:
    if not otherwise:
        return "Paired: both played the same blocks, and ± is that of differences batch by batch."
    told = f"Both played blocks of the same numbers, but the boards deal other {' and other '.join(otherwise)}"
    return f"{told}: pairing means nothing here, and ± is about that of runs that have nothing in common."


def _tell_table(name: str, rows: "pd.DataFrame") -> None:
    if name == "tickets":
        for what in PRINTED_TICKETS:
            some = rows[rows["what"] == what].sort_values("change", ascending=False, kind="stable")
            _print_rows(f"Tickets: {what_words(what, some['unit'].iloc[0])}", some, "Ticket", with_what=False)
        return
    shown = rows[[is_printed(what, name) for what in rows["what"]]]
    of = {"strategies": "Strategy", "seats": "Seat", "games": ""}[name]
    _print_rows(name.capitalize(), shown.sort_values("of", key=_first_seen, kind="stable"), of, with_what=True)


def _first_seen(names: "pd.Series[str]") -> Any:
    import pandas as pd

    return pd.factorize(names)[0]


def is_printed(what: str, table_name: str) -> bool:
    """Return whether `ttrsim stats` prints the column, too."""
    from ttrsim.stats.scores import GAMES
    from ttrsim.stats.strategies import STRATEGIES

    return bool((GAMES if table_name == "games" else STRATEGIES).column(what).head)


def _print_rows(title: str, rows: "pd.DataFrame", of: str, *, with_what: bool) -> None:
    write()
    heading(title)
    header = [*([of] if of else []), *(["What"] if with_what else []), "A", "B", "Change", "±"]
    lines, before = [], None
    for row in rows.to_dict("records"):
        unit, half = row["unit"], (row["change_high"] - row["change_low"]) / 2
        names = [row["of"] if row["of"] != before or not with_what else ""] if of else []
        before = row["of"]
        words = [what_words(row["what"], unit)] if with_what else []
        lines.append([*names, *words, *(cell(value, unit) for value in (row["a"], row["b"], row["change"], half))])
    table(header, lines)


def _tell_test(test: "Sprt | None", state: "SprtState | None") -> None:
    if test is None or state is None:
        return
    write()
    tell_sprt(f"{test.first} in B against {test.second} in A", state, test, "batches")
    if state.accepted:
        paragraph("A run that stopped for it has seen a larger change than there is, on average.")


def tell_findings(findings: "Sequence[Finding]", *, err: bool) -> None:
    """Print each condition with its finding, on stdout or stderr."""
    for finding in findings:
        unit, more = finding.condition.unit, finding.more_games
        value, low, high = (cell(end, "share" if unit == "pp" else unit) for end in finding.change)
        of = f"{finding.of}: " if finding.of else ""
        wanted = f"; {games_more(more, 'of each')} would tell" if not math.isnan(more) else ""
        told = f"--fail-on {finding.condition.text}: {finding.result} ({of}{value} {unit}, {low} to {high}{wanted})"
        (note if err else paragraph)(told)
