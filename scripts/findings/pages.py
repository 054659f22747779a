"""Write findings and settled questions as a page and as Markdown."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ttrsim.files import write_file
from ttrsim.plots.style import save
from ttrsim.plots.theme import PAGE_PAINTS
from ttrsim.report.document import Figure as Drawn
from ttrsim.report.page import inline, render

from .claims import Again, Answer


@dataclass(frozen=True)
class Page:
    """A page of answers."""

    name: str  # of its files
    title: str
    lead: str
    answers: Sequence[Answer]
    agreed: Sequence[Again]  # of each answer
    numbered: bool
    other: tuple[str, str]  # the name of the other page, and its title
    notes: Sequence[str]


def write_page(page: Page, folder: Path, pictures: Path | None) -> None:
    """Write a page as HTML and Markdown. pictures: the folder of the pictures of the Markdown."""
    shown = [_shown(answer, number) for number, answer in enumerate(page.answers, 1)]
    context: dict[str, Any] = {"page": page, "answers": list(zip(shown, page.agreed, strict=True))}
    write_file(folder / f"{page.name}.html", render("findings.html", themes=PAGE_PAINTS, **context))
    write_file(folder / f"{page.name}.md", _markdown(page))
    if pictures:
        pictures.mkdir(exist_ok=True)
        for number, answer in enumerate(page.answers, 1):
            if answer.picture:
                save(answer.picture, pictures / f"{number}.svg")


def _shown(answer: Answer, number: int) -> dict[str, Any]:
    """Return what the template shows of an answer, the picture in both widths."""
    drawn = {"answer": answer, "wide": "", "narrow": ""}
    if answer.picture:
        drawn["wide"] = inline(Drawn(answer.picture, answer.alt), f"p{number}")
        drawn["narrow"] = inline(Drawn(answer.picture.narrow(), answer.alt), f"n{number}")
    return drawn


def _markdown(page: Page) -> str:
    """Return a page as Markdown."""
    lines = [f"# {page.title}", "", page.lead, "", f"[{page.other[1]}]({page.other[0]}.md)", ""]
    for number, (answer, agreed) in enumerate(zip(page.answers, page.agreed, strict=True), 1):
        place = f"{number}. " if page.numbered else ""
        title = answer.question if page.numbered else answer.claim.shown
        lines += [f"## {place}{title}", ""]
        lines += [f"**{answer.claim.shown}**", ""] if page.numbered else []
        lines += [answer.claim.more, ""] if answer.claim.more else []
        lines += [f"![{answer.alt}]({page.name}/{number}.svg)", ""] if answer.picture else []
        lines += [*(f"* {point}" for point in answer.points), *([""] if answer.points else [])]
        if answer.rows:
            head, *rows = answer.rows
            table = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
            lines += [*(f"| {' | '.join(row)} |" for row in table), ""]
        lines += [f"*How sure, and for whom.* {answer.sure} {agreed.words}", ""]
        lines += ["```sh", *answer.commands, "```", ""]
    return "\n".join([*lines, *(line for note in page.notes for line in (note, ""))]).rstrip() + "\n"
