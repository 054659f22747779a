"""Divide the variance of scores and wins among strategy, seat, deal and the rest: how much is luck.

The parts of the variance of y, the outcome of a seat of a random game, over all seats of all games of the run:

* *strategy*: the variance of the means of strategies, over all games;
* *others*: of the means of a strategy with each line-up, about its own mean: who else sits at the table;
* *seat*: of the means of a strategy in each seat, about its own mean;
* *deal*: the covariance of the outcomes of two different strategies in the same seat of the same deal, less that of
  their means. So it is what a deal does to all strategies alike; what suits one and not another is in the rest;
* *tickets*, a part of it: the covariance of the effects of their own opening offers. A seat is offered k of the N
  tickets of a deck, so with offer effects e and f it is Σ e f · k/N · (1 − k/N) · (N − 1)/N, if effects of tickets add
  up;
* *cards*, the other part: the cards, and the tickets of the others;
* *rest*: all else. Cards that are drawn or come up because of what players did before, what suits one strategy and not
  another, and decisions at random.

Squares of estimates are too large by their variance, so the bias that the jackknife finds is taken off. The parts of
strategy, others and seat are such squares, whose errors are not normal where the part is small: as a size, each has the
interval of a noncentral chi-square, which ends at 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ttrsim.batches import Array, Estimate, Interval, jackknife
from ttrsim.core.sums import WHOLE_WIN
from ttrsim.stats.effects import mean_square_interval
from ttrsim.stats.frames import Column, Definition, build, joined, sums
from ttrsim.stats.standings import PLAYERS
from ttrsim.stats.ticket_values import deal_classes

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run

OUTCOMES = {"score": ("score", 1), "win": ("win60", WHOLE_WIN)}
"""The column that is summed for each outcome, and its unit."""
SQUARES = ("strategy", "others", "seat")
"""The sources whose parts are sums of squared effects."""
SOURCES = (*SQUARES, "deal", "tickets", "cards", "rest")


def _source(name: str, meaning: str, head: str) -> Column:
    return Column(name, "estimate", "share", f"Share of the variance: {meaning}.", f"{head} ±")


LUCK = Definition(
    "luck",
    "A row is the final score, or winning (1 for a sole winner, 1/k for each of k), of a seat of a random game.",
    (
        Column("board", "key", "", "The board."),
        PLAYERS,
        Column("design", "key", "", "Which line-ups were played."),
        Column("outcome", "key", "", "score or win.", "Outcome"),
        Column("deviation", "number", "", "Its standard deviation, in points or as a share of a win."),
        _source("strategy", "which strategy plays", "Strategy"),
        _source("others", "who else sits at the table; 0 where all line-ups are one", "Others"),
        _source("seat", "in which seat it sits", "Seat"),
        _source("deal", "what the deal does to any strategy in that seat: tickets and cards", "Deal"),
        _source("tickets", "of the deal, its own opening offer of tickets", "Tickets"),
        _source("cards", "of the deal, all else: the cards, and the tickets of the others", "Cards"),
        _source("rest", "all else: later cards, what suits one strategy and not another, chance decisions", "Rest"),
    ),
    "",
    "Each interval holds on its own. Shares of the variance: tickets and cards add up to deal, all others to the "
    "whole.",
)


LUCK_ACROSS = replace(
    LUCK,
    name="luck_across",
    columns=(
        *(replace(column, head=column.name.capitalize()) for column in LUCK.columns[:3]),
        *LUCK.columns[3:],
    ),
)
"""The same of several runs."""


def luck(run: "Run") -> "pd.DataFrame":
    """Return the shares of the variance of scores and wins."""
    return build(LUCK, _parts(run))


def luck_across(runs: "Sequence[Run]") -> "pd.DataFrame":
    """Return the same of each of several runs."""
    return build(LUCK_ACROSS, joined([_parts(run) for run in runs]))


def _parts(run: "Run") -> dict[str, Array | Interval]:
    found = [intervals_of_variance(run, outcome) for outcome in OUTCOMES]
    rows = len(OUTCOMES)
    return {
        "board": np.full(rows, run.board.id, object),
        "players": np.full(rows, run.recipe.seats),
        "design": np.full(rows, run.recipe.design, object),
        "outcome": np.array([*OUTCOMES], object),
        "deviation": np.array([deviation(run, outcome) for outcome in OUTCOMES]),
        **{name: Interval(*np.array(found)[..., place].T) for place, name in enumerate(SOURCES)},
    }


def deviation(run: "Run", outcome: str) -> float:
    """Return the standard deviation of an outcome."""
    column, unit = OUTCOMES[outcome]
    s = {name: sums(run, "seats")[name].sum() for name in ("games", column, f"{column}_squared")}
    return float(np.sqrt(s[f"{column}_squared"] / s["games"] - (s[column] / s["games"]) ** 2)) / unit


def intervals_of_variance(run: "Run", outcome: str) -> Interval:
    """Return the share of the variance of an outcome that each of SOURCES has, (sources,), each interval on its own."""
    value, low, high = shares_of_variance(run, outcome).varied().interval()
    sums_of_means = _sums_of_means(run, outcome)
    for place, name in enumerate(SQUARES):
        effects = jackknife(lambda *of, name=name: Means(*of).effects(name), *sums_of_means).varied()
        number = (~np.isnan(effects.error)).sum()
        _, least, most = mean_square_interval(effects)
        low[place], high[place] = np.minimum(number * least, value[place]), np.maximum(number * most, value[place])
    return Interval(value, low, high)


def shares_of_variance(run: "Run", outcome: str) -> Estimate:
    """Return the share of the variance of an outcome that each of SOURCES has, (sources,)."""
    column, _ = OUTCOMES[outcome]
    deals, offers = sums(run, "deals"), sums(run, "tickets")
    pairs, decks = _pairs(run), list(deal_classes(run.board).values())

    def shares(dealt: Array, product: Array, offered: Array, of_offered: Array, *of_means: Array) -> Array:
        means = Means(*of_means)
        squares = [(means.effects(name) ** 2).sum(axis=1) for name in SQUARES]
        weights = dealt[..., None, None] * pairs
        weights = weights / weights.sum(axis=(1, 2, 3), keepdims=True)
        deal = product.sum(axis=1) / dealt.sum(axis=1) - _expected(weights, means.in_line_ups, means.in_seats)
        effects = _offer_effects(
            offered.sum(axis=2), of_offered.sum(axis=2), means.games.sum(axis=2), means.total.sum(axis=2)
        )
        tickets = _of_tickets(weights.sum(axis=1), effects, decks)
        of_deal = np.array([deal, tickets, deal - tickets]) / means.variance
        rest = 1 - np.sum(squares, axis=0) - np.nan_to_num(of_deal[0])
        return np.moveaxis(np.array([*squares, *of_deal, rest]), 0, -1)

    return _unbiased(
        jackknife(
            shares,
            *(deals[name] for name in ("pairs", column)),
            *(offers[name] for name in ("offered", f"offered_{column}")),
            *_sums_of_means(run, outcome),
        )
    )


@dataclass(frozen=True)
class Means:
    """Means of an outcome, from sums with a leading axis, r."""

    games: Array  # (r, strategies, seats)
    total: Array
    squares: Array
    sat: Array  # (r, line-ups, strategies)
    came_to: Array

    @cached_property
    def all_games(self) -> Array:
        """(r,): games of all seats."""
        return np.asarray(self.games.sum(axis=(1, 2)))

    @cached_property
    def of_all(self) -> Array:
        """(r,): the mean of all."""
        return np.asarray(self.total.sum(axis=(1, 2)) / self.all_games)

    @cached_property
    def variance(self) -> Array:
        """(r,): the variance of the outcome."""
        return np.asarray(self.squares.sum(axis=(1, 2)) / self.all_games - self.of_all**2)

    @cached_property
    def of_strategies(self) -> Array:
        """(r, strategies): the mean of each."""
        return _mean(self.total.sum(axis=2), self.games.sum(axis=2))

    @cached_property
    def in_line_ups(self) -> Array:
        """(r, line-ups, strategies): the mean of each strategy in each."""
        return _mean(self.came_to, self.sat)

    @cached_property
    def in_seats(self) -> Array:
        """(r, strategies, seats): the mean of each strategy in each less its own mean."""
        return np.asarray(_mean(self.total, self.games) - self.of_strategies[..., None] * (self.games > 0))

    def effects(self, source: str) -> Array:
        """Return the effects of one of SQUARES, (r, effects), whose squares add up to its share."""
        games, effects = {
            "strategy": (self.games.sum(axis=2), self.of_strategies - self.of_all[:, None]),
            "others": (self.sat, self.in_line_ups - self.of_strategies[:, None]),
            "seat": (self.games, self.in_seats),
        }[source]
        unit = np.sqrt(self.all_games * self.variance)
        return np.asarray((np.sqrt(games) * effects).reshape(len(unit), -1) / unit[:, None])


def _sums_of_means(run: "Run", outcome: str) -> list[Array]:
    """Return the sums that `Means` takes, by batch."""
    column, _ = OUTCOMES[outcome]
    seats, line_ups = sums(run, "seats"), sums(run, "line_ups")
    return [
        *(seats[name] for name in ("games", column, f"{column}_squared")),
        *(line_ups[name] for name in ("seats", column)),
    ]


def _mean(total: Array, number: Array) -> Array:
    """Return means; 0 where there is nothing."""
    return np.asarray(total / np.maximum(number, 1))


def _expected(weights: Array, in_line_up: Array, in_seat: Array) -> Array:
    """Return the product of two strategies' outcomes in the same seat if deals did nothing, by their means alone.

    Each two of a line-up meet in all seats alike. What a seat does is taken to be the same in all line-ups.
    """
    of_line_ups = np.einsum("rlst,rls,rlt->r", weights, in_line_up, in_line_up)
    of_seats = np.einsum("rst,rsk,rtk->r", weights.sum(axis=1), in_seat, in_seat) / in_seat.shape[-1]
    return np.asarray(of_line_ups + of_seats)


def _of_tickets(weights: Array, effects: Array, decks: Sequence[tuple[Array, int]]) -> Array:
    """Return the covariance of the effects of own offers on two strategies."""
    found = np.zeros(len(weights))
    for deck, offered in decks:
        chance = offered / len(deck)
        products = np.einsum("rst,rsi,rti->r", weights, effects[..., deck], effects[..., deck])
        found += chance * (1 - chance) * (1 - 1 / len(deck)) * products
    return found


def _offer_effects(offered: Array, of_offered: Array, games: Array, total: Array) -> Array:
    """Return the offer effect of each ticket for each strategy, over its seats."""
    games, total = np.maximum(games, 1)[..., None], total[..., None]  # where nobody sat all is 0
    return np.asarray((of_offered - offered * (total / games)) / (offered * (1 - offered / games)))


def _pairs(run: "Run") -> Array:
    """Return the share of each pair of strategies among a line-up's pairs, (line-ups, strategies, strategies)."""
    counts = np.array([np.bincount(line_up, minlength=len(run.strategies)) for line_up in run.recipe.line_ups])
    pairs = counts[:, :, None] * counts[:, None, :] * (1 - np.eye(len(run.strategies)))
    return np.asarray(pairs / np.maximum(pairs.sum(axis=(1, 2), keepdims=True), 1))


def _unbiased(estimate: Estimate) -> Estimate:
    """Take off the bias that the jackknife finds."""
    batches = len(estimate.replicates)
    bias = (batches - 1) * (estimate.replicates.mean(axis=0) - estimate.value)
    return replace(estimate, value=estimate.value - bias)
