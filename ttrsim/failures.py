"""Explain why a strategy stopped a game, by an exception or an illegal action: who, when, why, and how to see it."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ttrsim.core.constants import BEFORE_THE_FIRST_TURN
from ttrsim.core.jit import COMPILED
from ttrsim.encode import UNCHANGED
from ttrsim.formatting import command_line, seat_name
from ttrsim.recording import Recording
from ttrsim.schedule import make_seatings
from ttrsim.strategies import Strategy, StrategyError
from ttrsim.strategies.faults import DECISION, Fault, choices, exception_place, exception_words, pack
from ttrsim.strategies.loading import numbered
from ttrsim.strategies.source import at, read_source
from ttrsim.words import PHASES

if TYPE_CHECKING:
    from ttrsim.games import SeatedGame

PATIENCE = 10.0
"""Seconds that one decision may take uncompiled before it is abandoned; a check waits longer for a sign of life."""


def stopped_game(game: "SeatedGame", error: Exception | None = None) -> StrategyError:
    """Return the error of the strategy that stopped a game. The game is played again to see what happened.

    error: the exception that stopped it, if one did.
    """
    recording = game.replay()
    shows = f"`{_way_to_see(game)}` shows"
    if recording.failure is None and recording.illegal is None:
        what = exception_words(error) if error else "chose an illegal action"
        hint = "a strategy must use only what it is shown; `ttrsim strategies check` finds indices out of bounds"
        again = "but not when it was played again"
        return StrategyError([f"a strategy ({what}) stopped game {game.number}, {again}: {hint}"])
    if words := failure_words(game, recording):
        return StrategyError([f"{words}; {shows} the game up to there"])
    strategy = _stopper(game, recording)
    who = f"{strategy.name} ({strategy.path}), {occasion(recording.game.table)}"
    return StrategyError([f"{who}, chose an illegal action, {recording.illegal}; {shows} it"])


def _way_to_see(game: "SeatedGame") -> str:
    """Return the command that shows a game or, for a changed deal, which no command shows, a line of Python."""
    players = ",".join(strategy.spec for strategy in game.line_up)
    if game.intervention != UNCHANGED:
        where = f"{game.seed}, {game.block}, {game.intervention}"
        return f"SeatedGame(load_board({game.board.id!r}), tuple(load_line_up({players!r})), {where}).replay()"
    block_games = make_seatings(numbered(game.line_up)[1], "cyclic", "listed").shape[1]
    which = ["--seed", str(game.seed), "--game", str(game.block * block_games), "--order", "listed"]
    return command_line(["ttrsim", "play", "--map", game.board.id, "--players", players, *which])


def occasion(table: Any) -> str:
    """Describe who had to decide what, and when: `as the 2nd player in turn 14, asked for 'turn'`."""
    return when(int(table.seat), int(table.turn), int(table.phase))


def when(seat: int, turn: int, phase: int) -> str:
    """Do the same as `occasion`, from numbers. turn: the number of turns that ended before."""
    turns = "before the first turn" if phase in BEFORE_THE_FIRST_TURN else f"in turn {turn + 1}"
    return f"as the {seat_name(seat)} {turns}, asked for {PHASES[phase]!r}"


def failure_words(game: "SeatedGame", recording: Recording) -> str | None:
    """Describe the exception that stopped a recorded game, with its place in the strategy's file.

    If an illegal action stopped it, describe the exception behind it that compiled code does not notice, such as a
    division by zero; return None if there was none.
    """
    strategy, table = _stopper(game, recording), recording.game.table
    fault = _fault(game, strategy, recording)
    if fault is None:
        return None
    problem = f"{fault.problem}, {occasion(table)}"
    if recording.illegal is not None:
        problem += f", and so chose an illegal action, {recording.illegal}"
    if fault.line is None:
        return f"{strategy.path}: {problem}"
    return at(strategy.path, fault.line, f"{fault.function}: {problem}")


def _stopper(game: "SeatedGame", recording: Recording) -> Strategy:
    return game.line_up[int(recording.game.table.seat)]


def _fault(game: "SeatedGame", strategy: Strategy, recording: Recording) -> Fault | None:
    """Find the fault of the decision in plain Python; if there is none, return the exception of the game, if any."""
    source, error = read_source(strategy.path, strategy.text), recording.failure
    met = Fault(*exception_place(source, error), exception_words(error)) if error else None
    if not COMPILED:
        return met
    decision = np.zeros(1, DECISION)
    table = recording.game.table
    shown = (game.record, table, recording.game.hands[int(table.seat)], recording.mind)
    for name, record in zip(DECISION.names or (), shown, strict=True):
        decision[name][0] = record
    outcomes = choices(strategy.path, strategy.text, [pack(decision)], PATIENCE)
    return next((outcome for outcome in outcomes if isinstance(outcome, Fault) and not outcome.endless), met)
