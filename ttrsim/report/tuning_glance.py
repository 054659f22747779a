"""A tuning and a search for a fairer board at a glance: the result in a sentence, and cards."""

from dataclasses import replace
from typing import TYPE_CHECKING

from ttrsim.formatting import counted, decimal
from ttrsim.improving.frames import finding as finding_of_search
from ttrsim.report.balance_glance import nearer_cards
from ttrsim.report.document import Bar, SummaryCard, at_a_glance, effect_bars
from ttrsim.stats.fairness import fairness
from ttrsim.tuning.frames import finding, parameters_words, points_words
from ttrsim.words import listed

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.improver import Improvement
    from ttrsim.tuner import Tuning

MOST = 6
"""Rows that a card shows."""
COMPARED = ("Seats", "Tickets", "Length of games")
"""The titles of the cards about a board before and after."""
SIDES = {"A": "as it was", "B": "with the changes"}
"""The bars of a card about a board before and after."""


def answers_of_tuning(found: "Tuning") -> list[str]:
    """Return the sentences with which the page of a tuning begins."""
    return at_a_glance(finding(found.state), tuning_cards(found))


def tuning_cards(found: "Tuning") -> list[SummaryCard]:
    """Return the answers about a tuning at a glance."""
    gains = found.gains
    searched, others = (gains[gains["searched"] == word] for word in ("yes", "no"))
    worth = found.parameters[found.parameters["worth"].notna()].sort_values("worth", ascending=False, kind="stable")
    return [
        SummaryCard(
            "Where it was tuned", _shares(searched), "Gains", _gains(searched), unit="extra wins per 100 games"
        ),
        SummaryCard("Elsewhere", _verdicts(others), "Gains", _gains(others), unit="extra wins per 100 games"),
        SummaryCard(
            "Parameters",
            parameters_words(found.parameters, found.verdict),
            "Parameters",
            effect_bars(worth.head(MOST).to_dict("records"), "parameter", "worth", "of 100"),
            unit="wins per 100 games lost if put back alone",
        ),
    ]


def _shares(gains: "pd.DataFrame") -> str:
    """Say how often the strategy wins as it starts and tuned, or at how many tables it gains."""
    if len(gains) > 1:
        better = int((gains["verdict"] == "better").sum())
        return f"Clearly better at {better or 'none'} of {counted(len(gains), 'table')}."
    (row,) = gains.to_dict("records")
    start, tuned = (decimal(100 * row[name]) for name in ("start", "tuned"))
    return f"It wins {tuned} of 100 games; as it starts, {start}."


def _verdicts(gains: "pd.DataFrame") -> str:
    """Count the tables by their verdicts."""
    if not len(gains):
        return "No other table was played."
    counts = [(int((gains["verdict"] == word).sum()), word) for word in ("better", "worse", "undecided")]
    found = listed(f"{word} at {count}" for count, word in counts if count)
    return f"Of {counted(len(gains), 'neighbouring table')} {found}."


def _gains(gains: "pd.DataFrame") -> list[Bar]:
    rows = gains.head(MOST).to_dict("records")
    return [Bar(r["table"], 100 * r["gain"], points_words(r), faint=r["verdict"] == "undecided") for r in rows]


def answers_of_improvement(found: "Improvement") -> list[str]:
    """Return the sentences with which the page of a search for a fairer board begins."""
    return at_a_glance(improvement_headline(found), improvement_cards(found))


def improvement_headline(found: "Improvement") -> str:
    """State whether the board can be made fairer."""
    words = finding_of_search(found.recipe, [change.setting for change in found.found], found.gains)
    words = words.removesuffix(", who played no part in the search")
    return f"{found.board.name}: {words[:1].lower()}{words[1:]}"


def improvement_cards(found: "Improvement") -> list[SummaryCard]:
    """Return what to change and what that does to seats and tickets; if nothing was found, what was tried."""
    if not found.before or not found.after:
        return [_singles(found.singles)]
    compared = nearer_cards(fairness(found.before.runs, found.after.runs))
    first = [_changes(found)] if found.changes else [_singles(found.singles)]
    return [
        *first,
        *(_before_and_after(card) for card in compared if card.title in COMPARED),
    ]


def _changes(found: "Improvement") -> SummaryCard:
    first, *others = found.diff
    more = f", and {counted(len(others), 'more change')}" if others else ""
    return SummaryCard("Changes", f"{first}{more}.", "Before and after", [])


def _singles(singles: "pd.DataFrame") -> SummaryCard:
    clear = int((singles["gain_low"] > 0).sum())
    brings = "brings" if clear == 1 else "bring"
    words = f"{clear or 'None'} of {counted(len(singles), 'single change')} clearly {brings} it nearer to fair."
    bars = effect_bars(singles.head(MOST).to_dict("records"), "change", "gain", "")
    return SummaryCard("Single changes", words, "Single changes", bars, unit="nearer to fair by")


def _before_and_after(card: SummaryCard) -> SummaryCard:
    """Return a card of two examinations about one board before and after the changes."""
    bars = [replace(bar, name=SIDES[bar.name]) for bar in card.bars]
    words = card.words.replace("B is", "It is", 1).replace("Too close to call", "By itself too close to call", 1)
    return replace(card, words=words, section="Before and after", bars=bars)
