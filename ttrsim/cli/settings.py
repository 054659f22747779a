"""Options that need not be typed: `ttrsim.toml` in the folder one works in, and variables as TTRSIM_RUN_THREADS.

What is typed goes before a variable, and that before the file. The file has a table for each command, with options by
their names without dashes; -n is `games`, -j is `threads`, -o is `out`:

    [run]
    threads = 2
    players = "planner,hoarder"
"""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from ttrsim.cli.output import in_plain_words, printable
from ttrsim.errors import UsageError, did_you_mean

FILE = Path("ttrsim.toml")
OTHERS = ("TTRSIM_CACHE_DIR", "TTRSIM_FUZZ")
"""Variables that are no options: where compiled code is kept, and how many more cases the tests try."""


def settings(group: click.Group) -> dict[str, Any]:
    """What the file says, as click takes it; nothing if there is none."""
    try:
        told = tomllib.loads(FILE.read_text("utf-8-sig"))
    except FileNotFoundError:
        return {}
    except OSError as e:
        raise UsageError([f"{FILE}: cannot be read: {e.strerror}"]) from None
    except (ValueError, RecursionError) as e:  # besides bad TOML: numbers of too many digits, arrays in arrays
        raise UsageError([f"{FILE}: is not TOML: {e}"]) from None
    return _of_command(group, told, "")


def read_variables(command: click.Command, path: str) -> None:
    """Let the options of a command, and of all beneath it, be given by variables. path: as TTRSIM_RUN."""
    for name, option in _options(command).items():
        option.envvar = f"{path}_{name}".upper().replace("-", "_")
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            read_variables(below, f"{path}_{name}")


def check_variables(group: click.Group) -> None:
    """Refuse variables that look like one of an option and are not."""
    given = [name for name in os.environ if name.startswith("TTRSIM_") and name not in OTHERS]
    known = [*_variables(group), *OTHERS] if given else []
    for name in given:
        if name not in known:
            near = did_you_mean(name, known, "TTRSIM_RUN_THREADS, for example, is -j of ttrsim run")
            raise UsageError([f"{printable(name)}: no option is set by this variable{near}"])


def _variables(command: click.Command) -> list[str]:
    """Those of a command and of all beneath it."""
    names = [option.envvar for option in _options(command).values() if isinstance(option.envvar, str)]
    if isinstance(command, click.Group):
        context = click.Context(command)
        below = (command.get_command(context, name) for name in command.list_commands(context))
        names += [name for one in below if one for name in _variables(one)]
    return names


def _options(command: click.Command) -> dict[str, click.Option]:
    """By the names that the file has for them."""
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    return {next((o[2:] for o in p.opts if o.startswith("--")), p.name or ""): p for p in options}


def _of_command(command: click.Command, told: Mapping[str, Any], path: str) -> dict[str, Any]:
    """A table of the file: of a group one table for each command, of a command its options."""
    context, options, found = click.Context(command), _options(command), {}
    below = command.list_commands(context) if isinstance(command, click.Group) else []
    for name, value in told.items():
        where = f"{FILE}: {f'[{path}] ' if path else ''}{name}"
        if isinstance(command, click.Group) and name in below and isinstance(value, dict):
            deeper = command.get_command(context, name)
            assert deeper
            found[name] = _of_command(deeper, value, f"{path}.{name}" if path else name)
        elif below or name not in options:
            known = [*options, *below]
            right = "a table of a command, as [run]" if below else "an option"
            near = did_you_mean(name, known, f"there are {', '.join(known)}")
            raise UsageError([f"{where}: is not {right}{near}"])
        else:
            found[options[name].name or ""] = _checked(context, options[name], value, where)
    return found


def _checked(context: click.Context, option: click.Option, value: Any, where: str) -> Any:
    """The value as if it were typed."""
    try:
        shown = repr(value) if len(repr(value)) < 60 else repr(value)[:57] + "…"
        typed = value if isinstance(value, bool) else [*map(str, value)] if isinstance(value, list) else str(value)
    except ValueError:  # a number of too many digits
        raise UsageError([f"{where}: has too many digits"]) from None
    if isinstance(value, dict) or (isinstance(value, list) and not option.multiple):
        raise UsageError([f"{where} = {shown}: takes one value"])
    if "\0" in str(typed) or "\\x00" in str(typed):
        raise UsageError([f"{where} = {shown}: has a null character, which no name or number has"])
    try:
        option.type_cast_value(context, typed)
    except click.BadParameter as e:
        raise UsageError([f"{where} = {shown}: {in_plain_words(e.message)}"]) from None
    return typed
