"""Profiles: values of a strategy's parameters that `ttrsim tune` found better at a table, kept beside its file.

`planner@best` plays with the profile of its table. Those of `my_bot.py` are in `my_bot.profiles.toml`.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ttrsim.boards import Board, board_names, load_board
from ttrsim.boards.changes import as_toml
from ttrsim.errors import UsageError, did_you_mean
from ttrsim.files import Unreadable, parse_toml, read_file, write_file
from ttrsim.strategies.source import Source, StrategyError

if TYPE_CHECKING:
    from ttrsim.strategies import Strategy

BEST = "best"
"""The name of the profile of a table, as in `planner@best`."""
MOST_BYTES = 1_000_000
LONGEST = 60
"""The most characters of a wrong value that are shown."""
START = re.compile(r"^[ \t]*\[\[[ \t]*profiles[ \t]*\]\]", re.MULTILINE)
HEADER = """\
# Values of the parameters of {name} that win more at a table than its defaults: {name}@best plays with them.
# Written by `{command}`; a profile counts as long as the strategy and the board are as they were.
"""

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
PlainText = Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f-\x9f]*$", max_length=5000)]


class Profile(BaseModel):
    """Values of parameters for a table, and how they were found."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    table: PlainText  # as `table_name` says it
    values: dict[str, float]  # of the parameters that differ from their defaults
    gain: float  # how much more often they win than the defaults, on fresh deals, as a fraction of 1
    gain_low: float  # its 95 % interval
    gain_high: float
    against: PlainText  # the opponents
    games: int  # of the whole tuning
    seed: int
    command: PlainText  # that tunes in the same way
    strategy_sha256: Sha256  # of what the strategy's code does
    board_sha256: Sha256  # of the board's file

    @property
    def gain_words(self) -> str:
        """The gain in percentage points: `+3.6 ± 0.3`."""
        return f"{100 * self.gain:+.1f} ± {50 * (self.gain_high - self.gain_low):.1f}"


def new_profile(found: "Strategy", gain: Sequence[float], **how: Any) -> Profile:
    """Return a profile of the values with which a strategy plays.

    gain: with the ends of its interval; how: all that a profile has besides.
    """
    values = {p.name: value for p, value in zip(found.params, found.values, strict=True) if value != p.default}
    value, low, high = (round(float(end), 6) for end in gain)
    return Profile(values=values, gain=value, gain_low=low, gain_high=high, **how)


class ProfilesFile(BaseModel):
    """The content of a file of profiles."""

    model_config = ConfigDict(extra="forbid")

    profiles: list[Profile] = []


class ProfileValues(NamedTuple):
    """The values with which a strategy plays at a table."""

    values: dict[str, float]  # of its profile; none if it plays the defaults
    origin: str  # where they stand, for messages about wrong ones
    note: str  # for the user


def profiles_path(strategy: Path) -> Path:
    """Return the file of the profiles of a strategy's file."""
    return strategy.with_suffix(".profiles.toml")


def own_profiles(strategy: "Strategy") -> Path:
    """Return the file to which profiles found from here on can be added: of a file of the user's own, as it is."""
    name = strategy.path.stem
    if strategy.values != tuple(param.default for param in strategy.params):
        rule = "a profile must be better than the defaults, so the search for it starts from them"
        raise UsageError([f"{strategy.spec}: {rule}; leave out the values"])
    if not strategy.guarded:
        problem = f"comes with ttrsim, and so do its profiles; tune a copy: ttrsim strategies show {name} --source"
        raise UsageError([f"{name}: {problem} > my_{name}.py"])
    return profiles_path(strategy.path)


def table_name(board: Board, seats: int) -> str:
    """Return a table as profiles name it: `usa/2`, and `my.toml/2` wherever that file is."""
    return f"{Path(board.id).name}/{seats}"


