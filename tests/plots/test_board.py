"""The board drawing: what its geometry promises on every board, and what the picture says."""

import re
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from ttrsim.boards import Board, load_board
from ttrsim.plots.board import draw_board, save_board
from ttrsim.plots.labels import NAME_SIZE, Label
from ttrsim.plots.layout import PIXELS, Layout, lay_out
from ttrsim.plots.narrow_board import RECONSTRUCTION
from ttrsim.plots.theme import PAINT
from ttrsim.plots.track import Car

BOARDS = ("usa", "europe", "old_west", "san_francisco")

TOY = """
format = 1
name = "Toy"
title = "Three cities"
picture = { width = 100, height = 80 }
colours.red = { cards = 12 }
wilds = { cards = 4, name = "joker" }
rules.players = [2, 2]
rules.trains = 8
rules.tickets = { deck = "base", deal = 1, keep = 1, draw = 1, draw_keep = 1 }
rules.route_points = { 1 = 1, 2 = 2, 3 = 4 }
cities = [
  { name = "$A_x$ & <b>", x = 10, y = 10 },
  { name = "Bee", x = BEE, y = 10LABEL },
  { name = "Cee", x = 40, y = 70 },
]
connections = [
  { between = ["$A_x$ & <b>", "Bee"], length = 3, tracks = ["red", "gray"]BEND },
  { between = ["$A_x$ & <b>", "Cee"], length = 2, tracks = ["gray"], ferry = 1 },
  { between = ["Bee", "Cee"], length = 2, tracks = ["red"], tunnel = true },
]
tickets = [
  { between = ["Cee", "Bee"], points = 3, decks = ["base"] },
  { between = ["Cee", "$A_x$ & <b>"], points = 3, decks = ["base"] },
]
"""


@pytest.fixture(params=BOARDS)
def board(request: pytest.FixtureRequest) -> Board:
    return load_board(request.param)


def toy(folder: Path, bee: float = 90, label: str = "", bend: str = "") -> Board:
    text = TOY.replace("BEE", str(bee)).replace("LABEL", label).replace("BEND", bend)
    (folder / "toy.toml").write_text(text, "utf-8")
    return load_board(folder / "toy.toml")


def corners(car: Car) -> np.ndarray:
    """Return the corners of a car, from its middle, angle and sides alone."""
    turn = np.radians(car.angle)
    along = np.array([np.cos(turn), np.sin(turn)]) * car.length / 2
    across = np.array([-np.sin(turn), np.cos(turn)]) * car.width / 2
    middle = np.array((car.x, car.y))
    ahead, behind = middle + along, middle - along
    return np.array([ahead + across, ahead - across, behind - across, behind + across])


def box(label: Label) -> np.ndarray:
    x0, y0, x1, y1 = label.box
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])


def apart(one: np.ndarray, two: np.ndarray) -> float:
    """Return the widest gap that a line between two convex polygons can show; below 0 they overlap by so much."""
    gaps = []
    for polygon in (one, two):
        for edge in np.roll(polygon, -1, axis=0) - polygon:
            normal = np.array([-edge[1], edge[0]]) / np.hypot(*edge)
            a, b = one @ normal, two @ normal
            gaps.append(max(a.min() - b.max(), b.min() - a.max()))
    return max(gaps)


def distance(car: Car, city: tuple[float, float]) -> float:
    """Return from the middle of a city to the nearest edge of a car."""
    turn = np.radians(car.angle)
    dx, dy = city[0] - car.x, city[1] - car.y
    along = abs(dx * np.cos(turn) + dy * np.sin(turn)) - car.length / 2
    across = abs(dy * np.cos(turn) - dx * np.sin(turn)) - car.width / 2
    return float(np.hypot(max(along, 0), max(across, 0)))


def all_cars(layout: Layout) -> list[Car]:
    return [car for cars in layout.cars for car in cars]


def texts(board: Board) -> list[str]:
    return [t.get_text() for t in draw_board(board).texts]


