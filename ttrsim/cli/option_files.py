"""Take options from `ttrsim.toml` files and from environment variables such as TTRSIM_RUN_THREADS.

The command line takes precedence over variables, and variables over files. A file has a table for each command, with
options by their names without dashes; -n is `games`, -j is `threads`, -o is `out`:

    [run]
    threads = 2
    players = "planner,hoarder"

The working folder and the file in it may come from somebody else, so only harmless options count there. All options
count in the user's own file, and in one named with --config.
"""

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from ttrsim.cli.output import in_plain_words, note, printable
from ttrsim.errors import UsageError, UserError, did_you_mean
from ttrsim.files import Unreadable, parse_toml, read_file

FILE = Path("ttrsim.toml")
MOST_BYTES = 64_000
OTHERS = ("TTRSIM_CACHE_DIR", "TTRSIM_FUZZ", "TTRSIM_PARTS")
"""Variables that set no option: the cache folder, how many cases the tests try, how kernels are compiled."""
HARMLESS = {
    "alpha", "ask", "beta", "between", "budget", "by", "change", "close", "csv", "design", "elo0", "elo1", "fail-on",
    "fair", "force", "free-level", "game", "games", "gift", "goal", "habit", "ignore", "json", "keep", "kind", "least",
    "letters", "margin", "max", "max-changes", "min", "minutes", "most", "objective", "params", "portion",
    "order", "pilot", "power", "precision", "quick", "quiet", "record", "rotate", "rounds", "sample", "seats",
    "seed", "select", "set", "source", "sprt", "step", "strategy", "stretch", "threads", "ticket", "top", "undecided",
    "until-ci", "until-decided", "value", "wide", "worst",
}  # fmt: skip
"""Options that count in any folder: they open no file, write none, run no code and reach no other machine."""
HARMLESS_NAMES = {
    "against": (".py", ".toml"),
    "also": (".py",),
    "board": (".toml",),
    "judges": (".py",),
    "map": (".toml",),
    "players": (".py",),
    "table": (".toml",),
}
"""Options that also count there if they name something that comes with ttrsim; file names contain these."""
WHEN_RESUMED = ("threads", "json", "quiet")
"""Harmless options that count when a run is resumed, too; all others were chosen when it was begun."""
LONGEST = 60
"""The most characters of a value that are shown."""


@dataclass(frozen=True)
class OptionFile:
    """The options in one file."""

    name: str
    values: dict[str, Any]  # as click takes them: by command, then by option
    refused: str = field(default="", compare=False)  # why only harmless options count there; "" if all do

    def of(self, path: list[str]) -> dict[str, Any]:
        """Return the options of the command with this path."""
        found: Any = self.values
        for name in path:
            found = found.get(name, {})
        return dict(found)


def read_option_files(group: click.Group, config: Path | None) -> list[OptionFile]:
    """Read the option files that count, the more important first. config: the only one, if given."""
    if config:
        return [_read(group, config)]
    own = own_file()
    files = [_read(group, own)] if own and os.path.exists(own) else []  # noqa: PTH110 - it raises no errors
    here = os.path.exists(FILE) and not (files and own and FILE.samefile(own))  # noqa: PTH110
    if here:
        remedy = f"put it into {own}, or use" if own else "use"
        rule = f"is not allowed in the working folder, whose files may come from others; {remedy} --config {FILE}"
        files.insert(0, _read(group, FILE, rule))
    return files


def default_map(files: list[OptionFile]) -> dict[str, Any]:
    """Combine the options of several files into the mapping that click takes."""
    found: dict[str, Any] = {}
    for file in reversed(files):
        found = _laid_over(found, file.values)
    return found


def _laid_over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    both = {k: _laid_over(below[k], v) for k, v in above.items() if isinstance(v, dict) and k in below}
    return {**below, **above, **both}


def own_file() -> Path | None:
    """Return the path of the user's own file, whether it exists or not; None if there is no home folder."""
    variable = "APPDATA" if sys.platform == "win32" else "XDG_CONFIG_HOME"
    try:
        folder = Path(os.environ.get(variable, ""))
        return (folder if folder.is_absolute() else Path.home() / ".config") / "ttrsim" / FILE
    except RuntimeError:
        return None


def _read(group: click.Group, path: Path, refused: str = "") -> OptionFile:
    try:
        document = parse_toml(read_file(path, MOST_BYTES))
    except Unreadable as e:
        raise UsageError([f"{path}: {e}"]) from None
    file = OptionFile(str(path), {}, refused)
    file.values.update(_of_command(group, document, "", file))
    return file


class CommandContext(click.Context):
    """A context whose command first prints which options it takes from files, and names options in its errors."""

    def invoke(self, callback: Any, /, *args: Any, **kwargs: Any) -> Any:
        if files := self.find_root().obj:
            _announce(self, files)
        try:
            return super().invoke(callback, *args, **kwargs)
        except UserError as e:
            e.problems = [_name_options(problem, self.command) for problem in e.problems]
            raise


def _name_options(problem: str, command: click.Command) -> str:
    """Replace parameters of the library, such as `games`, with the options of the command: -n."""
    options = {p.name: min(p.opts, key=len) for p in command.params if isinstance(p, click.Option)}
    return re.sub(r"`(\w+)`", lambda found: options.get(found[1], found[0]), problem)


