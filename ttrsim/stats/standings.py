"""Measure who wins: strategies, also head to head and after more and more games, and seats."""

from typing import TYPE_CHECKING, Literal

import numpy as np

from ttrsim.batches import LEVEL, ROUNDING, Array, Estimate, Interval, frequent, jackknife, ratio, share
from ttrsim.core.sums import RANKS, WHOLE_WIN
from ttrsim.stats.frames import Column, Definition, build, sums
from ttrsim.stats.over_strategies import columns, over_strategies, sign_column, signs
from ttrsim.stats.verdicts import most_likely, verdicts

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run


PLAYERS = Column("players", "key", "", "Players at a table.")
STRATEGY = Column("strategy", "key", "", "The strategy, as the run names it.", "Strategy")
SEAT = Column(
    "seat",
    "key",
    "",
    "The seat, in the order of play: data number them from 0, pages and the terminal from the 1st player.",
    "Seat",
)
SAT = Column("seats", "count", "seats", "Seats the strategy had in all games; two at one table count twice.", "Seats")


def _mean(name: str, unit: str, meaning: str, head: str = "") -> Column:
    return Column(name, "estimate", unit, f"Mean over its seats of {meaning}.", head)


STRATEGIES = Definition(
    "strategies",
    'A row is a strategy; with `by="seat"`, a strategy in a seat.',
    (
        PLAYERS,
        STRATEGY,
        SEAT,
        SAT,
        _mean("win_share", "share", "1 for a sole winner, 1/k for each of k that share the win, else 0", "Wins ±"),
        _mean("won_alone", "share", "1 for a sole winner, else 0"),
        _mean("rank", "rank", "the rank in which it finished, 1 the best; ranks are shared as in sport"),
        _mean("score", "points", "the final score", "Score ±"),
        _mean("points_start", "points", "points at the start"),
        _mean("points_routes", "points", "points of routes claimed", "Routes"),
        _mean("points_won", "points", "points of tickets completed", "Won"),
        _mean("points_lost", "points", "points of tickets failed, negative", "Lost"),
        _mean("points_trail", "points", "the bonus for the longest path", "Path bonus"),
        _mean("points_most_tickets", "points", "the bonus for most tickets"),
        _mean("points_stations", "points", "points of stations left"),
        _mean("points_markers", "points", "points of others' routes through its city markers"),
        _mean("points_captures", "points", "points of capturing Alvin"),
        _mean("points_alvin", "points", "points of holding Alvin at the end"),
        _mean("points_tokens", "points", "points of souvenirs"),
        _mean("tickets_kept", "tickets", "tickets kept, of the opening offer and later", "Kept"),
        _mean("tickets_completed", "tickets", "tickets completed", "Completed"),
        _mean("offered_kept", "tickets", "tickets kept of the opening offer"),
        _mean("offered_completed", "tickets", "tickets of the opening offer completed"),
        _mean("trail", "trains", "the length of its longest path", "Longest path"),
        _mean("trains_left", "trains", "trains not used"),
        _mean("turns", "turns", "its turns", "Turns"),
        _mean("claims", "routes", "routes claimed"),
        _mean("blind_draws", "cards", "cards drawn from the deck"),
        _mean("face_up_draws", "cards", "cards taken from the display"),
        _mean("wilds_taken", "cards", "wild cards taken from the display"),
        _mean("ticket_draws", "turns", "turns in which it drew tickets"),
        _mean("withdrawn", "tunnels", "tunnels given up"),
        _mean("passes", "turns", "turns in which nothing was possible"),
    ),
    "win_share",
)