def test_a_route_has_one_car_for_each_space(board: Board) -> None:
    assert [len(cars) for cars in lay_out(board).cars] == [r.length for r in board.routes]


def test_cars_run_from_the_first_city_of_their_route_to_the_second(board: Board) -> None:
    layout = lay_out(board)
    for route, cars in zip(board.routes, layout.cars, strict=True):
        start = [np.hypot(c.x - layout.cities[route.a][0], c.y - layout.cities[route.a][1]) for c in cars]
        assert start == sorted(start)


def test_cities_keep_the_proportions_of_the_board_file(board: Board) -> None:
    drawn = np.array(lay_out(board).cities)
    given = np.array([(c.x, c.y) for c in board.cities])
    scale = np.ptp(drawn[:, 0]) / np.ptp(given[:, 0])
    np.testing.assert_allclose(drawn - drawn[0], (given - given[0]) * scale, atol=1e-6)


def test_no_name_lies_over_a_car(board: Board) -> None:
    layout = lay_out(board)
    cars = [corners(car) for car in all_cars(layout)]
    over = [lab.lines for lab, car in product(layout.labels, cars) if apart(box(lab), car) < 0]
    assert over == []


def test_no_name_lies_over_another_name(board: Board) -> None:
    over = [(a.lines, b.lines) for a, b in combinations(lay_out(board).labels, 2) if apart(box(a), box(b)) < 0]
    assert over == []


def test_no_name_lies_over_a_city(board: Board) -> None:
    layout = lay_out(board)
    for label, (x, y) in product(layout.labels, layout.cities):
        x0, y0, x1, y1 = label.box
        assert np.hypot(max(x0 - x, 0, x - x1), max(y0 - y, 0, y - y1)) > layout.city_radius, label.lines


def test_a_name_is_nearer_to_its_own_city_than_to_another(board: Board) -> None:
    layout = lay_out(board)
    for i, label in enumerate(layout.labels):
        x0, y0, x1, y1 = label.box
        away = [np.hypot(max(x0 - x, 0, x - x1), max(y0 - y, 0, y - y1)) for x, y in layout.cities]
        assert int(np.argmin(away)) == i, label.lines


def test_no_car_lies_on_another(board: Board) -> None:
    numbered = [(route, corners(car)) for route, cars in enumerate(lay_out(board).cars) for car in cars]
    over = {
        (board.route_name(i), board.route_name(j))
        for (i, one), (j, two) in combinations(numbered, 2)
        if np.abs(one[0] - two[0]).max() < 100 and apart(one, two) < -0.5
    }
    assert over == set()


def test_parallel_tracks_run_side_by_side(board: Board) -> None:
    layout = lay_out(board)
    for twins in board.connections:
        for one, two in combinations(twins, 2):
            for a, b in zip(layout.cars[one], layout.cars[two], strict=True):
                assert a.width < np.hypot(a.x - b.x, a.y - b.y) < 2.5 * a.width * len(twins)
                assert a.angle == b.angle


def test_no_car_lies_on_a_city(board: Board) -> None:
    layout = lay_out(board)
    nearest = min(distance(car, city) for car, city in product(all_cars(layout), layout.cities))
    assert nearest > layout.city_radius


def test_all_is_inside_the_picture(board: Board) -> None:
    layout = lay_out(board)
    points = np.concatenate([corners(c) for c in all_cars(layout)] + [box(lab) for lab in layout.labels])
    assert points.min() > 0
    assert (points < (layout.width, layout.height)).all()


def test_the_box_of_a_name_holds_the_name_as_drawn(board: Board) -> None:
    ax, layout = draw_board(board), lay_out(board)
    ax.figure.canvas.draw()
    drawn = {t.get_text(): t for t in ax.texts if t.get_path_effects() == []}
    back = ax.transData.inverted()
    for label in layout.labels:
        for line in label.lines:
            (x0, _), (x1, _) = back.transform(drawn[line].get_window_extent().get_points())
            assert label.box[0] - 1 < x0 < x1 < label.box[2] + 1


