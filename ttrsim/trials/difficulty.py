"""Ticket difficulty: how often a ticket that must be kept fails, what it takes, and what blocks it.

All seats have copies of one strategy. The focal seat must keep the ticket and knows it, as in `forced`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ttrsim.batches import FEWEST_EVENTS, LEVEL, Array, Estimate, frequent, jackknife
from ttrsim.batches import share as share_of
from ttrsim.boards import Board
from ttrsim.boards.board import find_tickets
from ttrsim.core.constants import NOBODY
from ttrsim.encode import Intervention, bits
from ttrsim.formatting import decimal
from ttrsim.stats.frames import Column, Definition, build
from ttrsim.stats.standings import PLAYERS
from ttrsim.trials.tickets import FORCED, PRINTED, dealt, effects, failing, held, printed
from ttrsim.trials.trial import OnGames, Trial, TrialResults, nobody_listens

if TYPE_CHECKING:
    import pandas as pd

MARGIN = 5.0
"""The distance from par, in percentage points, within which a ticket is as hard as expected."""
NAMED = 3
"""The most of the hardest and of the easiest tickets that an answer names."""
RIDGE = 1e-3
"""Keeps par finite where all tickets above some number of points fail and all below do not."""
FAR = 1 << 20
"""Farther than any path, and later than any turn."""

DIFFICULTY = Definition(
    "difficulty",
    "A row is a ticket, for a strategy at a table with copies of itself. One seat must keep the ticket, whatever else "
    "it keeps, and knows it.",
    (
        PLAYERS,
        Column("strategy", "key", "", "The strategy of all seats."),
        *PRINTED,
        Column("games", "count", "games", "Games in which the ticket must be kept."),
        Column("difficulty", "estimate", "share", "Share of these games in which the ticket fails.", "Fails ±"),
        Column(
            "par",
            "number",
            "share",
            "The difficulty that its points predict: the curve of difficulty by points that fits all tickets best (a "
            "logistic regression), never falling.",
        ),
        replace(FORCED.column("score_effect"), head="Score ±"),
        replace(FORCED.column("win_effect"), head="Wins ±"),
        Column(
            "extra_turns",
            "estimate",
            "turns",
            "How many more of its own turns the seat takes to connect the ticket's ends than those of the average "
            "ticket of its deck, in games in which its own routes connect them.",
            "Turns ±",
        ),
        Column(
            "extra_trains",
            "estimate",
            "trains",
            "How many more trains its shortest own path between the ends has than that of the average ticket of its "
            "deck, in the same games.",
            "Trains ±",
        ),
        Column(
            "blocked",
            "description",
            "share",
            "Of the games in which it fails, the share whose ends neither own nor free routes connect at the end.",
        ),
        Column(
            "verdict",
            "key",
            "",
            "Against par, the difficulty that its points predict: harder or easier, by the whole interval; as "
            f"expected, if the interval lies within {MARGIN:g} percentage points of par; undecided where none of "
            "these is sure.",
            "Verdict",
        ),
        Column(
            "blocked_by",
            "key",
            "",
            "Of the connections that rivals clearly hold more often in games in which the ticket fails than in those "
            "in which it is completed, the one with the largest difference. Empty if there is none, or if fewer than "
            f"{FEWEST_EVENTS} games fail.",
            "Blocked by",
        ),
    ),
    "difficulty",
    "The intervals of effects hold at once for all tickets; the others each on its own.",
)


def difficulty(
    trial: Trial, tickets: Sequence[str] | None = None, *, threads: int = 1, on_games: OnGames = nobody_listens
) -> "pd.DataFrame":
    """Measure how hard each ticket is, what it takes and what blocks it.

    All tickets are played, because par and averages are over all of them; `tickets` are those that the frame has.
    """
    board = trial.board
    shown = find_tickets(board, tickets)
    chosen = dealt(board, range(len(board.tickets)))
    network = Network.of(board, len(trial.line_up))
    played, mine, base = held(trial, chosen, threads, on_games, network.measure)
    numbers = [ticket for ticket, _ in chosen]
    names, points = printed(trial, chosen), np.array([board.tickets[t].points for t in numbers], float)
    done, games = played.of_tickets("completed", mine, numbers), played.of("games", mine)
    of = _Sums(played, mine)
    failed = failing(trial, done, games)
    par = par_of(points, failed.value)
    decks = np.array([deck for _, deck in chosen])
    data = {
        **names,
        "difficulty": failed,
        "par": par,
        **effects(played, mine, base, "effect"),
        "extra_turns": above_mean(of.turns, of.connected, decks).interval(),
        "extra_trains": above_mean(of.trains, of.connected, decks).interval(),
        "blocked": share_of(of.blocked, games - done),
        "verdict": verdicts(failed.low, failed.high, par),
        "blocked_by": blockers(board, of, games, done),
    }
    frame = build(DIFFICULTY, data)
    wanted = {board.ticket_name(ticket) for ticket in shown}
    attrs, frame = frame.attrs, frame[frame["ticket"].isin(wanted)].reset_index(drop=True)
    frame.attrs = {**attrs, "overruled": played.overruled}
    return frame


@dataclass(frozen=True)
class Network:
    """The routes of a board as edges that lead to a city, sorted by it, and what a seat may find on them."""

    board: Board
    players: int
    tails: Array  # (edges,): the city that each leads from
    routes: Array  # (edges,): its route
    starts: Array  # (cities,): where the edges that lead to each city begin
    lengths: Array  # (routes,): trains

    @classmethod
    def of(cls, board: Board, players: int) -> "Network":
        """Return the network of a board; every city has a route."""
        ends = [(head, tail, r.index) for r in board.routes for head, tail in ((r.a, r.b), (r.b, r.a))]
        heads, tails, routes = np.array(sorted(ends)).T
        starts = np.searchsorted(heads, np.arange(len(board.cities)))
        return cls(board, players, tails, routes, starts, np.array([r.length for r in board.routes]))

    def measure(self, arm: Intervention, seats: Array, games: Array) -> Array:
        """Return the columns of `_Sums`, (games, k), for the ticket that the focal seat must keep."""
        connections = len(self.board.connections)
        measured = np.zeros((len(seats), _Sums.FIRST + 2 * connections), np.int64)
        if arm.ticket is None:
            return measured
        ticket = self.board.tickets[arm.ticket]
        own = bits(seats["routes"])[:, : len(self.board.routes)].astype(bool)
        claimed = games["claimed"][:, : len(self.board.routes)].astype(np.int64)
        when = self.least(ticket.a, np.where(own, claimed, FAR), np.maximum)[:, ticket.b]
        connected = when < FAR
        measured[connected, 0] = 1
        measured[connected, 1] = when[connected] // self.players + 1
        lengths = np.where(own[connected], self.lengths, FAR)
        measured[connected, 2] = self.least(ticket.a, lengths, np.add)[:, ticket.b]
        failed = bits(seats["completed"])[:, arm.ticket] == 0
        usable = own | self.free(claimed == NOBODY)
        ways = self.least(ticket.a, np.where(usable[failed], 0, FAR), np.maximum)[:, ticket.b]
        measured[failed, 3] = ways == FAR
        lost = ~self.any_of_connection(usable)
        measured[failed, _Sums.FIRST : _Sums.FIRST + connections] = lost[failed]
        measured[~failed, _Sums.FIRST + connections :] = lost[~failed]
        return measured

    def free(self, unclaimed: Array) -> Array:
        """Return which routes anybody may still claim, (games, routes); few players close parallel ones."""
        if self.players >= self.board.rules.parallel_open_from:
            return unclaimed
        taken = self.any_of_connection(~unclaimed)
        return np.asarray(unclaimed & ~taken[:, [r.connection for r in self.board.routes]])

    def any_of_connection(self, routes: Array) -> Array:
        """Return whether any route of each connection is among these, (games, connections)."""
        return np.stack([routes[:, list(of)].any(axis=1) for of in self.board.connections], axis=1)

    def least(self, start: int, weights: Array, joined: Callable[[Array, Array], Array]) -> Array:
        """Return the least weight of a path from a city to each city, (games, cities), FAR where there is none.

        weights: (games, routes), FAR where a route cannot be used; joined: makes the weight of a path and of a further
        route that of both, `np.add` or `np.maximum`.
        """
        best = np.full((len(weights), len(self.starts)), FAR)
        best[:, start] = 0
        steps = weights[:, self.routes]
        while True:
            ways = np.minimum.reduceat(joined(best[:, self.tails], steps), self.starts, axis=1)
            closer = np.minimum(best, ways)
            if (closer == best).all():
                return best
            best = closer


class _Sums:
    """Sums over the games of each ticket: what `Network.measure` found."""

    FIRST = 4  # column of the first connection

    def __init__(self, played: TrialResults, arms: Sequence[int]) -> None:
        of = np.swapaxes(played.measured[list(arms)], 0, 1)  # (batches, tickets, k)
        connections = (of.shape[-1] - self.FIRST) // 2
        self.connected: Array = of[..., 0]  # games in which own routes connect the ends
        self.turns: Array = of[..., 1]  # the seat's own turn in which they first do
        self.trains: Array = of[..., 2]  # of the shortest own path
        self.blocked: Array = of[..., 3]  # failures in which neither own nor free routes connect them
        self.lost_failed: Array = of[..., self.FIRST : self.FIRST + connections]  # connections rivals hold, by failures
        self.lost_done: Array = of[..., self.FIRST + connections :]  # and by completions


def above_mean(sums: Array, games: Array, decks: Array) -> Estimate:
    """Return means over games less that of the average ticket of the deck, from sums (batches, tickets)."""
    same = (decks[:, None] == decks).astype(float)

    def difference(total: Array, count: Array) -> Array:
        known = count > 0
        mean = np.where(known, total / count, 0.0)
        return np.asarray(np.where(known, mean - (mean @ same) / (known @ same), np.nan))

    events = games.sum(axis=0)
    return jackknife(difference, sums, games).frequent(events, np.full(len(events), np.inf))


def blockers(board: Board, of: _Sums, games: Array, done: Array) -> Array:
    """Return the name of the connection that rivals hold most more often where each ticket fails, (tickets,)."""
    from scipy.stats import hypergeom

    lost_failed, lost_done = of.lost_failed.sum(axis=0), of.lost_done.sum(axis=0)  # (tickets, connections)
    played, completed = games.sum(axis=0)[:, None], done.sum(axis=0)[:, None]
    failed = played - completed
    # Fisher's exact test: how likely as many of the failures would be among the games in which rivals hold it.
    chance = hypergeom.sf(lost_failed - 1, played, lost_failed + lost_done, failed)
    sure = frequent(failed, played) & (chance < (1 - LEVEL) / chance.size)
    with np.errstate(divide="ignore", invalid="ignore"):
        more = np.where(sure, lost_failed / failed - lost_done / completed, 0.0)
    names = [board.connection_name(place) if row[place] > 0 else "" for row in more for place in [row.argmax()]]
    return np.array(names, object)


def par_of(points: Array, failed: Array) -> Array:
    """Return the difficulty, a share, that each ticket's points predict, by logistic regression.

    Never less for more points: where harder tickets are worth less, points are no measure at all.
    """
    from scipy.optimize import minimize
    from scipy.special import expit, logit

    mean = float(failed.mean())
    if not points.std() or mean in (0.0, 1.0):
        return np.full(len(points), mean)
    scaled = (points - points.mean()) / points.std()

    def unlikely(line: Array) -> float:
        at = line[0] + line[1] * scaled
        return float((np.logaddexp(0, at) - failed * at).sum() + RIDGE * line[1] ** 2)

    start, slope = minimize(unlikely, np.array([logit(mean), 0.0])).x
    return np.asarray(expit(start + slope * scaled)) if slope > 0 else np.full(len(points), mean)


def verdicts(low: Array, high: Array, par: Array) -> Array:
    """Judge intervals of difficulty, shares, against par."""
    near = (low >= par - MARGIN / 100) & (high <= par + MARGIN / 100)
    words = np.select([low > par, high < par, near], ["harder", "easier", "as expected"], "undecided")
    return words.astype(object)


def stacked(frames: "Sequence[pd.DataFrame]") -> "pd.DataFrame":
    """Put the frames of several tables below each other."""
    import pandas as pd

    frame = pd.concat(frames, ignore_index=True)
    frame.attrs = {**frames[0].attrs, "overruled": sum(part.attrs["overruled"] for part in frames)}
    return frame


def strongest(frame: "pd.DataFrame") -> str:
    """Return the strategy whose tickets fail least."""
    return str(frame.groupby("strategy", sort=False)["difficulty"].mean().idxmin())


def where_hard(frame: "pd.DataFrame") -> str:
    """Say at which number of players tickets get hard for the strategy that fails least, and which one is hardest."""
    best, several = strongest(frame), frame["strategy"].nunique() > 1
    of_best = frame[frame["strategy"] == best]
    mean = of_best.groupby("players")["difficulty"].mean()
    hardest = of_best.sort_values("difficulty", ascending=False, kind="stable").iloc[0]
    first, *more = (f"{percent(share)}{{}} with {players}" for players, share in mean.items())
    shares = ", ".join([first.format(" of its tickets"), *(share.format("") for share in more)])
    return (
        f"{best}{', which fails least,' if several else ''} fails {shares} players. The hardest ticket for it is "
        f"{hardest['ticket']} with {hardest['players']} ({percent(hardest['difficulty'])})."
    )


def answer(frame: "pd.DataFrame") -> str:
    """Say how hard tickets are at one number of players, and which are harder or easier than their points say."""
    mean = frame.groupby("strategy", sort=False)["difficulty"].mean().sort_values(kind="stable")
    first, *others = (f"{strategy} fails {percent(share)}" for strategy, share in mean.items())
    rest = [words.replace(" fails", "") for words in others]
    failing = ", ".join([f"{first} of the tickets it must keep", *rest])
    best = frame[frame["strategy"] == mean.index[0]]
    off = best.assign(off=best["difficulty"] - best["par"]).sort_values("off", kind="stable")
    harder, easier = off[off["verdict"] == "harder"][::-1], off[off["verdict"] == "easier"]
    named = [
        f"{word} for their points: {_first_few(rows)}"
        for word, rows in (("hardest", harder), ("easiest", easier))
        if len(rows)
    ]
    for_best = f" For {mean.index[0]} " + "; ".join(named) + "." if named else ""
    return f"With {frame['players'].iloc[0]} players {failing}.{for_best}"


def percent(share: float) -> str:
    """Return a share as `2.1 %`."""
    return f"{decimal(100 * share, 1)} %"


def _first_few(rows: "pd.DataFrame") -> str:
    """Name the first few tickets, each with how often it fails."""
    first = rows.head(NAMED)
    return ", ".join(f"{name} ({percent(of)})" for name, of in zip(first["ticket"], first["difficulty"], strict=True))
