"""`ttrsim play`: one game."""

from typing import TYPE_CHECKING, Any

import click

from ttrsim.cli.game_output import check_files, output_options, write_game
from ttrsim.cli.output import note
from ttrsim.cli.progress import doing
from ttrsim.cli.usual import board_option, chosen_seed, quiet_option, seed_option
from ttrsim.errors import UserError
from ttrsim.shell import command_line

if TYPE_CHECKING:
    from ttrsim.recording import Recording
    from ttrsim.simulation import Series

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
    "--game", type=click.IntRange(0, 10**15), default=0, help="The number of the game with this seed, from 0."
)
@output_options
@quiet_option
def play(board: str, players: str, seed: int | None, game: int, quiet: bool, **output: Any) -> None:
    """Play one game and show what happens in it.

    It is shown as a transcript or, if --html, --png, --gif or --json is given, in that form alone.

    The same seed and game give the same game. Each deal is played once for each rotation of the strategies, in the
    order in which they are listed, so from one game to the next they change seats. `ttrsim replay` shows a game of a
    run.
    """
    from ttrsim.cli.compiling import compile_first
    from ttrsim.failures import failure_words
    from ttrsim.simulation import make_series

    check_files(**output)
    series = make_series(board, players, chosen_seed(seed))

    compile_first(series.line_up, quiet=quiet)
    with doing("Playing the game ...", quiet=quiet):
        recording = series.replay(game)
    command = command_line(["ttrsim", "play", "--map", board, "--players", players, "--seed", str(series.seed)])
    if game:
        command += f" --game {game}"
    write_game(series, recording, game, quiet=quiet, **output)
    if seed is None and not quiet:
        note(f"The same game again: {command}")
    if recording.failure is not None or recording.illegal is not None:
        raise UserError([failure_words(series, recording) or _illegal_words(series, recording)])


def _illegal_words(series: "Series", recording: "Recording") -> str:
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
    count = list_actions(series.record, table, hand, legal)
    strategy = series.line_up[recording.seating[int(table.seat)]]
    try:
        wanted = f"which would be “{action_words(series.board, table, hand, illegal)}”"
    except ValueError:
        wanted = "which means nothing there"
    legal_words = [action_words(series.board, table, hand, action) for action in legal[:count]]
    more = f" and {count - LISTED} more" if count > LISTED else ""
    return (
        f"{strategy.name} ({strategy.path}), {occasion(table)}, returned the illegal action {illegal}, {wanted}; "
        f"legal are: {'; '.join(legal_words[:LISTED])}{more}"
    )
