"""Measure how far from fair a board is, on the same deals as another, and what each of its tickets is worth.

The distance from fair is a sum over the goals. Of tickets, seats and strategies it is the mean square of their true
effects on the win share, as a mean over the tables, divided by the square of the largest size that is like those of
the published boards: 1 means just as far from fair as that. Of routes it is how many connections and cities are dead,
each as far as it is used in fewer than 1 of 100 chances at every table.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ttrsim.batches import Array, Estimate, combined, ratio
from ttrsim.core.sums import WHOLE_WIN
from ttrsim.progress import OnGames
from ttrsim.runs.arguments import Players
from ttrsim.runs.in_memory import PlayAll
from ttrsim.runs.playing import Player
from ttrsim.runs.run import new_player
from ttrsim.stats.balance import BOUNDS, at_least
from ttrsim.stats.effects import DEAD, PLACES, effects, mean_square, usage
from ttrsim.stats.frames import sums, to_groups
from ttrsim.stats.published_boards import published_boards
from ttrsim.stats.ticket_values import fate_counts, offer_effects
from ttrsim.trials.search import LEAST_GAIN, Round

if TYPE_CHECKING:
    from ttrsim.runs import Run

GOALS = ("tickets", "seats", "routes", "strategies")
"""The things that can be made fairer."""
USUAL_GOALS = ("tickets", "seats", "routes")
UNKNOWN = 1000.0
"""The error of a gain that is not known."""
FLATTEST = 0.25
"""The least score that an extra point on an offered ticket is assumed to bring: seats may keep it more often then."""


@dataclass(frozen=True)
class Measured:
    """The measurements of some games on a board."""

    parts: Mapping[str, tuple[Estimate, ...]]  # by goal: its distance from fair at each table, to be added up
    sizes: Mapping[str, float]  # root mean squares of effects, with noise taken off; dead places
    tickets: tuple[Estimate, ...]  # effects of being offered each ticket on the win share, at each table
    value: Round  # the same over all tables, with how much an extra point is worth
    seats: tuple[tuple[float, ...], ...]  # effects on the win share at each table
    scale: float  # distance of a mean square of effects of tickets
    use: Mapping[str, Array]  # of connections and cities: how often each is used where it is used most
    games: int
    sha256: str  # of the board

    def distance(self, goals: Sequence[str]) -> float:
        """Return the distance from fair in some goals."""
        return float(_finite(np.array([part.value for goal in goals for part in self.parts[goal]]), 0).sum())


def gain(before: Measured, after: Measured, goals: Sequence[str]) -> tuple[float, float]:
    """Return by how much nearer to fair a board is than another that played the same deals, and the error of that."""
    pairs = [
        pair for goal in goals for pair in zip(before.parts[goal], after.parts[goal], strict=True)
    ]  # a goal's tables are apart; what goals share of their errors is left out, so that errors are rather too large
    nearer = [Estimate(a.value - b.value, a.replicates - b.replicates) for a, b in pairs]
    total = combined(lambda values: np.sum(values, axis=0), nearer)
    return known(float(total.value), float(total.error))


def known(value: float, error: float) -> tuple[float, float]:
    """Return a gain with its error; none with a large error where too few games were played to know it."""
    return (value, error) if np.isfinite([value, error]).all() else (0.0, UNKNOWN)


class Bench:
    """Plays boards at tables of some sizes, with strategies that all meet."""

    def __init__(
        self, players: Players, seats: Sequence[int], goals: Sequence[str], seed: int, play: PlayAll, on_games: OnGames
    ) -> None:
        self.players, self.seats, self.goals, self.seed = players, list(seats), tuple(goals), seed
        self.play, self.on_games = play, on_games

    def measure(self, boards: Sequence[str], deals: int, games: int) -> list[Measured]:
        """Play boards on the same deals. games: of a board, at all tables; deals: the number of the set of deals."""
        runs: dict[int, dict[int, Run]] = {}
        found: dict[int, Measured] = {}
        for number, run in self.play(self._players(boards, deals, games), self.on_games):
            board, table = divmod(number, len(self.seats))
            runs.setdefault(board, {})[table] = run
            if len(runs[board]) == len(self.seats):
                of_board = runs.pop(board)
                found[board] = measured([of_board[table] for table in range(len(self.seats))], self.goals)
        return [found[board] for board in range(len(boards))]

    def _players(self, boards: Sequence[str], deals: int, games: int) -> Iterator[Player]:
        """Yield a player for each board at each table."""
        for board in boards:
            for seats in self.seats:
                yield new_player(
                    board=board, players=self.players, games=max(1, games // len(self.seats)),
                    seed=(self.seed + deals) % 2**64, design="mixed", seats=seats, record=(),
                )  # fmt: skip


def measured(runs: "Sequence[Run]", goals: Sequence[str]) -> Measured:
    """Return what the runs of a board at different tables say about it."""
    use = {question: [usage(run, question)[1].value for run in runs] for question in PLACES}
    parts, sizes = {}, {}
    for goal in goals:
        if goal == "routes":
            parts[goal] = tuple(_unused(runs, use, table) for table in range(len(runs)))
            sizes[goal] = float(sum((np.max(of, axis=0) < DEAD).sum() for of in use.values()))
            continue
        squares = [mean_square(effects(run, goal)[1]) for run in runs]
        mean = float(_finite(np.array([square.value for square in squares]), 0).mean())
        sizes[goal] = float(np.sqrt(max(0.0, mean)))
        parts[goal] = tuple(square.scaled(1 / len(runs) / bound(goal, runs) ** 2) for square in squares)
    tickets = tuple(offer_effects(run, "win60", "all", rare=True).scaled(1 / WHOLE_WIN) for run in runs)
    return Measured(
        parts=parts,
        sizes=sizes,
        tickets=tickets,
        value=_round(runs, tickets),
        seats=tuple(tuple(_finite(effects(run, "seats")[1].value, 0).tolist()) for run in runs),
        scale=1 / bound("tickets", runs) ** 2,
        use={question: np.max(of, axis=0) for question, of in use.items()},
        games=sum(run.games_played for run in runs),
        sha256=runs[0].board.sha256,
    )


def bound(goal: str, runs: "Sequence[Run]") -> float:
    """Return the largest size that is like those of the published boards, and at least the strict bound."""
    limit = published_boards().size_limit(goal, [run.recipe.seats for run in runs])
    return at_least(limit, BOUNDS[goal])[0] if limit else BOUNDS[goal]


def _unused(runs: "Sequence[Run]", use: Mapping[str, Sequence[Array]], table: int) -> Estimate:
    """Return the distance of the places that are used most at a table."""
    run, found = runs[table], []
    for question in PLACES:
        here = np.argmax(use[question], axis=0) == table
        found.append(_shortfall(run, question, here))
    return Estimate(found[0].value + found[1].value, found[0].replicates + found[1].replicates)


def _shortfall(run: "Run", question: str, here: Array) -> Estimate:
    """Return by what part of the fewest uses places fall short, added up. here: which of the places count."""
    s, played = sums(run, question), to_groups(run, sums(run, "seats")["games"].sum(axis=(1, 2)))
    if question == "cities":
        visits, chances = s["visits"].sum(axis=1), played
    else:
        claims, connections = s["claims"].sum(axis=1), run.board.connections
        most = [max(tracks, key=lambda track: claims[:, track].sum()) for tracks in connections]
        visits, chances = claims[:, most], played // run.recipe.seats
    share = ratio(visits[:, here], np.broadcast_to(chances[:, None], visits[:, here].shape))

    def short(shares: Array) -> Array:
        return np.asarray(np.maximum(0, 1 - shares / DEAD).sum(axis=-1))

    return Estimate(short(share.value), short(share.replicates))


def _slopes(run: "Run") -> Array:
    """Return how much an extra point on each ticket should add to its effect on the win share.

    An extra point of score adds the covariance of a seat's win share with its score, over the variance of the score.
    """
    counts = fate_counts(run, "all")
    kept, completed = (_finite(ratio(*counts[name]).value, 0) for name in ("keep_rate", "completed_offered"))
    s = {name: float(array.sum()) for name, array in sums(run, "seats").items()}
    mean, winner = s["score"] / s["games"], sums(run, "games")["winner_score"].sum() / run.games_played
    variance = s["score_squared"] / s["games"] - mean**2
    worth = (winner - mean) / run.recipe.seats / max(variance, 1)
    return np.asarray(np.maximum(2 * completed - kept, FLATTEST) * max(worth, LEAST_GAIN))


def _round(runs: "Sequence[Run]", tickets: Sequence[Estimate]) -> Round:
    """Return effects on the win share as the search for fair values takes them.

    A table weighs the more, the more an extra point does there. So the points at which the effect is 0 are those at
    which the mean square of the effects at the tables is smallest.
    """
    slopes = np.array([_slopes(run) for run in runs])
    weights = slopes / slopes.sum(axis=0)
    effects = np.array([_finite(of.value, 0) for of in tickets])
    errors = np.array([_finite(of.error, np.abs(_finite(of.value, 0)) + 1) for of in tickets])
    points = np.array([ticket.points for ticket in runs[0].board.tickets])
    error = np.sqrt(((weights * errors) ** 2).sum(axis=0))
    return Round(points, (weights * effects).sum(axis=0), error, (weights * slopes).sum(axis=0))


def _finite(array: Array, instead: Array | float) -> Array:
    """Return the array with something else where too few games were played to know a value."""
    return np.where(np.isfinite(array), array, instead)
