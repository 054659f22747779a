"""Pictures in a page: one of two layouts is shown, whole, in writing that can be read and the colours of the theme."""

import re

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


WIDTHS = (360, 390, 700, 701, 1000, 1400)
SCALED_DOWN = (701,)  # the wide pictures, in a window that is hardly wide enough


def test_each_picture_is_shown_once_and_whole_at_any_width(window, page):
    window.open(page)
    for width in WIDTHS:
        window.look(width=width)
        shown = window.run(SHOWN)
        assert len(shown) > 8, width
        assert all(picture["alone"] for picture in shown), width
        assert all(picture["inside"] for picture in shown), width
        assert [picture["outside"] for picture in shown if picture["outside"]] == [], width
        if width not in SCALED_DOWN:
            assert min(picture["smallest"] for picture in shown) > 9, width


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
