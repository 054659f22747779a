"""Options that several commands share, and the types of their values."""

import math
import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import click

from ttrsim.errors import UsageError, did_you_mean
from ttrsim.files import check_kept

DESIGNS = ("fixed", "mirror", "focal", "mixed")
ROTATES = ("cyclic", "all", "none")

Option = Callable[[Callable[..., Any]], Callable[..., Any]]
"""A decorator that adds one or several options to a command."""

SETTINGS = "ttrsim.settings"
"""The key under which the context of a command keeps what `--set` gave."""

json_option = click.option("--json", "as_json", is_flag=True, help="Write JSON.")
summary_option = click.option("--json", "as_json", is_flag=True, help="Write the summary as JSON.")
csv_option = click.option("--csv", "as_csv", is_flag=True, help="Write CSV.")
quiet_option = click.option("--quiet", is_flag=True, help="Print nothing on stderr except errors and warnings.")
threads_option = click.option(
    "-j", "threads", type=click.IntRange(1, 1024), help="Number of threads; one per core by default."
)


def seed_option(help: str = "The seed of everything random") -> Option:
    """`--seed`."""
    return click.option("--seed", type=click.IntRange(0, 2**64 - 1), help=f"{help}; drawn at random by default.")


def board_option(*, required: bool = False) -> Option:
    """`--map`, and `--set` for what differs."""
    help = "For example usa, europe:mega or my.toml."
    return options(
        click.option("--map", "board", required=required, metavar="BOARD", callback=_with_settings, help=help),
        set_option,
    )


def board_argument(*, required: bool = True) -> Option:
    """`BOARD`, and `--set` for what differs."""
    return options(click.argument("board", required=required, callback=_with_settings), set_option)


def _keep_settings(context: click.Context, _: click.Parameter, settings: tuple[str, ...]) -> None:
    context.meta[SETTINGS] = settings


def _with_settings(context: click.Context, _: click.Parameter, board: str | None) -> str | None:
    """Return the name of the board with the settings of `--set`."""
    settings = context.meta.get(SETTINGS)
    if not settings:
        return board
    if board is None:
        raise click.UsageError("--set: changes the board of --map, which is not given")
    from ttrsim.boards.changes import with_settings

    return with_settings(board, settings)


set_option = click.option(
    "--set",
    multiple=True,
    metavar="SETTING",
    expose_value=False,
    is_eager=True,
    callback=_keep_settings,
    help="Change the board: 'rules.trains = 40', 'ticket Boston-Miami = 14', 'drop ticket Boston-Miami', "
    "'route Denver-Omaha length = 3 tracks = red, blue'; may be repeated. maps/README.md lists all changes.",
)


def seats_option(default: str = "all that the board allows") -> Option:
    """`--seats`, the numbers of players at the tables where something is measured."""
    help = f"Numbers of players at a table, for example 2,4; by default {default}."
    return click.option("--seats", metavar="NUMBERS", type=Numbers(), help=help)


def players_option(help: str = "For example planner,one_step or planner,my_bot.py.", **more: Any) -> Option:
    """`--players`. more: whatever else `click.option` takes."""
    return click.option("--players", metavar="STRATEGIES", help=help, **more)


def games_option(help: str, *names: str, **more: Any) -> Option:
    """`-n`, a number of games, unless the option has other names. more: whatever else `click.option` takes."""
    return click.option(*(names or ("-n",)), "games", type=Count(), help=help, **more)


def out_option(help: str, **more: Any) -> Option:
    """`-o`, a folder to write into. more: whatever else `click.option` takes."""
    return click.option("-o", "out", type=OutFolder(), help=help, **more)


def game_option(help: str, *, required: bool = False) -> Option:
    """`--game`, the number of one game."""
    return click.option("--game", type=click.IntRange(0, 10**15), required=required, help=help)


def options(*given: Option) -> Option:
    """Combine options into one decorator that adds them in this order."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(given):
            command = option(command)
        return command

    return decorate


engine_options = options(
    click.option(
        "--engine",
        type=click.Choice(("threads", "dask")),
        help="What plays the games: threads (the default), or dask, a cluster.",
    ),
    click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="The address of the Dask cluster, for example tcp://host:8786; by default -j local processes.",
    ),
)


def typed(name: str) -> bool:
    """Return whether an option was given on the command line, not by an option file."""
    return click.get_current_context().get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE


def design_options(
    design: str = "As in ttrsim run.", seats: str = "As in ttrsim run.", rotate: str = "As in ttrsim run."
) -> Option:
    """`--design`, `--seats` and `--rotate`, each with its help."""
    return options(
        click.option("--design", type=click.Choice(DESIGNS), help=design),
        click.option("--seats", type=click.IntRange(1), help=seats),
        click.option("--rotate", type=click.Choice(ROTATES), help=rotate),
    )


class Count(click.ParamType):  # type: ignore[type-arg]
    """A whole number, which may be written as 1e6 or 1_000_000."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        try:
            number = Decimal(value)
            if not number.is_finite() or number.adjusted() > 30 or number != int(number):
                raise InvalidOperation
        except InvalidOperation:
            self.fail(f"{value!r} is not a whole number up to 1e12, for example 20000 or 1e6", param, ctx)
        return int(number)


class Numbers(click.ParamType):  # type: ignore[type-arg]
    """Numbers of players at a table, such as 2,4."""

    name = "numbers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[int]:
        if not re.fullmatch(r"\d{1,4}(,\d{1,4})*", value.replace(" ", "")):
            raise UsageError([f"--seats {value}: write the numbers of players as 2,4"])
        return sorted({int(number) for number in value.split(",")})


class Name(click.Choice):  # type: ignore[type-arg]
    """One of several names. A mistyped one is answered with those near it, if there are any, not with all."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value not in self.choices and (near := did_you_mean(str(value), self.choices)):
            self.fail(f"there is no {value!r}{near}", param, ctx)
        return super().convert(value, param, ctx)


class NumberRange(click.FloatRange):
    """A number within bounds. Click would let nan through."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number", param, ctx)
        return number


class PathName(click.Path):
    """The path of a file or folder. It must not be empty, as an unset shell variable is."""

    example = "a file or a folder"

    def __init__(self, *, dir_okay: bool = True) -> None:
        super().__init__(dir_okay=dir_okay, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if str(value) == "":
            self.fail(f"is empty; name {self.example}", param, ctx)
        return super().convert(value, param, ctx)


class OutFile(PathName):
    """A file to write, in place of none but ttrsim's own pages, reports and pictures, unless --replace is given.

    page: the kind of page that it is, which replaces no page of another kind.
    """

    def __init__(self, *, dir_okay: bool = True, page: str = "") -> None:
        super().__init__(dir_okay=dir_okay)
        self.page = page

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        path = super().convert(value, param, ctx)
        if ctx and param and not ctx.meta.get(REPLACE):
            check_kept(path, param.opts[0], self.page)
        return path


REPLACE = "ttrsim.replace"
"""The key under which the context of a command keeps whether files may be replaced."""


def _keep_in_context(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    ctx.meta[REPLACE] = value


replace_option = click.option(
    "--replace", is_flag=True, is_eager=True, expose_value=False, callback=_keep_in_context,
    help="Write over a file that is there; without it only ttrsim's own pages, reports and pictures are replaced, and "
    "a page only by one of its kind.",
)  # fmt: skip
"""`--replace`, which every command with an `OutFile` has."""


class OutFolder(PathName):
    """A folder to write into."""

    example = "a folder, such as runs/first"
