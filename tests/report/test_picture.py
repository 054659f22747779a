"""The picture of the board at the end: routes, stations, markers, Alvin and tokens where they are."""

import matplotlib.image
import numpy as np
import pytest
from matplotlib.colors import to_rgb

from ttrsim.core import constants as c
from ttrsim.encode import members
from ttrsim.games import make_games
from ttrsim.plots.board import TITLE
from ttrsim.plots.layout import PIXELS, lay_out
from ttrsim.plots.theme import SEATS
from ttrsim.report.pictures import PAPER, SKIN, draw_end

GAMES = [
    ("europe", "random_kind,random,random", 186),
    ("old_west:alvin", "random,random,random", 95),
    ("san_francisco", "random,random_kind", 101),
]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game[0])
def test_pieces_are_drawn_where_they_are_in_the_colour_of_their_owner(game, tmp_path):
    series = make_games(*game).seated(0)
    recording = series.replay()
    draw_end(series, recording, tmp_path / "end.png")
    pixels, layout = matplotlib.image.imread(tmp_path / "end.png"), lay_out(series.board)
    table = recording.game.table
    pieces = [
        (city, seat) for sets in (table.stations, table.markers) for seat in range(3) for city in members(sets[[seat]])
    ]
    wanted = [(layout.cities[city], SEATS[seat]) for city, seat in pieces]
    wanted += [(layout.cities[city], PAPER) for city, left in enumerate(table.stack_tokens) if left]
    owned = [(route, seat) for route, seat in enumerate(table.owner) if seat != c.NOBODY]
    wanted += [((car.x, car.y), SEATS[seat]) for route, seat in owned for car in layout.cars[route]]
    if table.alvin_city != c.NOWHERE:
        x, y = layout.cities[table.alvin_city]
        wanted.append(((x + 13, y - 11), SKIN))
    assert len(wanted) > 25
    scale = PIXELS / layout.width
    for (x, y), colour in wanted:
        middle, reach = (round(TITLE + y * scale), round(x * scale)), round(7 * scale)
        about = pixels[tuple(slice(m - reach, m + reach + 1) for m in middle)][..., :3]
        assert np.isclose(about, to_rgb(colour), atol=0.01).all(axis=-1).sum() >= 20, (x, y, colour)


def test_same_game_gives_the_same_picture(tmp_path, ttrsim):
    for name in ("one.png", "two.png"):
        options = ("--map", "san_francisco", "--players", "random,random", "--seed", 4)
        ended = ttrsim("play", *options, "--png", tmp_path / name)
        assert (ended.code, ended.out) == (0, "")
        assert name in ended.err
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()


def test_other_kinds_of_picture_are_refused(tmp_path, ttrsim):
    ended = ttrsim("play", "--map", "usa", "--players", "random,random", "--png", tmp_path / "end.gif")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.endswith("end.gif: the picture's name must end in .png\n")