VERSUS = Definition(
    "versus",
    "A row is a strategy and another one that sat at the same tables.",
    (
        PLAYERS,
        STRATEGY,
        Column("other", "key", "", "The strategy it is compared with.", "Other"),
        Column("pairs", "count", "pairs", "Pairs of a seat of the one and a seat of the other in one game.", "Pairs"),
        Column(
            "ahead",
            "estimate",
            "share",
            "Share of the pairs in which the strategy finishes before the other.",
            "Ahead ±",
        ),
        Column("tied", "estimate", "share", "Share of the pairs in which both have the same rank."),
        Column("lead", "estimate", "points", "Mean of its score less the other's, over the pairs.", "Lead ±"),
        Column(
            "win_share_difference",
            "estimate",
            "share difference",
            "Its win share less the other's, each over all its seats in the run.",
            "Wins more ±",
        ),
        Column(
            "superiority",
            "number",
            "share",
            "One-sided confidence level at which its win share in such a run is the larger one: one less the p-value "
            "of the difference.",
            "Superior",
        ),
    ),
    "",
    "Each interval holds on its own, but those of `win_share_difference` hold for all pairs of strategies at once.",
    at_once=("win_share_difference",),
)


def strategies(run: "Run", by: Literal["strategy", "seat"] = "strategy") -> "pd.DataFrame":
    """Return each strategy's results; by="seat": in each seat."""
    s = sums(run, "seats")
    if by == "strategy":
        s = {name: array.sum(axis=2, keepdims=True) for name, array in s.items()}
    played = s["games"].sum(axis=0) > 0
    names, seats = np.broadcast_arrays(np.array(run.strategies)[:, None], np.arange(played.shape[1]))
    data = {
        "players": np.full(played.sum(), run.recipe.seats),
        "strategy": names[played],
        "seats": s["games"].sum(axis=0)[played],
        **_means(per_seat(s), s["games"], played),
    }
    if by == "seat":
        data["seat"] = seats[played]
    return build(STRATEGIES, data)


def _means(columns: dict[str, Array], games: Array, played: Array) -> dict[str, Interval]:
    """Return each column's mean over the seats of those that played."""
    means = {name: ratio(above[:, played], games[:, played]) for name, above in columns.items()}
    shares = {name: share(columns[name][:, played], games[:, played]) for name in ("win_share", "won_alone")}
    return {name: mean.interval() for name, mean in means.items()} | shares


def per_seat(s: dict[str, Array]) -> dict[str, Array]:
    """Return the sums for each mean of a seat."""
    return {
        **{c.name: s[c.name] for c in STRATEGIES.columns if c.kind == "estimate" and c.name in s},
        "win_share": s["win60"] / WHOLE_WIN,
        "rank": np.asarray(sum(rank * s[name] for rank, name in enumerate(RANKS, 1))),
        "tickets_kept": s["offered_kept"] + s["drawn_kept"],
        "tickets_completed": s["offered_completed"] + s["drawn_completed"],
    }


def win_shares(run: "Run") -> Estimate:
    """Return the win share of each strategy over all its seats, (strategies,)."""
    s = sums(run, "seats")
    return ratio(s["win60"].sum(axis=2) / WHOLE_WIN, s["games"].sum(axis=2))


def wins_known(run: "Run") -> Array:
    """Return whether each strategy won and lost often enough for its win share to have an error, (strategies,)."""
    s = sums(run, "seats")
    wins, games = (s[name].sum(axis=(0, 2)) for name in ("win60", "games"))
    return np.asarray(frequent(wins / WHOLE_WIN, games))


def differences(estimate: Estimate) -> Estimate:
    """Return the differences of k estimates, each less each, (k, k)."""
    value, replicates = estimate.value, estimate.replicates
    return Estimate(value[:, None] - value, replicates[:, :, None] - replicates[:, None, :])


