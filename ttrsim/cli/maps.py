"""List, show, check, analyse, draw and change boards (`ttrsim maps`)."""

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ttrsim.cli.board_files import apply, export, import_board, new
from ttrsim.cli.console import doing
from ttrsim.cli.options import OutFile, PathName, board_argument, json_option, replace_option
from ttrsim.cli.output import check_form, complain, heading, note, paragraph, table, write, write_csv, write_json
from ttrsim.files import check_picture
from ttrsim.formatting import counted

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.boards import Board
    from ttrsim.boards.linting import Lint

TABLES = ("published", "tickets", "routes", "cities")
FIRST = 15
"""The most routes and cities that `ttrsim maps stats` prints; --table, --json and --csv have all."""


@click.group()
def maps() -> None:
    """List, show, check, analyse, draw and change boards.

    BOARD is the name of a board that comes with ttrsim (see `ttrsim maps list`), such as usa or europe:mega, or the
    file of your own board, such as my.toml or my.toml:variant.
    """


@maps.command("list")
@json_option
def list_boards(as_json: bool) -> None:
    """List the boards that come with ttrsim, including variants."""
    from ttrsim.boards import board_names, load_board

    boards = [load_board(name) for name in board_names()]
    if as_json:
        write_json([_summary(board) for board in boards])
        return
    table(
        ["Board", "Cities", "Routes", "Tickets", "Players", "Title"],
        [[_marked(b), len(b.cities), len(b.routes), len(b.tickets), _players(b), b.title] for b in boards],
    )
    _write_status([board for board in boards if board.status != "published"])


@maps.command()
@board_argument()
@json_option
def show(board: str, as_json: bool) -> None:
    """Show a board: counts, colours, rules, tickets and variants."""
    from ttrsim.boards import load_family
    from ttrsim.boards.rules_in_words import differing

    shown, family = load_family(board)
    base = family[""]
    variants = [] if shown is not base else [b for b in family.values() if b is not base]
    if as_json:
        write_json({**_details(shown), "variants": {b.id: _variant(b, base) for b in variants}})
        return
    _write_board(shown)
    _write_rules(shown, base)
    for variant in variants:
        write()
        heading(f"{variant.id}: {variant.title}")
        table([], [["Tickets", _ticket_words(variant)], *differing(variant, base).items()], indent=2)


@maps.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=PathName())
@click.option("--select", metavar="CODES", help="Report only codes that begin with one of these, such as B203,B1.")
@click.option("--ignore", metavar="CODES", help="Leave these codes out.")
@click.option("--fail-on", type=click.Choice(("warnings",)), help="Exit with code 3 if there are warnings.")
@json_option
def check(files: tuple[Path, ...], select: str | None, ignore: str | None, fail_on: str | None, as_json: bool) -> int:
    """Check board files: report errors and warnings with the lines where they are.

    An error (codes B0 and B1) makes the board unplayable. A warning (B2) says what a designer may not have meant, such
    as crossing tracks or a ticket between neighbours; maps/README.md lists all codes. Exits with code 1 if there is an
    error.
    """
    from ttrsim.boards.linting import lint

    chosen, left_out = (tuple(codes.replace(" ", "").split(",")) if codes else () for codes in (select, ignore))
    checked = {file: lint(file, select=chosen, ignore=left_out) for file in files}
    if as_json:
        write_json([{"file": str(file), **asdict(found)} for file in files for found in checked[file].problems])
    for file, found in checked.items():
        for problem in () if as_json else found.problems:
            write(f"{file}:{problem}")
        if found.more:
            note(f"{file}: and {counted(found.more, 'more problem')}, which fixing these may fix too")
        if not found.family:
            complain([f"{file}: cannot be played as long as it has errors"])
        elif not as_json:
            _write_good(file, found)
    if not all(found.family for found in checked.values()):
        return 1
    return 3 if fail_on and any(found.warnings for found in checked.values()) else 0


def _write_good(file: Path, found: "Lint") -> None:
    family = dict(found.family)
    base = family.pop("")
    variants = f"; variants: {', '.join(family)}" if family else ""
    warnings = f", {counted(found.warnings, 'warning')}" if found.warnings else ""
    write(f"{file}: ok ({_counts(base)}{variants}){warnings}")
    _write_status([base])


