"""Making reports with the command line, and reading them."""

import json
import re
from html import unescape
from itertools import groupby


def report(ttrsim, folder, *data, page=False):
    """Return the Markdown and the JSON that `ttrsim report` makes of the data; before them the page, which takes
    longer.
    """
    paths = [folder / f"report.{ending}" for ending in (["html"] if page else []) + ["md", "json"]]
    ended = ttrsim("report", *data, *(word for path in paths for word in ("-o", path)), "--quiet")
    assert (ended.code, ended.out, ended.err) == (0, "", "")
    *words, told = (path.read_text("utf-8") for path in paths)
    return *words, json.loads(told)


def answer(told, question):
    """Return a report's answer to the question that begins with these words."""
    (words,) = [each["answer"] for each in told["answers"] if each["question"].startswith(question)]
    return words


def first_words(page):
    """Return the words at the top of a page, its answers at a glance, except those of pictures and warnings."""
    end = min(place for mark in ('<section class="answers"', "<nav ") if (place := page.find(mark)) > 0)
    apart = r'<ul class="bars".*?</ul>|<p class="warning".*?</p>'
    shown = re.sub(apart, "", page[page.index("<header>") : end], flags=re.DOTALL)
    return unescape(re.sub("<[^>]+>", " ", re.sub(r"</?(?:code|a)\b[^>]*>", "", shown))).split()


def tables(markdown):
    """Return the tables of the Markdown, each a list of rows of cells: the header, the line beneath, and the others."""
    found = [[*rows] for is_row, rows in groupby(markdown.splitlines(), lambda line: line.startswith("|")) if is_row]
    return [[[cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1]] for row in table] for table in found]


def untold(markdown, told):
    """Return numbers of the Markdown's tables that those of the JSON do not hold, rounded, in % or as half an
    interval.
    """
    known = sorted(_numbers(told))
    cells = [cell for table in tables(markdown) for row in table[2:] for cell in row]
    shown = [cell.replace("−", "-").replace(",", "") for cell in cells if re.fullmatch(r"−?[\d,]+(\.\d+)?", cell)]
    assert shown
    return [cell for cell in shown if not _near(float(cell), 0.51 * 10.0 ** -len(cell.partition(".")[2]), known)]


def _numbers(told):
    for table in told["tables"].values():
        for row in table["rows"]:
            values = [value for value in row.values() if isinstance(value, int | float)]
            ends = [name for name in row if f"{name}_high" in row and row[f"{name}_high"] is not None]
            values += [(row[f"{name}_high"] - row[f"{name}_low"]) / 2 for name in ends]
            yield from values
            yield from (100 * value for value in values)


def _near(value, room, known):
    return any(abs(value - other) <= room for other in known)
