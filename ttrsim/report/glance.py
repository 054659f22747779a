"""A run at a glance: its result in a sentence, and cards for wins, tickets, seats and routes."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ttrsim import stats
from ttrsim.batches import level_of_each
from ttrsim.formatting import GAMES_IN_100, NUMBERS, decimal, seat_name
from ttrsim.report.answers import count_verdicts, ticket_verdicts
from ttrsim.report.document import Bar, SummaryCard, at_a_glance, both_ends, effect_bars
from ttrsim.report.prose import Row, estimate, number, sentence
from ttrsim.stats.standings import MARGIN
from ttrsim.words import listed

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run

Frames = Mapping[str, "pd.DataFrame"]

ENDS = 5
"""Tickets at each end, and routes, that a card shows."""
MOST = 8
"""Strategies that a card shows."""
ANSWERED = {"strategies": (0, 1), "tickets": (2,), "seats": (3,), "routes": (4,)}
"""The places of the answers about a table of statistics, among the headline, wins, tickets, seats and routes."""
OFTEN = 0.5
"""Share of the games in which a route is claimed that counts among those taken first, if there are such routes."""


def answering(run: "Run", margin: float) -> "dict[str, pd.DataFrame]":
    """Return the frames that answers in words go by, with intervals that hold in all of them together.

    Families are effects of tickets on wins and on the score, and seats; of several strategies also their leads, and for
    whom tickets and seats turn around.
    """
    level = level_of_each(6 if len(run.strategies) > 1 else 3)
    return {
        "seats": stats.seats(run, margin, level),
        "tickets": stats.tickets(run, "all", level),
        "strength": stats.strength(run, level),
        "versus": stats.versus(run, level),
    }


def answers_of_run(run: "Run", margin: float = MARGIN, table: str = "") -> list[str]:
    """Return the sentences with which the page of a run begins. table: only those about this table of statistics."""
    if table and table not in ANSWERED:
        return []
    own = {"strategies": stats.strategies(run), "routes": stats.routes(run)}
    cards = summary_cards(run, {**answering(run, margin), **own}, margin)
    found = at_a_glance(headline(run, own["strategies"]), cards)
    return [found[place] for place in ANSWERED[table]] if table else found


def headline(run: "Run", strategies: "pd.DataFrame") -> str:
    """State who wins, in a sentence."""
    best, *others = strategies.to_dict("records")
    players = f"{NUMBERS[run.recipe.seats - 1]}-player"
    if not others:
        score = number(best["score"], 0)
        return f"{run.board.full_name}: {best['strategy']} against itself scores {score} points in {players} games"
    once = all(sorted(line_up) == [*range(len(run.strategies))] for line_up in run.recipe.line_ups)
    share, next_share = (_of_hundred(row["win_share"]) for row in (best, others[0]))
    who = best["strategy"] if once else f"a seat of {best['strategy']}"
    return f"{run.board.full_name}: {who} wins {share} of 100 {players} games; {others[0]['strategy']} {next_share}"


def _of_hundred(share: float) -> str:
    """Format a share of wins as games of a hundred, a whole number."""
    if 0 < share < 0.005:
        return "fewer than 1"
    return "more than 99" if 0.995 <= share < 1 else decimal(100 * share, 0)


def _whole(share: float) -> str:
    """Format a share as games of a hundred: a whole number, unless it is small."""
    return decimal(100 * share, 0 if abs(share) >= 0.095 else 1)


def summary_cards(run: "Run", frames: Frames, margin: float) -> list[SummaryCard]:
    """Return the answers at a glance. frames: strategies, strength, versus, tickets, seats and routes."""
    return [
        _wins(run, frames),
        _tickets(run, frames["tickets"], margin),
        _seats(frames["seats"]),
        _routes(frames["routes"], frames["strategies"]),
    ]


def _wins(run: "Run", frames: Frames) -> SummaryCard:
    rows, fair = frames["strategies"].to_dict("records"), 100 / run.recipe.seats
    bars = [Bar(row["strategy"], 100 * row["win_share"], estimate(row, "win_share", "of 100")) for row in rows[:MOST]]
    if len(rows) == 1:
        return SummaryCard("Wins", "Everybody plays the same strategy, so nobody plays better.", "Scores", bars, fair)
    words = _ahead(rows, frames["strength"], frames["versus"])
    return SummaryCard("Wins", words, "Strategies", bars, fair, "wins in 100 games; line: fair share")


def _ahead(rows: Sequence[Row], strength: "pd.DataFrame", versus: "pd.DataFrame") -> str:
    """State whether the best strategy is clearly ahead, and of which it is not."""
    best, *others = rows
    lowest = strength.set_index("strategy")["rank_low"]
    close = [row["strategy"] for row in others if lowest[row["strategy"]] == 1]
    if close:
        names = listed([best["strategy"], *close]) if len(close) < MOST - 1 else f"{len(close) + 1} strategies"
        return f"Too close to call: {names}."
    met = versus[(versus["strategy"] == best["strategy"]) & (versus["other"] == others[0]["strategy"])]
    if not len(met):
        return f"{best['strategy']} is clearly ahead."
    apart = estimate(met.iloc[0].to_dict(), "win_share_difference", "of 100")
    return f"{best['strategy']} is clearly ahead, by {apart} wins in 100."


def _tickets(run: "Run", frame: "pd.DataFrame", margin: float) -> SummaryCard:
    known = frame[frame["win_effect_low"].notna()].sort_values("win_effect", ascending=False, kind="stable")
    if known.empty:
        return SummaryCard("Tickets", "These games do not show what tickets do.", "Tickets", [])
    rows = known.to_dict("records")
    bars = effect_bars(both_ends(rows, ENDS), "ticket", "win_effect", "of 100")
    counts = count_verdicts(ticket_verdicts(frame, margin, run.games_played)[0], "ticket")
    words = " ".join(filter(None, [_extremes(rows), f"{counts}."]))
    return SummaryCard("Tickets", words, "Tickets", bars, unit="extra wins per 100 games when offered")


def _extremes(rows: Sequence[Row]) -> str:
    """Name the ticket that clearly helps most, and the one that clearly hurts most."""
    best, worst = rows[0], rows[-1]
    helps = f"{best['ticket']} brings {_whole(best['win_effect'])} extra wins" if best["win_effect_low"] > 0 else ""
    costs = f"{worst['ticket']} costs {_whole(-worst['win_effect'])}" if worst["win_effect_high"] < 0 else ""
    if costs and not helps:
        costs += " wins"
    return f"{listed(filter(None, [helps, costs]))}." if helps or costs else ""


def _seats(frame: "pd.DataFrame") -> SummaryCard:
    rows = frame.to_dict("records")
    if (frame["verdict"] == "not rotated").any():
        return SummaryCard("Seats", "Unknown: strategies did not sit in all seats equally often.", "Seats", [])
    bars = effect_bars([{**row, "seat": seat_name(row["seat"])} for row in rows], "seat", "advantage", "of 100")
    best, worst = (choose(rows, key=lambda row: row["advantage"]) for choose in (max, min))
    more = f"the {seat_name(best['seat'])} wins {_whole(best['advantage'])} more {GAMES_IN_100} than is fair"
    less = f"the {seat_name(worst['seat'])} {_whole(-worst['advantage'])} fewer"
    found = [*([more] if best["advantage_low"] > 0 else []), *([less] if worst["advantage_high"] < 0 else [])]
    if found == [less]:
        found = [less.replace(" player ", " player wins ", 1) + f" {GAMES_IN_100} than is fair"]
    words = sentence("; ".join(found) or "which seat is better is too close to call")
    return SummaryCard("Seats", words, "Seats", bars, unit="wins per 100 games above fair")


def _routes(frame: "pd.DataFrame", strategies: "pd.DataFrame") -> SummaryCard:
    """Show the routes that are taken first, of those that are mostly taken."""
    claimed = frame[frame["turn"].notna()]
    if claimed.empty:
        return SummaryCard("Routes", "No route was claimed.", "Routes", [])
    often = claimed[claimed["claim_rate"] >= min(OFTEN, claimed["claim_rate"].max())]
    rows = often.sort_values("turn", kind="stable").head(ENDS).to_dict("records")
    bars = [Bar(row["route"], row["turn"], estimate(row, "turn", "")) for row in rows]
    length = float(np.average(strategies["turns"], weights=strategies["seats"]))
    turn, end = (number(turns, 0) for turns in (rows[0]["turn"], length))
    words = f"{rows[0]['route']} is claimed earliest, in turn {turn} of {end} on average."
    return SummaryCard("Routes", words, "Routes", bars, length, "mean turn of the claim; line: the game ends")