@maps.command()
@board_argument()
@click.option("--table", "which", type=click.Choice(TABLES), help="Show only this table, with all its rows.")
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Write one table as CSV: tickets, or the one named by --table.")
def stats(board: str, which: str | None, as_json: bool, as_csv: bool) -> None:
    """Analyse a board: its sizes beside the published boards, the paths of tickets, and the traffic on it.

    Sizes stand beside those of USA, Europe and Old West; where three are given, 10, 50 and 90 % of the routes or
    tickets are at most as large. Distances are in trains on the empty board; parallel routes count as one.

    \b
    Trains      length of the cheapest path, which goes through the cities listed
    Ratio       points per train
    Near        how many other paths are at most 2 trains longer
    Cut         the fewest connections that must be closed to make the ticket impossible
    Connection  share of all ticket points whose cheapest path uses the connection
    Share       the same for a route (split evenly among parallel ones) or a city
    Ends        share of ticket points whose ticket begins or ends in the city
    Through     share of ticket points whose cheapest path passes through it
    """
    check_form(as_json=as_json, as_csv=as_csv)
    from ttrsim.boards import load_board
    from ttrsim.boards.analysis import beside_published, city_table, route_table, ticket_table

    loaded = load_board(board)
    makers = {"published": beside_published, "tickets": ticket_table, "routes": route_table, "cities": city_table}
    wanted = [which] if which else ["tickets"] if as_csv else list(TABLES)
    tables = {name: makers[name](loaded) for name in wanted}
    if as_json:
        frames = {name: frame.to_dict("records") for name, frame in tables.items()}
        write_json({"board": loaded.id, "status": loaded.status, "sha256": loaded.sha256, **frames})
    elif as_csv:
        write_csv(tables[wanted[0]])
        _note_status(loaded)
    else:
        _write_stats(loaded, tables, None if which else FIRST)


@maps.command()
@board_argument()
@click.option("-o", "--output", required=True, type=OutFile(), help="The picture to write: .png, .svg or .pdf.")
@replace_option
@click.option(
    "--letters", is_flag=True, help="Mark each colour with a letter, for readers who cannot tell the colours apart."
)
def draw(board: str, output: Path, letters: bool) -> None:
    """Draw a board."""
    check_picture(output)
    from ttrsim.boards import load_board

    loaded = load_board(board)
    with doing(f"Drawing {loaded.id} ..."):
        from ttrsim.plots.board import save_board

        save_board(loaded, output, letters=letters)
    note(f"Drew {loaded.id} to {output}")
    _note_status(loaded)


for command in (new, apply, export, import_board):
    maps.add_command(command)


def _marked(board: "Board") -> str:
    return board.id if board.status == "published" else f"{board.id} *"


def _write_status(boards: "list[Board]") -> None:
    from ttrsim.boards.rules_in_words import status_words

    for board in boards:
        if words := status_words(board):
            paragraph(f"* {board.name}: {words}")


def _note_status(board: "Board") -> None:
    from ttrsim.boards.rules_in_words import status_words

    if words := status_words(board):
        note(f"{board.name}: {words}")


def _spaces(board: "Board") -> int:
    return sum(route.length for route in board.routes)


def _players(board: "Board") -> str:
    fewest, most = board.rules.players
    return f"{fewest}–{most}"


def _counts(board: "Board") -> str:
    routes, tickets = counted(len(board.routes), "route"), counted(len(board.tickets), "ticket")
    return f"{len(board.cities)} cities, {routes}, {counted(_spaces(board), 'space')}, {tickets}"


def _summary(board: "Board") -> dict[str, Any]:
    return {
        "board": board.id,
        "name": board.name,
        "title": board.title,
        "status": board.status,
        "players": list(board.rules.players),
        "cities": len(board.cities),
        "routes": len(board.routes),
        "spaces": _spaces(board),
        "tunnels": sum(route.tunnel for route in board.routes),
        "ferries": sum(route.ferry > 0 for route in board.routes),
        "ferry_symbols": sum(route.ferry for route in board.routes),
        "tickets": len(board.tickets),
        "long_tickets": sum(ticket.long for ticket in board.tickets),
    }


def _details(board: "Board") -> dict[str, Any]:
    from ttrsim.boards.rules_in_words import rule_words

    colours = {c.name: c.cards for c in board.colours}
    return {
        **_summary(board),
        "sha256": board.sha256,
        "cards": {**colours, board.wild_name: board.wilds},
        "routes_by_colour": dict(Counter(board.colour_name(r.colour) for r in board.routes)),
        "routes_by_length": dict(sorted(Counter(r.length for r in board.routes).items())),
        "rules": _rules(board),
        "rules_in_words": rule_words(board),
    }


def _rules(board: "Board") -> dict[str, Any]:
    """Return the rule values, with cities by name."""
    rules = asdict(board.rules)
    if rules["alvin"]:
        rules["alvin"]["city"] = board.cities[rules["alvin"]["city"]].name
    if rules["souvenirs"]:
        rules["souvenirs"]["fixed"] = [board.cities[c].name for c in rules["souvenirs"]["fixed"]]
    return rules


def _variant(board: "Board", base: "Board") -> dict[str, Any]:
    from ttrsim.boards.rules_in_words import differing

    return {**_summary(board), "rules": _rules(board), "rules_that_differ": differing(board, base)}