def test_cars_stay_whole_where_cities_are_too_near(tmp_path: Path) -> None:
    cramped = lay_out(toy(tmp_path, bee=11))
    assert all(car.length > 0 for car in all_cars(cramped))
    assert np.isfinite([(c.x, c.y, c.angle) for c in all_cars(cramped)]).all()


def test_a_label_hint_puts_the_name_on_that_side(tmp_path: Path) -> None:
    for side, sign in (("S", 1), ("N", -1)):
        layout = lay_out(toy(tmp_path, label=f', label = "{side}"'))
        _, y0, _, y1 = layout.labels[1].box
        assert sign * ((y0 + y1) / 2 - layout.cities[1][1]) > layout.city_radius


def test_a_bend_hint_bows_the_track_to_the_left_of_its_direction(tmp_path: Path) -> None:
    for bend in (0.2, -0.2):
        layout = lay_out(toy(tmp_path, bend=f", bend = {bend}"))
        middles = np.mean([layout.cars[0][1][:2], layout.cars[1][1][:2]], axis=0)
        eastward = layout.cities[1][0] - layout.cities[0][0]
        assert layout.cities[0][1] - middles[1] == pytest.approx(bend * eastward, rel=1e-6)


def test_variants_share_the_drawing() -> None:
    assert lay_out(load_board("europe:mega")) == lay_out(load_board("europe"))


def test_only_a_reconstruction_is_called_one() -> None:
    assert [name for name in BOARDS if RECONSTRUCTION in texts(load_board(name))] == ["san_francisco"]


def test_the_axes_given_are_drawn_on_and_returned() -> None:
    ax = Figure().subplots()
    assert draw_board(load_board("usa"), ax) is ax
    assert {"Montréal", "USA"} <= {t.get_text() for t in ax.texts}


def test_letters_stand_on_every_coloured_car() -> None:
    usa = load_board("usa")
    written = [t.get_text() for t in draw_board(usa, letters=True).texts]
    for colour in usa.colours:
        spaces = sum(r.length for r in usa.routes if r.colour == colour.index)
        assert written.count(colour.letter) == spaces + 1  # and one in the key


def test_the_greatest_values_are_written_on_their_routes() -> None:
    usa = load_board("usa")
    values = np.full(len(usa.routes), np.nan)
    longest = max(usa.routes, key=lambda r: r.length).index
    values[longest], values[0] = 0.75, 0.01
    written = [t.get_text() for t in draw_board(usa, routes=values, route_label="Share of games").texts]
    assert ".75" in written
    assert "Share of games" in written


def test_a_value_is_not_written_over_the_mark_of_a_ferry() -> None:
    europe = load_board("europe")
    ferry = max((r for r in europe.routes if r.ferry), key=lambda r: r.length)
    values = np.full(len(europe.routes), 0.0)
    values[ferry.index] = 1.0
    text = next(t for t in draw_board(europe, routes=values).texts if t.get_text() == "1.00")
    cars = lay_out(europe).cars[ferry.index]
    on = [i for i, c in enumerate(cars) if text.get_position() == (c.x, c.y)]
    assert on == [1]  # of six spaces the two in the middle have the mark


def test_a_long_title_stays_on_the_picture(tmp_path: Path) -> None:
    board = replace(
        toy(tmp_path),
        name="A name of a board that is as long as a name of a board may be",
        title="Title " * 20,
        status="reconstruction",
    )
    ax = draw_board(board)
    ax.figure.canvas.draw()
    drawn = {t.get_text(): t.get_window_extent() for t in ax.texts}
    name, title, note = (drawn[text] for text in (board.name, board.title, RECONSTRUCTION))
    assert 0 < name.x0 < name.x1 < title.x0 < title.x1 < note.x0 < note.x1 < PIXELS


