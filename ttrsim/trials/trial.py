"""A trial: games that are played once for every *arm*, as they are dealt and with each change that is tried."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ttrsim.boards import Board, load_board
from ttrsim.errors import UsageError
from ttrsim.games import Games
from ttrsim.schedule import Schedule
from ttrsim.strategies import Strategy, load_line_up
from ttrsim.strategies.line_up import numbered

MOST_GAMES = 10**9
SHARD_GAMES = 100
"""Games of each arm that a thread plays in one go: few, for there may be a hundred arms."""
FOCAL = 0
"""The number of the strategy in the seat that something is changed for."""


@dataclass(frozen=True)
class Trial:
    """The games that every arm plays: those of a run, in which the focal strategy is no copy of another."""

    board: Board
    line_up: tuple[Strategy, ...]  # the focal seat's first
    games: int
    seed: int
    first: int = 0  # lap

    def __post_init__(self) -> None:
        self.board.check_players(len(self.line_up))
        if not 1 <= self.games <= MOST_GAMES:
            raise UsageError([f"-n {self.games}: must be from 1 to {MOST_GAMES:,}"])
        _ = self.unchanged

    @cached_property
    def unchanged(self) -> Games:
        """The games as they are dealt. A copy of the focal seat's strategy has a number of its own."""
        others, numbers = numbered(self.line_up[1:])
        line_up = (FOCAL, *(1 + number for number in numbers))
        laps = -(-self.games // len(line_up))
        return Games(self.board, [self.line_up[0], *others], Schedule((line_up,), "cyclic", laps), self.seed)

    @property
    def schedule(self) -> Schedule:
        """The schedule of `games` games; those of the trial begin with lap `first`."""
        return self.unchanged.schedule

    @property
    def strategies(self) -> list[str]:
        """The different strategies of the line-up."""
        return list(dict.fromkeys(strategy.spec for strategy in self.line_up))

    @property
    def groups(self) -> list[list[int]]:
        """Whose outcomes are summed up: the focal seat's, and then those of each strategy, by their numbers."""
        specs = [strategy.spec for strategy in self.unchanged.strategies]
        return [[FOCAL], *([number for number, s in enumerate(specs) if s == spec] for spec in self.strategies)]

    def after(self, board: Board) -> "Trial":
        """Return a trial with as many games of the laps that follow, on a board that may be another."""
        return replace(self, board=board, first=self.first + self.schedule.laps)

    def games_of(self, laps: range) -> range:
        """Return the numbers of the games of these laps, counted from the trial's first."""
        return self.schedule.games_of(range(self.first + laps.start, self.first + laps.stop))


def make_trial(*, board: Board | str, players: Sequence[Strategy | str] | str, games: int, seed: int = 0) -> Trial:
    """A trial; `games` of each arm are rounded up to whole blocks, the focal seat's strategy is the first player.

    >>> trial = make_trial(board="usa", players="planner,one_step", games=4000)
    """
    loaded = load_board(board) if isinstance(board, str) else board
    return Trial(loaded, tuple(load_line_up(players)), games, seed)
