"""`scripts/verify.py agents`: its figures, its tolerances, and what it makes of results."""

import numpy as np
import pytest
from conftest import load_script

from ttrsim.boards import load_board
from ttrsim.core import constants as c
from ttrsim.core.records import SEAT_RESULT

check = load_script("checks/agents.py")


def cell(found: float, error: float = 0.0, agent: str = "route_focused", quantity: str = "score"):
    figure = check.PublishedMean("usa", ("route_focused", "one_step"), agent, quantity, 60.0, 3.0)
    return check.Cell(figure, found, error)


def test_each_table_of_the_study_has_figures_for_each_of_its_agents():
    tables = {}
    for figure in check.read_means():
        assert figure.agent in figure.players
        assert figure.error > 0 or (figure.quantity, figure.value) == ("ticket draws", 0.0)
        tables.setdefault((figure.board, len(figure.players)), set()).add((figure.players, figure.agent))
    sizes = {table: len(agents) for table, agents in tables.items()}
    assert sizes == {("usa", 4): 4, ("europe", 4): 4, ("usa", 3): 12, ("usa", 2): 12}


def test_the_tolerance_adds_both_errors_and_twice_the_spread_between_orders_in_squares():
    assert cell(60.0, 4.0).tolerance == pytest.approx(5.0)
    hungry = cell(60.0, 0.0, "destination_hungry")
    assert hungry.tolerance == pytest.approx((3.0**2 + (2 * check.ORDERS["destination_hungry", "score"]) ** 2) ** 0.5)


def test_figures_count_as_met_within_the_tolerance_and_as_far_off_beyond_twice_that():
    assert check.verdict([cell(60.0), cell(63.0), cell(57.5), cell(64.0), cell(66.5), cell(53.0)]) == (3, 2)


def test_an_agent_that_never_draws_tickets_meets_none_exactly_and_misses_any():
    none = check.PublishedMean("usa", ("long_route",), "long_route", "ticket draws", 0.0, 0.0)
    assert check.Cell(none, 0.0, 0.0).miss == 0
    assert check.Cell(none, 0.1, 0.01).miss > 2
    assert check.Cell(none, 0.1, 0.0).miss > 2


def test_quantities_are_read_from_results_and_scores_are_without_stations():
    seats = np.zeros((1, 2), SEAT_RESULT)
    seats["score"], seats["parts"][..., c.POINTS_STATIONS] = [[50, 60]], 12
    seats["kept"][0, :, 0], seats["completed"][0, :, 0], seats["routes"][0, :, 2] = 0b111, [0b101, 0], [3, 1]

    def found(quantity: str) -> list[float]:
        return [float(x) for x in check.amounts(quantity, seats)[0]]

    assert found("score") == [38, 48]
    assert found("win share") == [0, 100]
    assert (found("tickets completed"), found("tickets missed")) == ([2, 0], [1, 3])
    assert found("routes") == [2, 1]


def test_all_who_have_the_highest_score_share_the_win():
    seats = np.zeros((2, 3), SEAT_RESULT)
    seats["score"], seats["rank"] = [[70, 70, 60], [50, 40, 60]], [[1, 2, 3], [2, 3, 1]]
    assert check.amounts("win share", seats).tolist() == [[50, 50, 0], [0, 0, 100]]


@pytest.mark.parametrize(("seed", "value"), [(0, 0xE6EEBB73EAD9F180), (5, 0x6452591062CC2772)])
def test_hashes_are_those_of_python_2_7_at_a_seed(seed, value):
    assert check.string_hash("TORONTO", seed) == value


def test_each_order_gives_the_cities_other_hashes_by_their_names_in_capitals():
    first, second = (check.ordered("europe", ("one_step", "random"), 1, order) for order in (0, 1))
    for games, seed in ((first, 0), (second, 1)):
        names = [games.record.city_name[games.board.city(name)] for name in ("København", "Kyïv")]
        assert names == [check.string_hash(name, seed) for name in ("KOBENHAVN", "KYIV")]


def test_a_shuffled_board_is_the_same_but_for_the_order_of_its_lists():
    def content(board):
        names = [city.name for city in board.cities]
        return names, {
            (frozenset((names[r.a], names[r.b])), r.length, r.colour, r.ferry, r.tunnel) for r in board.routes
        }

    names, routes = content(load_board("europe"))
    shuffled, the_same = content(check.shuffled("europe", 1))
    assert (sorted(shuffled), the_same) == (sorted(names), routes)
    assert shuffled != names
