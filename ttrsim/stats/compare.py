"""Compare two runs: what changed in win shares, scores, seats, the course of games, tickets and routes.

Runs that played the same blocks are *paired*. A block has the same deal whatever the strategies do, even on two boards
if they have the same cards and tickets. So two runs differ less on the same blocks than on different ones, and the
error of a difference is computed by leaving out the same batch of both. This assumes nothing: if the deals have nothing
in common, the error comes out as that of two unrelated runs.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ttrsim.batches import FEWEST_BATCHES, LEVEL, Array, Estimate, Interval, combined, level_of_each, ratio
from ttrsim.core.sums import WHOLE_WIN
from ttrsim.errors import UsageError, UserError
from ttrsim.formatting import counted
from ttrsim.stats.distributions import GAMES
from ttrsim.stats.frames import Column, Definition, block_games, build, joined, sums, to_groups
from ttrsim.stats.standings import PLAYERS, STRATEGIES, per_seat
from ttrsim.stats.ticket_values import TICKETS, fates, offer_effects
from ttrsim.stats.verdicts import rare_share

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run
    from ttrsim.runs.recipe import Sprt
    from ttrsim.runs.stopping import SprtState


@dataclass(frozen=True)
class Pair:
    """Two runs, and whether their batches are the same blocks."""

    a: "Run"
    b: "Run"
    unpaired: str | None  # why not, or None

    @classmethod
    def of(cls, a: "Run", b: "Run") -> "Pair":
        """Return two runs after checking that they can be compared."""
        if a.recipe.seats != b.recipe.seats:
            raise UsageError([f"tables of {a.recipe.seats} players and tables of {b.recipe.seats} cannot be compared"])
        why = why_unpaired(a, b)
        for run in (a, b) if why else ():
            if len(run.batches) < FEWEST_BATCHES:
                batches = counted(len(run.batches), "batch", "batches")
                few = f"{batches}, and unpaired runs need {FEWEST_BATCHES}"
                raise UserError([f"{run.folder.path}: {run.games_played:,} games make {few}; here {why}"])
        return cls(a, b, why)

    def change(self, a: Estimate, b: Estimate) -> Estimate:
        """Return by how much `b`, of the second run, exceeds `a`, of the first."""
        return difference(a, b) if self.unpaired is None else difference_of_strangers(a, b)


def why_unpaired(a: "Run", b: "Run") -> str | None:
    """Describe why the batches of two runs are not the same blocks; return None if they are."""
    if a.recipe.seed != b.recipe.seed:
        return f"seeds are {a.recipe.seed} and {b.recipe.seed}"
    for what, one, other in (
        ("line-ups", len(a.recipe.line_ups), len(b.recipe.line_ups)),
        ("laps", a.recipe.laps, b.recipe.laps),
        ("finished batches", len(a.batches), len(b.batches)),
    ):
        if one != other:
            return f"there are {one:,} and {other:,} {what}"
    return None if a.batches == b.batches else "different batches are finished"


def dealt_otherwise(a: "Run", b: "Run") -> list[str]:
    """Return what the boards of two runs deal differently: tickets (more, fewer or mostly others) or cards."""
    tickets, cards = zip(*(_dealt(run) for run in (a, b)), strict=True)
    alike = sum(one == other for one, other in zip(*tickets, strict=False))
    others = len(tickets[0]) != len(tickets[1]) or 2 * alike < len(tickets[0])
    return [name for name, differ in (("tickets", others), ("cards", cards[0] != cards[1])) if differ]


def _dealt(run: "Run") -> tuple[list[tuple[bool, str]], tuple[int, ...]]:
    """Return the tickets, by their cities, and the number of cards of each kind."""
    board = run.board
    tickets = [(ticket.long, board.ticket_name(ticket)) for ticket in board.tickets]
    return tickets, (board.wilds, *(colour.cards for colour in board.colours))


def difference(a: Estimate, b: Estimate) -> Estimate:
    """Return `b` less `a` for runs with the same batches."""
    return Estimate(np.asarray(b.value - a.value), b.replicates - a.replicates)


def difference_of_strangers(a: Estimate, b: Estimate) -> Estimate:
    """Return `b` less `a` for unrelated runs: the squares of their errors add up."""
    return combined(lambda values: np.asarray(values[1] - values[0]), [a, b])


def wins_by_batch(run: "Run", strategy: str) -> tuple[Array, Array]:
    """Return the wins of a strategy in each batch, in 60ths, and the number of its seats; each (batches,)."""
    s, place = sums(run, "seats"), run.strategies.index(strategy)
    return s["win60"][:, place].sum(axis=1), s["games"][:, place].sum(axis=1)


def sequential(test: "Sprt", a: tuple[Array, Array], b: tuple[Array, Array]) -> "SprtState":
    """Test two runs batch by batch, until it is known whether `test.first` wins more in b than `test.second` in a.

    a, b: from `wins_by_batch`, for the same batches.
    """
    batches = len(a[0])
    for number in range(min(FEWEST_BATCHES, batches), batches + 1):
        state = tested(test, *((won[:number], seats[:number]) for won, seats in (a, b)))
        if state.accepted:
            break
    return state


def tested(test: "Sprt", a: tuple[Array, Array], b: tuple[Array, Array]) -> "SprtState":
    """Test these batches of two runs.

    The test is about the normalised Elo of the change: its mean divided by its standard deviation in one game, times
    347.4, from one number per batch, as in `ttrsim.runs.stopping`. A last batch with fewer games than the others does
    not count.
    """
    from ttrsim.runs.stopping import Blocks, SprtState

    whole = a[1] == a[1].max()
    change = b[0][whole] / b[1][whole] - a[0][whole] / a[1][whole]
    change, seats = change / WHOLE_WIN, np.minimum(a[1], b[1])[whole]
    blocks = Blocks(len(change), float(change.sum()), float((change**2).sum()), int(np.rint(seats.mean())))
    state = SprtState.after(test, blocks)
    return state if len(change) >= FEWEST_BATCHES else replace(state, ratio=0.0)


CHANGES = Definition(
    "changes",
    "A row is one property of a strategy, a seat, a ticket, a connection, or of games as a whole, in both runs.",
    (
        PLAYERS,
        Column("table", "key", "", "What it belongs to: strategies, seats, games, tickets or routes."),
        Column(
            "of", "key", "", "Which strategy, seat, ticket or connection; x → y if one strategy replaces another.", "Of"
        ),
        Column(
            "what",
            "key",
            "",
            "The column of `ttrsim stats` with that name; tickets over all strategies. Of routes: how many of a "
            "connection's are claimed in a game, and the mean turn of these claims.",
            "What",
        ),
        Column("unit", "key", "", "Its unit; shares are fractions of 1."),
        Column("a", "number", "see unit", "Its value in the first run; none if it does not exist there.", "A"),
        Column("b", "number", "see unit", "Its value in the second run.", "B"),
        Column("change", "estimate", "see unit", "How much larger it is in the second run.", "Change ±"),
    ),
    "",
    "The intervals of changes in one column hold for all strategies, all seats, all tickets or all routes at once.",
    at_once=("change",),
)

SEAT_COLUMNS = ("win_share", "score")
TICKET_COLUMNS = ("keep_rate", "completed_offered", "completed_kept")


class Counts(NamedTuple):
    """The counts behind shares, or behind means that are some times a share, arrays (of,)."""

    events: Array
    chances: Array
    blocks: Array  # about how many different blocks the chances come from, if anything too few
    times: Array  # how many times the share the mean is: of routes, how many a connection has; else 1

    def at(self, places: Array) -> "Counts":
        """Return the counts at these places; 0 at −1."""
        return Counts(*(np.append(array, 0)[places] for array in self))


@dataclass(frozen=True)
class Quantity:
    """An estimate of a run for all strategies, seats, tickets or connections."""

    unit: str
    estimate: Estimate  # (of,)
    counts: Counts | None = None  # of a share, or what is some times a share
    absent: float = np.nan  # its value for what a run lacks

    def at(self, places: Array) -> Estimate:
        """Return the estimates at these places; −1 stands for what the run lacks."""
        none = np.full((*self.estimate.replicates.shape[:1], 1), self.absent)
        replicates = np.concatenate([self.estimate.replicates, none], axis=1)
        return Estimate(np.append(self.estimate.value, self.absent)[places], replicates[:, places])


def changes(pair: Pair, level: float = LEVEL) -> "pd.DataFrame":
    """Return the frame of everything that changed, by intervals of a level."""
    columns = joined([row for name in TABLES for row in _rows(pair, name, level)])
    players = np.full(len(columns["a"]), pair.a.recipe.seats)
    return build(CHANGES, {"players": players, **columns})


def _rows(pair: Pair, table: str, level: float) -> Iterator[dict[str, Any]]:
    """Yield the columns of the frame in parts, one for each thing measured.

    Whether the change in a share is known depends on the events of both runs together.
    """
    measured, match = TABLES[table]
    first, second, matched = measured(pair.a), measured(pair.b), match(pair.a, pair.b)
    names = np.array([name for name, _, _ in matched], object)
    in_a, in_b = (np.array(places) for places in zip(*((i, j) for _, i, j in matched), strict=True))
    for what, a in first.items():
        b = second[what]
        one, other = a.at(in_a), b.at(in_b)
        if table == "strategies" and not (np.nan_to_num(one.value).any() or np.nan_to_num(other.value).any()):
            continue  # a rule that neither board has
        change = pair.change(one, other)
        if a.counts and b.counts:
            interval = _of_shares(change, a.counts.at(in_a), b.counts.at(in_b), level)
        else:
            interval = change.simultaneous(level=level)
        yield {
            "table": np.full(len(names), table, object),
            "of": names,
            "what": np.full(len(names), what, object),
            "unit": np.full(len(names), a.unit, object),
            "a": one.value,
            "b": other.value,
            "change": interval,
        }


def _of_shares(change: Estimate, a: Counts, b: Counts, level: float) -> Interval:
    """Return intervals, from the share in each run if events, or chances without them, are too few or always alike.

    Those are widened until the whole family holds.
    """
    frequent = change.frequent(a.events + b.events, a.chances + b.chances)
    value, low, high = frequent.simultaneous(level=level)
    with np.errstate(invalid="ignore", divide="ignore"):
        in_a, in_b = (rare_share(*counts[:3], level_of_each(len(value), level)) for counts in (a, b))
    rare = (np.isnan(low) & ~np.isnan(value)) | ((low == high) & (value != 0))
    least, most = in_b.low * b.times - in_a.high * a.times, in_b.high * b.times - in_a.low * a.times
    return Interval(value, np.where(rare, least, low), np.where(rare, most, high))


def _measured(columns: dict[str, Array], below: Array, definition: Definition, block: int) -> dict[str, Quantity]:
    """Return the ratios of sums over games, each (batches, of). block: the most that `below` can be in a block."""
    found = {}
    for name, above in columns.items():
        unit, estimate = definition.column(name).unit, ratio(above, below)
        events, chances = above.sum(axis=0), below.sum(axis=0)
        counts = Counts(events, chances, chances // block, np.ones(len(events)))
        found[name] = Quantity(unit, estimate, counts if unit == "share" else None)
    return found


def _of_strategies(run: "Run") -> dict[str, Quantity]:
    s = sums(run, "seats")
    columns = {name: array.sum(axis=2) for name, array in per_seat(s).items()}
    ordered = {c.name: columns[c.name] for c in STRATEGIES.columns if c.name in columns}
    return _measured(ordered, s["games"].sum(axis=2), STRATEGIES, block_games(run) * run.recipe.seats)


def _of_seats(run: "Run") -> dict[str, Quantity]:
    s = sums(run, "seats")
    sums_of = per_seat(s)
    columns = {name: sums_of[name].sum(axis=1) for name in SEAT_COLUMNS}
    return _measured(columns, s["games"].sum(axis=1), STRATEGIES, block_games(run))


def _of_games(run: "Run") -> dict[str, Quantity]:
    s = {name: array.sum(axis=1, keepdims=True) for name, array in sums(run, "games").items()}
    columns = {c.name: s[c.name] for c in GAMES.columns if c.name in s and c.kind == "estimate"}
    dry = {"dry_turns": columns.pop("dry_turns")}  # a share of the turns, not of the games
    block_turns = block_games(run) * max(1, int(s["turns"].sum() // s["games"].sum()))
    of_turns = _measured(dry, s["turns"], GAMES, block_turns)
    return _measured(columns, s["games"], GAMES, block_games(run)) | of_turns


def _of_tickets(run: "Run") -> dict[str, Quantity]:
    score, win = (offer_effects(run, outcome, "all") for outcome in ("score", "win60"))
    found = fates(run, "all")
    return {
        "score_effect": Quantity("points", score),
        "win_effect": Quantity("share difference", win.scaled(1 / WHOLE_WIN)),
        **{name: Quantity(TICKETS.column(name).unit, found[name]) for name in TICKET_COLUMNS},
    }


def _of_routes(run: "Run") -> dict[str, Quantity]:
    """Return what is measured of connections; one that a board lacks is never claimed there."""
    s, played = sums(run, "routes"), to_groups(run, sums(run, "seats")["games"].sum(axis=(1, 2))) // run.recipe.seats
    tracks = np.array([len(routes) for routes in run.board.connections])  # which are side by side
    claims, turns = (
        np.add.reduceat(s[name].sum(axis=1), np.cumsum(tracks) - tracks, axis=1) for name in ("claims", "turn")
    )
    games = np.broadcast_to(played[:, None], claims.shape)
    events, chances = claims.sum(axis=0), games.sum(axis=0)
    counts = Counts(events, chances * tracks, chances // block_games(run), tracks)
    return {
        "claims": Quantity("a game", ratio(claims, games), counts, absent=0.0),
        "turn": Quantity("turns", ratio(turns, claims).frequent(events, np.full(len(events), np.inf))),
    }


Matched = tuple[str, int, int]
"""Something to compare: its name and its place in each run; −1 in a run that lacks it."""


def match_strategies(a: Sequence[str], b: Sequence[str]) -> list[Matched]:
    """Match strategies of the same name, and the others in order: the first of a with the first of b, and so on.

    >>> match_strategies(["planner", "random"], ["random", "hoarder"])
    [('random', 1, 0), ('planner → hoarder', 0, 1)]
    """
    both = [(name, i, b.index(name)) for i, name in enumerate(a) if name in b]
    gone = [i for i, name in enumerate(a) if name not in b]
    come = [j for j, name in enumerate(b) if name not in a]
    replaced = [(f"{a[i]} → {b[j]}", i, j) for i, j in zip(gone, come, strict=False)]
    left = [(a[i], i, -1) for i in gone[len(come) :]]
    return [*both, *replaced, *left, *((b[j], -1, j) for j in come[len(gone) :])]


def _match_strategies(a: "Run", b: "Run") -> list[Matched]:
    return match_strategies(a.strategies, b.strategies)


def _match_seats(a: "Run", b: "Run") -> list[Matched]:
    return [(str(seat), seat, seat) for seat in range(a.recipe.seats)]


def _match_games(a: "Run", b: "Run") -> list[Matched]:
    return [("", 0, 0)]


def _match_tickets(a: "Run", b: "Run") -> list[Matched]:
    return match_names(*([run.board.ticket_name(ticket) for ticket in run.board.tickets] for run in (a, b)))


def _match_routes(a: "Run", b: "Run") -> list[Matched]:
    names = ([run.board.connection_name(c) for c in range(len(run.board.connections))] for run in (a, b))
    return match_names(*names)


def match_names(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[Matched]:
    """Match things by name: those of a in order, then those found only in b."""
    in_b = {name: place for place, name in enumerate(b)}
    here = [(str(name), place, in_b.get(name, -1)) for place, name in enumerate(a)]
    return here + [(str(name), -1, place) for place, name in enumerate(b) if name not in set(a)]


TABLES = {
    "strategies": (_of_strategies, _match_strategies),
    "seats": (_of_seats, _match_seats),
    "games": (_of_games, _match_games),
    "tickets": (_of_tickets, _match_tickets),
    "routes": (_of_routes, _match_routes),
}
"""The functions for each table that is compared: one to measure it in a run, one to match it between two runs."""
