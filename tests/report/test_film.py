"""The moving picture of a game: a frame for each turn that changed the board, each as the board was then."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from PIL import Image, ImageSequence

from ttrsim.encode import members
from ttrsim.games import make_games
from ttrsim.plots.board import TITLE
from ttrsim.plots.layout import PIXELS, lay_out
from ttrsim.plots.theme import SEATS
from ttrsim.report.pictures import MOST, PAPER, SKIN, WIDTH, chosen, draw_film
from ttrsim.report.states import states

GAMES = [("old_west:alvin", "random,random,random", 95), ("san_francisco", "random,random_kind", 101)]


@pytest.fixture(scope="module", params=GAMES, ids=lambda game: game[0])
def film(request, tmp_path_factory):
    """A board, the table after each turn of a game, and the file."""
    series = make_games(*request.param).seated(0)
    recording, path = series.replay(), tmp_path_factory.mktemp("film") / "game.gif"
    draw_film(series, recording, path)
    return series.board, states(recording)["table"], path


def has(pixels, board, place, colour, reach=4):
    """Return whether a colour is seen at a place of the board."""
    scale = WIDTH / lay_out(board).width
    x, y = place[0] * scale, place[1] * scale + TITLE * WIDTH / PIXELS
    rows, columns = (slice(round(middle) - reach, round(middle) + reach + 1) for middle in (y, x))
    about = pixels[rows, columns]
    return np.isclose(about, to_rgb(colour), atol=0.04).all(axis=-1).sum() >= 6


def test_frames_show_the_board_as_it_was(film):
    board, tables, path = film
    layout, steps = lay_out(board), chosen(tables)
    with Image.open(path) as picture:
        frames = [np.asarray(frame.convert("RGB")) / 255 for frame in ImageSequence.Iterator(picture)]
    assert len(frames) == len(steps) > 10
    for step, frame in [*zip(steps[::6], frames[::6], strict=True), (steps[-1], frames[-1])]:
        table = tables[step]
        seats = range(table.players)
        for route, cars in enumerate(layout.cars):
            seen = [has(frame, board, (cars[0].x, cars[0].y), SEATS[seat]) for seat in seats]
            assert seen == [table.owner[route] == seat for seat in seats], (step, board.route_name(route))
        for owner in seats:
            for city in members(table.markers[[owner]]):
                assert has(frame, board, layout.cities[city], SEATS[owner], 6)
        for city in np.flatnonzero(tables["stack_tokens"].any(axis=0)):
            assert has(frame, board, layout.cities[city], PAPER) == bool(table.stack_tokens[city])
        if board.rules.alvin:
            x, y = layout.cities[table.alvin_city]
            assert has(frame, board, (x + 13, y - 11), SKIN)


def test_every_turn_that_changed_the_board_is_shown_and_no_other(film):
    _, tables, _ = film
    steps = chosen(tables)
    assert steps[0] == 0
    assert steps[-1] == len(tables) - 1
    claims = [step for step in range(1, len(tables)) if (tables[step].owner != tables[step - 1].owner).any()]
    assert set(claims) <= set(steps)
    assert len(steps) < len(tables) / 2


def test_last_frame_stays_longest_and_the_file_is_small(film):
    _, _, path = film
    with Image.open(path) as picture:
        times = [frame.info["duration"] for frame in ImageSequence.Iterator(picture)]
        assert picture.info["loop"] == 0
        assert picture.width == WIDTH
    assert times[-1] > 5 * max(times[:-1])
    assert path.stat().st_size < 500_000


@pytest.mark.parametrize("turns", [1, 5, 94, 95, 96, 97, 300])
def test_long_games_are_shown_in_fewer_than_a_hundred_frames(film, turns):
    _, tables, _ = film
    changing = tables[[-1] * turns]
    changing["alvin_city"] = np.arange(turns)
    steps = chosen(changing)
    assert steps[0] == 0
    assert steps[-1] == turns - 1
    assert steps == sorted({*steps})
    assert min(turns, MOST / 2) <= len(steps) <= MOST


def test_game_that_a_strategy_stopped_is_filmed_up_to_there(tmp_path, ttrsim):
    bot = tmp_path / "stops.py"
    bot.write_text('"""Wants nothing legal."""\n\n\ndef take_turn(board, table, hand, mind):\n    return 9\n', "utf-8")
    film = tmp_path / "game.gif"
    options = ("--map", "san_francisco", "--players", f"{bot},random", "--seed", 1, "--quiet")
    assert ttrsim("play", *options, "--gif", film).code == 1
    with Image.open(film) as picture:
        assert picture.n_frames == 1


def test_same_game_gives_the_same_film(tmp_path, ttrsim):
    options = ("--map", "san_francisco", "--players", "random,random", "--seed", 4)
    for name in ("one.gif", "two.gif"):
        ended = ttrsim("play", *options, "--gif", tmp_path / name)
        assert (ended.code, ended.out) == (0, "")
        assert name in ended.err
    assert (tmp_path / "one.gif").read_bytes() == (tmp_path / "two.gif").read_bytes()


def test_other_kinds_of_file_are_refused(tmp_path, ttrsim):
    ended = ttrsim("play", "--map", "usa", "--players", "random,random", "--gif", tmp_path / "game.mp4")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.endswith("game.mp4: the picture's name must end in .gif\n")
