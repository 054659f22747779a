"""`ttrsim play`: one game; `ttrsim replay`: one game of a run."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import ttrsim
from ttrsim.choices import drawn_seed
from ttrsim.cli.game_output import check_files, output_options, write_game
from ttrsim.cli.options import PathName, board_option, quiet_option, seed_option
from ttrsim.cli.output import note
from ttrsim.cli.progress import console
from ttrsim.errors import UserError
from ttrsim.formatting import command_line

if TYPE_CHECKING:
    from ttrsim.games import SeatedGame
    from ttrsim.recording import Recording
    from ttrsim.schedule import Order

LISTED = 8
"""How many legal actions are named beside an illegal one."""


@click.command()
@board_option(required=True)
@click.option(
    "--players",
    required=True,
    metavar="STRATEGIES",
    help="The strategies by seat, for example planner,one_step or planner,my_bot.py.",
)
@seed_option()
@click.option(
    "--game",
    type=click.IntRange(0, 10**15),
    help="The number of the game, from 0, among those of this seed; without it, the first one as listed.",
)
@click.option(
    "--order",
    type=click.Choice(["every", "listed"]),
    help="Play the deals with every order at the table in turn, as `ttrsim run` does, or always with the one listed.",
)
@output_options
@quiet_option
def play(board: str, players: str, seed: int | None, game: int | None, order: "Order | None", quiet: bool, **output: Any) -> None:  # fmt: skip  # noqa: E501
    """Play one game and show what happens in it.

    It is shown as a transcript or, if --html, --png, --gif or --json is given, in that form alone.

    The same seed and game give the same game: that of `ttrsim run` with these strategies, seed and number. From one
    game to the next the strategies change seats; without --game they sit as listed. `ttrsim replay` shows a game of
    any stored run.
    """
    from ttrsim.compiling import compile_first
    from ttrsim.failures import failure_words
    from ttrsim.games import make_games
    from ttrsim.report.game import Game

    check_files(**output)
    seed_used = drawn_seed() if seed is None else seed
    games = make_games(board, players, seed_used, order or ("listed" if game is None else "every"))
    seated = games.seated(game or 0)

    with console(quiet=quiet) as shown:
        compile_first(games.strategies, shown.listener)
        shown.tell("Playing the game ...")
        recording = seated.replay()
    again = ["ttrsim", "play", "--map", board, "--players", players, "--seed", str(games.seed)]
    again += [] if game is None else ["--game", str(game)]
    again += ["--order", order] if order else []
    write_game(Game(seated, recording, seated.number), quiet=quiet, **output)
    if seed is None and not quiet:
        note(f"The same game again: {command_line(again)}")
    if recording.failure is not None or recording.illegal is not None:
        raise UserError([failure_words(seated, recording) or _illegal_words(seated, recording)])


def _illegal_words(game: "SeatedGame", recording: "Recording") -> str:
    """Return which illegal action the strategy chose, and what was legal."""
    import numpy as np

    from ttrsim.core import constants as c
    from ttrsim.core.legal import list_actions
    from ttrsim.failures import occasion
    from ttrsim.words import action_words

    table, illegal = recording.game.table, recording.illegal
    assert illegal is not None
    hand = recording.game.hands[int(table.seat)]
    legal = np.empty(c.MOST_ACTIONS, np.int64)
    count = list_actions(game.record, table, hand, legal)
    strategy = game.line_up[int(table.seat)]
    try:
        wanted = f"which would be “{action_words(game.board, table, hand, illegal)}”"
    except ValueError:
        wanted = "which means nothing there"
    legal_words = [action_words(game.board, table, hand, action) for action in legal[:count]]
    more = f" and {count - LISTED} more" if count > LISTED else ""
    return (
        f"{strategy.name} ({strategy.path}), {occasion(table)}, returned the illegal action {illegal}, {wanted}; "
        f"legal are: {'; '.join(legal_words[:LISTED])}{more}"
    )


@click.command()
@click.argument("run", type=PathName())
@click.option(
    "--game", type=click.IntRange(0, 10**15), required=True, help="The number of the game in the run, from 0."
)
@output_options
@quiet_option
def replay(run: Path, game: int, quiet: bool, **output: Any) -> None:
    """Play one game of the run in the folder RUN again, and show what happens in it.

    It is shown as by `ttrsim play`: as a transcript, or in the form of --html, --png, --gif or --json alone. Any game
    of the run can be played again, whether or not its rows were recorded.
    """
    check_files(**output)
    with console(quiet=quiet) as shown:
        played = ttrsim.Run.open(run).replay(game, **shown.callbacks)
    write_game(played, quiet=quiet, **output)
