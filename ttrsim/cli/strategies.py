"""List, show, start and check strategies (`ttrsim strategies`), and compile them ahead of time (`ttrsim warm`)."""

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ttrsim.cli.console import console
from ttrsim.cli.options import PathName, json_option, quiet_option
from ttrsim.cli.output import complain, heading, paragraph, table, write, write_json
from ttrsim.errors import UsageError, UserError
from ttrsim.files import check_parent, write_file
from ttrsim.formatting import counted

if TYPE_CHECKING:
    from ttrsim.checking import Examination, TableReport
    from ttrsim.strategies import Strategy
    from ttrsim.strategies.source import Source


@click.group()
def strategies() -> None:
    """List, show, start and check strategies.

    STRATEGY is the name of one that comes with ttrsim (see `ttrsim strategies list`), or a file of your own, such as
    my_bot.py.
    """


@strategies.command("list")
@json_option
def list_strategies(as_json: bool) -> None:
    """List the strategies that come with ttrsim, with their parameters and defaults."""
    from ttrsim.strategies import strategy_names
    from ttrsim.strategies.loading import load_source

    sources = [load_source(name) for name in strategy_names()]
    if as_json:
        write_json([_details(source) for source in sources])
        return
    table(["Strategy", "What it does"], [[s.path.stem, (s.sentence or "–") + _params(s)] for s in sources])


@strategies.command()
@click.argument("strategy")
@click.option("--source", "whole", is_flag=True, help="Print the file itself.")
@json_option
def show(strategy: str, whole: bool, as_json: bool) -> None:
    """Show a strategy: what it does, its parameters, which decisions it makes itself, and its tuned profiles."""
    from ttrsim.strategies.loading import load_source

    source = load_source(strategy)
    if whole:
        click.echo(source.text, nl=False)
    elif as_json:
        write_json(_details(source))
    else:
        _write_strategy(source)


@strategies.command()
@click.argument("name")
@click.option("-o", "--output", type=PathName(), help="The file to write; NAME.py by default.")
def new(name: str, output: Path | None) -> None:
    """Write a small working strategy to start from."""
    from ttrsim.strategies.loading import new_text, strategy_names

    if not name.isidentifier():
        rule = "a strategy's name consists of letters, digits and _, and does not begin with a digit"
        raise UsageError([f"{name!r}: {rule}; for example my_bot"])
    if name in strategy_names():
        raise UsageError(
            [f"{name!r}: a strategy that comes with ttrsim has this name; choose another, for example my_{name}"]
        )
    path = output or Path(f"{name}.py")
    if path.suffix != ".py":
        raise UsageError([f"{path}: a strategy's file ends in .py"])
    check_parent(path)
    if os.path.lexists(path):
        raise UserError([f"{path}: already exists and is left alone; choose another name or -o FILE"])
    write_file(path, new_text(name))
    write(f"Wrote {path}. Play it with `ttrsim play --map usa --players {path},random`,")
    write(f"check it with `ttrsim strategies check {path}`.")


@strategies.command()
@click.argument("strategy")
@click.option("--board", "boards", multiple=True, metavar="BOARD", help="Check only on this board; may be repeated.")
@click.option("--games", type=click.IntRange(1, 10**6), help="The most games to play at once at each table.")
@click.option("--quick", is_flag=True, help="Play fewer games.")
@json_option
@quiet_option
def check(strategy: str, boards: tuple[str, ...], games: int | None, quick: bool, as_json: bool, quiet: bool) -> int:
    """Play a strategy on every board with every number of players and report everything that is wrong.

    Every action must be legal, every index within its array and every game the same when it is played again; the
    strategy must not change what it is shown, and games must end. Parameters are tried at their bounds, and some
    decisions are made again in plain Python, as many as time allows. Being slow is not a fault: a slow strategy plays
    with the one parameter at a bound that makes it fastest, and games that take too long are cut short.
    Leaving out a ticket that must be kept (hand.must_keep) is noted. Exits with code 1 if anything is wrong.

    \b
    Games/s      games per second of the strategy against itself, on one core
    µs           microseconds per decision, including the work of the game itself
    Passes       turns in which nothing could be done
    Stalemates   games that ended because nobody could do anything
    """
    from dataclasses import replace

    from ttrsim.checking import QUICK, Extent, check_strategy
    from ttrsim.compiling import compile_first
    from ttrsim.strategies import load_line_up

    line_up = load_line_up(strategy)
    if len(line_up) != 1:
        raise UsageError([f"{strategy!r}: give one strategy to check"])
    extent = QUICK if quick else Extent()
    if games:
        extent = replace(extent, games=games, seconds=1e9)
    guarded = replace(line_up[0], guarded=True)  # as `check_strategy` plays it
    with console(quiet=quiet) as shown:
        compile_first([guarded], shown.listener)
        shown.tell("Checking ...")
        found = check_strategy(guarded, boards, extent, shown.tell)
    if as_json:
        write_json(_found(found))
    else:
        _write_examination(found)
        for remark in found.notes:
            write(f"Note: {remark}")
    complain(found.problems)
    return int(not found.passed)


def _details(source: "Source") -> dict[str, Any]:
    from ttrsim.strategies.profiles import changed_since, profiles_path, read_profiles

    return {
        "strategy": source.path.stem,
        "name": source.name,
        "doc": source.doc,
        "file": str(source.path),
        "sha256": source.sha256,
        "parameters": {
            p.name: {"default": p.default, "low": p.low, "high": p.high, "whole": p.whole, "switch": p.switch}
            for p in source.params
        },
        "decisions": source.decisions,
        "profiles": [
            {**profile.model_dump(), "changed_since": changed_since(profile, source)}
            for profile in read_profiles(profiles_path(source.path))
        ],
    }


