"""Axes of a caller are left as they were."""

import pytest
from matplotlib.backends.backend_svg import RendererSVG
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties

from ttrsim.plots.saving import Renderer, encoded


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_a_figure_keeps_its_canvas_and_its_resolution(kind: str) -> None:
    figure = Figure(dpi=90)
    ax, canvas = figure.subplots(), figure.canvas
    assert encoded(ax, kind)
    assert figure.canvas is canvas
    assert figure.dpi == 90


def test_formulas_are_measured_as_such(tmp_path) -> None:
    font, formula = FontProperties(size=20), r"$\frac{1}{2}$"
    with (tmp_path / "a.svg").open("w") as file:
        sizes = [
            of(100, 100, file).get_text_width_height_descent(formula, font, True) for of in (Renderer, RendererSVG)
        ]
    assert sizes[0] == sizes[1]
