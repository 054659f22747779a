"""Count how often intervals hold the truth, in many small runs or trials."""

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ttrsim.batches import Estimate, Interval, luck_of_first
from ttrsim.core.sums import WHOLE_WIN
from ttrsim.games import Results
from ttrsim.runs import Run
from ttrsim.runs.playing import Player
from ttrsim.runs.recipe import make_recipe
from ttrsim.runs.tally import DENSE, TABLES, Adder, Level, Tally
from ttrsim.schedule import GROUP_BATCHES
from ttrsim.stats.compare import difference
from ttrsim.stats.effects import EFFECTS, effects, mean_square, mean_square_interval
from ttrsim.stats.fairness import from_zero
from ttrsim.stats.frames import sums
from ttrsim.stats.over_strategies import over_strategies, signs
from ttrsim.stats.rating import strengths
from ttrsim.stats.standings import above_fair, differences, seat_shares, win_shares
from ttrsim.stats.ticket_values import offer_effects, synergies
from ttrsim.stats.variance import intervals_of_variance
from ttrsim.trials import make_trial
from ttrsim.trials.tickets import dealt, failing, held
from ttrsim.trials.tickets import effects as trial_effects
from ttrsim.trials.trial import TrialResults, nobody_listens


class Counted(Run):
    """A run that was only counted, not stored."""

    def __init__(self, player: Player, batches: list[int], arrays: dict[str, np.ndarray]) -> None:
        self.player, self.recipe, self.board = player, player.recipe, player.board
        self.strategies = player.recipe.names
        self.schedule = player.schedule
        self.batches = batches
        self.arrays = arrays

    @property
    def games_played(self) -> int:
        return int(sums(self, "games")["games"].sum())

    def array(self, name: str) -> np.ndarray:
        return self.arrays[name]


def runs(player: Player, batches: int, laps: int) -> Iterator[Counted]:
    """Yield small runs, each of `batches` batches of `laps` laps, as long as the recipe has laps."""
    for first in range(0, player.recipe.laps, batches * laps):
        yield counted(player, player.play(range(first, first + batches * laps)), batches, laps)


def counted(player: Player, played: Results, batches: int, laps: int) -> Counted:
    """Return the run of these games, from the first batch on."""
    tally, games = Tally(player.sizes, laps), laps * player.schedule.lap_games
    adder, (blocks, _) = Adder(player.record, tally), player.schedule.where(played.games["index"])
    for batch in range(batches):
        those = slice(batch * games, (batch + 1) * games)
        adder.add(batch * laps, Results(played.games[those], played.seats[those]), blocks[those])
    return Counted(player, list(range(batches)), arrays_of(tally))


class Drawn(Counted):
    """A run whose groups of batches are some of those of a pool."""

    def __init__(self, pool: Counted, groups: np.ndarray) -> None:
        super().__init__(pool.player, list(range(GROUP_BATCHES * len(groups))), pool.arrays)
        batches = GROUP_BATCHES * groups[:, None] + np.arange(GROUP_BATCHES)
        self.places = {Level.GROUP: groups, Level.BATCH: batches.ravel()}

    def array(self, name: str) -> np.ndarray:
        return self.arrays[name][self.places[TABLES[name].level]]


def drawn(small: list[Counted], repeats: int, seed: int = 1) -> list[Counted]:
    """Return as many runs as wanted, each of groups of batches drawn from those of small runs of one size.

    What all of the small runs together say is then true of them.
    """
    arrays = {name: np.concatenate([run.arrays[name] for run in small]) for name in levelled(small[0])}
    dice, groups = np.random.default_rng(seed), len(small[0].batches) // GROUP_BATCHES
    pool = Counted(small[0].player, [], arrays)
    return [Drawn(pool, dice.integers(0, groups * len(small), groups)) for _ in range(repeats)]


def levelled(run: Counted) -> list[str]:
    """Return the tables by batch or group."""
    return [name for name in run.arrays if TABLES[name].level is not Level.RUN]


def arrays_of(tally: Tally) -> dict[str, np.ndarray]:
    """Return every table of sums but `orders`, of the batches and groups that there are."""
    return {name: tally.array(name, sorted(tally.parts[TABLES[name].level])) for name in DENSE}


def added_up(array: np.ndarray) -> np.ndarray:
    """Return a table of sums, added up along its first axis."""
    total = np.empty(array.shape[1:], array.dtype)
    for column in array.dtype.names:
        total[column] = array[column].sum(axis=0)
    return total


