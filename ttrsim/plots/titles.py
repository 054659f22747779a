"""Titles of pictures that say what was found; where nothing is clear they say what is shown."""

from typing import TYPE_CHECKING

import numpy as np

from ttrsim.batches import FEWEST_BATCHES, sidak
from ttrsim.formatting import counted, decimal

if TYPE_CHECKING:
    import pandas as pd

OF_TICKETS = {"win_effect": ("wins", 100.0, "wins per 100 games"), "score_effect": ("the score", 1.0, "points")}
"""Effects of a ticket with what they are on, the factor to show them, and their unit."""


def strategies_title(frame: "pd.DataFrame") -> str:
    """Say how often the two strategies that win most win."""
    known = frame.dropna(subset="win_share").sort_values("win_share", ascending=False, kind="stable")
    if known.empty:
        return "Who wins"
    shares = [f"{decimal(100 * share)}" for share in known["win_share"]]
    first = f"{known['strategy'].iloc[0]} wins {shares[0]} of 100 games"
    return f"{first}, {known['strategy'].iloc[1]} {shares[1]}" if len(known) > 1 else first


def strength_title(frame: "pd.DataFrame") -> str:
    """Name the strategy that is clearly the strongest, or those that can be."""
    first = list(frame.loc[frame["rank_low"] == 1, "strategy"])
    if len(frame) < 2 or not first:
        return "How strong each strategy is"
    if len(first) == 1:
        return f"{first[0]} is clearly the strongest"
    return f"{' or '.join(first)} is the strongest" if len(first) < 4 else "Which is the strongest is too close to call"


def versus_title(frame: "pd.DataFrame") -> str:
    """Name the strategy that clearly finishes before every other, if there is one."""
    for name, rows in frame.groupby("strategy", sort=False, observed=True):
        if (rows["ahead_low"] > 0.5).all():
            low, high = (decimal(100 * end, 0) for end in (rows["ahead"].min(), rows["ahead"].max()))
            often = low if low == high else f"{low} to {high}"
            others = f"every other in {often}" if len(rows) > 1 else f"{rows['other'].iloc[0]} in {often}"
            return f"{name} finishes before {others} of 100 games"
    return "Who finishes before whom"


def parts_title(frame: "pd.DataFrame") -> str:
    """Say what makes the largest part of the highest mean score. frame: that score first."""
    row = frame.iloc[0]
    if not np.isfinite(row["score"]):
        return "What scores are made of"
    tickets = row["points_won"] + row["points_lost"]
    points = f"{decimal(row['points_routes'], 0)} of it for routes and {decimal(tickets, 0)} for tickets"
    return f"{row['strategy']} scores {decimal(row['score'], 0)}: {points}"


def medians_title(medians: "dict[str, float]") -> str:
    """Say where the medians of final scores lie. medians: by strategy."""
    (best, high), *others = sorted(medians.items(), key=lambda median: -median[1])
    if not others:
        return f"{best} ends with a median of {decimal(high, 0)} points"
    worst, low = others[-1]
    return f"{best} ends with a median of {decimal(high, 0)} points, {worst} with {decimal(low, 0)}"


def luck_title(frame: "pd.DataFrame") -> str:
    """Say how much of winning the strategy explains."""
    wins = frame[frame["outcome"] == "win"]["strategy"].dropna()
    if len(wins) != 1:
        return "How much is luck?"
    return f"The strategy explains {decimal(100 * wins.iloc[0], 0)} % of who wins"


def convergence_title(frame: "pd.DataFrame") -> str:
    """Say how often the best strategy wins after all games."""
    last = frame[frame["games"] == frame["games"].max()]
    row = last.sort_values("win_share", kind="stable").iloc[-1]
    half = 50 * (row["win_share_high"] - row["win_share_low"])
    if not np.isfinite(half):
        return "How win shares settled"
    wins = f"{decimal(100 * row['win_share'])} ± {decimal(half)}"
    return f"After {row['games']:,} games {row['strategy']} wins {wins} of 100"


def precision_title(frame: "pd.DataFrame") -> str:
    """Say how precisely all win shares are known after all games."""
    last = frame[frame["games"] == frame["games"].max()]
    half = 50 * (last["win_share_high"] - last["win_share_low"]).max()
    if not np.isfinite(half):
        return "How precisely win shares are known"
    return f"After {last['games'].iloc[0]:,} games each win share is known to ± {decimal(half)} wins per 100 games"


def tickets_title(frame: "pd.DataFrame", value: str) -> str:
    """Name the tickets that clearly help and hurt most."""
    on, scale, unit = OF_TICKETS[value]
    found: list[str] = []
    for way, end, does in ((1, "low", "brings"), (-1, "high", "costs")):
        sure = frame[way * frame[f"{value}_{end}"] > 0]
        if len(sure):
            row = sure.iloc[int((way * sure[value]).argmax())]
            found.append(f"{row['ticket']} {does} {_short(scale * abs(row[value]))}" + ("" if found else f" {unit}"))
    return "; ".join(found) or f"What being offered a ticket does to {on}"


def _short(value: float) -> str:
    return decimal(value, 0 if value >= 10 else 1)


def agreement_title(known: "pd.DataFrame", slope: float) -> str:
    """Name the ticket whose wins are clearly farthest from what its effect on the score promises.

    known: tickets with both effects; slope: wins per 100 games for a point of score.
    """
    names = ("win_effect", "score_effect")
    wins, score = (known[name].to_numpy(float) for name in names)
    of_wins, of_score = ((known[f"{name}_high"] - known[f"{name}_low"]).to_numpy(float) / 2 for name in names)
    apart = 100 * wins - slope * score
    clear = np.abs(apart) > 100 * of_wins + abs(slope) * of_score
    if not clear.any():
        return "Where wins and score disagree"
    place = int(np.where(clear, np.abs(apart), 0).argmax())
    more = f"{_short(abs(apart[place]))} wins in 100 games {'more' if apart[place] > 0 else 'fewer'}"
    return f"{known['ticket'].iloc[place]} brings {more} than its effect on the score suggests"