def differences_at_once(run: "Run", level: float = LEVEL) -> Interval:
    """Return the win share of each strategy less that of each, (k, k), with intervals that hold all at once.

    Where batches give no error, for too few wins or losses of both or because nothing varies, the interval allows for
    batches unlike those seen: that a few came out alike is no certainty.
    """
    apart, known = differences(win_shares(run)), wins_known(run)
    pairs = np.triu_indices(len(known), 1)
    either = (known[:, None] | known)[pairs]
    family = Estimate(apart.value[pairs], np.where(either, apart.replicates[:, *pairs], np.nan)).varied()
    at_once, unlike = family.simultaneous(level=level), _unlike_batches(run, pairs, level)
    low, high = (np.where(np.isnan(end), other, end) for end, other in zip(at_once[1:], unlike, strict=True))
    lows, highs = np.zeros(apart.value.shape), np.zeros(apart.value.shape)
    lows[pairs], highs[pairs] = low, high
    lows[pairs[::-1]], highs[pairs[::-1]] = -high, -low
    return Interval(apart.value, lows, highs)


def _unlike_batches(run: "Run", pairs: tuple[Array, ...], level: float) -> tuple[Array, Array]:
    """Return the ends of the differences, (pairs,), if batches not seen are as unlike the common ones as they may be.

    There are at most as many of them as is likely, for all pairs at once, given those seen; each is from −1 to 1.
    """
    s = sums(run, "seats")
    shares = s["win60"].sum(axis=2) / WHOLE_WIN / s["games"].sum(axis=2)
    apart = shares[:, pairs[0]] - shares[:, pairs[1]]
    common = np.median(apart, axis=0)
    seen = (np.abs(apart - common) > ROUNDING).sum(axis=0)
    unlike = most_likely(seen, len(apart), 1 - (1 - level) / max(1, len(common)))
    return common - unlike * (1 + common), common + unlike * (1 - common)


def versus(run: "Run", level: float = LEVEL) -> "pd.DataFrame":
    """Return every strategy against every other: who finishes ahead, and who wins more, by intervals of a level."""
    s = sums(run, "versus")
    met = s["pairs"].sum(axis=0) > 0
    first, second = np.nonzero(met)
    names = np.array(run.strategies)
    pairs = s["pairs"][:, met]
    apart = differences(win_shares(run))
    known = wins_known(run)
    either = met & (known[:, None] | known)
    more = Estimate(apart.value[met], np.where(either, apart.replicates, np.nan)[:, met]).varied()
    return build(
        VERSUS,
        {
            "players": np.full(len(first), run.recipe.seats),
            "strategy": names[first],
            "other": names[second],
            "pairs": pairs.sum(axis=0),
            **{name: share(s[name][:, met], pairs) for name in ("ahead", "tied")},
            "lead": ratio(s["lead"][:, met], pairs).interval(),
            "win_share_difference": more.simultaneous(level=level),
            "superiority": more.confidence(),
        },
    )


FIRST_STEP = 5
"""Batches at the first step: with fewer an interval says little."""
STEPS = 40

CONVERGENCE = Definition(
    "convergence",
    "A row is a strategy after a number of games of the run.",
    (
        PLAYERS,
        STRATEGY,
        Column("games", "count", "games", "Games until then.", "Games"),
        STRATEGIES.column("win_share"),
    ),
    "",
)


def convergence(run: "Run") -> "pd.DataFrame":
    """Return win shares after more and more games, at even steps of their logarithm; no rows if games are too few."""
    s = sums(run, "seats")
    wins, seated = s["win60"].sum(axis=2) / WHOLE_WIN, s["games"].sum(axis=2)  # (batches, strategies)
    games = sums(run, "games")["games"].sum(axis=1).cumsum()
    ends = convergence_steps(len(games))
    shape = (len(ends), len(run.strategies))
    return build(
        CONVERGENCE,
        {
            "players": np.full(shape, run.recipe.seats),
            "strategy": np.broadcast_to(np.array(run.strategies, object), shape),
            "games": np.broadcast_to(games[ends - 1, None], shape),
            "win_share": _stacked([share(wins[:end], seated[:end]) for end in ends], shape),
        },
    )


def convergence_steps(batches: int) -> Array:
    """Return the numbers of batches after which the win shares are computed."""
    if batches < FIRST_STEP:
        return np.empty(0, int)
    return np.unique(np.geomspace(FIRST_STEP, batches, STEPS).round().astype(int))