def played_at(source: Source, profile: str, board: Board | str | None, seats: int | None) -> ProfileValues:
    """Return what a strategy plays with at a table."""
    name = f"{source.path.stem}@{profile}"
    if profile != BEST:
        raise UsageError([f"{name}: no profile {profile!r}{did_you_mean(profile, [BEST], f'the only one is {BEST}')}"])
    if board is None or seats is None:
        problem = "has different values at each table, and there is more than one here; give the values instead"
        raise UsageError([f"{name}: {problem}, such as {source.path.stem}(parameter=number)"])
    board = load_board(board) if isinstance(board, str) else board
    path, table = profiles_path(source.path), table_name(board, seats)
    profiles, lines = _read(path)
    for found, line in zip(profiles, lines, strict=True):
        if found.table == table:
            if changed := changed_since(found, source, board):
                why = f"{changed} has changed since it was tuned"
                return ProfileValues({}, "", f"{name} at {table}: {why}; it plays the defaults")
            note = f"{name} at {table}: tuned values, {found.gain_words} wins per 100 games against {found.against}"
            return ProfileValues(found.values, f"{path}{line}: {table}", note)
    return ProfileValues({}, "", f"{name} at {table}: there is no profile; it plays the defaults")


def changed_since(profile: Profile, source: Source, board: Board | None = None) -> str:
    """Name what is no longer as it was when a profile was made, if anything.

    board: that of the profile's table; by default the one that comes with ttrsim, if there is one.
    """
    if profile.strategy_sha256 != source.content_sha256:
        return "its code"
    name = profile.table.rpartition("/")[0]
    if board is None and name in board_names():
        board = load_board(name)
    return "the board" if board and profile.board_sha256 != board.sha256 else ""


def read_profiles(path: Path) -> list[Profile]:
    """Return the profiles in a file; none if there is no such file."""
    return _read(path)[0]


def _read(path: Path) -> tuple[list[Profile], list[str]]:
    """Return the profiles in a file, and for each its line in words."""
    if not path.exists():
        return [], []
    lines: list[str] = []
    try:
        content = read_file(path, MOST_BYTES)
        document = parse_toml(content)
        text = content.decode("utf-8-sig")
        lines = [f", line {text.count(chr(10), 0, start.start()) + 1}" for start in START.finditer(text)]
        profiles = ProfilesFile.model_validate(document).profiles
    except Unreadable as e:
        raise StrategyError([f"{path}: {e}"]) from None
    except ValidationError as e:
        raise StrategyError([f"{path}{_problem(e, lines)}"]) from None
    lines = lines if len(lines) == len(profiles) else [""] * len(profiles)  # written in another way
    tables = [profile.table for profile in profiles]
    for number, table in enumerate(tables):
        if table in tables[:number]:
            raise StrategyError([f"{path}{lines[number]}: {table}: has a profile already"])
    return profiles, lines


def _problem(e: ValidationError, lines: Sequence[str]) -> str:
    """Return the first problem of a file: `, line 12: gain: 'much': should be a valid number`."""
    error = e.errors()[0]
    where = list(error["loc"])
    line = lines[where[1]] if len(where) > 1 and isinstance(where[1], int) and where[1] < len(lines) else ""
    place = ".".join(map(str, where[2:] or where))
    if error["type"] in ("missing", "extra_forbidden"):
        return f"{line}: {place}: {'is missing' if error['type'] == 'missing' else 'unknown key'}"
    return f"{line}: {place}: {repr(error['input'])[:LONGEST]}: {error['msg'].removeprefix('Input ')}"


def write_profiles(path: Path, profiles: Sequence[Profile], command: str = "ttrsim tune --profile") -> None:
    """Write a file of profiles. command: what wrote it."""
    entries = [f"\n[[profiles]]\n{as_toml(profile.model_dump())}\n" for profile in profiles]
    name = path.name.removesuffix(".profiles.toml")
    write_file(path, HEADER.format(name=name, command=command) + "".join(entries))


def add_profiles(path: Path, new: Sequence[Profile]) -> None:
    """Add profiles to a file, in place of those of the same tables."""
    tables = {profile.table for profile in new}
    write_profiles(path, [*(old for old in read_profiles(path) if old.table not in tables), *new])
