"""The content of a report, before it is written as a page, as Markdown or as JSON."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ttrsim.report.prose import Row, is_clear, scale_of, signed
from ttrsim.report.tables import Grid, frames_json, grid
from ttrsim.words import listed

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from ttrsim.runs import Run
    from ttrsim.stats.frames import Definition


SCHEMA_VERSION = 1
"""The version of `report.json`; raised whenever a field changes its meaning or goes."""
OPTION = re.compile(r'with `by="\w+"`,?')
"""Mentions of options of the Python library, which readers of a report cannot use."""


@dataclass(frozen=True)
class Answer:
    """A question of the reader, and the answer from the games."""

    question: str
    words: str
    points: list[str] = field(default_factory=list)  # beneath the words, in a list


@dataclass(frozen=True)
class Bar:
    """A row of a card's picture."""

    name: str
    value: float  # NaN draws no bar
    text: str  # the value as it is printed
    faint: bool = False  # is there for comparison, or too close to call


@dataclass(frozen=True)
class SummaryCard:
    """An answer at a glance: a sentence, a small picture of bars from 0, and where the page says more."""

    title: str
    words: str
    section: str  # the title of the section that says more
    bars: list[Bar]
    line: float = 0.0  # a value that is marked across the bars, such as the fair share
    unit: str = ""  # of the bars, in words

    @cached_property
    def _ends(self) -> tuple[float, float]:
        values = [0.0, self.line, *(bar.value for bar in self.bars if bar.value == bar.value)]
        return min(values), max(values)

    def place(self, value: float) -> float:
        """Return where a value lies in the picture, in % from its left edge."""
        low, high = self._ends
        return round(100 * (value - low) / ((high - low) or 1.0), 2)


def at_a_glance(finding: str, cards: Sequence[SummaryCard]) -> list[str]:
    """Return the sentences with which a page begins: its finding, and a line for each card."""
    return [f"{finding}.", *(f"{card.title}: {card.words}" for card in cards)]


def both_ends(rows: Sequence[Mapping[Any, Any]], number: int) -> Sequence[Mapping[Any, Any]]:
    """Return the first and the last rows, this many of each, or all if there are no more."""
    return rows if len(rows) <= 2 * number else [*rows[:number], *rows[-number:]]


def effect_bars(rows: Sequence[Row], name: str, column: str, unit: str) -> list[Bar]:
    """Return a bar for each effect, pale where it is not clear. unit: one of `prose.UNITS`."""
    shown = [signed(row, column, unit).removesuffix(f" {unit}") for row in rows]
    return [
        Bar(row[name], scale_of(unit) * row[column], text, faint=not is_clear(row, column))
        for row, text in zip(rows, shown, strict=True)
    ]


@dataclass(frozen=True)
class Figure:
    """A picture, drawn only where it is shown, and a description for those who cannot see it."""

    draw: Callable[[], "Axes"]
    alt: str


@dataclass(frozen=True)
class Shown:
    """A frame and what its columns are."""

    name: str  # by which `report.json` has it
    title: str
    definition: "Definition"
    frame: "pd.DataFrame"
    open: bool = False  # not folded

    @cached_property
    def grid(self) -> Grid:
        """The table as it is printed."""
        return grid(self.definition, self.frame)


@dataclass(frozen=True)
class Explained:
    """The meanings of the columns of tables of one kind."""

    name: str  # of the kind
    titles: list[str]  # of its tables
    row: str  # what a row is about
    columns: dict[str, str]  # what each means, by what stands over it


@dataclass(frozen=True)
class Section:
    """One subject: its answer, figures, and the tables behind them."""

    title: str
    words: str = ""
    answer: Answer | None = None  # its question is the heading
    terms: list[tuple[str, str]] = field(default_factory=list)  # names with what they mean, such as strategies
    figures: list[Figure] = field(default_factory=list)
    tables: list[Shown] = field(default_factory=list)
    folded: bool = False  # nothing but its title shows until it is opened


