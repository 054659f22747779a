"""The command line: each command reads its options, calls one function of ttrsim and prints the result.

Nothing heavy is imported before a command that needs it runs, so help and error messages appear at once.
"""

import contextlib
import errno
import gc
import importlib
import io
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from ttrsim import __version__
from ttrsim.cli.interrupting import ending_of, heard_twice
from ttrsim.cli.option_files import check_variables, default_map, read_option_files, read_variables
from ttrsim.cli.options import PathName
from ttrsim.cli.output import complain, escape_what_cannot_be_encoded, in_plain_words, printable, quiet_stdout
from ttrsim.errors import UserError, did_you_mean


class LazyGroup(click.Group):
    """A group whose commands are imported when called: `lazy` has name -> (`module:function`, one line of help)."""

    def __init__(self, *args: Any, lazy: Mapping[str, tuple[str, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.lazy:
            return None
        module, _, function = self.lazy[cmd_name][0].partition(":")
        command = getattr(importlib.import_module(module), function)
        assert isinstance(command, click.Command)
        read_variables(command, f"ttrsim_{cmd_name}")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in self.lazy and not args[0].startswith("-"):
            hint = did_you_mean(args[0], self.lazy, f"commands are {', '.join(self.lazy)}.")
            ctx.fail(f"No such command {args[0]!r}{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, help_line) for name, (_, help_line) in self.lazy.items()])


COMMANDS = {
    "demo": ("ttrsim.cli.demo:demo", "Play 20,000 games on USA and write a report about them: a first look."),
    "maps": ("ttrsim.cli.maps:maps", "List, show, check, analyse, draw and change boards."),
    "strategies": ("ttrsim.cli.strategies:strategies", "List, show, start and check strategies."),
    "play": ("ttrsim.cli.play:play", "Play one game and show what happens in it."),
    "run": ("ttrsim.cli.run:run", "Play many games and report which strategies win."),
    "stats": ("ttrsim.cli.stats:stats", "Show the statistics of a run, in tables."),
    "compare": ("ttrsim.cli.compare:compare", "Show what changes from one run, board or strategy to another."),
    "tickets": (
        "ttrsim.cli.trials:tickets",
        "Measure what tickets do, how hard they are and what they should be worth.",
    ),
    "difficulty": ("ttrsim.cli.trials:difficulty", "Measure how hard each ticket is, and what blocks it."),
    "routes": ("ttrsim.cli.trials:routes", "Measure what closing routes changes, and what owning them is worth."),
    "tune": ("ttrsim.cli.tune:tune", "Search for a strategy's best parameters, and test the result."),
    "improve": ("ttrsim.cli.improve:improve", "Search for a few changes that make a board fairer, and test them."),
    "sweep": ("ttrsim.cli.tune:sweep", "Show how often a strategy wins over a grid of one or two parameters."),
    "habits": ("ttrsim.cli.trials:habits", "Measure what a habit costs or brings, such as never drawing tickets."),
    "plot": ("ttrsim.cli.report:plot", "Plot what a run shows: tickets, routes, strategies, scores and more."),
    "report": (
        "ttrsim.cli.report:report",
        "Write a report of runs or trials as a page, Markdown or JSON.",
    ),
    "explore": (
        "ttrsim.cli.report:explore",
        "Write a page to explore a board: tickets, routes and cities on its map.",
    ),
    "balance": (
        "ttrsim.cli.balance:balance",
        "Judge whether a board is balanced: seats, tickets, strategies, cities, routes.",
    ),
    "plan": ("ttrsim.cli.plan:plan", "Estimate how many games a question needs."),
    "replay": ("ttrsim.cli.play:replay", "Play one game of a run again and show it."),
    "verify": ("ttrsim.cli.run:verify", "Check that a run is undamaged and that its games replay identically."),
    "merge": ("ttrsim.cli.run:merge", "Merge the portions of a run that several jobs played."),
    "warm": (
        "ttrsim.cli.strategies:warm",
        "Compile the game and strategies now, so that later commands start at once.",
    ),
}


@click.group(
    cls=LazyGroup,
    lazy=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="ttrsim")
@click.option("--config", type=PathName(), envvar="TTRSIM_CONFIG", help="A file of default options, read instead of ttrsim.toml.")  # fmt: skip  # noqa: E501
@click.pass_context
def cli(context: click.Context, config: Path | None) -> None:
    """Monte Carlo strategy analysis for the board game Ticket to Ride.

    Data goes to stdout, messages to stderr. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 a gate failed,
    130 interrupted, 143 terminated.
    """
    context.obj = read_option_files(cli, config)
    context.default_map = default_map(context.obj)


def _show(error: click.ClickException) -> None:
    """Print a click error: the usage first, then the problem in one line."""
    if isinstance(error, click.NoSuchOption):
        error.possibilities = _near(error.option_name, error.possibilities or [])  # type: ignore[misc]
    written = io.StringIO()
    error.show(written)
    usage, found, problem = written.getvalue().partition("Error: ")
    click.echo(usage, nl=False, err=True)
    if found:
        click.echo(found + printable(in_plain_words(" ".join(problem.split()))), err=True)


def _near(name: str, options: Sequence[str]) -> list[str]:
    """Return the options that resemble a name by more than their dashes."""
    return [option for option in options if did_you_mean(name.lstrip("-"), [option.lstrip("-")])]


def _reader_is_gone(error: OSError) -> bool:
    """Return whether whoever was reading the output has gone, which Windows reports as an invalid argument."""
    windows = sys.platform == "win32" and error.errno == errno.EINVAL and error.filename is None
    return windows or isinstance(error, BrokenPipeError)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; print errors that a user can fix without a traceback.

    arguments: by default those of the process, whose only task this then is.
    """
    escape_what_cannot_be_encoded()
    if arguments is None:
        # Before numpy is imported: its threads wait for each other longer than they calculate with such matrices.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        gc.set_threshold(200_000)  # imports leave no garbage, and looking for it took a tenth of a short command
    try:
        with heard_twice():
            check_variables(cli)
            code = cli.main(arguments, "ttrsim", standalone_mode=False)
        if sys.stdout is not None:  # it is None where stdout was closed
            sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.ClickException as e:
        _show(e)
        return e.exit_code
    except UserError as e:
        complain(e.problems)
        return e.exit_code
    except (KeyboardInterrupt, click.Abort) as e:
        message, code = ending_of(e)
        click.echo(message, err=True)
        return code
    except OSError as e:
        if _reader_is_gone(e):
            quiet_stdout()
            return 1
        complain([f"{e.filename}: {e.strerror}" if e.filename else str(e.strerror or e)])
        with contextlib.suppress(OSError):
            quiet_stdout()
        return 1
