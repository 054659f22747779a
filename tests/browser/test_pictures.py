"""Pictures in a page: one of two layouts is shown, whole, in writing that can be read and the colours of the theme."""

import re

import pytest
from runs.making import store

from ttrsim.report.of_run import report_of_run
from ttrsim.report.page import report_page

SHOWN = """return [...document.querySelectorAll("figure:has(svg)")].map((figure) => {
  const [svg, ...others] = [...figure.querySelectorAll("svg")].filter((one) => one.checkVisibility());
  const box = svg.getBoundingClientRect(), page = document.documentElement.clientWidth;
  const texts = [...svg.querySelectorAll("text")];
  return {
    alone: !others.length,
    inside: box.left >= 0 && box.right <= page && figure.scrollWidth <= figure.clientWidth,
    outside: texts.filter((text) => {
      const of = text.getBoundingClientRect();
      return of.left < box.left - 1 || of.right > box.right + 1 || of.top < box.top - 1 || of.bottom > box.bottom + 1;
    }).map((text) => text.textContent),
    smallest: Math.min(...texts.map((text) => parseFloat(getComputedStyle(text).fontSize)))
      * box.width / svg.viewBox.baseVal.width,
  };
})"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """The report of a run on a board with markers and ferries."""
    folder = tmp_path_factory.mktemp("pictures")
    run = store(folder / "run", board="old_west:alvin", players="random,random_kind", games=120, record=())
    path = folder / "run.html"
    path.write_text(report_page(report_of_run(run)), "utf-8")
    return path


@pytest.mark.parametrize("width", [360, 390, 700, 701, 1000, 1400])
def test_each_picture_is_shown_once_and_whole_at_any_width(window, page, width):
    window.open(page, width=width)
    shown = window.run(SHOWN)
    assert len(shown) > 8
    assert all(picture["alone"] for picture in shown)
    assert all(picture["inside"] for picture in shown)
    assert [picture["outside"] for picture in shown if picture["outside"]] == []


@pytest.mark.parametrize("width", [360, 1000])
def test_writing_in_pictures_is_large_enough(window, page, width):
    window.open(page, width=width)
    assert min(picture["smallest"] for picture in window.run(SHOWN)) > 9


def test_paper_has_the_wide_pictures(window, page):
    window.open(page, width=700, printed=True)
    assert (
        window.run("return [...document.querySelectorAll('svg.narrow')].some((svg) => svg.checkVisibility())") is False
    )


def test_every_colour_of_a_picture_changes_with_the_theme(page):
    drawings = re.findall("<svg.*?</svg>", page.read_text("utf-8"), re.DOTALL)
    assert len(drawings) > 16
    fixed = {colour for drawing in drawings for colour in re.findall(r"(?:fill|stroke): (#\w+)", drawing)}
    assert fixed == set()