def _stacked(parts: list[Interval], shape: tuple[int, ...]) -> Interval:
    return Interval(*(np.array([part[i] for part in parts]).reshape(shape) for i in range(3)))


MARGIN = 0.01
"""A win share off by less than this does not matter: one point in a hundred."""

SEATS = Definition(
    "seats",
    "A row is a seat, over all strategies.",
    (
        PLAYERS,
        SEAT,
        Column("games", "count", "games", "Games played.", "Games"),
        Column("win_share", "estimate", "share", "Mean win share of who sits there.", "Wins ±"),
        Column(
            "advantage",
            "estimate",
            "share difference",
            "The win share less the fair one, 1 / players.",
            "Advantage ±",
        ),
        *columns(
            "advantage", "share difference", "The win share in that seat, less that in all seats,", "New strategy"
        ),
        sign_column("advantage", "the advantage", "Sign"),
        Column("score", "estimate", "points", "Mean final score of who sits there.", "Score ±"),
        Column(
            "verdict",
            "number",
            "",
            "balanced: the interval of the advantage lies within the margin (1 point of win share unless declared "
            "otherwise) on both sides of 0; imbalanced: it lies outside; undecided: neither; not rotated: strategies "
            "did not sit in all seats equally often, so seats cannot be separated from strategies.",
            "Verdict",
        ),
        Column(
            "more_games",
            "number",
            "games",
            "How many more games would decide an undecided verdict, at least.",
            "More games",
        ),
    ),
    "",
    "The intervals of each column hold for all seats at once.",
    at_once=("win_share", "advantage", "score"),
)


def seat_shares(run: "Run") -> Estimate:
    """Return the win share of each seat over all strategies, (seats,)."""
    s = sums(run, "seats")
    wins, games = s["win60"].sum(axis=1) / WHOLE_WIN, s["games"].sum(axis=1)
    return ratio(wins, games).frequent(wins.sum(axis=0), games.sum(axis=0)).varied()


def above_fair(shares: Estimate, run: "Run") -> Estimate:
    """Return win shares less the fair one, 1 / players."""
    fair = 1 / run.recipe.seats
    return Estimate(shares.value - fair, shares.replicates - fair)


def seats(run: "Run", margin: float = MARGIN, level: float = LEVEL) -> "pd.DataFrame":
    """Return the win share of each seat, and whether it is balanced, by intervals of a level."""
    s = sums(run, "seats")
    games, shares = s["games"].sum(axis=1), seat_shares(run)
    scores = ratio(s["score"].sum(axis=1), games)
    interval = above_fair(shares, run).simultaneous(level=level)
    verdict, more = verdicts(interval, margin, run.games_played)
    sat = s["games"].sum(axis=0)
    rotated = (sat == sat[:, :1]).all()
    return build(
        SEATS,
        {
            "players": np.full(run.recipe.seats, run.recipe.seats),
            "seat": np.arange(run.recipe.seats),
            "games": games.sum(axis=0),
            "win_share": shares.simultaneous(level=level),
            "advantage": interval,
            **_who_sits(run, level),
            "score": scores.simultaneous(level=level),
            "verdict": verdict if rotated else np.full(run.recipe.seats, "not rotated"),
            "more_games": more if rotated else np.full(run.recipe.seats, np.nan),
        },
    )


def _who_sits(run: "Run", level: float) -> dict[str, Array | Interval]:
    """Return how the advantage of each seat varies over strategies, of those that sat in all seats."""
    s = sums(run, "seats")

    def advantages(wins: Array, games: Array) -> Array:
        shares = wins / WHOLE_WIN / games
        return np.asarray(shares - shares.mean(axis=-1, keepdims=True))

    estimate = jackknife(advantages, s["win60"], s["games"])
    sure = estimate.frequent(s["win60"].sum(axis=0) / WHOLE_WIN, s["games"].sum(axis=0))
    return {**over_strategies("advantage", estimate), "advantage_sign": signs(sure.varied(), level)}
