"""A comparison at a glance: what changed most in a sentence, and cards for wins, scores, seats and tickets."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ttrsim.batches import level_of_each
from ttrsim.formatting import GAMES_IN_100, counted, seat_name
from ttrsim.report.compare_answers import alike, is_same, is_sure, names_of, records, rows_of
from ttrsim.report.document import SummaryCard, at_a_glance, both_ends, effect_bars
from ttrsim.report.prose import Row, signed, size
from ttrsim.stats.compare import Pair, changes
from ttrsim.stats.standings import seats
from ttrsim.words import listed

if TYPE_CHECKING:
    import pandas as pd

FAMILIES = 10
"""Kinds of change that answers go by: wins and scores of strategies and of tickets, wins of seats, five of games."""
NAMED = 2
"""Strategies that a card names before it counts the others."""
ENDS = 3
"""Tickets at each end that a card shows."""
MOST = 8
"""Strategies that a card shows."""
PAGE_MARGIN = 0.01
"""The change in win share that does not matter unless another is given."""


def answering(pair: Pair) -> "pd.DataFrame":
    """Return the changes that answers in words go by, with intervals that hold in all of them together."""
    return changes(pair, level_of_each(FAMILIES))


def answers_of_compare(pair: Pair, margin: float = PAGE_MARGIN) -> list[str]:
    """Return the sentences with which the page of a comparison begins."""
    frame = answering(pair)
    return at_a_glance(headline(pair, frame), summary_cards(pair, frame, margin))


def headline(pair: Pair, frame: "pd.DataFrame") -> str:
    """State the greatest clear change in wins, else in scores; a strategy in place of another comes first."""
    names, wins = names_of(pair), [] if alike(pair) else records(frame, "win_share")
    sure = [(names[row["of"]], row) for row in wins if is_sure(row)]
    replaced = [found for found in sure if " in place of " in found[0]]
    if rotated(pair):
        sure += [(f"the {_seat(row)}", row) for row in records(frame, "win_share", "seats") if is_sure(row)]
    if sure:
        who, row = replaced[0] if replaced else max(sure, key=lambda found: abs(found[1]["change"]))
        return f"From A to B, {who} wins {_more(row, 'of 100')} {GAMES_IN_100}"
    scores = records(frame, "score")
    if scores and is_sure(scores[0]):
        found = _more(scores[0], "points")
        but = "" if alike(pair) else ", but nobody clearly wins more often"
        return f"From A to B, {names[scores[0]['of']]} scores {found}{but}"
    if all(is_same(row) for row in (*wins, *scores)):
        return "A and B come out the same in wins and scores"
    return "From A to B, neither wins nor scores clearly change"


def rotated(pair: Pair) -> bool:
    """Return whether strategies sat in all seats equally often in both runs."""
    return not any((seats(run)["verdict"] == "not rotated").any() for run in (pair.a, pair.b))


def summary_cards(pair: Pair, frame: "pd.DataFrame", margin: float) -> list[SummaryCard]:
    """Return the answers at a glance. margin: a change in win share that does not matter."""
    return [_wins(pair, frame, margin), _scores(pair, frame), _seats(pair, frame, margin), _tickets(frame)]


def _wins(pair: Pair, frame: "pd.DataFrame", margin: float) -> SummaryCard:
    rows = records(frame, "win_share")
    if alike(pair):
        return SummaryCard("Wins", "Everybody plays the same strategy on each side.", "Strategies", [])
    sure = _clear(rows, "wins", "of 100", GAMES_IN_100)
    first = [_few(sure)] if sure else []
    words = _sentence("; ".join([*first, *_not_changed(rows, margin)]))
    bars = effect_bars(rows[:MOST], "of", "change", "of 100")
    return SummaryCard("Wins", words, "Strategies", bars, unit="change in wins per 100 games")


def _not_changed(rows: Sequence[Row], margin: float) -> Iterator[str]:
    """Name the strategies whose share of wins did not clearly change."""
    unsure = [row for row in rows if not is_sure(row)]
    kept = [row for row in unsure if -margin <= row["change_low"] and row["change_high"] <= margin]
    left = [f"{_new(row)} ({signed(row, 'change', 'of 100')})" for row in unsure if row not in kept]
    if kept:
        yield f"no change beyond {100 * margin:g} of 100 games: {_few([_new(row) for row in kept])}"
    if left:
        yield f"too close to call: {_few(left)}"


def _scores(pair: Pair, frame: "pd.DataFrame") -> SummaryCard:
    rows = records(frame, "score")
    sure = _clear(rows, "scores", "", "points")
    words = [_sentence(_few(sure) if sure else "no strategy's mean score clearly changes")]
    (length,) = rows_of(frame, "games", "turns").to_dict("records")
    if is_sure(length):
        words.append(f"Games are {_more(length, 'turns', 'longer', 'shorter')}.")
    bars = effect_bars(rows[:MOST], "of", "change", "points")
    return SummaryCard("Scores", " ".join(words), "Strategies", bars, unit="change in points")


def _seats(pair: Pair, frame: "pd.DataFrame", margin: float) -> SummaryCard:
    if not rotated(pair):
        return SummaryCard("Seats", "Unknown: strategies did not sit in all seats equally often.", "Seats", [])
    rows = rows_of(frame, "seats", "win_share").to_dict("records")
    sure = [{**row, "of": f"the {_seat(row)}"} for row in rows if is_sure(row)]
    if sure:
        words = listed(_clear(sure, "wins", "of 100", GAMES_IN_100))
    elif all(-margin <= row["change_low"] and row["change_high"] <= margin for row in rows):
        words = f"no seat's wins change by more than {100 * margin:g} of 100 games"
    else:
        words = "too close to call"
    bars = effect_bars([{**row, "of": _seat(row)} for row in rows], "of", "change", "of 100")
    return SummaryCard("Seats", _sentence(words), "Seats", bars, unit="change in wins per 100 games")


def _tickets(frame: "pd.DataFrame") -> SummaryCard:
    rows = sorted(rows_of(frame, "tickets", "win_effect").to_dict("records"), key=lambda row: -row["change"])
    if not rows:
        return SummaryCard("Tickets", "The boards have no ticket in common.", "Tickets", [])
    sure = [row for row in rows if is_sure(row)]
    gained, lost = (row["of"] for row in (rows[0], rows[-1]))
    words = [
        f"{len(sure) or 'None'} of {counted(len(rows), 'ticket')} clearly {'changes' if len(sure) == 1 else 'change'}",
        *([f"{gained} gains most"] if rows[0] in sure and rows[0]["change"] > 0 else []),
        *([f"{lost} loses most"] if rows[-1] in sure and rows[-1]["change"] < 0 else []),
    ]
    bars = effect_bars(both_ends(rows, ENDS), "of", "change", "of 100")
    return SummaryCard(
        "Tickets", f"{'; '.join(words)}.", "Tickets", bars, unit="change in extra wins per 100 games when offered"
    )


def _more(row: Row, unit: str, up: str = "more", down: str = "fewer") -> str:
    """Format a change: `5.8 ± 2.0 fewer`."""
    return f"{size(row, 'change', unit)} {up if row['change'] > 0 else down}"


def _clear(rows: Sequence[Row], verb: str, unit: str, what: str) -> list[str]:
    """Say how much each strategy or seat clearly changed; verb and what are said of the first alone."""
    sure = [row for row in rows if is_sure(row)]
    return [
        f"{_new(row)} {_more(row, unit)}" if place else f"{_new(row)} {verb} {_more(row, unit)} {what}"
        for place, row in enumerate(sure)
    ]


def _few(things: Sequence[str]) -> str:
    """List the first things, and count the others."""
    more = [f"{len(things) - NAMED} more"] if len(things) > NAMED else []
    return listed([*things[:NAMED], *more])


def _new(row: Row) -> str:
    """Name a strategy as it is in B."""
    return str(row["of"]).rpartition(" → ")[2]


def _seat(row: Row) -> str:
    return seat_name(int(row["of"]))


def _sentence(words: str) -> str:
    """Return words as a sentence; a name of a strategy at its beginning stays as it is written."""
    plain = words.startswith(("of 100", "no ", "the ", "too close"))
    return f"{words[:1].upper() if plain else words[:1]}{words[1:]}."