def _announce(context: click.Context, files: list[OptionFile]) -> None:
    """Print a line for each file that options come from, unless the user wants no messages."""
    path = context.command_path.split()[1:]
    found = {o.name: n for n, o in _options(context.command).items() if _from_files(context, o.name or "")}
    if context.params.get("resume"):
        found = {option: name for option, name in found.items() if name in WHEN_RESUMED}
    lines, quiet = [], context.params.get("quiet", False)
    for file in files:
        used = {name: value for option, value in file.of(path).items() if (name := found.pop(option, None))}
        quiet = quiet and not (file.refused and "quiet" in used)  # somebody else's file must not silence this
        if used:
            lines.append(f"{file.name}: {', '.join(f'{name} = {_shown(value)}' for name, value in used.items())}")
    for line in lines if not quiet else ():
        note(line)


def _from_files(context: click.Context, option: str) -> bool:
    return context.get_parameter_source(option) is ParameterSource.DEFAULT_MAP


def _shown(value: Any) -> str:
    text = str(value).lower() if isinstance(value, bool) else ", ".join(value) if isinstance(value, list) else value
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def read_variables(command: click.Command, path: str) -> None:
    """Let variables set the options of a command and its subcommands. path: how their names begin, as ttrsim_run.

    Click's own `auto_envvar_prefix` would name them after the parameters of our functions: TTRSIM_RUN_AS_JSON.
    """
    command.context_class = CommandContext
    for name, option in _options(command).items():
        option.envvar = f"{path}_{name}".upper().replace("-", "_")
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            read_variables(below, f"{path}_{name}")


def check_variables(group: click.Group) -> None:
    """Refuse variables that begin with TTRSIM_ but set no option."""
    given = [name for name in os.environ if name.startswith("TTRSIM_") and name not in OTHERS]
    known = [*_variables(group), *OTHERS] if given else []
    for name in given:
        if name not in known:
            near = did_you_mean(name, known, "TTRSIM_RUN_THREADS, for example, sets -j of ttrsim run")
            raise UsageError([f"{printable(name)}: this variable sets no option{near}"])


def _variables(command: click.Command) -> list[str]:
    """Return the variables that set options of a command and its subcommands."""
    names = [option.envvar for option in _options(command).values() if isinstance(option.envvar, str)]
    if isinstance(command, click.Group):
        context = click.Context(command)
        below = (command.get_command(context, name) for name in command.list_commands(context))
        names += [name for one in below if one for name in _variables(one)]
    return names


def _options(command: click.Command) -> dict[str, click.Option]:
    """Return the options of a command by their names in files."""
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]
    return {next((o[2:] for o in p.opts if o.startswith("--")), p.name or ""): p for p in options}


def _of_command(command: click.Command, table: Mapping[str, Any], path: str, file: OptionFile) -> dict[str, Any]:
    """Return a checked table of a file: the options of a command, or the tables of a group's commands."""
    context, options, found = click.Context(command), _options(command), {}
    below = command.list_commands(context) if isinstance(command, click.Group) else []
    for name, value in table.items():
        where = f"{file.name}: {f'[{path}] ' if path else ''}{name}"
        if isinstance(command, click.Group) and name in below and isinstance(value, dict):
            deeper = command.get_command(context, name)
            assert deeper
            found[name] = _of_command(deeper, value, f"{path}.{name}" if path else name, file)
        elif below or name not in options:
            known = [*options, *below]
            right = "the table of a command, such as [run]" if below else "an option"
            near = did_you_mean(name, known, f"there are {', '.join(known)}")
            raise UsageError([f"{where}: is not {right}{near}"])
        else:
            typed = _checked(context, options[name], value, where)
            if file.refused and not is_harmless(name, typed):
                raise UsageError([f"{where} = {_shown(typed)}: {file.refused}"])
            found[options[name].name or ""] = typed
    return found


def is_harmless(option: str, value: Any) -> bool:
    """Return whether a file in any working folder may give this value to an option."""
    if option in HARMLESS_NAMES:
        return not any(ending in str(value).casefold() for ending in HARMLESS_NAMES[option])
    return option in HARMLESS


def _checked(context: click.Context, option: click.Option, value: Any, where: str) -> Any:
    """Return a value in the form in which it would be typed."""
    try:
        shown = repr(value) if len(repr(value)) < LONGEST else repr(value)[: LONGEST - 3] + "…"
        typed = value if isinstance(value, bool) else [*map(str, value)] if isinstance(value, list) else str(value)
    except ValueError:  # a number of too many digits
        raise UsageError([f"{where}: has too many digits"]) from None
    if isinstance(value, dict) or (isinstance(value, list) and not option.multiple):
        raise UsageError([f"{where} = {shown}: takes one value"])
    if "\0" in str(typed) or "\\x00" in str(typed):
        raise UsageError([f"{where} = {shown}: has a null character, which no name or number may have"])
    try:
        option.type_cast_value(context, typed)
    except click.BadParameter as e:
        raise UsageError([f"{where} = {shown}: {in_plain_words(e.message)}"]) from None
    return typed
