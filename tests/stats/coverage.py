"""Count how often intervals hold the truth, in many small runs or trials."""

import itertools
import re
from collections.abc import Iterator
from copy import copy
from typing import NamedTuple

import numpy as np

from ttrsim.batches import Estimate, Interval, luck_of_first
from ttrsim.core.sums import WHOLE_WIN
from ttrsim.games import Results
from ttrsim.report.answers import disagreement, seat_for_whom, tickets_for_whom, which_seat, which_tickets, who_wins
from ttrsim.report.glance import answering
from ttrsim.report.of_balance import answering as examined
from ttrsim.report.of_balance import answers_of_effects
from ttrsim.report.size_words import fair_words
from ttrsim.runs import Run
from ttrsim.runs.playing import Player
from ttrsim.runs.recipe import make_recipe
from ttrsim.runs.tally import DENSE, TABLES, Adder, Level, Tally
from ttrsim.schedule import GROUP_BATCHES, batch_laps
from ttrsim.stats.balance import LIKE_PUBLISHED, balance
from ttrsim.stats.compare import difference
from ttrsim.stats.effects import EFFECTS, effects, mean_square, mean_square_interval
from ttrsim.stats.fairness import from_zero
from ttrsim.stats.frames import interval_of, sums
from ttrsim.stats.over_strategies import over_strategies, signs
from ttrsim.stats.rating import strengths
from ttrsim.stats.sizes import sizes
from ttrsim.stats.standings import MARGIN, differences, differences_at_once, seats, strategies, win_shares
from ttrsim.stats.ticket_values import effects_at_once, offer_effects, pairs, synergies
from ttrsim.stats.ticket_values import tickets as tickets_by
from ttrsim.stats.variance import shares_of_variance
from ttrsim.trials import forced, make_trial


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


