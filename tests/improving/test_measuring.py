"""Measure what a point on a ticket is worth, even where no ticket has any effect."""

from functools import partial

import pytest

from ttrsim.improving.measuring import Bench
from ttrsim.runs.in_memory import play_all

from .star import star

GAMES, MORE = 30_000, 4


@pytest.mark.usefixtures("not_the_first_run")
def test_more_points_on_a_ticket_of_a_fair_board_add_about_what_was_expected(tmp_path):
    board = tmp_path / "star.toml"
    board.write_text(star(), "utf-8")
    bench = Bench(("planner", "route_focused"), (2, 3), ("tickets",), 1, partial(play_all, 1), lambda games: None)
    fair = bench.measure([str(board)], 0, GAMES)[0].value
    raised = bench.measure([f"{board}[ticket Aton–Aville = {fair.points[0] + MORE}]"], 1, GAMES)[0].value
    added = (raised.effect[0] - fair.effect[0]) / MORE
    assert fair.slope[0] == pytest.approx(added, rel=0.5)
    assert added > 0.003
