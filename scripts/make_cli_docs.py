#!/usr/bin/env python
"""`docs/cli.md`, from the help of every command: `python scripts/make_cli_docs.py`."""

from collections.abc import Iterator
from pathlib import Path

import click

from ttrsim.cli import cli

PATH = Path(__file__).parents[1] / "docs" / "cli.md"
HEAD = """\
# Commands

What `ttrsim --help` and `ttrsim COMMAND --help` print, written by `scripts/make_cli_docs.py`.

All commands write data to stdout, and progress and messages to stderr, progress only on a terminal. They end with 0;
with 1 if something failed, 2 after wrong usage, 3 if a gate (`--fail-on`) failed, 130 after Ctrl-C and 143 after
being told to end. Numbers of games may be written as `1e6`.

A file that a command writes is there whole or not at all: if the disk is full, or the command ends before its time, an
older one stays.

## Usual options

Options that you always want need not be typed: set variables such as `TTRSIM_RUN_THREADS`, or write a file
`ttrsim.toml` with a table for each command and its options by their names without dashes (`-n` is `games`, `-j` is
`threads`, `-o` is `out`):

```toml
[run]
threads = 2
players = "planner,hoarder"
```

What is typed takes precedence over a variable, and a variable over a file. Of files, these count:

* `ttrsim.toml` in the folder you work in. As the folder may be a stranger's, only harmless options may stand there,
  and boards and strategies that come with ttrsim. Refused is what names a file or a folder (`out`, `html`, `payoffs`,
  `players = "my_bot.py"`, `map = "my.toml"`) or another machine (`engine`, `scheduler`), and `resume`.
* Your own: `~/.config/ttrsim/ttrsim.toml` (or in `$XDG_CONFIG_HOME`; on Windows `%APPDATA%\\ttrsim\\ttrsim.toml`), in
  which all options may stand. The one in the folder goes before it.
* With `ttrsim --config FILE ...`, or the variable `TTRSIM_CONFIG`, that file alone, with all options. So
  `ttrsim --config ttrsim.toml run` takes the word of the folder you work in.

What a command takes from a file it says in a line on stderr, as `ttrsim.toml: threads = 2`, unless `--quiet` is typed
or stands in a file of your own. `NO_COLOR` and `TERM=dumb` are heeded.

## Compiled code

The game and strategies are compiled once, into your cache folder: `~/.cache/ttrsim` (or in `$XDG_CACHE_HOME`), on macOS
`~/Library/Caches/ttrsim`, on Windows `%LOCALAPPDATA%\\ttrsim\\cache`. The variable `TTRSIM_CACHE_DIR` names another, as
for jobs on a cluster. What lies there is run, so it must be yours alone: `TTRSIM_CACHE_DIR` is refused if it belongs to
somebody else, if others can write to it, or if it lies where others could exchange it; `chmod go-w FOLDER` mends that.
Where the usual folder cannot be had, or is such a one, everything is compiled anew into a temporary one, and a line on
stderr says why. On Windows permissions are not looked at; there name a folder in your own profile.
"""


def reference() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(f"## {name}\n\n```text\n{text}\n```\n" for name, text in helps(cli, "ttrsim"))])


def helps(command: click.Command, name: str, parent: click.Context | None = None) -> Iterator[tuple[str, str]]:
    """The help of a command and of all beneath it."""
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
