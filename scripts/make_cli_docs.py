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

Options that you always want need not be typed: set variables such as `TTRSIM_RUN_THREADS`, or write a file
`ttrsim.toml` in the folder you work in, with a table for each command and its options by their names without dashes
(`-n` is `games`, `-j` is `threads`, `-o` is `out`):

```toml
[run]
threads = 2
players = "planner,hoarder"
```

What is typed takes precedence over a variable, and a variable over the file. `NO_COLOR` and `TERM=dumb` are heeded;
`TTRSIM_CACHE_DIR` says where compiled code is kept.
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
