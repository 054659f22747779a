"""Report on two examinations: in what B is nearer to fair than A, and in what farther."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ttrsim.formatting import seat_name
from ttrsim.report.answers import caption, caveats, chance_in_tables, not_tested, warnings
from ttrsim.report.balance_glance import nearer_cards, nearer_frame
from ttrsim.report.document import Answer, Report, Section, Shown, provenance
from ttrsim.report.prose import Row, methods, signed, some
from ttrsim.report.size_words import TITLES, WHAT, nearer_finding, nearer_words
from ttrsim.stats.effects import EFFECTS, PLACES
from ttrsim.stats.fairness import FAIRNESS, SIZE
from ttrsim.stats.sanity_checks import checks_line, panels_of, sanity
from ttrsim.stats.sizes import ALL
from ttrsim.words import listed

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.comparison import BalanceComparison
    from ttrsim.runs import Run

METHODS = ("games", "designs", "pairs", "errors", "exact", "families", "answers", "offers", "sizes", "sanity")


def report_of_fairness(found: "BalanceComparison") -> Report:
    """Make the report of what is nearer to fair in the tables of B than in the same tables of A."""
    a, b = found.a, found.b
    frame = nearer_frame(a, b)
    sections = _sections(frame)
    sides = (("A", a), ("B", b))
    checks = [[(run, sanity(run)) for run in runs] for _, runs in sides]
    panel = ". ".join(
        panels_of(of).replace("Sanity", f"Sanity of {name}", 1) for (name, _), of in zip(sides, checks, strict=True)
    )
    return Report(
        kind="compare",
        title=nearer_finding(frame),
        about=[_about(name, runs) for name, runs in sides],
        warnings=warnings(*a, *b),
        cards=nearer_cards(frame),
        caveats=caveats([*a, *b], checks_line(*(frame for of in checks for _, frame in of))),
        sections=sections,
        closing=[
            Answer(
                "How sure are we?",
                f"{_paired(found.unpaired)} {FAIRNESS.intervals} {chance_in_tables(sections)}".strip(),
            ),
            Answer("What was not tested?", not_tested([*a, *b])),
        ],
        sanity=panel,
        methods=methods(METHODS),
        provenance=provenance(
            [*a, *b], [f"{name} {r.recipe.seats}-{r.recipe.design}" for name, of in sides for r in of]
        ),
        commands=[run.recipe.command for run in (*a, *b)],
        caption=caption([a[0].board, b[0].board]),
    )


def _about(name: str, runs: "Sequence[Run]") -> str:
    games = sum(run.games_played for run in runs)
    return f"{name}: {runs[0].board.name} ({runs[0].recipe.board.id}), {games:,} games, seed {runs[0].recipe.seed}"


def _moved(frame: "pd.DataFrame", questions: Sequence[str]) -> str:
    """Name what is clearly nearer to fair and what is clearly farther, the greatest changes first."""
    rows = frame[frame["question"].isin(questions) & (frame["of"] != SIZE)]
    words = []
    for verdict, title in (("nearer", "Nearer to fair"), ("farther", "Farther from fair")):
        found = rows[rows["verdict"] == verdict].sort_values("farther", key=abs, ascending=False, kind="stable")
        if names := [_named(row) for row in found.to_dict("records")]:
            words.append(f"{title}: {some(names)}.")
    return " ".join(words) or "None clearly did."


def _named(row: Row) -> str:
    with_players = "" if row["players"] == ALL else f" with {row['players']} players"
    of = seat_name(int(str(row["of"]).removeprefix("seat "))) if row["question"] == "seats" else row["of"]
    return f"{of}{with_players} ({signed(row, 'farther', 'share difference')})"


def _alone(frame: "pd.DataFrame") -> str:
    words = []
    for name in "AB":
        rows = frame[frame["verdict"] == f"only in {name}"]
        for question, found in rows.groupby("question", sort=False):
            words.append(f"Only in {name}, {TITLES[str(question)].lower()}: {listed(dict.fromkeys(found['of']))}.")
    return " ".join(words) or "Nothing: both have the same tickets and strategies."


def _paired(unpaired: Sequence[str]) -> str:
    """Say whether luck cancels between both. unpaired: why not."""
    if unpaired:
        return f"The tables are not paired: {'; '.join(unpaired)}. So only larger changes show."
    return "The tables are paired: both played the same blocks, so shared luck cancels."


def _sections(frame: "pd.DataFrame") -> list[Section]:
    def shown(questions: Sequence[str]) -> list[Shown]:
        rows = {name: frame[(frame["of"] != SIZE) & (frame["question"] == name)] for name in questions}
        return [Shown(name, f"Changes of {WHAT[name]}", FAIRNESS, of) for name, of in rows.items() if len(of)]

    sizes = frame[frame["of"] == SIZE].drop(columns="of")
    return [
        Section(
            "Sizes",
            answer=Answer("Is B nearer to fair than A?", nearer_words(frame)),
            tables=[Shown("sizes", "How far from fair A and B are", FAIRNESS, sizes)],
        ),
        Section(
            "What moved",
            answer=Answer("Which seats, tickets and strategies moved?", _moved(frame, EFFECTS)),
            tables=shown(EFFECTS),
        ),
        Section(
            "Routes and cities",
            answer=Answer("Which cities and routes came to life or died?", _moved(frame, PLACES)),
            tables=shown(PLACES),
        ),
        Section("Only on one", answer=Answer("What is on only one of the boards?", _alone(frame))),
    ]