@dataclass(frozen=True, repr=False)
class Report:
    """A whole report."""

    kind: str  # run, runs, balance, compare, tickets, tuning or improvement
    title: str  # what was found, if a sentence can say it
    about: list[str]  # which games these are
    warnings: list[str]  # what the reader must know first
    sections: list[Section]
    sanity: str  # the panels of sanity in a line
    methods: list[tuple[str, str]]  # title and paragraph
    provenance: list[tuple[str, str]]  # of what, and what it is
    commands: list[str]  # that make it again
    opening: list[Answer] = field(default_factory=list)  # before all sections
    closing: list[Answer] = field(default_factory=list)  # after them: how sure it is, and for whom
    cards: list[SummaryCard] = field(default_factory=list)
    caveats: list[str] = field(default_factory=list)  # lines beneath the cards
    caption: str = ""  # what must stand at every figure

    def __repr__(self) -> str:
        return f"<Report: {self.title}; {len(self.answers)} answers, {len(self.tables)} tables>"

    @property
    def answers(self) -> list[Answer]:
        """All answers, in the order of the page."""
        return [*self.opening, *(section.answer for section in self.sections if section.answer), *self.closing]

    @property
    def tables(self) -> list[Shown]:
        """The tables of all sections."""
        return [table for section in self.sections for table in section.tables]

    @property
    def explained(self) -> list[Explained]:
        """Return the meanings of the columns of all tables, by kind."""
        found: dict[str, Explained] = {}
        for table in self.tables:
            grid, kind = table.grid, table.definition
            if grid.rows:
                one = found.setdefault(kind.name, Explained(kind.name, [], OPTION.sub("or", kind.row), {}))
                one.titles.extend({table.title} - set(one.titles))
                one.columns.update(zip(grid.header, grid.meanings, strict=True))
        return [*found.values()]


def report_json(report: Report) -> dict[str, Any]:
    """Return the report as JSON: its texts apart from those of sections, and all tables."""
    return {
        "generator": "ttrsim",
        "schema_version": SCHEMA_VERSION,
        "kind": report.kind,
        "title": report.title,
        "about": report.about,
        "warnings": report.warnings,
        "cards": [{"title": card.title, "words": card.words} for card in report.cards],
        "answers": [
            {"question": answer.question, "answer": answer.words, "points": answer.points} for answer in report.answers
        ],
        "sanity": report.sanity,
        "methods": dict(report.methods),
        "provenance": dict(report.provenance),
        "commands": report.commands,
        "tables": frames_json({table.name: table.frame for table in report.tables}),
    }


def provenance(runs: "Sequence[Run]", names: "Sequence[str]" = ()) -> list[tuple[str, str]]:
    """List versions, commands and hashes of the runs. names: of the runs, if there are several."""
    called = names or [f"run {n}" for n in range(1, len(runs) + 1)]
    ofs = [f" of {name}" for name in called] if runs[1:] else [""]
    rows = [row for run, of in zip(runs, ofs, strict=True) for row in _of_run(run, of)]
    return list(dict.fromkeys(rows))


def _of_run(run: "Run", of: str) -> list[tuple[str, str]]:
    recipe, made = run.recipe, run.file.provenance
    values = [f"{strategy.unnamed_values}; " * bool(strategy.unnamed_values) for strategy in recipe.strategies]
    hashes = [f"SHA-256 {strategy.sha256}" for strategy in recipe.strategies]
    strategies = [(f"Strategy {name}", v + h) for name, v, h in zip(recipe.names, values, hashes, strict=True)]
    return [
        (f"Digest{of}", run.digest or "none: the run is not finished"),
        (f"Command{of}", made.command),
        (f"Started{of}", made.started),
        ("ttrsim", f"{made.ttrsim}, rules version {recipe.rules_version}"),
        ("Python", made.python),
        ("Libraries", listed(f"{name} {version}" for name, version in made.libraries.items())),
        ("Platform", made.platform),
        (f"Board {recipe.board.id}", f"SHA-256 {recipe.board.sha256}"),
        *strategies,
    ]
