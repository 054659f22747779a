"""Pages from the templates: one file each, with nothing to fetch."""

import hashlib
import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from ttrsim.errors import UsageError
from ttrsim.files import check_parent, data_folder, write_file
from ttrsim.plots.theme import THEMES
from ttrsim.report.document import Report, report_json
from ttrsim.report.figure import inline

UNITS = "pp|points?|turns?|games?|deals?|players?|tickets?|trains?|tables?"
KEPT = re.compile(rf"(?<=\d) (?=±|to −?\d)|(?<=±) (?=\d)|(?<=\d to) (?=−?\d)|(?<=[\d\]]) (?=%|(?:{UNITS})\b)")
"""Spaces at which no line may end."""


def render(template: str, **context: Any) -> str:
    """The page that a template of `reports/templates` makes of the context; what is put in is text, never markup."""
    return _templates(escape=True).get_template(template).render(context)


def report_page(report: Report) -> str:
    """The report as a page. No script but its own runs there, whatever names hold."""
    script = Markup(_templates(escape=True).get_template("report.js").render())
    return render(
        "report.html",
        report=report,
        inline=inline,
        themes={name: asdict(theme) for name, theme in THEMES.items()},
        script=script,
        script_hash=b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )


def report_markdown(report: Report) -> str:
    """The report as Markdown: its words and tables."""
    return _templates(escape=False).get_template("report.md").render(report=report)


FORMS: dict[str, Callable[[Report], str]] = {
    ".html": report_page,
    ".md": report_markdown,
    ".json": lambda report: json.dumps(report_json(report), ensure_ascii=False, indent=1) + "\n",
}
"""What a report is written as, by the end of the file's name."""


def check_paths(paths: Iterable[Path], data: Sequence[Path] = ()) -> None:
    """Refuse files that a report cannot be written to, and to write over the data, before anything is computed."""
    for path in paths:
        if path.suffix not in FORMS:
            raise UsageError([f"-o {path}: a report's name ends in {', '.join(FORMS)}"])
        check_parent(path)
        if path.resolve() in [given.resolve() for given in data]:
            raise UsageError([f"-o {path}: is what the report is about; choose another name"])


def write_all(paths: Iterable[str | Path], make: Callable[[], Report]) -> Report:
    """Make a report and write it to these files, which are checked before."""
    files = [Path(path) for path in paths]
    check_paths(files)
    made = make()
    for path in files:
        write(made, path)
    return made


def write(report: Report, path: Path) -> None:
    """Write the report in the format of the file's name."""
    write_file(path, FORMS[path.suffix](report))


def _prose(text: str) -> Markup:
    """Text with commands, which stand between backticks, as code; a number keeps to its ± and its unit."""
    parts = text.split("`")
    parts[::2] = [KEPT.sub("\N{NO-BREAK SPACE}", part) for part in parts[::2]]
    parts = [Markup("<code>{}</code>" if i % 2 else "{}").format(part) for i, part in enumerate(parts)]
    return Markup("").join(parts)


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return re.sub(r"([\\*\[\]<>|])", r"\\\1", text.replace("&", "&amp;").replace("\n", " "))


@cache
def _templates(*, escape: bool) -> Environment:
    loader = FileSystemLoader(data_folder() / "reports" / "templates")
    templates = Environment(
        loader=loader, autoescape=escape, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    templates.filters |= {"prose": _prose, "plain": _plain}
    return templates
