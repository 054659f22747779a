"""Say in words how far from fair a board is, and how that compares with the published boards."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from ttrsim.formatting import counted
from ttrsim.report.prose import Row, at_most, estimate, number, signed, some
from ttrsim.report.tables import called
from ttrsim.stats.balance import BOUNDS, Bounds
from ttrsim.stats.effects import EFFECTS
from ttrsim.stats.fairness import SIZE
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


class Judged(NamedTuple):
    """The verdicts on a question: over all tables, at single numbers of players, and on single cases."""

    question: str
    verdict: str  # on the size over all tables; where no size is judged the worst of all cases
    players: Sequence[int]  # numbers of players at which the size is imbalanced
    cases: Sequence[str]  # single seats, tickets and so on that are imbalanced, as readers call them
    left: bool  # something of it is undecided

    @property
    def fair(self) -> bool:
        """Return whether all that was judged is fair."""
        return self.verdict == "balanced" and not (self.players or self.cases or self.left)


def judged_questions(frame: "pd.DataFrame", sizes: "pd.DataFrame", bounds: Bounds) -> list[Judged]:
    """Return the verdicts on each question that is judged. frame: all verdicts."""
    found = [_judged(question, frame, sizes, bounds) for question in BOUNDS]
    return [one for one in found if one.verdict]


def _judged(question: str, frame: "pd.DataFrame", sizes: "pd.DataFrame", bounds: Bounds) -> Judged:
    """Return the verdicts on a question. Where a size is judged, single places and ends of games do not count."""
    of_sizes, cases = (of[(of["question"] == question) & (of["verdict"] != "")] for of in (sizes, frame))
    if question not in EFFECTS and bounds[question] is None:
        cases = cases.iloc[:0]
    whole = of_sizes["players"] == ALL
    over_all = [*of_sizes[whole]["verdict"]]
    single = of_sizes[~whole]
    if not over_all:
        over_all = [worst_of([*cases["verdict"]])] if len(cases) else [""]
        cases = cases.iloc[:0]
    return Judged(
        question,
        over_all[0],
        [int(players) for players in single[single["verdict"] == "imbalanced"]["players"]],
        [called(of) for of in dict.fromkeys(cases[cases["verdict"] == "imbalanced"]["of"])],
        "undecided" in [*single["verdict"], *cases["verdict"]],
    )


def fair_words(frame: "pd.DataFrame", sizes: "pd.DataFrame", bounds: Bounds, itself: str = "") -> str:
    """Say which questions are off, too close to call and fine, and by which bounds.

    frame: all verdicts; itself: a sentence if the board is one of those that set the bounds, which do not show that it
    is fair.
    """
    judged = judged_questions(frame, sizes, bounds)
    words = [f"{fair_finding(frame, sizes, bounds)}.", *filter(None, [itself])]
    fair = "Within them" if itself else "Fair"
    if all(one.fair for one in judged):
        return " ".join([*words, *(["That is so as far as these strategies show."] if "published" in words[0] else [])])
    whole = [one for one in judged if one.verdict == "balanced"]
    in_part = [one for one in whole if one.left and not (one.players or one.cases)]
    said = {
        "Too close to call": [one for one in judged if one.verdict == "undecided"],
        f"{fair} as a whole, but not in every case": [one for one in whole if one.cases],
        f"{fair} overall, undecided at some tables or in single cases": in_part,
        fair: [one for one in judged if one.fair],
    }
    if judged and not any(one.verdict == "imbalanced" or one.players for one in judged):
        del said[f"{fair} as a whole, but not in every case"]  # which is the finding
    return " ".join([*words, *(f"{title}: {listed(map(_what, some))}." for title, some in said.items() if some)])


def _what(judged: Judged) -> str:
    return WHAT[judged.question]


def fair_finding(frame: "pd.DataFrame", sizes: "pd.DataFrame", bounds: Bounds) -> str:
    """Say how fair a board is, in a sentence without a full stop: as a whole, else at which tables, else which case."""
    judged = judged_questions(frame, sizes, bounds)
    published = [question for question in BOUNDS if bounds[question] is None]
    set_ = "the bounds that were set"
    theirs = "the published boards" + ("" if len(published) == len(BOUNDS) else f" or {set_}") if published else set_
    beyond = f"{'Farther from fair than' if published else 'Beyond'} {theirs}"
    off = [_what(one) for one in judged if one.verdict == "imbalanced"]
    at_some = [one for one in judged if one.verdict != "imbalanced" and one.players]
    if off or at_some:
        with_ = [f"in {_what(one)} with {listed(map(str, one.players), 'or')} players" for one in at_some]
        return f"{beyond} {listed([*([f'in {listed(off)}'] if off else []), *with_])}"
    left = any(one.verdict == "undecided" for one in judged)
    words = f"Nothing is clearly farther from fair than {theirs}"
    if not left:
        words = f"As fair as {theirs}" if published else f"Everything lies within {set_}"
    if single := [one for one in judged if one.cases]:
        return f"{words} as a whole, but {listed(map(beyond_theirs, single))}"
    open_ = left or any(one.left for one in judged)
    return f"Nothing is clearly farther from fair than {theirs}" if open_ else words


CASES = {"seats": "seat", "tickets": "ticket", "strategies": "strategy"}


def beyond_theirs(judged: Judged) -> str:
    """Name the single cases that are off: `a ticket goes beyond all of theirs (A–B)`."""
    count, one = len(judged.cases), CASES[judged.question]
    if judged.question == "strategies":
        return f"{listed(judged.cases)} {'leads' if count == 1 else 'lead'} by more than any strategy there"
    which = f"a {one} goes" if count == 1 else f"{count} {one}s go"
    return f"{which} beyond all of theirs ({some(judged.cases)})"


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
    first = f"{off or 'none'} of {counted(len(frame), what)} clearly {'goes' if off == 1 else 'go'} beyond"
    rest = [f"{settled} clearly {'does' if settled == 1 else 'do'} not"] if settled else []
    rest += [f"{left} {'is' if left == 1 else 'are'} too close to call"] if left else []
    return "; ".join([f"{first} all {what}s of the published boards", *rest])


def nearer_words(frame: "pd.DataFrame") -> str:
    """Say in which questions B is nearer to fair than A, and in which farther. frame: of `fairness`."""
    rows = frame[(frame["of"] == SIZE) & (frame["players"] == ALL)].to_dict("records")
    shown = [row for row in rows if (row["question"], row["verdict"]) != ("games", "undecided")]
    found = {verdict: [_moved(row) for row in shown if row["verdict"] == verdict] for verdict in MOVED}
    parts = [f"{words} {', '.join(found[verdict])}" for verdict, words in MOVED.items() if found[verdict]]
    length = [row for row in rows if row["verdict"] in ("longer", "shorter")]
    games = [f" Games are {row['verdict']}{_moved(row).removeprefix(WHAT['length'])}." for row in length]
    return f"B is {'; '.join(parts)}.{''.join(games)}"


def nearer_finding(frame: "pd.DataFrame") -> str:
    """Say in a sentence in which questions B is nearer to fair and in which farther, without a full stop."""
    rows = frame[(frame["of"] == SIZE) & (frame["players"] == ALL)]
    found = {verdict: [WHAT[of] for of in rows[rows["verdict"] == verdict]["question"]] for verdict in MOVED}
    parts = [f"{MOVED[verdict]} {listed(found[verdict])}" for verdict in ("nearer", "farther") if found[verdict]]
    if parts:
        return f"B is {'; '.join(parts)}"
    open_ = (rows["question"].isin(EFFECTS) & (rows["verdict"] == "undecided")).any()
    same = f"A and B come out the same in {listed(found['same'])}"
    return "Whether B is nearer to fair than A is too close to call" if open_ or not found["same"] else same


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
