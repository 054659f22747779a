"""Pictures as parts of a page: SVG without what only a file needs, in the colours of the page, light or dark."""

import re
from dataclasses import asdict

from markupsafe import Markup, escape

from ttrsim.plots.style import encoded
from ttrsim.plots.theme import THEMES
from ttrsim.report.document import Figure

LEFT_OUT = re.compile(
    r"<metadata>.*?</metadata>|<style[^>]*>.*?</style>|<!--.*?-->| transform=\"rotate\(-?0 [^)]*\)\""
    r"|font-family: [^;\"]*;? ?",
    re.DOTALL,
)
LONG_NUMBER = re.compile(r"-?\d+\.\d{2,}")
LINES = re.compile(r"\s*\n\s*")
ID = re.compile(r' id="([^"]*)"')
USE = re.compile(r'(url\(#|href="#)([^")]*)')
PAINTS = {colour: name for name, colour in asdict(THEMES["light"]).items()}
PAINT = re.compile(rf"({'|'.join(PAINTS)})\b")


def inline(figure: Figure, name: str) -> Markup:
    """The picture as an element of a page. name: one that no other picture of the page has."""
    drawn = encoded(figure.axes, "svg").decode()
    size = re.search(r'viewBox="[^"]*"', drawn)
    inner = drawn[drawn.index(">", drawn.index("<svg")) + 1 :]
    inner = LINES.sub(" ", LEFT_OUT.sub("", inner)).replace("> <", "><").replace("xlink:href", "href")
    inner = LONG_NUMBER.sub(_rounded, inner)
    inner = PAINT.sub(lambda match: f"var(--{PAINTS[match[1]]})", inner)
    assert size
    return Markup(f'<svg {size[0]} role="img" aria-label="{escape(figure.alt)}">{_renamed(inner, name)}')


def _rounded(match: re.Match[str]) -> str:
    return f"{float(match[0]):.2f}".rstrip("0").rstrip(".")


def _renamed(inner: str, name: str) -> str:
    """The parts that others refer to, called by the picture's name; those that none refers to without one."""
    used = {match[2] for match in USE.finditer(inner)}
    inner = ID.sub(lambda match: f' id="{name}-{match[1]}"' if match[1] in used else "", inner)
    return USE.sub(rf"\g<1>{name}-\g<2>", inner)
