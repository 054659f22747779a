"""The colours of both themes can be distinguished and read; little is pale and much is strong."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from ttrsim.plots.theme import PAGE_PAINTS, THEMES, Scale, paints

both_themes = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)


def luminance(colour):
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return float(np.dot(parts, (0.2126, 0.7152, 0.0722)))


def contrast(one, other):
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_no_two_names_have_one_colour_so_that_a_page_can_change_the_theme():
    colours = list(paints(THEMES["light"]).values())
    assert len(set(colours)) == len(colours)
    assert PAGE_PAINTS["light"].keys() == PAGE_PAINTS["dark"].keys()


@both_themes
@pytest.mark.parametrize("name", ["blue", "orange", "green", "red", "faint", "ink"])
def test_marks_can_be_seen_on_paper(theme, name):
    assert contrast(getattr(theme, name), theme.paper) >= 3


@both_themes
@pytest.mark.parametrize("name", ["series", "players"])
def test_marks_of_series_can_be_seen_on_paper(theme, name):
    assert [colour for colour in getattr(theme, name) if contrast(colour, theme.paper) < 3] == []


@both_themes
def test_writing_can_be_read(theme):
    grounds = {"paper": (theme.ink, theme.faint, theme.warning, theme.red, theme.blue), "map": (theme.ink,)}
    low = [(name, ink) for name, inks in grounds.items() for ink in inks if contrast(ink, getattr(theme, name)) < 4.5]
    assert low == []
    assert contrast(theme.on_pale, theme.even) >= 4.5


@both_themes
@pytest.mark.parametrize("strong", ["high", "low", "far"])
def test_writing_can_be_read_on_every_step_of_a_ramp(theme, strong):
    scale = Scale(-1, 1, strong, theme)
    assert [step for step, ink in zip(scale.steps, scale.inks, strict=True) if contrast(step, ink) < 4.5] == []


@both_themes
@pytest.mark.parametrize("name", ["ramp", "less", "more"])
def test_the_stronger_a_step_the_more_it_stands_out_from_the_map(theme, name):
    ramp = [contrast(colour, theme.map) for colour in getattr(theme, name)]
    assert ramp == sorted(ramp)
    assert ramp[0] < 1.7
    assert ramp[-1] > 7


@pytest.mark.parametrize(("strong", "order"), [("high", [0, 1, 2, 3]), ("low", [3, 2, 1, 0]), ("far", [1, 2, 0, 3])])
def test_the_strongest_values_are_the_high_the_low_or_those_far_from_0(strong, order):
    values = np.array([-2.0, -0.5, 1.0, 4.0])
    scale = Scale.of(values, strong=strong)
    assert sorted(range(4), key=lambda i: scale.share(values[i])) == order


def test_a_scale_of_effects_reaches_as_far_below_0_as_above():
    scale = Scale.of(np.array([-1.0, 3.0, np.nan]), strong="far")
    assert (scale.low, scale.high) == (-3, 3)
    assert scale.colour(-0.1) in THEMES["light"].less
    assert scale.colour(0.1) in THEMES["light"].more
