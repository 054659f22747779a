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

Squares of estimates are too large by their variance, so the bias that the jackknife finds is taken off.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ttrsim.batches import Array, Estimate, Interval, jackknife
from ttrsim.core.sums import WHOLE_WIN
from ttrsim.stats.frames import Column, Definition, build, joined, sums
from ttrsim.stats.standings import PLAYERS
from ttrsim.stats.ticket_values import deal_classes

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run

OUTCOMES = {"score": ("score", 1), "win": ("win60", WHOLE_WIN)}
"""The column that is summed for each outcome, and its unit."""
SOURCES = ("strategy", "others", "seat", "deal", "tickets", "cards", "rest")


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
    estimates = {outcome: shares_of_variance(run, outcome) for outcome in OUTCOMES}
    rows = len(OUTCOMES)
    return {
        "board": np.full(rows, run.board.id, object),
        "players": np.full(rows, run.recipe.seats),
        "design": np.full(rows, run.recipe.design, object),
        "outcome": np.array([*OUTCOMES], object),
        "deviation": np.array([deviation(run, outcome) for outcome in OUTCOMES]),
        **{name: _row(estimates, place) for place, name in enumerate(SOURCES)},
    }


def _row(estimates: Mapping[str, Estimate], place: int) -> Interval:
    """Return the intervals of one source, of all outcomes."""
    found = [[end[place] for end in estimate.varied().interval()] for estimate in estimates.values()]
    return Interval(*np.array(found).T)


def deviation(run: "Run", outcome: str) -> float:
    """Return the standard deviation of an outcome."""
    column, unit = OUTCOMES[outcome]
    s = {name: sums(run, "seats")[name].sum() for name in ("games", column, f"{column}_squared")}
    return float(np.sqrt(s[f"{column}_squared"] / s["games"] - (s[column] / s["games"]) ** 2)) / unit


def shares_of_variance(run: "Run", outcome: str) -> Estimate:
    """Return the share of the variance of an outcome that each of SOURCES has, (sources,)."""
    column, _ = OUTCOMES[outcome]
    seats, line_ups, deals, offers = (sums(run, table) for table in ("seats", "line_ups", "deals", "tickets"))
    pairs, decks = _pairs(run), list(deal_classes(run.board).values())

    def shares(games: Array, total: Array, squares: Array, sat: Array, came_to: Array, *of_deals: Array) -> Array:
        rows, all_seats = games.sum(axis=(1, 2)), games.sum(axis=2)
        mean = _mean(total.sum(axis=2), all_seats)
        middle = total.sum(axis=(1, 2)) / rows
        in_line_up, in_seat = _mean(came_to, sat), _mean(total, games) - mean[..., None] * (games > 0)
        variance = squares.sum(axis=(1, 2)) / rows - middle**2
        strategy = (all_seats * (mean - middle[:, None]) ** 2).sum(axis=1)
        others = (sat * (in_line_up - mean[:, None]) ** 2).sum(axis=(1, 2))
        seat = (games * in_seat**2).sum(axis=(1, 2))
        dealt, product, offered, of_offered = of_deals
        weights = dealt[..., None, None] * pairs
        weights = weights / weights.sum(axis=(1, 2, 3), keepdims=True)
        deal = product.sum(axis=1) / dealt.sum(axis=1) - _expected(weights, in_line_up, in_seat)
        effects = _effects(offered.sum(axis=2), of_offered.sum(axis=2), all_seats, total.sum(axis=2))
        tickets = _of_tickets(weights.sum(axis=1), effects, decks)
        known = np.array([strategy / rows, others / rows, seat / rows, deal, tickets, deal - tickets]) / variance
        rest = 1 - known[:3].sum(axis=0) - np.nan_to_num(known[3])
        return np.moveaxis(np.array([*known, rest]), 0, -1)

    return _unbiased(
        jackknife(
            shares,
            *(seats[name] for name in ("games", column, f"{column}_squared")),
            *(line_ups[name] for name in ("seats", column)),
            *(deals[name] for name in ("pairs", column)),
            *(offers[name] for name in ("offered", f"offered_{column}")),
        )
    )


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


def _effects(offered: Array, of_offered: Array, games: Array, total: Array) -> Array:
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