def _write_board(board: "Board") -> None:
    heading(f"{board.name} ({board.id})")
    paragraph(board.title)
    _write_status([board])
    write()
    table([], list(_counted(board).items()), indent=2)
    write()
    heading("Routes")
    lengths = Counter(r.length for r in board.routes)
    points = board.rules.route_points
    table(["Length", "Routes", "Points"], [[n, lengths[n], points[n]] for n in sorted(lengths)], indent=2)
    write()
    heading("Colours")
    table(["Colour", "Cards", "Routes", "Spaces"], _colour_rows(board), indent=2)


def _counted(board: "Board") -> dict[str, str]:
    parallel = Counter(len(routes) for routes in board.connections)
    manifold = {2: "double", 3: "triple"}
    kinds = [f"{count} {manifold.get(n, f'{n}-fold')}" for n, count in sorted(parallel.items()) if n > 1]
    counts = {
        "Cities": str(len(board.cities)),
        "Routes": f"{len(board.routes)} with {_spaces(board)} spaces",
        "Connections": ", ".join([str(len(board.connections)), *kinds]),
    }
    if tunnels := sum(r.tunnel for r in board.routes):
        counts["Tunnels"] = str(tunnels)
    if ferries := [r.ferry for r in board.routes if r.ferry]:
        counts["Ferries"] = f"{len(ferries)} with {counted(sum(ferries), 'symbol')}"
    return {**counts, "Cards": str(board.cards), "Tickets": _ticket_words(board)}


def _ticket_words(board: "Board") -> str:
    rules, points = board.rules, [t.points for t in board.tickets]
    regular = sum(not t.long for t in board.tickets)
    decks = f"deck {rules.tickets.deck!r}"
    if rules.long_tickets:
        decks = f"{regular} of {decks}, {len(points) - regular} long ones of deck {rules.long_tickets.deck!r}"
    return f"{len(points)} ({decks}), {min(points)} to {max(points)} points"


def _colour_rows(board: "Board") -> list[list[str | int]]:
    routes, spaces = Counter[str](), Counter[str]()
    for route in board.routes:
        colour = board.colour_name(route.colour)
        routes[colour] += 1
        spaces[colour] += route.length
    rows: list[list[str | int]] = [[c.name, c.cards, routes[c.name], spaces[c.name]] for c in board.colours]
    gray = board.colour_name(None)
    return [*rows, [gray, "–", routes[gray], spaces[gray]], [f"wild ({board.wild_name})", board.wilds, "–", "–"]]


def _write_rules(board: "Board", base: "Board") -> None:
    from ttrsim.boards.rules_in_words import differing, rule_words

    changed = differing(board, base)
    write()
    heading("Rules")
    words = {**rule_words(board), **changed}
    table([], [[f"{key} *" if key in changed else key, text] for key, text in words.items()], indent=2)
    if changed:
        write(f"  * differs from {base.id}")


def _write_stats(board: "Board", tables: "dict[str, pd.DataFrame]", first: int | None) -> None:
    heading(f"{board.name} ({board.id})")
    _write_status([board])
    for name, frame in tables.items():
        write()
        if name == "published":
            _write_beside(board, frame)
        elif name == "tickets":
            _write_tickets(frame)
        else:
            _write_shares(name, frame, first)


def _write_beside(board: "Board", frame: "pd.DataFrame") -> None:
    from ttrsim.boards.analysis import answer, shown

    paragraph(answer(board, frame))
    write()
    rows = [
        [row["size"], shown(row["value"]), shown(row["lowest"], row["highest"]), row["verdict"]]
        for row in frame.to_dict("records")
    ]
    table(["Size", "Here", "Published boards", ""], rows)


def _write_tickets(frame: "pd.DataFrame") -> None:
    rows: list[list[str | int]] = []
    for t in frame.to_dict("records"):
        name = f"{t['ticket'].removesuffix(' (long)')} (long)" if t["long"] else t["ticket"]
        way = ", ".join(t["path"].split("–")[1:-1])
        rows.append(
            [name, t["points"], t["trains"], f"{t['points_per_train']:.2f}", t["alternatives"], t["smallest_cut"], way]
        )
    table(["Ticket", "Pts", "Trains", "Ratio", "Near", "Cut", "By way of"], rows)


def _write_shares(name: str, frame: "pd.DataFrame", first: int | None) -> None:
    columns = {
        "routes": ["route", "length", "colour", "connection_share", "share"],
        "cities": ["city", "connections", "ends", "through", "share"],
    }[name]
    busiest = frame.sort_values("share", ascending=False, kind="stable").head(first or len(frame))
    rows = [[f"{100 * v:.1f}%" if isinstance(v, float) else v for v in row] for row in busiest[columns].to_numpy()]
    table([column.removesuffix("_share").capitalize() for column in columns], rows)
    if len(busiest) < len(frame):
        write(f"These are the {len(busiest)} busiest of {len(frame)} {name}; --table {name} shows all.")