def test_values_of_the_wrong_number_are_refused() -> None:
    with pytest.raises(ValueError, match=r"36 values are needed.*\(3,\)"):
        draw_board(load_board("usa"), cities=[1, 2, 3])


@pytest.mark.parametrize("empty", ["nan", "same"])
def test_values_without_a_range_are_drawn(empty: str) -> None:
    usa = load_board("usa")
    values = np.full(len(usa.routes), np.nan if empty == "nan" else 0.5)
    assert draw_board(usa, routes=values).texts


def test_gray_is_explained_only_where_it_is_the_colour_of_a_route() -> None:
    usa = load_board("usa")
    by_value = {text.get_text() for text in draw_board(usa, routes=range(len(usa.routes))).texts}
    assert "any one colour" in texts(usa)
    assert "any one colour" not in by_value


def test_the_seats_that_own_routes_are_named() -> None:
    usa = load_board("usa")
    owners = [-1] * len(usa.routes)
    owners[3], owners[8] = 0, 2
    assert {"1st player", "2nd player", "3rd player"} <= {t.get_text() for t in draw_board(usa, owners=owners).texts}
    named = {t.get_text() for t in draw_board(usa, owners=owners, seats=["ann", "bob", "cy"]).texts}
    assert {"ann", "bob", "cy"} <= named


@pytest.mark.parametrize("kind", ["svg", "pdf", "png"])
def test_drawing_twice_gives_the_same_bytes(tmp_path: Path, kind: str) -> None:
    usa = load_board("usa")
    rates = np.linspace(0, 1, len(usa.routes))
    for name in ("one", "two"):
        save_board(usa, tmp_path / f"{name}.{kind}", routes=rates)
    one = (tmp_path / f"one.{kind}").read_bytes()
    assert one == (tmp_path / f"two.{kind}").read_bytes()
    assert len(one) > 10_000


def test_names_in_an_svg_are_text(tmp_path: Path) -> None:
    board = toy(tmp_path)
    save_board(board, tmp_path / "toy.svg", theme="dark")
    svg = (tmp_path / "toy.svg").read_text("utf-8")
    assert {"Toy", "Bee", "Cee", "$A_x$ &amp; &lt;b&gt;"} <= set(re.findall(r"<text [^>]*>([^<]*)</text>", svg))


def test_names_in_an_svg_have_an_outline_in_the_colour_of_the_map(tmp_path: Path) -> None:
    usa = load_board("usa")
    save_board(usa, tmp_path / "usa.svg")
    lines = sum(len(label.lines) for label in lay_out(usa).labels)
    assert (tmp_path / "usa.svg").read_text("utf-8").count(f"paint-order: stroke; stroke: {PAINT.halo};") == lines


def test_a_png_is_1200_pixels_wide(tmp_path: Path) -> None:
    save_board(toy(tmp_path), tmp_path / "toy.png")
    assert int.from_bytes((tmp_path / "toy.png").read_bytes()[16:20]) == PIXELS


def test_an_unknown_kind_of_picture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"toy\.gif: a picture's name ends in \.png, \.svg, \.pdf"):
        save_board(toy(tmp_path), tmp_path / "toy.gif")


def test_a_name_is_written_in_lines_that_fit_the_box(board: Board) -> None:
    for city, label in zip(board.cities, lay_out(board).labels, strict=True):
        assert " ".join(label.lines) == city.name
        assert label.box[3] - label.box[1] >= NAME_SIZE * len(label.lines)


def test_shares_next_to_one_are_told_from_one() -> None:
    usa = load_board("usa")
    shares = np.full(len(usa.routes), np.nan)
    shares[[1, 5]] = 1, 0.97
    assert {"1.00", ".97"} <= {t.get_text() for t in draw_board(usa, routes=shares, route_low=0).texts}


def test_cities_are_marked_where_asked() -> None:
    usa = load_board("usa")
    marked, plain = (len(draw_board(usa, marked=cities).get_children()) for cities in ((3, 8), ()))
    assert marked > plain
