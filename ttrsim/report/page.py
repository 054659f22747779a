"""Pages from the templates: one file each, with nothing to fetch; plots within them are SVG."""

import hashlib
import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from ttrsim.errors import UsageError
from ttrsim.files import check_parent, data_folder, write_file
from ttrsim.plots.saving import as_svg
from ttrsim.plots.style import WIDTH, Picture, drawing
from ttrsim.plots.theme import PAGE_PAINTS
from ttrsim.report.document import Figure, Report, report_json

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEFT_OUT = re.compile(
    r"<metadata>.*?</metadata>|<style[^>]*>.*?</style>|<!--.*?-->| transform=\"rotate\(-?0 [^)]*\)\""
    r"|font-family: [^;\"]*;? ?",
    re.DOTALL,
)
TAG = re.compile(r"<[^>]+>")
LONG_NUMBER = re.compile(r"-?\d+\.\d{2,}")
LINES = re.compile(r"\s*\n\s*")
ID = re.compile(r' id="([^"]*)"')
USE = re.compile(r'(url\(#|href="#)([^")]*)')
PAINTS = {colour: name for name, colour in PAGE_PAINTS["light"].items()}
PAINT = re.compile(rf"({'|'.join(PAINTS)})\b")


def inline(figure: Figure, name: str) -> Markup:
    """Return the picture as an SVG element. name: unique on the page."""
    return _svg(figure.draw(), figure.alt, name)


def both(figure: Figure, name: str) -> Markup:
    """Return the picture as two SVG elements, of classes `roomy` and `narrow`, of which a page shows one.

    Both are `large`, too, if the roomy one needs all of the page's width to be read.
    """
    axes = figure.draw()
    if not (isinstance(axes, Picture) and axes.again):
        return _svg(axes, figure.alt, name)
    large = " large" if axes.figure.figure.get_figwidth() > WIDTH else ""
    narrow = _svg(axes.narrow(), figure.alt, f"{name}n", f"narrow{large}")
    return _svg(axes, figure.alt, name, f"roomy{large}") + narrow


def _svg(axes: "Axes", alt: str, name: str, kind: str = "") -> Markup:
    """Return the figure of axes as an SVG element."""
    drawn = as_svg(axes)
    size = re.search(r'viewBox="[^"]*"', drawn)
    inner = drawn[drawn.index(">", drawn.index("<svg")) + 1 :]
    inner = LINES.sub(" ", LEFT_OUT.sub("", inner)).replace("> <", "><").replace("xlink:href", "href")
    inner = TAG.sub(lambda tag: LONG_NUMBER.sub(_rounded, tag[0]), inner)  # not what is written
    inner = PAINT.sub(lambda match: f"var(--{PAINTS[match[1]]})", inner)
    assert size
    of = f' class="{kind}"' if kind else ""
    return Markup(f'<svg{of} {size[0]} role="img" aria-label="{escape(alt)}">{_renamed(inner, name)}')


def _rounded(match: re.Match[str]) -> str:
    return f"{float(match[0]):.1f}".removesuffix(".0")


def _renamed(inner: str, name: str) -> str:
    """Prefix the ids that are referred to with the picture's name, and drop the others."""
    used = {match[2] for match in USE.finditer(inner)}
    inner = ID.sub(lambda match: f' id="{name}-{match[1]}"' if match[1] in used else "", inner)
    return USE.sub(rf"\g<1>{name}-\g<2>", inner)


UNITS = "pp|points?|turns?|games?|deals?|players?|tickets?|trains?|tables?"
KEPT = re.compile(rf"(?<=\d) (?=±|to −?\d)|(?<=±) (?=\d)|(?<=\d to) (?=−?\d)|(?<=[\d\]]) (?=%|(?:{UNITS})\b)")
"""Spaces at which no line may end."""


def render(template: str, **context: Any) -> str:
    """Fill a template of `reports/templates`; whatever is put in is text, never markup."""
    return _templates(escape=True).get_template(template).render(context)


@drawing()
def report_page(report: Report) -> str:
    """Return the report as a page. Only its own script runs there, whatever names contain."""
    return render(
        "report.html",
        report=report,
        places={section.title: f"section{place}" for place, section in enumerate(report.sections, 1)},
        inline=both,
        themes=PAGE_PAINTS,
        **own_script("report.js"),
    )


def own_script(template: str) -> dict[str, str]:
    """Return a page's script and the hash by which the page allows it and no other."""
    script = Markup(render(template))
    return {"script": script, "script_hash": b64encode(hashlib.sha256(script.encode()).digest()).decode()}


def report_markdown(report: Report) -> str:
    """Return the report as Markdown: its words and tables."""
    return _templates(escape=False).get_template("report.md").render(report=report)


FORMS: dict[str, Callable[[Report], str]] = {
    ".html": report_page,
    ".md": report_markdown,
    ".json": lambda report: json.dumps(report_json(report), ensure_ascii=False, indent=1) + "\n",
}
"""Writers of a report by file ending."""


def check_paths(paths: Iterable[Path], data: Sequence[Path] = ()) -> None:
    """Refuse files that cannot be written, or that are the data itself, before anything is computed."""
    for path in paths:
        if path.suffix not in FORMS:
            raise UsageError([f"-o {path}: a report's name ends in {', '.join(FORMS)}"])
        check_parent(path)
        if path.resolve() in [given.resolve() for given in data]:
            raise UsageError([f"-o {path}: is an input of the report; choose another name"])


@drawing()
def write_all(paths: Iterable[str | Path], make: Callable[[], Report]) -> Report:
    """Check the files, make a report and write it to them."""
    files = [Path(path) for path in paths]
    check_paths(files)
    made = make()
    for path, text in as_files(made, files).items():
        write_file(path, text)
    return made


def as_files(report: Report, paths: Iterable[Path]) -> dict[Path, str]:
    """Return the content of each file, in the format of its name; drawn whole before any is written."""
    return {path: FORMS[path.suffix](report) for path in paths}


def _prose(text: str) -> Markup:
    """Return text with commands (in backticks) as code, and numbers kept on one line with their ± and unit."""
    parts = text.split("`")
    parts[::2] = [KEPT.sub("\N{NO-BREAK SPACE}", part) for part in parts[::2]]
    return Markup("").join(Markup("<code>{}</code>").format(part) if i % 2 else part for i, part in enumerate(parts))


def _plain(text: str) -> str:
    """Escape text for Markdown."""
    return re.sub(r"([\\*\[\]<>|])", r"\\\1", text.replace("&", "&amp;").replace("\n", " "))


@cache
def _templates(*, escape: bool) -> Environment:
    loader = FileSystemLoader(data_folder() / "reports" / "templates")
    templates = Environment(
        loader=loader,
        autoescape=escape,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,  # or pages of one process would differ where an update replaces a template meanwhile
    )
    templates.filters |= {"prose": _prose, "plain": _plain}
    return templates
