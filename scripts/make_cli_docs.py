#!/usr/bin/env python
"""Write `docs/cli.md` from the help of every command: `python scripts/make_cli_docs.py`."""

from collections.abc import Iterator
from pathlib import Path

import click

from ttrsim.cli import cli

PATH = Path(__file__).parents[1] / "docs" / "cli.md"
HEAD = """\
# Commands

What `ttrsim --help` and `ttrsim COMMAND --help` print, written by `scripts/make_cli_docs.py`.

All commands write data to stdout and messages to stderr; progress appears only on a terminal. The exit code is 0 for
success, 1 if something failed, 2 for wrong usage, 3 if a gate (`--fail-on`) failed, 130 after Ctrl-C and 143 after
SIGTERM. Numbers of games may be written as `1e6`.

A file is written completely or not at all: if the disk is full, or the command is interrupted, an old file stays as it
was.

## Default options

You need not type options that you always want: set variables such as `TTRSIM_RUN_THREADS`, or write a file
`ttrsim.toml` with a table for each command and its options by their names without dashes (`-n` is `games`, `-j` is
`threads`, `-o` is `out`):

```toml
[run]
threads = 2
players = "planner,hoarder"
```

What you type takes precedence over a variable, and a variable over a file. These files count:

* `ttrsim.toml` in the folder you work in. Because the folder may be a stranger's, it may contain only harmless options,
  and only boards and strategies that come with ttrsim. Options that name a file or a folder (`out`, `html`, `payoffs`,
  `players = "my_bot.py"`, `map = "my.toml"`) or another machine (`engine`, `scheduler`) are refused, and so is
  `resume`.
* Your own: `~/.config/ttrsim/ttrsim.toml` (or in `$XDG_CONFIG_HOME`; on Windows `%APPDATA%\\ttrsim\\ttrsim.toml`), with
  any options. The file in the working folder takes precedence over it.
* With `ttrsim --config FILE ...`, or the variable `TTRSIM_CONFIG`, only that file, with any options. So
  `ttrsim --config ttrsim.toml run` trusts the folder you work in.

A command says on stderr which options it takes from a file, for example `ttrsim.toml: threads = 2`, unless you type
`--quiet` or your own file contains it. `NO_COLOR` and `TERM=dumb` are respected.

## Compiled code

The game and strategies are compiled once, into your cache folder: `~/.cache/ttrsim` (or in `$XDG_CACHE_HOME`), on macOS
`~/Library/Caches/ttrsim`, on Windows `%LOCALAPPDATA%\\ttrsim\\cache`. The variable `TTRSIM_CACHE_DIR` names another
folder, for example for jobs on a cluster. Code in that folder is run, so it must be yours alone: `TTRSIM_CACHE_DIR` is
refused if it belongs to somebody else, if others can write to it, or if others could replace it; `chmod go-w FOLDER`
fixes that. If the default folder cannot be used for such a reason, everything is compiled again into a temporary one,
and a line on stderr says why. On Windows permissions are not checked; name a folder in your own profile there.
"""


def reference() -> str:
    """Return the whole page."""
    return "\n".join([HEAD, *(f"## {name}\n\n```text\n{text}\n```\n" for name, text in helps(cli, "ttrsim"))])


def helps(command: click.Command, name: str, parent: click.Context | None = None) -> Iterator[tuple[str, str]]:
    """Yield the name and the help of a command and of all its subcommands."""
    context = click.Context(
        command, parent, info_name=name, terminal_width=100, max_content_width=100, **command.context_settings
    )
    yield context.command_path, command.get_help(context)
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            assert found
            yield from helps(found, below, context)


if __name__ == "__main__":
    PATH.write_text(reference(), "utf-8")
