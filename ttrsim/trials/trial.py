"""A trial: games that are played once for every *arm*, as they are dealt and with each change that is tried."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ttrsim.boards import Board, load_board
from ttrsim.encode import encode_board
from ttrsim.errors import UsageError
from ttrsim.failures import stopped_game
from ttrsim.intervention import Intervention
from ttrsim.runs.schedule import Schedule
from ttrsim.simulation import Results, Series, StoppedGame, play_seatings
from ttrsim.strategies import Strategy, load_line_up

MOST_GAMES = 10**9
SHARD_GAMES = 100
"""Games of each arm that a thread plays in one go: few, for there may be a hundred arms."""
FOCAL = 0
"""The place in the line-up of the seat that something is changed for."""


@dataclass(frozen=True)
class Trial:
    """The games that every arm plays."""

    board: Board
    line_up: tuple[Strategy, ...]  # the focal seat's first
    games: int
    seed: int
    first: int = 0  # block

    def __post_init__(self) -> None:
        self.board.check_players(len(self.line_up))
        if not 1 <= self.games <= MOST_GAMES:
            raise UsageError([f"-n {self.games}: must be from 1 to {MOST_GAMES:,}"])
        if not 0 <= self.seed < 2**64:
            raise UsageError([f"seed {self.seed}: must be from 0 to 2**64 - 1"])

    @cached_property
    def schedule(self) -> Schedule:
        """Blocks in which every place of the line-up has every seat once."""
        players = len(self.line_up)
        return Schedule((tuple(range(players)),), "cyclic", -(-self.games // players))

    @property
    def strategies(self) -> list[str]:
        """The different strategies of the line-up."""
        return list(dict.fromkeys(strategy.spec for strategy in self.line_up))

    @property
    def groups(self) -> list[list[int]]:
        """Whose outcomes are summed up: the focal place, and then the places of each strategy."""
        specs = [strategy.spec for strategy in self.line_up]
        return [[FOCAL], *([place for place, s in enumerate(specs) if s == spec] for spec in self.strategies)]

    @cached_property
    def record(self) -> Any:
        """The board as the core reads it."""
        return encode_board(self.board)

    def after(self, board: Board) -> "Trial":
        """Return a trial with as many games of the blocks that follow, on a board that may be another."""
        return replace(self, board=board, first=self.first + self.schedule.laps)

    def play(self, first: int, games: int, change: Intervention) -> Results:
        """Play games of the trial, changed. `strategy` in the results is the place in the line-up."""
        blocks, seatings = self.schedule.where(np.arange(first, first + games))
        try:
            return play_seatings(self.record, self.line_up, seatings, self.first + blocks, self.seed, 0, change)
        except StoppedGame as e:
            seating, block = seatings[e.row].tolist(), self.first + int(blocks[e.row])
            in_seat = None if change.place is None else seating.index(change.place)
            seated = tuple(self.line_up[place] for place in seating)
            series = Series(self.board, seated, self.seed, rotate=False, intervention=replace(change, place=in_seat))
            raise stopped_game(series, block, e.error) from None


def make_trial(*, board: Board | str, players: Sequence[Strategy | str] | str, games: int, seed: int = 0) -> Trial:
    """A trial; `games` of each arm are rounded up to whole blocks, the focal seat's strategy is the first player.

    >>> trial = make_trial(board="usa", players="planner,one_step", games=4000)
    """
    loaded = load_board(board) if isinstance(board, str) else board
    return Trial(loaded, tuple(load_line_up(players)), games, seed)
