"""Read a board file into a `Board`, or report everything that is wrong with it at once."""

import hashlib
import re
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from ttrsim.boards import board as b
from ttrsim.boards.changes import changed, split_name, with_settings
from ttrsim.boards.file import BoardFile, RulesEntry, paint_and_letter
from ttrsim.boards.parsing import MOST_BYTES, parse
from ttrsim.errors import UserError, did_you_mean, first_of
from ttrsim.files import Unreadable, data_folder, read_file


class BoardError(UserError):
    """A board cannot be loaded; `problems` has a sentence for each reason, with the file name first."""


class UnknownBoard(BoardError):
    """No board has this name."""

    exit_code = 2


def board_names() -> list[str]:
    """Return the names of the boards that come with ttrsim, including variants: `["europe", "europe:1912", …]`."""
    return [name for path in _shipped() for name in _names_in(path)]


def _shipped() -> list[Path]:
    """Return the files of the boards that come with ttrsim."""
    return sorted((data_folder() / "maps").glob("*.toml"))


def _names_in(path: Path) -> list[str]:
    return [path.stem, *(f"{path.stem}:{variant}" for variant in _variants(path.read_text("utf-8")))]


@lru_cache
def _variants(text: str) -> tuple[str, ...]:
    return tuple(tomllib.loads(text).get("variants", {}))


def load_board(name: str | Path, set: Sequence[str] = ()) -> b.Board:
    """Return a board by name (`"usa"`, `"europe:mega"`) or file (`"my.toml"`, `"my.toml:variant"`).

    set: what differs, such as `["rules.trains = 40", "ticket Boston–Miami = 14"]`; a name can have the same in
    brackets, `"usa[rules.trains = 40; ticket Boston–Miami = 14]"`, which becomes the board's `id`. Raises BoardError,
    which lists the problems of the file.
    """
    return load_family(with_settings(str(name), set))[0]


def load_family(name: str | Path) -> tuple[b.Board, dict[str, b.Board]]:
    """Return the board with this name, and all boards of its file by variant name ("" for the board itself)."""
    path, variant = locate_board(name)
    family = read_boards(path)
    if variant not in family:
        names = ", ".join(v for v in family if v) or "none"
        raise UnknownBoard([f"{path}: no variant {variant!r}; variants are: {names}"])
    settings = split_name(str(name))[1]
    if settings:
        boards = boards_in(changed(family[variant], variant, settings), str(name), "")
        family = {"": family[""], variant: replace(boards[variant], id=str(name))}
    return family[variant], family


def locate_board(name: str | Path) -> tuple[Path, str]:
    """Return the file and the variant ("" for the board itself) that a name stands for, whatever its settings.

    >>> locate_board("my.toml:short")
    (PosixPath('my.toml'), 'short')
    """
    name = split_name(str(name))[0]
    if file := re.fullmatch(r"(.*\.toml)(?::(.*))?", name, re.DOTALL):
        return Path(file[1]), file[2] or ""
    stem, _, variant = name.partition(":")
    path = data_folder() / "maps" / f"{stem}.toml"
    if path not in _shipped() or name not in _names_in(path):  # so that no other board's file is read
        known = board_names()
        hint = did_you_mean(name.casefold().replace(" ", "_"), known, f"boards are {', '.join(known)}")
        raise UnknownBoard([f"no board {name!r}{hint} (a board of your own: the name of its .toml file)"])
    return path, variant


def read_boards(path: Path) -> dict[str, b.Board]:
    """Return the board of a file and each of its variants, by variant name ("" for the board itself).

    Raises BoardError, which lists the problems of the file.
    """
    shipped = path.parent == data_folder() / "maps"
    return dict(boards_in(content_of(path), str(path), path.stem if shipped else str(path)))


def content_of(path: Path) -> bytes:
    """Return the bytes of a board file. Raises BoardError."""
    try:
        return read_file(path, MOST_BYTES)
    except Unreadable as e:
        raise BoardError([f"{path}: {e}"]) from None


@lru_cache(maxsize=32)
def boards_in(raw: bytes, name: str, stem: str) -> dict[str, b.Board]:
    """Return the boards of a file; cached because a command asks for the same board several times.

    name: of the file, for messages; stem: what the names of its boards begin with.
    """
    parsed = parse(raw)
    form = parsed.form
    if parsed.problems or form is None:
        raise BoardError([f"{name}: {text}" for text in first_of([problem.text for problem in parsed.problems])])
    return {
        variant: _build(form, rules, f"{stem}:{variant}" if variant else stem, title, raw)
        for variant, (title, rules) in parsed.rules.items()
    }


