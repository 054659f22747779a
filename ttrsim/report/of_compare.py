"""Report on a comparison: what changed from one run to another, and how sure this is."""

from typing import TYPE_CHECKING

from ttrsim import plots
from ttrsim.report.answers import CHECKS, caption, caveats, not_tested, warnings
from ttrsim.report.compare_answers import (
    differences,
    first_seat,
    games_changed,
    how_sure,
    players,
    rows_of,
    what_changed,
    what_did_not,
    which_tickets_changed,
)
from ttrsim.report.compare_glance import answering, headline, rotated, summary_cards
from ttrsim.report.document import Answer, Figure, Report, Section, Shown, provenance
from ttrsim.report.prose import methods
from ttrsim.stats.compare import CHANGES, Pair
from ttrsim.stats.sanity_checks import SANITY, checks_line, sanity, verdict

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run

METHODS = ("games", "pairs", "errors", "exact", "families", "answers", "offers", "descriptions", "margin", "sanity")


def report_of_compare(a: "Run", b: "Run", margin: float) -> Report:
    """Make the report of what changed from run A to run B. margin: a change of win share that does not matter."""
    pair = Pair.of(a, b)
    frame = answering(pair)
    checks = {name: sanity(run) for name, run in (("A", a), ("B", b))}
    sections = _sections(pair, frame, checks, margin)
    panels = tuple(verdict(panel).replace("Sanity", f"Sanity of {name}", 1) for name, panel in checks.items())
    return Report(
        kind="compare",
        title=headline(pair, frame),
        about=[_about(name, run) for name, run in (("A", a), ("B", b))],
        warnings=_warnings(a, b),
        cards=summary_cards(pair, frame, margin),
        caveats=caveats([a, b], checks_line(*checks.values())),
        sections=sections,
        closing=[
            Answer("What is compared?", differences(pair)),
            Answer("How sure are we?", how_sure(pair, frame, panels, sections)),
            Answer("What was not tested?", not_tested([a, b])),
        ],
        sanity=". ".join(panels),
        methods=methods(METHODS),
        provenance=provenance([a, b], ["A", "B"]),
        commands=[f"{a.recipe.command} -o A", f"{b.recipe.command} -o B", "ttrsim compare A B"],
        caption=caption([a.board, b.board]),
    )


def _about(name: str, run: "Run") -> str:
    recipe = run.recipe
    return (
        f"{name}: {run.board.name} ({recipe.board.id}), {players(run)}, {run.games_played:,} games, seed {recipe.seed}"
    )


def _warnings(a: "Run", b: "Run") -> list[str]:
    """Return the warnings of both runs, and one if their rules differ."""
    found = warnings(a, b)
    versions = [run.recipe.rules_version for run in (a, b)]
    if versions[0] != versions[1]:
        found.append(
            f"A and B were played by different rules (versions {versions[0]} and {versions[1]}), which alone may "
            "explain what changed."
        )
    return found


def _sections(pair: Pair, frame: "pd.DataFrame", checks: "dict[str, pd.DataFrame]", margin: float) -> list[Section]:
    """Return figures with the tables behind them, strategies first."""
    alt = "Change of the {} of each {}, with its interval"
    seat = first_seat(frame, margin, rotated=rotated(pair))
    return [
        Section(
            "Strategies",
            answer=Answer("What changed, and by how much?", what_changed(pair, frame, margin)),
            figures=_figures(frame, "strategies", {"win_share": margin, "score": 0.0}, alt),
            tables=[_shown("strategies", "What changed for strategies", frame[frame["table"] == "strategies"])],
        ),
        Section(
            "No clear change",
            answer=Answer("What did not change, or is undecided?", what_did_not(pair, frame, margin)),
        ),
        Section(
            "Tickets",
            "What being offered each ticket does. How often it is kept and completed is a description only: strategies "
            "chose that.",
            answer=Answer("Which tickets gained or lost?", which_tickets_changed(pair, frame)),
            figures=_figures(frame, "tickets", {"win_effect": 0.0, "score_effect": 0.0}, alt),
            tables=_ticket_tables(frame),
        ),
        Section(
            "Seats",
            answer=Answer("Is the first seat better or worse than before?", seat),
            figures=_figures(frame, "seats", {"win_share": margin}, alt),
            tables=[_shown("seats", "What changed for seats", frame[frame["table"] == "seats"])],
        ),
        Section(
            "Games",
            answer=Answer("Are the games longer or closer?", games_changed(frame)),
            tables=[_shown("games", "What changed for games", _of_games(frame))],
        ),
        Section(
            "Can it be believed?",
            CHECKS,
            tables=[Shown(f"sanity_{name.lower()}", f"Checks of {name}", SANITY, checks[name]) for name in checks],
        ),
    ]


def _figures(frame: "pd.DataFrame", table: str, margins: dict[str, float], alt: str) -> list[Figure]:
    """Draw the changes of some quantities, each with its margin."""
    one = {"strategies": "strategy", "tickets": "ticket", "seats": "seat"}[table]

    def figure(what: str, margin: float) -> Figure:
        words = alt.format(what.replace("_", " "), one)
        return Figure(lambda: plots.changes(frame, table=table, what=what, margin=margin), words)

    return [figure(what, margin) for what, margin in margins.items() if len(rows_of(frame, table, what))]


def _ticket_tables(frame: "pd.DataFrame") -> list[Shown]:
    """Return the effects of tickets, a table for each outcome, and how often they were kept and completed."""
    rows = frame[frame["table"] == "tickets"]
    titles = {"win_effect": "Offer effects on the win share", "score_effect": "Offer effects on the score"}
    effects = [
        _shown(
            f"tickets_{what}", title, rows[rows["what"] == what].sort_values("change", ascending=False, kind="stable")
        )
        for what, title in titles.items()
    ]
    return [*effects, _shown("tickets_fates", "Tickets kept and completed", rows[~rows["what"].isin(titles)])]


def _of_games(frame: "pd.DataFrame") -> "pd.DataFrame":
    """Return the changes of games, without the column that names a strategy, seat or ticket."""
    return frame[frame["table"] == "games"].drop(columns="of")


def _shown(name: str, title: str, frame: "pd.DataFrame") -> Shown:
    return Shown(name, title, CHANGES, frame)
