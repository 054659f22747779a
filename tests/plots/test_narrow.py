"""Pictures for telephones: nothing lies on anything else or beyond the edge, and a board names what has room."""

from itertools import combinations

import pytest
from matplotlib.text import Text

from plots import frames
from plots.test_plots import OF_TICKETS, ON_BOARD, OTHERS, drawn, words, written
from ttrsim import plots
from ttrsim.boards import load_board


def boxes(ax):
    texts = [text for text in written(ax) if text.get_rotation() % 90 == 0]  # boxes of slanted names overlap
    return [(text.get_text(), Text.get_window_extent(text)) for text in texts]


@pytest.mark.parametrize("kind", [*sorted(OF_TICKETS), *OTHERS, *ON_BOARD])
def test_no_text_lies_on_another_or_beyond_the_edge(kind):
    narrow = drawn(kind).narrow()
    found = boxes(narrow)
    assert [(a, b) for (a, one), (b, two) in combinations(found, 2) if one.padded(-1.5).overlaps(two)] == []
    across, down = narrow.figure.figure.bbox.size
    assert [a for a, box in found if box.x0 < 0 or box.y0 < 0 or box.x1 > across or box.y1 > down] == []


@pytest.mark.parametrize("name", ["usa", "europe", "old_west", "san_francisco"])
def test_a_board_lists_the_strongest_values_and_names_their_cities(name):
    board = load_board(name)
    frame = frames.of_routes(board)
    narrow = plots.routes(frame, board).narrow()
    best = frame.loc[frame["claim_rate"].idxmax(), "route"]
    route = board.routes[[board.route_name(r) for r in board.routes].index(best)]
    said = words(narrow).split("\n")
    assert f"100  {best}" in said
    assert "games of 100 in which it is claimed" in said
    for city in (route.a, route.b):
        assert set(board.cities[city].name.split()) <= {part for line in said for part in line.split()}
    assert sum(city.name in said for city in board.cities) > len(board.cities) / 3


def test_a_narrow_reconstruction_says_so():
    board = load_board("san_francisco")
    assert "reconstruction" in words(plots.cities(frames.of_cities(board), board).narrow())