def together(player: Player, small: list[Counted]) -> Counted:
    """Return one run of them all, in which each of them is a batch, and a group."""
    batches = [GROUP_BATCHES * i for i in range(len(small))]
    arrays = {name: np.array([added_up(run.arrays[name]) for run in small]) for name in levelled(small[0])}
    return Counted(player, batches, arrays)


def pairwise(estimate: Estimate) -> Estimate:
    """Return all differences of estimates, each once."""
    apart, first = differences(estimate), np.triu_indices(len(estimate.value), 1)
    return Estimate(apart.value[first], apart.replicates[:, *first])


def synergies_of_all(run: Run, outcome: str) -> Estimate:
    """Return synergies of all pairs of tickets, (tickets, tickets); NaN where both were never offered together."""
    found, together = synergies(run, outcome), sums(run, "ticket_pairs")["offered"].sum(axis=0) > 0

    def spread(values: np.ndarray) -> np.ndarray:
        array = np.full((*values.shape[:-1], *together.shape), np.nan)
        array[..., together] = values
        return array

    return Estimate(spread(found.value), spread(found.replicates), spread(np.asarray(found.fewest, float)))


ESTIMATES = {
    "win share": (win_shares, None),
    "difference of win shares": (lambda run: pairwise(win_shares(run)), 0),
    "strength": (strengths, None),
    "offer effect on the score": (lambda run: offer_effects(run, "score"), 1),
    "offer effect on the win share": (lambda run: offer_effects(run, "win60"), 1),
    "advantage of seats": (lambda run: above_fair(seat_shares(run), run), 0),
    "synergy in the score": (lambda run: synergies_of_all(run, "score"), None),
}
"""Estimates, and how many leading axes tell their families apart; None where they are used without."""
RARE = {"offer effect on the score", "offer effect on the win share"}
"""Those in whose families rare outcomes may count much."""


def overstatement(small: list[Counted], whole: Counted) -> tuple[float, float]:
    """Return by how many points of win share the largest offer effect is overstated, on average, and is said to be."""
    truth, found = offer_effects(whole, "win60", "all").value, []
    for run in small:
        effects = offer_effects(run, "win60", "all")
        top = int(np.nanargmax(effects.value))
        found.append((effects.value[top] - truth[top], luck_of_first(effects)))
    is_, said = 100 / WHOLE_WIN * np.mean(found, axis=0)
    return float(is_), float(said)


def excludes_0(interval: Interval, keep: int) -> float:
    """Return the share of families that have an interval on one side of 0."""
    off = (interval.low > 0) | (interval.high < 0)
    return float(off.any(axis=tuple(range(keep, off.ndim))).mean())


class Coverage(NamedTuple):
    """Shares of intervals of an estimate that held the truth, each on its own and all of a family at once; or NaN."""

    what: str
    alone: float
    family: float


def coverage(small: list[Counted], whole: Counted) -> list[Coverage]:
    """Return the coverage of each estimate in ESTIMATES and of seats. whole: all the small runs together."""
    found = [how_often(what, small, whole) for what in ESTIMATES]
    parts = np.maximum(intervals_of_variance(whole, "score").value, 0)
    alone = np.nanmean([holds(intervals_of_variance(run, "score"), parts) for run in small])
    return [*found, Coverage("parts of the variance of scores", float(alone), float("nan")), *of_sizes(small, whole)]


def how_often(what: str, small: list[Counted], whole: Counted) -> Coverage:
    """Return how often the intervals of one of ESTIMATES hold."""
    estimate, keep = ESTIMATES[what]
    truth, alone, family = estimate(whole).value, [], []
    for run in small:
        found = estimate(run)
        alone.append(holds(found.interval(), truth))
        if keep is not None:
            at_once = holds(found.simultaneous(keep, rare=what in RARE), truth)
            family.append((at_once != 0).all(axis=tuple(range(keep, truth.ndim))))
    return Coverage(what, float(np.nanmean(alone)), float(np.mean(family)) if family else float("nan"))


def of_sizes(small: list[Counted], whole: Counted) -> Iterator[Coverage]:
    """Yield how often sizes hold, and how often nothing is nearer to fair or farther in another run of the same."""
    for question in EFFECTS:
        truth = mean_square(effects(whole, question)[1]).value
        found = [effects(run, question)[1] for run in small]
        held = [holds(mean_square_interval(each), np.maximum(truth, 0)) for each in found]
        yield Coverage(f"size of {question}", float("nan"), float(np.nanmean(held)))
        still = [1 - excludes_0(farther(*both), 0) for both in itertools.pairwise(found)]
        yield Coverage(f"no {question} nearer or farther", float("nan"), float(np.mean(still)))