def earliest_title(names: "list[str]", turns: np.ndarray) -> str:
    """Name the place that is taken earliest; "" if nothing is known."""
    if not np.isfinite(turns).any():
        return ""
    place = int(np.nanargmin(turns))
    return f"{names[place]} goes first, in turn {decimal(turns[place], 0)} on average"


def highest_title(names: "list[str]", values: np.ndarray, words: str) -> str:
    """Name the place with the highest value, in words such as `{} is reached by {} players`; "" if nothing is known."""
    if not np.isfinite(values).any():
        return ""
    place = int(np.nanargmax(values))
    return words.format(names[place], _short(values[place]))


def difficulty_title(names: "list[str]", failed: np.ndarray, par: np.ndarray, harder: np.ndarray) -> str:
    """Name the ticket that is farthest above par, of those that clearly are. failed, par: in %."""
    if not harder.any():
        return "How hard tickets are for what they are worth"
    place = int(np.where(harder, failed - par, -np.inf).argmax())
    more = decimal(failed[place] - par[place], 0)
    return f"{names[place]} fails in {decimal(failed[place], 0)} of 100 games, {more} more than its points suggest"


def panels_title(frame: "pd.DataFrame") -> str:
    """Name the ticket and the number of players with which it is farthest above par, of those that clearly are.

    frame: all panels. Its intervals hold each on its own; here they are as wide as all of them together need.
    """
    factor = sidak(len(frame), FEWEST_BATCHES - 1) / sidak(1, FEWEST_BATCHES - 1)
    names = [f"With {row.players} players {row.ticket}" for row in frame.itertuples()]
    failed, low, par = (100 * frame[name].to_numpy(float) for name in ("difficulty", "difficulty_low", "par"))
    return difficulty_title(names, failed, par, failed - factor * (failed - low) > par)


def fair_title(frame: "pd.DataFrame") -> str:
    """Name the ticket whose fair value is farthest from the printed one, of those where it clearly is another."""
    clear = frame[(frame["fair_value_low"] > frame["points"]) | (frame["fair_value_high"] < frame["points"])]
    clear = clear[clear["fair_value"].round() != clear["points"]]  # or the title would name one number twice
    if clear.empty:
        return "What tickets are worth, and what they should be"
    row = clear.loc[[(clear["fair_value"] - clear["points"]).abs().idxmax()]].iloc[0]
    return f"{row['ticket']} gives {row['points']:.0f} points and should give {decimal(row['fair_value'], 0)}"


def trace_title(gain: float, half: float) -> str:
    """Say how much better than its start a search ends, if that is clear. gain, half: in wins per 100 games."""
    if not abs(gain) > half:
        return "How the search went"
    apart = f"{decimal(abs(gain))} ± {decimal(half)} wins per 100 games"
    return f"The search ends {apart} {'above' if gain > 0 else 'below'} its start"


def parameters_title(frame: "pd.DataFrame") -> str:
    """Say what it costs to put back the parameter that is clearly worth most; it may be negative."""
    clear = frame[(frame["worth_low"] > 0) | (frame["worth_high"] < 0)]
    if clear.empty:
        return "Parameters within their bounds"
    row = clear.loc[[clear["worth"].abs().idxmax()]].iloc[0]
    wins = f"{decimal(100 * abs(row['worth']))} ± {decimal(50 * (row['worth_high'] - row['worth_low']))}"
    does = "costs" if row["worth"] > 0 else "brings"
    return f"Putting {row['parameter']} alone back to {row['start']:g} {does} {wins} wins per 100 games"


def paths_title(ticket: str, routes: "pd.DataFrame") -> str:
    """Name the route over which a ticket is completed most often."""
    if not routes["share"].notna().any():
        return f"Nobody completed {ticket} by their own routes"
    row = routes.iloc[int(routes["share"].argmax())]
    return f"Of 100 who complete {ticket}, {decimal(100 * row['share'], 0)} use {row['route']}"


def fairer_title(frame: "pd.DataFrame") -> str:
    """Say how much nearer to fair all changes together bring a board, if they clearly do. frame: by changes."""
    start, end = frame.iloc[0], frame.iloc[-1]
    if not (start["gain_low"] > 0 or start["gain_high"] < 0):
        return "Distance from fair, with more and more changes"
    changes = counted(int(end["changes"]), "change")
    way = "takes" if end["changes"] == 1 else "take"
    return f"{changes} {way} the distance from fair from {_short(start['distance'])} to {_short(end['distance'])}"


UNITS = {"score": ("points", 1, 1), "win": ("wins per 100 games", 100, 1), "completed": ("completed tickets", 1, 2)}
"""The unit of each kind of effect, the factor to show it, and how many digits."""


def effect_title(frame: "pd.DataFrame", place: str, value: str, doing: str) -> str:
    """Say what the clearest strong effect is; "" if none is clear. place: the column of names; doing: what was done."""
    kind = value.split("_")[0]
    clear = frame[(frame[f"{value}_low"] > 0) | (frame[f"{value}_high"] < 0)]
    if clear.empty or kind not in UNITS:
        return ""
    unit, scale, digits = UNITS[kind]
    row = clear.loc[[clear[value].abs().idxmax()]].iloc[0]
    does = "brings" if row[value] > 0 else "costs"
    return f"{doing} {row[place]} {does} {decimal(abs(scale * row[value]), digits)} {unit}"
