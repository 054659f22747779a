"""Play a strategy over a grid of values of its parameters, all on the same deals: `ttrsim.sweep`."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ttrsim.boards import Board
from ttrsim.choices import SWEEP_GAMES, drawn_seed
from ttrsim.compiling import compile_first, cores
from ttrsim.errors import UsageError
from ttrsim.progress import GameCounter, Listener, OnMessage, OnProgress
from ttrsim.runs.arguments import Players, drawn_words
from ttrsim.strategies import Strategy
from ttrsim.tuning.frames import sweep_answers, sweep_frame
from ttrsim.tuning.inputs import against_words, number_of, one_strategy, opponents_of, strategies_of, tables_of
from ttrsim.tuning.match import Match, local_engine, measure
from ttrsim.tuning.playing import BATCHES
from ttrsim.tuning.search import Space, make_space
from ttrsim.tuning.stored import make_matches

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

MOST_VALUES = 500
"""The most values, or pairs of values, of a sweep."""


@dataclass
class Sweep:
    """The win share of a strategy over a grid of values of one parameter or two."""

    frame: "pd.DataFrame"  # a row for each value, or pair of values
    strategy: Strategy
    match: Match
    grid: dict[str, list[float]]

    def __repr__(self) -> str:
        return f"<Sweep of {self.strategy.spec} at {self.match.title}: {len(self.frame)} rows>"

    def _repr_html_(self) -> str:
        from ttrsim.notebook import sweep_html

        return sweep_html(self)

    @property
    def about(self) -> str:
        """The games played, in a line."""
        games = int(self.frame["games"].iloc[0])
        against = against_words(self.match.against)
        return f"{self.match.title} against {against}, {games:,} games with each, seed {self.match.seed}"

    @property
    def answers(self) -> list[str]:
        """The results, in sentences."""
        return sweep_answers(self.frame, self.strategy.spec)

    def json(self) -> dict[str, Any]:
        """Return all numbers, and everything that decides them."""
        from ttrsim.report.tables import frames_json

        return {
            "strategy": self.strategy.spec,
            "board": self.match.board.id,
            "seats": self.match.seats,
            "against": against_words(self.match.against).split(", "),
            "seed": self.match.seed,
            "grid": self.grid,
            "answers": self.answers,
            "tables": frames_json({"sweep": self.frame}),
        }

    def plot(self, path: str | Path | None = None) -> "Axes":
        """Draw win share against the parameter or, for two, as a map; write it if there is a path."""
        from ttrsim.plots.saving import drawn
        from ttrsim.plots.tuning import sweep as draw

        return drawn(lambda: draw(self.frame, about=f"{self.strategy.spec} · {self.about}"), path)


def sweep(
    strategy: str | Strategy,
    *,
    grid: Mapping[str, Sequence[float]],
    board: str | Path | Board,
    seats: int,
    against: Players | None = None,
    games: float = SWEEP_GAMES,
    seed: int | None = None,
    threads: int | None = None,
    progress: OnProgress | None = None,
    message: OnMessage | None = None,
) -> Sweep:
    """Play a strategy with each combination of some values of one parameter or two, all on the same deals.

    grid: values by parameter; against: the opponents, of which every combination plays, by default the strategy as it
    is; games: with each of them.

    >>> sweep("planner", grid={"risk": range(0, 21, 4)}, board="usa", seats=2, against="hoarder", games=200).frame
    """
    tables = tables_of(board, seats, ())
    chosen = one_strategy(strategy, tables)
    if not 1 <= len(grid) <= 2:
        raise UsageError([f"{', '.join(grid) or 'no parameter'}: a sweep is over one or two parameters"])
    make_space(chosen, list(grid), None)  # refuses parameters that it has not
    space = Space(chosen, tuple(grid))
    if not 1 <= (number := math.prod(map(len, grid.values()))) <= MOST_VALUES:
        kind = "values" if len(grid) == 1 else "pairs of values"
        raise UsageError([f"{' and '.join(grid)}: {number:,} {kind}; a sweep may have 1 to {MOST_VALUES}"])
    arms = [space.with_values(values) for values in product(*grid.values())]
    drawn = drawn_seed() if seed is None else seed
    others = opponents_of(against, chosen, tables)
    ((_, loaded, _),) = tables
    (match,) = make_matches([(loaded, seats)], chosen, others, drawn)
    games = number_of(games)
    listener = Listener(progress, message)
    compile_first(strategies_of(match), listener)
    if seed is None:
        listener.message(drawn_words(drawn))
    match.games.compile()
    start = chosen.values
    batches = min(BATCHES, match.laps(games))
    of = match.laps(games, batches) * match.lap_games * (len(arms) + 1)
    count = GameCounter(listener, of).played
    found = measure([match], [*arms, start], start, [0], games, batches, local_engine(threads or cores()), count)
    frame = sweep_frame(space, [*arms, start], found)
    return Sweep(frame, chosen, match, {name: [float(value) for value in values] for name, values in grid.items()})
