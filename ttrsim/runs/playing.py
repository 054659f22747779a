"""Play the games of a run."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from ttrsim.boards import Board
from ttrsim.errors import UserError
from ttrsim.games import Games, Results, SeatedGame
from ttrsim.recording import Recording
from ttrsim.runs.plan import Plan
from ttrsim.runs.tally import Sizes
from ttrsim.strategies import Strategy


class Player:
    """Plays the games of a plan. Threads may share one."""

    def __init__(self, plan: Plan, board: Board, strategies: Sequence[Strategy]) -> None:
        self.plan, self.board, self.strategies = plan, board, list(strategies)
        self.schedule = plan.schedule
        self.games = Games(board, strategies, plan.schedule, plan.seed)
        self.on_games: Callable[[int], None] = lambda games: None
        """Called with the number of games just played, on the thread that played them."""

    def changed(self, **values: Any) -> "Player":
        """Return a player of the same games with other values in the plan, such as another number of laps."""
        return Player(self.plan.changed(**values), self.board, self.strategies)

    @property
    def record(self) -> Any:
        """The BOARD record passed to the core."""
        return self.games.record

    @cached_property
    def sizes(self) -> Sizes:
        """The lengths of the axes of the run's aggregates."""
        b, p = self.board, self.plan
        return Sizes(len(p.line_ups), len(self.strategies), p.seats, len(b.tickets), len(b.routes), len(b.cities))

    def compile(self) -> None:
        """Compile everything before threads start, or each of them would."""
        self.games.compile()

    def play(self, laps: range, stopped: Callable[[], bool] = lambda: False) -> Results:
        """Play laps. Raises `ttrsim.games.Interrupted` as soon as `stopped()` is true."""
        return self.games.play(self.schedule.games_of(laps), stopped, self.on_games)

    def replay(self, game: int) -> tuple[SeatedGame, Recording]:
        """Play one game of the run again, and record it."""
        if not 0 <= game < self.schedule.games:
            raise UserError([f"game {game}: the run has games 0 to {self.schedule.games - 1}"])
        seated = self.games.seated(game)
        return seated, seated.replay()
