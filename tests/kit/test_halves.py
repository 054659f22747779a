"""Trees grown from two halves: what is kept of searches of the whole board is still true."""

from typing import Any

import networkx as nx
import numpy as np
import pytest

from ttrsim.core import constants as c
from ttrsim.kit.halves import can_connect, join_groups, measure_groups
from ttrsim.kit.paths import find_path, set_prices

from .games import TABLES, Game, Mind, bits, decisions, fresh_mind, graph, own_routes, some, usable

GROUPS, PAIRS = 0, 8
"""Places in the memory."""


def told(game: Game, mind: Mind, groups: list[list[int]], chosen: int) -> list[Any]:
    """What is said of the distances between groups of cities, and of a tree through some of them."""
    for i, group in enumerate(groups):
        mind.memory[GROUPS + i] = np.int64(bits(group))
    game.ask(measure_groups, mind, GROUPS, len(groups), PAIRS)
    price = join_groups(game.record, mind, GROUPS, len(groups), PAIRS, chosen)
    return [price, mind.work.path.tolist(), mind.memory[PAIRS : PAIRS + 6].tolist()]


@pytest.mark.parametrize("table", TABLES)
def test_searches_kept_all_game_long_find_what_those_of_a_fresh_mind_do(table):
    rng, minds, known = np.random.default_rng(1), [fresh_mind() for _ in range(table[1])], 0
    for game in some(decisions(*table), 9):
        kept, fresh = minds[game.seat], fresh_mind()
        for mind in (kept, fresh):
            set_prices(game.record, mind, 0, 1, int(game.table.turn > 40))
        for _ in range(2):
            groups = [rng.choice(len(game.board.cities), 2, replace=False).tolist() for _ in range(3)]
            chosen = int(rng.integers(1, 8))
            assert told(game, kept, groups, chosen) == told(game, fresh, groups, chosen)
        a, b = groups[0]
        game.ask(find_path, kept, bits([a, b]))
        assert game.ask(can_connect, kept, bits([a, b])) == game.ask(can_connect, fresh, bits([a, b]))
        known += int(kept.work.floods) > 3
    assert known > 0


@pytest.mark.parametrize("table", TABLES)
def test_cities_can_be_connected_if_routes_owned_or_to_be_had_lead_from_one_to_the_other(table):
    rng, seen = np.random.default_rng(2), set()
    for game in some(decisions(*table), 9, c.TURN):
        mind = fresh_mind()
        set_prices(game.record, mind, 0, 1, 0)
        possible = graph(game.board, usable(game, game.seat) + own_routes(game, game.seat))
        for _ in range(5):
            a, b = rng.choice(len(game.board.cities), 2, replace=False).tolist()
            assert game.ask(can_connect, mind, bits([a, b])) == nx.has_path(possible, a, b)
            seen.add(nx.has_path(possible, a, b))
    assert True in seen