def _params(source: "Source") -> str:
    """Return the parameters with their defaults: ` [thrift 3, greed 12]`."""
    words = ", ".join(f"{p.name} {p.default:g}" for p in source.params if not p.switch)
    return f" [{words}]" if words else ""


def _write_strategy(source: "Source") -> None:
    from ttrsim.strategies.source import SWITCHES

    heading(source.name)
    write(str(source.path))
    for text in filter(None, source.doc.split("\n\n")):
        write()
        paragraph(" ".join(text.split()))
    write()
    switches = [
        [p.name, "1" if p.high == 1 else f"1 to {p.high:g}", SWITCHES[p.name][2]] for p in source.params if p.switch
    ]
    rows = [[p.name, f"{p.default:g}", f"{p.low:g}", f"{p.high:g}"] for p in source.params if not p.switch]
    if rows:
        table(["Parameter", "Default", "Low", "High"], rows)
        write()
    if switches:
        table(["Switch", "On", "The strategy then"], switches)
        write()
    own = ", ".join(source.decisions)
    paragraph(f"Its own functions: {own}" + ("" if "decide" in own else "; the defaults make all other decisions"))
    _write_profiles(source)


def _write_profiles(source: "Source") -> None:
    """Print the values tuned for single tables."""
    from ttrsim.strategies.loading import number_words
    from ttrsim.strategies.profiles import changed_since, profiles_path, read_profiles

    rows: list[list[str | int]] = []
    for profile in read_profiles(profiles_path(source.path)):
        values = ", ".join(f"{name} {number_words(value)}" for name, value in profile.values.items())
        changed = changed_since(profile, source)
        rows.append([profile.table, profile.gain_words, profile.against, f"not used: {changed} has changed" if changed else values])  # fmt: skip  # noqa: E501
    if rows:
        write()
        table(["Table", "Gain ±", "Against", f"What {source.path.stem}@best plays with"], rows)


def _found(found: "Examination") -> dict[str, Any]:
    return {
        "strategy": found.strategy.spec,
        "sha256": found.strategy.sha256,
        "passed": found.passed,
        "problems": found.problems,
        "notes": found.notes,
        "quickened": found.quickened,
        "games_broken_off": found.broken_off,
        "decisions_in_plain_python": found.compared,
        "tables": [
            {
                "board": r.table[0],
                "players": r.table[1],
                "games": r.games,
                "games_a_second": round(r.rate, 1),
                "micros_a_decision": round(r.micros, 3),
                "passes": r.passes,
                "stalemates": r.stalemates,
                "overlong": r.overlong,
            }
            for r in found.reports
        ],
    }


def _write_examination(found: "Examination") -> None:
    strategy = found.strategy
    boards: dict[str, list[TableReport]] = {}
    for report in found.reports:
        boards.setdefault(report.table[0], []).append(report)
    if boards:
        table(
            ["Board", "Players", "Games", "Games/s", "µs", "Passes", "Stalemates"],
            [_board_row(name, reports) for name, reports in boards.items()],
        )
        write()
    if not found.passed:
        write(f"{_title(strategy)} FAILS ({found.seconds:.0f} s).")
        return
    played, tables = sum(r.games for r in found.reports), counted(len(found.reports), "table")
    paragraph(
        f"{_title(strategy)} PASSES. {played:,} games at {tables}: all actions legal, all indices within their arrays, "
        f"the same games when played again, nothing changed that it is shown; {found.compared:,} decisions the same in "
        f"plain Python, which would show divisions by zero. {found.seconds:.0f} s."
    )
    if found.quickened:
        board, players = found.reports[0].table
        paragraph(
            f"It is slow, so it played these games with {found.quickened}; with its own parameters it played only on "
            f"{board} with {players} players."
        )
    if found.broken_off:
        games = counted(found.broken_off, "more game")
        paragraph(f"{games} took too long and ended early; played again, the same happened up to there.")


def _title(strategy: "Strategy") -> str:
    return f"{strategy.name} ({strategy.spec})" if strategy.name != strategy.spec else strategy.name


def _board_row(name: str, reports: "list[TableReport]") -> list[str | int]:
    """Return one row for all tables of a board; the speed is that with the fewest players."""
    players = [r.table[1] for r in reports]
    sums = [sum(getattr(r, what) for r in reports) for what in ("games", "passes", "stalemates")]
    fewest, most = min(players), max(players)
    span = f"{fewest}–{most}" if most > fewest else str(fewest)
    rate, micros = (f"{reports[0].rate:.0f}", f"{reports[0].micros:.2f}") if reports[0].rate else ("–", "–")
    return [name, span, sums[0], rate, micros, sums[1], sums[2]]


@click.command()
@click.argument("strategies", nargs=-1)
def warm(strategies: tuple[str, ...]) -> None:
    """Compile the game and these STRATEGIES, or all that come with ttrsim, which takes up to a minute.

    Later commands then start at once. Compiled code is kept in the user's cache folder, or in TTRSIM_CACHE_DIR.
    """
    from ttrsim.compiling import compile_first, compile_replaying
    from ttrsim.strategies import load_line_up, strategy_names

    named = [strategy for name in strategies or strategy_names() for strategy in load_line_up(name)]
    started = time.perf_counter()
    with console() as shown:
        compiled = compile_first(named, shown.listener)
        compile_replaying()
    if compiled:
        write(f"Compiled {', '.join(compiled)} in {time.perf_counter() - started:.1f} s")
    else:
        names = ", ".join(dict.fromkeys(strategy.name for strategy in named))
        write(f"Nothing to compile: the game and {names} are already compiled")
