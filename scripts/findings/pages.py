"""Write findings and settled questions as a page and as Markdown."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ttrsim.files import write_file
from ttrsim.plots.saving import save
from ttrsim.plots.theme import PAGE_PAINTS
from ttrsim.report.document import Figure
from ttrsim.report.page import both, render

from .statements import Finding


@dataclass(frozen=True)
class Page:
    """A page of findings."""

    name: str  # of its files
    title: str
    lead: str
    findings: Sequence[Finding]
    agreed: Sequence[str]  # whether each finding came out again, in words
    numbered: bool
    other: tuple[str, str]  # the name of the other page, and its title
    notes: Sequence[str]


def write_page(page: Page, folder: Path, pictures: Path | None) -> None:
    """Write a page as HTML and Markdown. pictures: the folder of the pictures of the Markdown."""
    shown = [_shown(finding, number) for number, finding in enumerate(page.findings, 1)]
    context: dict[str, Any] = {"page": page, "findings": list(zip(shown, page.agreed, strict=True))}
    write_file(folder / f"{page.name}.html", render("findings.html", themes=PAGE_PAINTS, **context))
    write_file(folder / f"{page.name}.md", _markdown(page))
    if pictures:
        pictures.mkdir(exist_ok=True)
        for number, finding in enumerate(page.findings, 1):
            if finding.picture:
                save(finding.picture, pictures / f"{number}.svg")


def _shown(finding: Finding, number: int) -> dict[str, Any]:
    """Return the finding and its picture in both widths, for the template."""
    drawn = both(Figure(lambda: finding.picture, finding.alt), f"p{number}") if finding.picture else ""
    return {"finding": finding, "picture": drawn}


def _markdown(page: Page) -> str:
    """Return a page as Markdown."""
    lines = [f"# {page.title}", "", page.lead, "", f"[{page.other[1]}]({page.other[0]}.md)", ""]
    for number, (finding, agreed) in enumerate(zip(page.findings, page.agreed, strict=True), 1):
        place = f"{number}. " if page.numbered else ""
        title = finding.question if page.numbered else finding.statement.shown
        lines += [f"## {place}{title}", ""]
        lines += [f"**{finding.statement.shown}**", ""] if page.numbered else []
        lines += [finding.statement.more, ""] if finding.statement.more else []
        lines += [f"![{finding.alt}]({page.name}/{number}.svg)", ""] if finding.picture else []
        lines += [*(f"* {point}" for point in finding.points), *([""] if finding.points else [])]
        if finding.rows:
            head, *rows = finding.rows
            table = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
            lines += [*(f"| {' | '.join(row)} |" for row in table), ""]
        lines += [f"*How sure, and for whom.* {finding.sure} {agreed}", ""]
        lines += ["```sh", *finding.commands, "```", ""]
    return "\n".join([*lines, *(line for note in page.notes for line in (note, ""))]).rstrip() + "\n"