def farther(a: Estimate, b: Estimate) -> Interval:
    """Return how much farther from 0 effects are in another run."""
    return from_zero(difference(a, b), difference(a.scaled(-1), b))


def coverage_of_trials(
    board: str, players: str, repeats: int, games: int, pool: int, seed: int = 1, every: int = 1
) -> list[Coverage]:
    """Return the coverage of effects of holding each ticket, or every n-th, in trials whose batches are drawn.

    They are drawn from those of `pool` trials of other deals, all of which together say what is true.
    """
    trial, played = make_trial(board=board, players=players, games=games, seed=seed), []
    chosen = dealt(trial.board, range(len(trial.board.tickets)))[::every]
    for stage in range(pool):
        results, mine, base = held(trial.at(trial.board, stage), chosen, 1, nobody_listens)
        played.append(results)
    whole = TrialResults(*(np.concatenate(parts, axis=1) for parts in zip(*map(of_trial, played), strict=True)))
    dice, batches, found = np.random.default_rng(seed), played[0].sums.shape[1], []

    def measured(results: TrialResults) -> tuple[Interval, Interval]:
        done = results.of_tickets("completed", mine, [ticket for ticket, _ in chosen])
        return failing(trial, done, results.of("games", mine)), trial_effects(results, mine, base, "effect")[
            "score_effect"
        ]

    truths = [interval.value for interval in measured(whole)]
    for _ in range(repeats):
        places = dice.integers(0, batches * pool, batches)
        some = TrialResults(*(part[:, places] for part in of_trial(whole)))
        found.append([holds(interval, truth) for interval, truth in zip(measured(some), truths, strict=True)])
    difficulty, effect = np.moveaxis(found, 1, 0)
    return [
        Coverage("difficulty of tickets", float(np.nanmean(difficulty)), float("nan")),
        Coverage("score effect of holding them", float("nan"), float((effect != 0).all(axis=1).mean())),
    ]


def of_trial(results: TrialResults) -> tuple[np.ndarray, ...]:
    """Return the sums of a trial, with batches as second axis."""
    return results.sums, results.fates, results.measured


def effects_of_strategies(
    strategies: int, spread: float, shared: float, rows: int, dice: np.random.Generator, batches: int = 100
) -> tuple[Estimate, np.ndarray]:
    """Return estimates of effects, (strategies, rows), and in each row the effect of a strategy not tested.

    Effects have this standard deviation over strategies. Chance has 1, with this correlation between strategies.
    """
    true = spread * dice.standard_normal((strategies + 1, rows))
    mix = np.linalg.cholesky(np.full((strategies, strategies), shared) + (1 - shared) * np.eye(strategies))
    chance = np.einsum("st,btr->bsr", mix, dice.standard_normal((batches, strategies, rows))) / np.sqrt(batches)
    value = true[:-1] + chance.sum(axis=0)
    return Estimate(value, value - (chance - chance.mean(axis=0)) * batches / (batches - 1)), true[-1]


def hold_for_a_new_one(strategies: int, spread: float, shared: float, rows: int) -> float:
    """Return how many of the predictions for a strategy not tested hold for it."""
    effects, new = effects_of_strategies(strategies, spread, shared, rows, np.random.default_rng(1))
    return float(holds(over_strategies("effect", effects)["effect_new"], new).mean())


def marked_falsely(strategies: int, rows: int, repeats: int) -> float:
    """Return how many tables have a sign that is said to depend on who plays, where one strategy gains, others do not.

    All other effects are 0, which is the worst case: an error of one of them is enough.
    """
    dice, marked = np.random.default_rng(1), 0
    gain = np.where(np.arange(strategies) == 0, 20.0, 0.0)[:, None]
    for _ in range(repeats):
        effects, _ = effects_of_strategies(strategies, 0, 0, rows, dice)
        effects = Estimate(effects.value + gain, effects.replicates + gain)
        marked += (signs(effects) != "").any()
    return marked / repeats


def holds(interval: Interval, truth: np.ndarray) -> np.ndarray:
    """1 where it does, 0 where not, NaN where there is no interval."""
    return np.where(np.isnan(interval.low), np.nan, (interval.low <= truth) & (truth <= interval.high))


def make_player(board: str, players: str, repeats: int, batches: int, laps: int, seed: int = 1) -> Player:
    """Return a player for `repeats` small runs."""
    recipe, loaded, strategies = make_recipe(board=board, players=players, games=1, seed=seed, record=())
    player = Player(recipe.changed(laps=repeats * batches * laps), loaded, strategies)
    player.compile()
    return player
