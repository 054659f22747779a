"""Play the same deals with a change and without: `ttrsim tickets`, `difficulty`, `routes` and `habits`."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import ttrsim
from ttrsim.choices import DIFFICULTY_GAMES, DIFFICULTY_PLAYERS, HABITS_GAMES, HABITS_PLAYERS, ROUNDS, TOP, TRIAL_GAMES
from ttrsim.cli.console import console
from ttrsim.cli.options import (
    OutFile,
    board_argument,
    board_option,
    csv_option,
    games_option,
    json_option,
    options,
    players_option,
    quiet_option,
    replace_option,
    seats_option,
    seed_option,
    threads_option,
)
from ttrsim.cli.output import (
    check_form,
    heading,
    note,
    paragraph,
    table,
    write,
    write_csv,
    write_frame,
    write_grid,
    write_json,
)
from ttrsim.errors import UsageError
from ttrsim.files import check_picture
from ttrsim.words import listed

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.measurement import Difficulty, Trials
    from ttrsim.restricted import Habits

trial_options = options(
    board_option(required=True),
    players_option("The strategy of the focal seat, then the others, for example planner,one_step.", required=True),
    games_option("Games with each change, and as many without.", default=TRIAL_GAMES, show_default=True),
    seed_option(),
    threads_option,
    json_option,
    csv_option,
    quiet_option,
)


@click.command()
@trial_options
@click.option("--force", is_flag=True, help="Make the focal seat keep the ticket, to see how hard it is.")
@click.option("--fair", is_flag=True, help="Find what each ticket should be worth, and test it.")
@click.option("--ticket", "names", multiple=True, metavar="TICKET", help="Measure only this ticket, for example 'Denver-El Paso'; may be repeated.")  # fmt: skip  # noqa: E501
@click.option("--rounds", type=click.IntRange(1, 20), help=f"With --fair: the maximum number of rounds of the search; {ROUNDS} by default.")  # fmt: skip  # noqa: E501
@click.option("--objective", type=click.Choice(["score", "win"]), help="With --fair: the outcome that should be equal for all tickets; score by default.")  # fmt: skip  # noqa: E501
@click.option("--also", multiple=True, metavar="STRATEGIES", help="With --fair: another table whose effects count equally, for example hoarder,planner,planner; may be repeated.")  # fmt: skip  # noqa: E501
@click.option("--min", "least", type=int, help="With --fair: the fewest points a ticket may have; 1 by default.")
@click.option("--max", "most", type=int, help="With --fair: the most points a ticket may have; 1000 by default.")
@click.option("--step", type=int, help="With --fair: points are multiples of this; 1 by default.")
@click.option("--free-level", is_flag=True, help="With --fair: let the sum of the points of all tickets change.")
def tickets(force: bool, fair: bool, names: tuple[str, ...], **given: Any) -> None:
    """Measure what being dealt each ticket does, how hard it is, or what it should be worth.

    The focal seat, that of the first strategy, is dealt the ticket instead of the first one of its deck; everything
    else in the deal stays the same. It may keep the ticket or not; with --force it must keep it, and is compared with
    itself forced to keep the ticket it was dealt.

    --fair searches for the points with which holding any ticket is worth as much as holding any other. Each round plays
    other deals with new points, because strategies play differently when points change. In the end the printed and the
    new points are tested on deals that the search did not see, and the new ones returned only if clearly better.
    """
    measure_and_print(partial(ttrsim.tickets, force=force, fair=fair, tickets=names), print_frames, **given)


@click.command()
@trial_options
@click.option("--change", multiple=True, metavar="CHANGE", help="Change a route: 'route Denver-Phoenix length = 4', 'route Denver-Phoenix tracks = red, blue', '… tunnel = true', 'add route Denver-Duluth length = 4', 'drop route Denver-Phoenix', several at once with semicolons; may be repeated.")  # fmt: skip  # noqa: E501
@click.option("--close", multiple=True, metavar="WHAT", help="Close a route ('Denver-Kansas City (black)'), all routes of a connection ('Denver-Kansas City') or of a city ('Denver'); may be repeated.")  # fmt: skip  # noqa: E501
@click.option("--gift", multiple=True, metavar="ROUTE", help="Give this route to the focal seat, that of the first strategy; may be repeated.")  # fmt: skip  # noqa: E501
@click.option("--top", type=click.IntRange(1, 200), help=f"Close, and give away, this many of the busiest connections in ttrsim maps stats; {TOP} if nothing is named.")  # fmt: skip  # noqa: E501
def routes(
    change: tuple[str, ...], close: tuple[str, ...], gift: tuple[str, ...], top: int | None, **given: Any
) -> None:
    """Measure what changing or closing a route does for everybody, and what owning it from the start is worth.

    \b
    ttrsim routes --map usa --players planner,one_step --change 'route Denver-Omaha length = 2'
    ttrsim routes --map usa --players planner,one_step --close Denver --gift Denver-Omaha

    Changed routes may be longer or shorter, of other colours, double, tunnels, ferries, new or dropped. Both boards
    play the same deals, and the intervals allow for the number of changes that were tried. A route that is given away
    costs no cards or trains, and scores no points of its own.
    """
    if given["as_csv"] and (top or sum(map(bool, (change, close, gift))) != 1):
        ask = "ask for one, with --change, --close or --gift"
        raise UsageError([f"--csv: changed and closed routes, and gifts, are tables of their own; {ask}"])
    measure_and_print(partial(ttrsim.routes, change=change, close=close, gift=gift, top=top), print_frames, **given)


def measure_and_print(
    measure: Callable[..., Any],
    for_people: Callable[[Any], None],
    output: Path | None = None,
    *,
    as_json: bool,
    as_csv: bool,
    quiet: bool,
    **given: Any,
) -> None:
    """Measure, draw if there is a file for it, and print what was measured for people or programs."""
    check_form(as_json=as_json, as_csv=as_csv)
    if output:
        check_picture(output)
    with console(quiet=quiet) as shown:
        found = measure(**given, **shown.callbacks)
    if output:
        found.plot(output)
    if as_csv:
        write_csv(found.frame)
    elif as_json:
        write_json(found.json())
    else:
        for_people(found)
    if output:
        note(f"Drew {output}")


def print_frames(found: "Trials") -> None:
    """Print the frames for people."""
    from ttrsim.report.trial_glance import TITLES
    from ttrsim.trials import FRAMES
    from ttrsim.trials.tickets import overruled_words

    trial, frames = found.trial, found.frames
    focal, *others = (strategy.spec for strategy in trial.line_up)
    heading(f"{trial.board.name} ({trial.board.id}), {trial.schedule.games:,} games with each change and without, seed {trial.seed}")  # fmt: skip  # noqa: E501
    paragraph(f"Focal seat: {focal}, against {', '.join(others)}")
    for sentence in found.answers:
        paragraph(sentence)
    for name, frame in frames.items():
        if name == "changed":
            print_changed(frame)
        else:
            write_frame(TITLES[name].lower(), FRAMES[name][0], frame)
    if "fair" in frames:
        print_search(found)
    if found.overruled:
        paragraph(overruled_words(found.overruled))


def print_changed(frame: "pd.DataFrame") -> None:
    """Print each change in words, with its own routes, who wins, and what else clearly changes."""
    from ttrsim.report.tables import grid
    from ttrsim.report.trial_answers import what_changes_do
    from ttrsim.trials.routes import CHANGED, by_setting

    for (_, rows), answer in zip(by_setting(frame), what_changes_do(frame), strict=True):
        write()
        paragraph(answer)
        names = rows["of"].mask(rows["of"].eq(rows["of"].shift()), "")  # each once
        shown = grid(CHANGED, rows.drop(columns="setting").assign(of=names)).joined
        write()
        table(shown.header, shown.rows, indent=2)
    for sentence in shown.notes:
        paragraph(sentence)
    write("--json and --csv have every seat, ticket and route.")


def print_search(found: "Trials") -> None:
    """Print how the search for fair values went, and how much better the new values are."""
    from ttrsim.trials.fair import search_words

    rows = [
        (row["played"], row["points"], *(f"{row[name]:.2f}" for name in ("rms", "noise", "largest")))
        for row in found.searched
    ]
    heading("Search")
    table(("Played", "Sum of points", "RMS", "Noise", "Largest"), rows, indent=2)
    paragraph(search_words(found.frames["fair"], found.options.get("objective", "score")))


FAILS = ("ticket", "points", "difficulty", "verdict", "blocked_by")
TAKES = ("ticket", "extra", "score_effect", "win_effect")
"""Beginnings of the columns in the two tables of --wide; --json and --csv have all."""
MOST_ENDS = 10
"""The most tickets listed as hardest, and as easiest, without --wide."""
SIGNS = {"harder": " ▲", "easier": " ▼"}
"""Marks of the verdicts on difficulty."""


@click.command()
@board_argument()
@players_option("The strategies; each plays against copies of itself.", default=DIFFICULTY_PLAYERS, show_default=True)
@seats_option("2 to 5, as far as the board allows")
@games_option("Games with each ticket at each table.", default=DIFFICULTY_GAMES, show_default=True)
@click.option("--ticket", "tickets", multiple=True, metavar="TICKET", help="Show only this ticket, for example 'Denver-El Paso'; may be repeated.")  # fmt: skip  # noqa: E501
@seed_option()
@threads_option
@click.option("-o", "output", type=OutFile(), help="Also draw difficulty against points: a .png, .svg or .pdf file.")
@replace_option
@click.option("--wide", is_flag=True, help="Print all tickets, with what each takes, brings and is blocked by.")
@json_option
@csv_option
@quiet_option
def difficulty(output: Path | None, wide: bool, **given: Any) -> None:
    """Measure how hard each ticket is: how often it fails if it must be kept, what it takes, and what blocks it.

    At each table all seats have copies of one strategy, and one of them must keep the ticket and knows it. The same
    deals are played with every ticket, so the luck of the deal cancels between them.

    A ticket is harder or easier than its points say by comparison with par, the curve of difficulty by points that
    fits all tickets best. All tickets are played even if only some are shown, because par needs all of them.
    """
    measure_and_print(ttrsim.difficulty, partial(print_difficulty, wide=wide), output, **given)


def print_difficulty(found: "Difficulty", *, wide: bool) -> None:
    """Print the answers, then how often tickets fail. wide: all tickets, and what each takes, table by table."""
    from ttrsim.trials.tickets import overruled_words

    board, trial = found.trial.board, found.trial
    heading(f"{board.name} ({board.id}), {trial.schedule.games:,} games with each ticket at each table, seed {trial.seed}")  # fmt: skip  # noqa: E501
    for sentence in found.answers:
        paragraph(sentence)
    notes = _print_each(found.frame) if wide else _print_ends(found.frame)
    write()
    for sentence in [*notes, *([overruled_words(found.overruled)] if found.overruled else [])]:
        paragraph(sentence)


def _print_ends(frame: "pd.DataFrame") -> list[str]:
    """Print how often the hardest and the easiest tickets fail with each number of players, and return the notes."""
    from ttrsim.trials.difficulty import strongest

    best = {int(players): strongest(frame[frame["players"] == players]) for players in sorted(set(frame["players"]))}
    rows = frame[frame["strategy"] == frame["players"].map(best)]
    shares = [_short(row) for row in rows.to_dict("records")]
    widest = max(map(len, shares))
    texts = [
        f"{text:>{widest}}{SIGNS.get(verdict, '  ')}" for text, verdict in zip(shares, rows["verdict"], strict=True)
    ]
    cells = rows[["ticket", "points", "players"]].assign(cell=texts)
    hardest = rows.groupby(["ticket", "points"])["difficulty"].mean().sort_values(ascending=False, kind="stable").index
    ends = hardest if len(hardest) <= 2 * MOST_ENDS else [*hardest[:MOST_ENDS], *hardest[-MOST_ENDS:]]
    shown = cells.pivot(index=["ticket", "points"], columns="players", values="cell").loc[[*ends]]
    names = [*dict.fromkeys(best.values())]
    who = names[0] if len(names) == 1 else listed(f"{name} with {players} players" for players, name in best.items())
    write()
    heading(f"How often tickets fail, % ({who})")
    header = ["Ticket", "Points", *(f"{players} players" for players in best)]
    table(header, [[*key, *row] for key, row in zip(ends, shown.to_numpy(), strict=True)])
    left_out = f"The {MOST_ENDS} hardest and {MOST_ENDS} easiest of {len(hardest)} tickets; --wide shows all of them."
    return [
        *([left_out] if len(ends) < len(hardest) else []),
        "▲ harder and ▼ easier than the points say, by the whole interval.",
        "± is half of the 95 % interval; where it is lopsided, its ends are in brackets. Each holds on its own.",
    ]


def _short(row: dict[Any, Any]) -> str:
    """Return how often a ticket fails in %, with its interval: `12.3 ± 1.5`, `6.7 (0.2–32)`."""
    from ttrsim.formatting import decimal
    from ttrsim.report.tables import lopsided

    value, low, high = (100 * row[f"difficulty{end}"] for end in ("", "_low", "_high"))
    if low != low or not lopsided(value, low, high):
        return decimal(value, 1) + (f" ± {decimal((high - low) / 2, 1)}" if low == low else "")
    return "{} ({}–{})".format(*(decimal(each, 0 if each >= 9.5 else 1) for each in (value, low, high)))


def _print_each(frame: "pd.DataFrame") -> list[str]:
    """Print what each ticket takes for the strategy that fails least, table by table, and return the notes."""
    from ttrsim.report.tables import grid
    from ttrsim.trials.difficulty import DIFFICULTY, strongest

    for players, rows in frame.groupby("players"):
        best = strongest(rows)
        rows = rows[rows["strategy"] == best]
        for title, columns in (
            ("how often it fails", FAILS),
            ("what it takes and brings, against the average ticket", TAKES),
        ):
            shown = grid(DIFFICULTY, rows[[c for c in rows if str(c).startswith(columns)]]).joined
            write()
            heading(f"{players} players, {best}: {title}")
            table(shown.header, shown.rows)
    return shown.notes


@click.command()
@board_argument()
@click.option("--habit", "habits", multiple=True, metavar="HABIT", help="A switch of the strategies, for example never_draws_tickets or opening_tickets=3; may be repeated; by default all that can matter on the board.")  # fmt: skip  # noqa: E501
@players_option("The strategies, each tried on its own.", default=HABITS_PLAYERS, show_default=True)
@seats_option("2 to 5, as far as the board allows")
@click.option("--against", metavar="STRATEGIES", help="The opponents, for example planner,hoarder: every combination of them plays; by default copies of the strategy.")  # fmt: skip  # noqa: E501
@games_option("Games with each habit at each table, and as many without.", default=HABITS_GAMES, show_default=True)
@seed_option()
@threads_option
@click.option("-o", "output", type=OutFile(), help="Also draw the changes: a .png, .svg or .pdf file.")
@replace_option
@json_option
@csv_option
@quiet_option
def habits(output: Path | None, **given: Any) -> None:
    """Measure what a habit costs or brings: good strategies with one habit changed, and without, on the same deals.

    For example `ttrsim habits usa --habit never_draws_tickets`: how much less often does a strategy win that never
    draws tickets? One player at the table has the habit, in each seat in turn; everybody else plays as usual.
    `ttrsim strategies show planner` lists the habits that can be changed.
    """
    measure_and_print(ttrsim.habits, print_habits, output, **given)


def print_habits(found: "Habits") -> None:
    """Print what was found, in sentences and as a table."""
    from ttrsim.tuning.habits import HABITS

    heading(f"{found.board.name} ({found.board.id}): {found.about}")
    for sentence in found.answers:
        paragraph(sentence)
    write_grid(HABITS, found.frame)
