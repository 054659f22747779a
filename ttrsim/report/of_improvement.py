"""Report on a search for a fairer board: what to change, what it does to each size, and what was tried."""

from typing import TYPE_CHECKING

import numpy as np

from ttrsim import plots
from ttrsim.comparison import compare_balances
from ttrsim.formatting import counted
from ttrsim.improving.frames import PATH, SIDES, SINGLES, STEPS, finding
from ttrsim.report.answers import caption, caveats, warnings
from ttrsim.report.document import Answer, Figure, Report, Section, Shown, provenance
from ttrsim.report.size_words import nearer_words
from ttrsim.report.tuning_glance import improvement_cards, improvement_headline
from ttrsim.stats.fairness import FAIRNESS, SIZE
from ttrsim.stats.frames import build
from ttrsim.stats.sanity_checks import checks_line
from ttrsim.stats.sanity_checks import sanity as sanity_of
from ttrsim.stats.sizes import ALL, SIZES

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.examination import Balance
    from ttrsim.improver import Improvement

METHODS = [
    (
        "Search",
        "Each step plays deals that no other step plays. The points of all tickets are moved at once, as for fair "
        "values, and each ticket's change is credited with the change of its own effect. Changes of seats, rules and "
        "routes compete by successive halving; those that are left are measured again. What is clearly better is "
        "played together, the largest gains first, and fewer of them go on only if that is clearly fairer; those of "
        "seats, rules and routes that bring nothing measurable on further deals are dropped.",
    ),
    (
        "Judges",
        "Strategies that played no part in the search examine the board as it was and with the changes, on the same "
        "deals, which the search did not play. If they do not clearly find it fairer (95 % confidence, one-sided), "
        "nothing is proposed.",
    ),
    (
        "Distance from fair",
        "The mean square of the true effects on the win share of all tickets, or of all seats, with the noise of "
        "chance taken off, divided by the square of the largest size that is like those of the published boards, and "
        "added up; each dead route or city adds up to 1.",
    ),
    (
        "Errors",
        "From batches of whole blocks, by leaving out one after the other (the jackknife). Boards of a step play the "
        "same deals, so what both have in common cancels. ± is half of a 95 % interval.",
    ),
]


def report_of_improvement(found: "Improvement") -> Report:
    """Make the report of a search for a fairer board."""
    recipe = found.recipe
    sides = [side for side in (found.before, found.after) if side]
    runs = [run for side in sides for run in side.runs]
    board = found.board
    sanity = "; ".join(side.sanity for side in sides) or "No examination was needed: nothing was found"
    about = f"{recipe.board} · {found.games:,} games · seed {recipe.seed}"
    return Report(
        kind="improvement",
        title=improvement_headline(found),
        about=[f"{about} · searched with {', '.join(recipe.players)}, judged by {', '.join(recipe.judges)}"],
        warnings=warnings(*runs) if runs else [],
        cards=improvement_cards(found),
        caveats=caveats(runs, checks_line(*map(sanity_of, runs)) if runs else sanity),
        closing=[Answer("How sure are we?", _sure(found))],
        sections=_sections(found, about),
        sanity=sanity,
        methods=METHODS,
        provenance=provenance(runs, [f"{r.board.id} {r.recipe.seats}-{r.recipe.design}" for r in runs]) if runs else [],
        commands=[recipe.command],
        caption=caption([board]),
    )


def _singles(found: "Improvement") -> str:
    clear = found.singles[found.singles["gain_low"] > 0]
    if not len(clear):
        return "No single change is clearly better than the board as it is."
    best = "; ".join(clear["change"].head(3))
    return f"{counted(len(clear), 'single change')} would clearly bring it nearer to fair. The largest gains: {best}."


def _sure(found: "Improvement") -> str:
    games = sum(step.games for step in found.steps)
    if not found.before or not found.after:
        return f"The search played {games:,} games in {counted(len(found.steps), 'step')}."
    judged = sum(run.games_played for run in found.before.runs)
    return (
        f"The search played {games:,} games. The judges played {judged:,} games on each board, on the same deals, none "
        "of which the search saw. Another seed may find other changes that are about as good."
    )


def _sides(found: "Improvement") -> "pd.DataFrame":
    """Return the sizes before and after as they are printed, but narrow enough for phones."""
    _, rows = found.sizes_table()
    rows = [[cell.replace("Length of games", "Turns each").removesuffix(" turns") for cell in row] for row in rows]
    names = [column.name for column in SIDES.columns]
    return build(SIDES, {name: np.array(of, object) for name, of in zip(names, zip(*rows, strict=True), strict=True)})


def _over_all(side: "Balance") -> "pd.DataFrame":
    """Return the sizes over all tables."""
    return side.sizes[side.sizes["players"] == ALL]


def _sections(found: "Improvement", about: str) -> list[Section]:
    sections = []
    if found.before and found.after:
        compared = compare_balances(found.before, found.after).frame
        moved = nearer_words(compared).replace("B is", "With the changes it is", 1)
        words = f"{finding(found.recipe, [change.setting for change in found.found], found.gains)}. {moved}"
        words = f"{words} {found.before.unlike_published}".strip()
        sections = [
            Section(
                "Before and after",
                answer=Answer("Can the board be made fairer?", words, found.diff),
                tables=[
                    Shown(
                        "sides", "Sizes before and after, beside the published boards", SIDES, _sides(found), open=True
                    ),
                    Shown("before", "Sizes as it was, in full", SIZES, _over_all(found.before)),
                    Shown("after", "Sizes with the changes, in full", SIZES, _over_all(found.after)),
                    Shown("moved", "What moved, from A, as it was, to B", FAIRNESS, compared[compared["of"] == SIZE]),
                ],
            )
        ]
    figures = []
    if len(found.pareto) > 1:
        figures = [
            Figure(lambda: plots.path(found.pareto, about=about), "Distance from fair against the number of changes")
        ]
    return [
        *sections,
        Section(
            "Fairness against the number of changes",
            figures=figures,
            tables=[Shown("path", "Changes made together", PATH, found.pareto)],
        ),
        Section(
            "Single changes",
            answer=Answer("What would single changes do?", _singles(found)),
            tables=[Shown("singles", "Single changes, on fresh deals", SINGLES, found.singles, open=True)],
        ),
        Section("What was tried", tables=[Shown("steps", "Steps of the search", STEPS, found.log)]),
    ]
