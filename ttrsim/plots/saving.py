"""Save pictures to files and as SVG for pages; each text is measured once, however often it is drawn."""

import re
from collections.abc import Callable
from io import BytesIO, StringIO
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.font_manager import FontProperties

from ttrsim.choices import PICTURES
from ttrsim.files import check_picture, write_file
from ttrsim.plots.labels import FONT, text_extent
from ttrsim.plots.margins import at_dpi
from ttrsim.plots.style import drawing

CANVASES = {
    "png": "matplotlib.backends.backend_agg:FigureCanvasAgg",
    "pdf": "matplotlib.backends.backend_pdf:FigureCanvasPdf",
}
METADATA: dict[str, dict[str, str | None]] = {
    "png": {"Software": "ttrsim"},
    "svg": {"Creator": "ttrsim", "Date": None},
    "pdf": {"Creator": "ttrsim", "CreationDate": None},
}
"""The marks of ttrsim's own pictures (see `files.MARKS`), and no dates, so that the same plot gives the same bytes."""

HALO_ITSELF, HALOED = "halo", "haloed "
"""Marks of an outline around writing, and, with its colour and width, of the writing: an SVG draws both as one."""
MARKED = re.compile(rf'<g id="{HALOED}(\S+) (\S+)">(\s*)<text style="')


def save(ax: Axes, path: str | Path) -> None:
    """Write the figure to a .png, .svg or .pdf file, text as text; the same plot always gives the same bytes."""
    path = Path(path)
    ending = path.suffix.lower()
    if ending not in PICTURES:
        raise ValueError(f"{path}: a picture's name ends in {', '.join(PICTURES)}")
    write_file(path, encoded(ax, ending[1:]))


def drawn(draw: Callable[[], Axes], path: str | Path | None) -> Axes:
    """Draw a plot, and write it if there is a path, which is checked before."""
    if path is not None:
        check_picture(Path(path))
    axes = draw()
    if path is not None:
        save(axes, path)
    return axes


def encoded(ax: Axes, kind: str) -> bytes:
    """Return the figure as the content of a png, svg or pdf file."""
    if kind == "svg":
        return as_svg(ax).encode()
    canvas, file = ax.figure.canvas, BytesIO()
    figure = canvas.figure
    try:
        with drawing(), at_dpi(figure, figure.dpi):
            # Not by `savefig`, which draws everything a second time to lay it out.
            getattr(resolve_name(CANVASES[kind])(figure), f"print_{kind}")(file, metadata=METADATA[kind])
    finally:
        figure.set_canvas(canvas)  # of a window, if the caller has one
    return file.getvalue()


def as_svg(ax: Axes) -> str:
    """Return the figure as SVG, with an outline around the writing that is marked to have one."""
    figure, file = ax.figure.canvas.figure, StringIO()
    halos = [text for text in ax.texts if text.get_gid() == HALO_ITSELF]
    for text in halos:
        text.set_visible(False)
    with drawing(), at_dpi(figure, 72):
        width, height = 72 * figure.get_size_inches()
        renderer: Any = Renderer(width, height, file, metadata=METADATA["svg"])  # type: ignore[no-untyped-call]
        figure.draw(renderer)
        renderer.finalize()
    for text in halos:
        text.set_visible(True)
    # Verdana is for readers without DejaVu Sans.
    drawn = file.getvalue().replace(f"'{FONT}'", f"'{FONT}', Verdana, sans-serif")
    return MARKED.sub(r'<g>\3<text style="paint-order: stroke; stroke: \1; stroke-width: \2; ', drawn)


class Renderer(RendererSVG):
    """Matplotlib's writer of SVG, which measures no text twice."""

    def get_text_width_height_descent(self, s: str, prop: FontProperties, ismath: Any) -> tuple[float, float, float]:
        if ismath:  # on axes of the caller
            size: tuple[float, float, float] = super().get_text_width_height_descent(s, prop, ismath)  # type: ignore[no-untyped-call]
            return size
        return text_extent(s, prop)
