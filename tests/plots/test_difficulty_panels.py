"""Difficulty against points: what the panels show, and that the names in them can be read."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from plots import frames
from ttrsim.boards import load_board
from ttrsim.plots.difficulty_panels import NAMED, difficulty_panels
from ttrsim.plots.saving import encoded


@pytest.fixture
def of_difficulty():
    """A frame of difficulty for two strategies at tables of 2 and 3; two tickets are off par."""
    board = load_board("usa")
    tickets = frames.of_tickets(board).sort_values("points")[["ticket", "points"]]
    failed = 0.01 * tickets["points"] + np.where(tickets["ticket"] == "Denver–El Paso", 0.2, 0.0)
    verdict = np.where(tickets["ticket"] == "Denver–El Paso", "harder", "as expected")
    rows = tickets.assign(par=0.01 * tickets["points"], verdict=verdict, **frames.known("difficulty", failed, 0.02))
    weak = rows.assign(difficulty=rows["difficulty"] + 0.3, strategy="random")
    tables = [pd.concat([rows.assign(strategy="planner"), weak]).assign(players=players) for players in (2, 3)]
    return pd.concat(tables, ignore_index=True)


def test_difficulty_has_a_panel_for_each_number_of_players_and_names_what_is_off_par(of_difficulty):
    ax = difficulty_panels(of_difficulty, about="USA")
    panels = ax.figure.axes
    assert [panel.get_title(loc="left") for panel in panels] == ["2 players", "3 players"]
    assert [[text.get_text() for text in panel.texts] for panel in panels] == [["Denver–El Paso"]] * 2
    assert "All seats play planner" in " ".join(text.get_text() for text in ax.figure.texts)
    weak = difficulty_panels(of_difficulty, strategy="random").figure
    assert "All seats play random" in " ".join(text.get_text() for text in weak.texts)


def test_names_of_tickets_off_par_cover_no_other_name(of_difficulty):
    crowded = of_difficulty[of_difficulty["players"] == 2].assign(verdict="easier")
    ax = difficulty_panels(crowded)
    (written,) = [panel.texts for panel in ax.figure.axes]
    boxes = [text.get_window_extent() for text in written]
    assert 3 <= len(boxes) <= 2 * NAMED  # a name may take two lines
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_difficulty_is_the_same_picture_every_time(of_difficulty, ending):
    assert encoded(difficulty_panels(of_difficulty), ending) == encoded(difficulty_panels(of_difficulty), ending)