def _build(form: BoardFile, rules: RulesEntry, board_id: str, title: str, raw: bytes) -> b.Board:
    index = {c.name: i for i, c in enumerate(form.cities)}
    colours = _colours(form)
    routes, connections = _routes(form, index, {c.name: c.index for c in colours})
    return b.Board(
        id=board_id,
        name=form.name,
        title=title,
        status=form.status,
        sha256=hashlib.sha256(raw).hexdigest(),
        picture=(form.picture.width, form.picture.height),
        cities=tuple(b.City(i, c.name, c.x, c.y, tuple(c.aliases), c.label) for i, c in enumerate(form.cities)),
        colours=colours,
        wilds=form.wilds.cards,
        wild_name=form.wilds.name,
        routes=routes,
        connections=connections,
        tickets=_tickets(form, rules, index),
        rules=_rules(rules, index),
        source=raw,
    )


def _colours(form: BoardFile) -> tuple[b.Colour, ...]:
    made = []
    for i, (name, entry) in enumerate(form.colours.items()):
        made.append(b.Colour(i, name, entry.cards, *paint_and_letter(name, entry)))
    return tuple(made)


def _routes(
    form: BoardFile, city: dict[str, int], colour: dict[str, int]
) -> tuple[tuple[b.Route, ...], tuple[tuple[int, ...], ...]]:
    routes: list[b.Route] = []
    connections: list[tuple[int, ...]] = []
    for c in form.connections:
        a, z = (city[name] for name in c.between)
        connections.append(tuple(range(len(routes), len(routes) + len(c.tracks))))
        for track in c.tracks:
            wanted = None if track == b.GRAY else colour[track]
            number = len(connections) - 1
            routes.append(b.Route(len(routes), a, z, c.length, wanted, c.ferry, c.tunnel, number, c.bend))
    return tuple(routes), tuple(connections)


def _tickets(form: BoardFile, rules: RulesEntry, city: dict[str, int]) -> tuple[b.Ticket, ...]:
    long_deck = rules.long_tickets.deck if rules.long_tickets and rules.long_tickets.deal else None
    picked = [(t, True) for t in form.tickets if long_deck in t.decks]
    picked += [(t, False) for t in form.tickets if rules.tickets.deck in t.decks]
    return tuple(
        b.Ticket(i, city[t.between[0]], city[t.between[1]], t.points, long) for i, (t, long) in enumerate(picked)
    )


def _rules(r: RulesEntry, city: dict[str, int]) -> b.Rules:
    return b.Rules(
        players=(r.players[0], r.players[1]),
        trains=r.trains,
        last_round_at=r.last_round_at,
        equal_turns=r.equal_turns,
        hand=_by_seat(r.hand, r.players[1]),
        start_points=_by_seat(r.start_points, r.players[1]),
        display=r.display,
        display_wild_limit=r.display_wild_limit,
        draw_when_dry=r.draw_when_dry,
        tickets=b.TicketRules(**dict(r.tickets)),
        long_tickets=b.LongTicketRules(**dict(r.long_tickets)) if r.long_tickets and r.long_tickets.deal else None,
        route_points={int(length): points for length, points in r.route_points.items()},
        parallel_open_from=r.parallel_open_from,
        own_network=r.own_network,
        tunnel_cards=r.tunnel_cards,
        stations=b.StationRules(**dict(r.stations)) if r.stations and r.stations.each else None,
        markers=b.MarkerRules(**dict(r.markers)) if r.markers and r.markers.each else None,
        alvin=b.AlvinRules(city[r.alvin.city], r.alvin.capture_points, r.alvin.holder_points) if r.alvin else None,
        souvenirs=_souvenirs(r, city),
        longest_trail_bonus=r.longest_trail_bonus,
        most_tickets_bonus=r.most_tickets_bonus,
        tie_breaks=tuple(r.tie_breaks),
    )


def _by_seat(value: int | list[int], seats: int) -> tuple[int, ...]:
    """Return the number of each seat."""
    return tuple(value[:seats]) if isinstance(value, list) else (value,) * seats


def _souvenirs(r: RulesEntry, city: dict[str, int]) -> b.SouvenirRules | None:
    if not r.souvenirs:
        return None
    return b.SouvenirRules(
        points=tuple(r.souvenirs.points),
        fixed=tuple(city[name] for name in r.souvenirs.fixed),
        players={
            int(n): b.SouvenirTable(t.height, tuple(t.placed_by), t.placed_height)
            for n, t in r.souvenirs.players.items()
        },
    )
