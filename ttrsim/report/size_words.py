"""Say in words how far from fair a board is, and how that compares with the published boards."""

from typing import TYPE_CHECKING

from ttrsim.formatting import counted
from ttrsim.report.prose import Row, at_most, estimate, number, signed
from ttrsim.stats.balance import BOUNDS, Bounds
from ttrsim.stats.effects import EFFECTS
from ttrsim.stats.fairness import SIZE
from ttrsim.stats.published_boards import NAMES
from ttrsim.stats.sizes import ALL, worst_of
from ttrsim.words import listed

if TYPE_CHECKING:
    import pandas as pd

WHAT = {
    "seats": "seats",
    "tickets": "tickets",
    "strategies": "strategies",
    "cities": "dead cities",
    "routes": "dead routes",
    "games": "stalled games",
    "length": "length of games",
}
"""Each question as a part of a sentence."""
TITLES = {question: words.capitalize() for question, words in WHAT.items()}
DECIDED = ("imbalanced", "undecided", "balanced")


def fair_words(frame: "pd.DataFrame", sizes: "pd.DataFrame", bounds: Bounds) -> str:
    """Say which questions are off, undecided and fine, and by which bounds. frame: all verdicts."""
    found = {question: _verdict(question, frame, sizes, bounds) for question in BOUNDS}
    off, open_, fine = ([WHAT[question] for question in found if found[question] == verdict] for verdict in DECIDED)
    published = [question for question in found if bounds[question] is None]
    theirs = "the published boards" + ("" if len(published) == len(found) else " or the bounds that were set")
    if off:
        first = f"Farther from fair than {theirs}" if published else "Beyond the bounds that were set"
        words = [f"{first}: {listed(off)}."]
    elif open_:
        words = [f"Nothing is clearly farther from fair than {theirs if published else 'the bounds that were set'}."]
    elif published:
        words = [f"Yes: everything is as fair as {theirs}, as far as these strategies show."]
    else:
        words = ["Yes: everything lies within the bounds that were set, as far as these strategies show."]
    if off or open_:
        words += [f"{title}: {listed(some)}." for title, some in (("Undecided", open_), ("Balanced", fine)) if some]
    return " ".join(words)


def _verdict(question: str, frame: "pd.DataFrame", sizes: "pd.DataFrame", bounds: Bounds) -> str:
    """Return the worst verdict on a question that counts; "" if there is none."""
    of_size = [*sizes[(sizes["question"] == question) & (sizes["verdict"] != "")]["verdict"]]
    counts = question in EFFECTS or bounds[question] is not None
    found = of_size + ([*frame[frame["question"] == question]["verdict"]] if counts else [])
    return worst_of(found) if found else ""


def size_points(sizes: "pd.DataFrame") -> list[str]:
    """Say how large each size is over all tables, and how large those of the published boards are."""
    rows = sizes[sizes["players"] == ALL].to_dict("records")
    return [f"{TITLES[row['question']]}: {size_words(row)}{_beside(row)}." for row in rows]


def size_words(row: Row) -> str:
    """Return a size: `3.0 ± 0.2 pp`, `at most 0.4 %`, `1 (0 to 2 by chance)`, `34.3 ± 0.1 turns`."""
    unit, low, high = row["unit"], row["size_low"], row["size_high"]
    if row["size"] != row["size"]:
        return "–"
    if unit == "dead":
        by_chance = f" ({low:.0f} to {high:.0f} by chance)" if low < high else ""
        return f"{row['size']:.0f}{by_chance}"
    if unit == "turns each":
        return f"{estimate(row, 'size', '')} turns"
    if low <= 0 < high:
        return f"at most {at_most(100 * high)} {'%' if unit == 'share' else 'pp'}"
    return estimate(row, "size", unit)


def worst_words(row: Row) -> str:
    """Return the value of the worst seat, ticket, place and so on; "" if there is none."""
    if row["worst"] != row["worst"]:
        return ""
    if row["question"] == "games" and row["worst_low"] <= 0:
        return f"at most {at_most(100 * row['worst_high'])} %"
    return estimate(row, "worst", "share")


def _beside(row: Row) -> str:
    """List the published boards' sizes, the smallest first."""
    known = sorted((row[board], name) for board, name in NAMES.items() if row[board] == row[board])
    sizes = ", ".join(f"{name} {in_unit(value, row['unit'])}" for value, name in known)
    return f"; {sizes}" if sizes else ""


def in_unit(value: float, unit: str) -> str:
    """Return a size as a number, without its unit; – if there is none."""
    if value != value:
        return "–"
    return f"{value:.0f}" if unit == "dead" else number(100 * value if unit.startswith("share") else value)


def beyond_words(frame: "pd.DataFrame", what: str) -> str:
    """Count verdicts on single seats or tickets judged like the published boards."""
    off, settled, left = (
        int((frame["verdict"] == verdict).sum()) for verdict in ("imbalanced", "balanced", "undecided")
    )
    return (
        f"{off} of {counted(len(frame), what)} clearly {'goes' if off == 1 else 'go'} beyond all {what}s of the "
        f"published boards, {settled} clearly {'does' if settled == 1 else 'do'} not, {left} "
        f"{'is' if left == 1 else 'are'} undecided"
    )


def nearer_words(frame: "pd.DataFrame") -> str:
    """Say in which questions B is nearer to fair than A, and in which farther. frame: of `fairness`."""
    rows = frame[(frame["of"] == SIZE) & (frame["players"] == ALL)].to_dict("records")
    told = [row for row in rows if (row["question"], row["verdict"]) != ("games", "undecided")]
    found = {verdict: [_moved(row) for row in told if row["verdict"] == verdict] for verdict in MOVED}
    parts = [f"{words} {', '.join(found[verdict])}" for verdict, words in MOVED.items() if found[verdict]]
    length = [row for row in rows if row["verdict"] in ("longer", "shorter")]
    games = [f" Games are {row['verdict']}{_moved(row).removeprefix(WHAT['length'])}." for row in length]
    return f"B is {'; '.join(parts)}.{''.join(games)}"


MOVED = {
    "nearer": "nearer to fair in",
    "farther": "farther from fair in",
    "undecided": "not clearly different in",
    "same": "the same in",
}


def _moved(row: Row) -> str:
    """Return a size in A and in B, and the change: `tickets (5.5 → 3.0, −2.5 ± 0.3 pp)`."""
    unit = row["unit"]
    a, b = (in_unit(row[side], unit) for side in ("a", "b"))
    if row["verdict"] == "same":
        return f"{WHAT[row['question']]} ({a})"
    low, high = row["farther_low"], row["farther_high"]
    if unit == "dead" or row["question"] == "games":
        return f"{WHAT[row['question']]} ({a} → {b}{' %' if unit == 'share' else ''})"
    change = signed(row, "farther", unit) if unit != "turns each" else signed(row, "farther", "turns")
    return f"{WHAT[row['question']]} ({a} → {b}, {change})" if low < high else f"{WHAT[row['question']]} ({a} → {b})"