def null_pages(player: Player, laps: int, pages: int, planted: tuple[int, int, int] | None = None) -> Iterator[Counted]:
    """Yield runs of the same games in which neither strategy nor seat nor ticket makes any difference.

    Block by block, real results are handed to strategies and seats by lot, and to the opening offers of another block.
    So they depend on each other and vary as in real games. planted: two tickets, and points for being offered both.
    """
    played, dice = player.play(range(laps)), np.random.default_rng(1)
    results = played.seats.reshape(laps, -1, player.recipe.seats)
    line_ups, batch = np.zeros(len(played.games), int), batch_laps(laps)
    names = len(player.strategies)
    for _ in range(pages):
        seats = results.copy()
        renamed = dice.permuted(np.tile(np.arange(names), (laps, 1)), axis=1)
        seats["strategy"] = renamed[np.arange(laps)[:, None, None], results["strategy"]]
        turned = (np.arange(seats.shape[2]) + dice.integers(0, seats.shape[2], (laps, 1))) % seats.shape[2]
        seats = np.take_along_axis(seats, turned[:, None], axis=2)
        seats["offered"] = results["offered"][dice.permutation(laps)]
        if planted:
            a, b, points = planted
            seats["score"] += points * (has(seats["offered"], a) & has(seats["offered"], b)).astype(np.int16)
        tally = Tally(player.sizes, batch)
        adder = Adder(player.record, tally)
        for first in range(0, laps, batch):
            part = slice(first * seats.shape[1], (first + batch) * seats.shape[1])
            adder.add(first, Results(played.games[part], seats.reshape(played.seats.shape)[part]), line_ups[part])
        yield Counted(player, list(range(-(-laps // batch))), arrays_of(tally))


def has(offered: np.ndarray, ticket: int) -> np.ndarray:
    """Return which seats were offered a ticket."""
    return (offered[..., ticket // 64] >> np.uint64(ticket % 64)) & np.uint64(1) != 0


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
    arrays = {
        name: np.array([added_up(run.arrays[name]) for run in small])
        for name in small[0].arrays
        if TABLES[name].level is not Level.RUN
    }
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
    "parts of the variance of scores": (lambda run: shares_of_variance(run, "score").varied(), None),
    "synergy in the score": (lambda run: synergies_of_all(run, "score"), None),
}
"""Estimates, and how many leading axes tell their families apart; None where they are used without."""
RARE = {"offer effect on the score", "offer effect on the win share"}
"""Those in whose families rare outcomes may count much."""


def excludes_0(interval: Interval, keep: int) -> float:
    """Return the share of families that have an interval on one side of 0."""
    off = (interval.low > 0) | (interval.high < 0)
    return float(off.any(axis=tuple(range(keep, off.ndim))).mean())


def false_pair(run: Run) -> float:
    frame = pairs(run)
    return float((frame[["score_q", "win_q"]] <= 0.05).any(axis=None))


CLAIM = re.compile(
    r"(?<!No ticket )clearly (behind|off|ahead|helps?) |Clearly off|Most (help|harm)|but not with|"
    r"[1-9]\d* of \d+ \w+ clearly matter"
)
"""Sentences of the answers of a page where something makes a difference."""


BEYOND = re.compile(
    r"Farther from fair than [^.]* in [^.]*(seats|tickets|strategies)|clearly help, |clearly hurt, |clearly dominant|"
    r"[1-9]\d* of \d+ \w+ clearly goe?s? beyond|another: [1-9]|but (a|[1-9]\d*) \w+ go|any strategy there"
)
"""Sentences of the answers of an examination where something makes a difference."""


def false_answer_of_balance(run: Run) -> float:
    """Return whether the page of an examination with this one table says what is not so."""
    table = copy(run)
    table.recipe = run.recipe.model_copy(update={"design": "mixed"})
    frame, level = examined([table], LIKE_PUBLISHED)
    judged = balance([table], LIKE_PUBLISHED)
    answers = answers_of_effects(frame, [table], LIKE_PUBLISHED, level)
    words = [
        fair_words(judged, sizes([table], judged), LIKE_PUBLISHED),
        *(line for each in answers for line in (each.words, *each.points)),
    ]
    return float(bool(BEYOND.search(" ".join(words))))


def false_answer(run: Run) -> float:
    frames = answering(run, MARGIN)
    tickets, seats = frames["tickets"], frames["seats"]
    words = [
        who_wins(run, strategies(run), frames["strength"], frames["versus"]),
        which_tickets(tickets, MARGIN, run.games_played),
        tickets_for_whom(tickets, tickets_by(run)),
        which_seat(seats, MARGIN),
        disagreement(tickets),
        seat_for_whom(seats, run.strategies),
    ]
    return float(bool(CLAIM.search(" ".join(words))))


FALSE = {
    "a pair of tickets": false_pair,
    "an answer in words": false_answer,
    "an answer on a balance": false_answer_of_balance,
    "difference of win shares": lambda run: excludes_0(differences_at_once(run), 0),
    "seats": lambda run: excludes_0(interval_of(seats(run), "advantage"), 0),
    **{
        f"tickets by {by}, {what}": lambda run, by=by, outcome=outcome, keep=keep: excludes_0(
            effects_at_once(run, outcome, by), keep
        )
        for by, keep in (("all", 0), ("strategy", 1), ("seat", 2))
        for what, outcome in (("score", "score"), ("wins", "win60"))
    },
}
"""Shares of pages with something false where nothing makes a difference: in a page, or in the families of a page."""


def falsehoods(player: Player, games: int, pages: int) -> dict[str, float]:
    """Return how often each of FALSE is, over null pages."""
    found = [
        [of(run) for of in FALSE.values()] for run in null_pages(player, games // player.schedule.lap_games, pages)
    ]
    return dict(zip(FALSE, np.mean(found, axis=0).tolist(), strict=True))


def found_planted(player: Player, laps: int, pages: int, points: int = 10) -> float:
    """Return in what share of pages the only pair that is worth more together is found, the first that is dealt."""
    found = []
    for run in null_pages(player, laps, pages, (0, 1, points)):
        first = pairs(run).iloc[0]
        names = [player.board.ticket_name(ticket) for ticket in player.board.tickets[:2]]
        found.append([first["ticket"], first["other"]] == names and first["score_q"] <= 0.05)
    return float(np.mean(found))


def overstatement(small: list[Counted], whole: Counted) -> tuple[float, float]:
    """Return by how many points of win share the largest offer effect is overstated, on average, and is said to be."""
    truth, found = offer_effects(whole, "win60", "all").value, []
    for run in small:
        effects = offer_effects(run, "win60", "all")
        top = int(np.nanargmax(effects.value))
        found.append((effects.value[top] - truth[top], luck_of_first(effects)))
    is_, said = 100 / WHOLE_WIN * np.mean(found, axis=0)
    return float(is_), float(said)


class Coverage(NamedTuple):
    """Shares of intervals of an estimate that held the truth, each on its own and all of a family at once; or NaN."""

    what: str
    alone: float
    family: float


def coverage(small: list[Counted], whole: Counted) -> list[Coverage]:
    """Return the coverage of each estimate in ESTIMATES and of seats. whole: all the small runs together."""
    found = []
    for what, (estimate, keep) in ESTIMATES.items():
        truth, estimates = estimate(whole).value, [estimate(run) for run in small]
        alone = np.nanmean([holds(e.interval(), truth) for e in estimates])
        found.append(Coverage(what, float(alone), family_coverage(estimates, truth, keep, what in RARE)))
    fair = seats(whole)["advantage"].to_numpy()
    frames = [seats(run)[["advantage", "advantage_low", "advantage_high"]].to_numpy().T for run in small]
    family = np.mean([holds(Interval(*frame), fair).all() for frame in frames])
    return [*found, Coverage("advantage of seats", float("nan"), float(family)), *of_sizes(small, whole)]


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
    board: str, players: str, repeats: int, games: int, seed: int = 1, every: int = 1
) -> list[Coverage]:
    """Return the coverage of effects of holding each ticket, or every n-th, from `repeats` trials of other deals."""
    trial, frames = make_trial(board=board, players=players, games=games, seed=seed), []
    names = [trial.board.ticket_name(ticket) for ticket in trial.board.tickets[::every]]
    for _ in range(repeats):
        frames.append(forced(trial, names).set_index("ticket").loc[names])
        trial = trial.at(trial.board, 1)
    found = []
    for what, told in (("difficulty", "difficulty of tickets"), ("score_effect", "score effect of holding them")):
        value, low, high = (np.array([f[what + end] for f in frames]) for end in ("", "_low", "_high"))
        held = holds(Interval(value, low, high), value.mean(axis=0))
        family = (held != 0).all(axis=1).mean() if what == "score_effect" else np.nan
        found.append(Coverage(told, float(np.nanmean(held)) if what == "difficulty" else np.nan, float(family)))
    return found


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


def family_coverage(estimates: list[Estimate], truth: np.ndarray, keep: int | None, rare: bool) -> float:
    if keep is None:
        return float("nan")
    inner = tuple(range(keep, truth.ndim))
    return float(np.mean([(holds(e.simultaneous(keep, rare=rare), truth) != 0).all(axis=inner) for e in estimates]))


def holds(interval: Interval, truth: np.ndarray) -> np.ndarray:
    """1 where it does, 0 where not, NaN where there is no interval."""
    return np.where(np.isnan(interval.low), np.nan, (interval.low <= truth) & (truth <= interval.high))


def make_player(board: str, players: str, repeats: int, batches: int, laps: int, seed: int = 1) -> Player:
    """Return a player for `repeats` small runs."""
    recipe, loaded, strategies = make_recipe(board=board, players=players, games=1, seed=seed, record=())
    player = Player(recipe.changed(laps=repeats * batches * laps), loaded, strategies)
    player.compile()
    return player
