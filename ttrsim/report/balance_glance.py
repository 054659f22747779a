"""A balance at a glance: its finding, and a card for each size beside those of the published boards."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ttrsim.batches import level_of_each
from ttrsim.formatting import counted
from ttrsim.report.document import Bar, SummaryCard, at_a_glance
from ttrsim.report.prose import Row, at_most, estimate, number, signed, size
from ttrsim.report.size_words import (
    WHAT,
    Judged,
    fair_finding,
    in_unit,
    judged_questions,
    nearer_finding,
)
from ttrsim.report.tables import called
from ttrsim.stats.effects import EFFECTS, PLACES
from ttrsim.stats.fairness import SIZE, fairness, tables_of_both
from ttrsim.stats.published_boards import NAMES
from ttrsim.stats.sizes import ALL
from ttrsim.words import listed

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.examination import Balance
    from ttrsim.runs import Run


def answers_of_balance(found: "Balance") -> list[str]:
    """Return the sentences with which the page of an examination begins: its verdicts."""
    return at_a_glance(headline(found), summary_cards(found))


def headline(found: "Balance") -> str:
    finding = fair_finding(found.frame, found.sizes, found.bounds)
    return f"{found.runs[0].board.full_name}: {finding[:1].lower()}{finding[1:]}"


def summary_cards(found: "Balance") -> list[SummaryCard]:
    itself = "" if found.unlike_published else found.runs[0].board.id
    rest = f"{dead_words(found.frame)} {stalled_words(found.frame)}"
    return _of_sizes(found, itself, rest)


def dead_words(frame: "pd.DataFrame") -> str:
    """Count the cities and routes that hardly anybody uses. frame: all verdicts."""
    parts = []
    for question, one, several in (("cities", "city", "cities"), ("routes", "route", "routes")):
        rows = frame[frame["question"] == question].sort_values("value", kind="stable")
        dead = [*rows[rows["verdict"] == "imbalanced"]["of"]]
        open_ = int((rows["verdict"] == "undecided").sum())
        part = f"{counted(len(dead), one, several)}" + (f" ({listed(dead)})" if dead else "")
        parts.append(part + (f" ({open_} too close to call)" if open_ else ""))
    return f"Clearly dead: {listed(parts)}." if parts != ["no cities", "no routes"] else "No city or route is dead."


def stalled_words(frame: "pd.DataFrame") -> str:
    """State how often games end as they should not, at most."""
    most = frame[frame["question"] == "games"]["value_high"].max()
    return f"At most {at_most(100 * most)} % of games stall."


def _of_sizes(found: "Balance", itself: str, rest: str) -> list[SummaryCard]:
    """Return cards with each size over all tables beside those of the published boards.

    itself: the board's id, or "" if the published boards were measured otherwise; as one of them it needs no second
    bar. rest: the words about routes and ends of games.
    """
    frame, sizes = found.frame, found.sizes
    rows = {row["question"]: row for row in sizes[sizes["players"] == ALL].to_dict("records")}
    judged = {one.question: one for one in judged_questions(frame, sizes, found.bounds)}
    cards = [_card(rows[of], judged.get(of), frame, itself) for of in (*EFFECTS, "length") if of in rows]
    return [*cards, SummaryCard("Routes and ends", rest, PLACES_TITLE, [])]


def _card(row: Row, judged: Judged | None, frame: "pd.DataFrame", itself: str) -> SummaryCard:
    """Return the card of a size."""
    question, shown = row["question"], row["unit"].replace("share difference", "of 100").replace("turns each", "")
    bars = [Bar("this board", _scaled(row["size"], row["unit"]), estimate(row, "size", shown))]
    known = [(row[board], name) for board, name in NAMES.items() if row[board] == row[board]]
    others = [(size, name) for size, name in known if name != NAMES.get(itself)]
    bars += [Bar(name, _scaled(size, row["unit"]), in_unit(size, row["unit"]), faint=True) for size, name in others]
    title = WHAT[question].capitalize()
    if question == "length":
        return SummaryCard(title, f"{number(row['size'], 0)} turns of each player.", PLACES_TITLE, bars)
    words = {
        "balanced": "Like the published boards" if known else "Within the bounds that were set",
        "imbalanced": "Farther from fair than the published boards" if known else "Beyond the bounds that were set",
        "undecided": "Too close to call",
    }
    said = words.get(row["verdict"], SPREAD[question])
    beyond = ", beyond all of theirs" if known else ", beyond the bound"
    if judged and (judged.verdict == "imbalanced" or judged.players):  # then single cases are to be expected
        beyond = ""
    if judged and judged.verdict != "imbalanced" and judged.players:
        said += f"; farther with {listed(map(str, judged.players), 'or')} players"
    return SummaryCard(title, f"{said}. {_farthest(question, frame, beyond)}".strip(), title, bars, unit="wins in 100")


def _farthest(question: str, frame: "pd.DataFrame", beyond: str) -> str:
    """Name the seat or ticket that is farthest from fair and where, or the strategy that leads by most.

    beyond: words to add if it is imbalanced.
    """
    rows = frame[(frame["question"] == question) & frame["value_low"].notna()]
    if rows.empty:
        return ""
    row = rows.iloc[int(rows["value"].abs().argmax())].to_dict()
    beyond = beyond if row["verdict"] == "imbalanced" else ""
    value = signed(row, "value", "of 100")
    if question == "strategies":
        return f"Largest lead: {row['of']}, {value.removeprefix('+')}{beyond}."
    seat = f"{called(row['of']).removesuffix(' player')} of"
    where = f"{seat} {row['players']} players" if question == "seats" else f"{row['of']} with {row['players']} players"
    return f"Farthest: {where}, {value}{beyond}."


SPREAD = {
    "seats": "How far seats typically are from a fair share",
    "tickets": "How far tickets typically are from each other",
    "strategies": "How far apart the bots are; they decide that, not the board alone",
}
"""The words of a card whose size is not judged."""
PLACES_TITLE = "Routes and cities"


def _scaled(value: float, unit: str) -> float:
    return 100 * value if unit.startswith("share") else value


def answers_of_fairness(a: "Sequence[Run]", b: "Sequence[Run]") -> list[str]:
    """Return the sentences with which the page of two examinations begins."""
    frame = nearer_frame(a, b)
    return at_a_glance(nearer_finding(frame), nearer_cards(frame))


def nearer_frame(a: "Sequence[Run]", b: "Sequence[Run]") -> "pd.DataFrame":
    """Return what is nearer to fair, by intervals that hold in all answers together.

    Families are sizes, cities, routes, and at each table three at most.
    """
    return fairness(a, b, level_of_each(1 + len(PLACES) + len(EFFECTS) * len(tables_of_both(a, b))))


def nearer_cards(frame: "pd.DataFrame") -> list[SummaryCard]:
    """Return cards with the sizes of A and B."""
    rows = frame[(frame["of"] == SIZE) & (frame["players"] == ALL)].to_dict("records")
    return [_both(row) for row in rows if row["question"] in (*EFFECTS, "length") and row["a"] == row["a"]]


def _both(row: Row) -> SummaryCard:
    unit = row["unit"]
    bars = [Bar(side.upper(), _scaled(row[side], unit), in_unit(row[side], unit), side == "a") for side in "ab"]
    shown, what = ("turns", "") if unit == "turns each" else ("of 100", " wins per 100 games")
    known = row["farther_low"] < row["farther_high"]
    by = f", by {size(row, 'farther', shown)}{what}" if known else ""
    close = f"Too close to call ({signed(row, 'farther', shown)}{what})." if known else "Too close to call."
    words = {
        "nearer": f"B is clearly nearer to fair{by}.",
        "farther": f"B is clearly farther from fair{by}.",
        "same": "The same in both.",
        "longer": f"Games are clearly longer{by}.",
        "shorter": f"Games are clearly shorter{by}.",
    }
    title, section = WHAT[row["question"]].capitalize(), "Sizes" if row["question"] == "length" else "What moved"
    caption = "turns of each player" if unit == "turns each" else "wins per 100 games from fair"
    return SummaryCard(title, words.get(row["verdict"], close), section, bars, unit=caption)
