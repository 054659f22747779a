"""Games for `verify.py lines`, with the compiler off: every shipped strategy, every table, changed deals."""

import sys
import tempfile
from itertools import cycle, islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from conftest import SMALL_BOARD
from core.agreement import Duel

from ttrsim.checking.checks import all_tables
from ttrsim.core.jit import COMPILED
from ttrsim.encode import Intervention
from ttrsim.games import make_games, simulate
from ttrsim.strategies import strategy_names

SLOW = "lookahead"
"""Plays whole games for each of its moves."""
WITHOUT_SLIPS = ["long_route(slips=0)", "one_step(slips=0)", "route_focused(slips=0)"]
CHANGED = ["europe:mega", "old_west:alvin", "san_francisco"]
"""Boards of games whose deals are changed in all ways, and which begin as a plain reference has it: each code of an
action is legal or is not."""
CHANGE = Intervention(place=0, slot=1, ticket=20, forced=True, closed=(3,), gift=(8,))


def main() -> None:
    """Play all games; those of one table after the other seat every strategy many times."""
    assert not COMPILED
    play_everywhere()
    play_slow()
    for name in CHANGED:
        make_games(name, "planner,one_step", 3).changed(CHANGE).play(range(2))
        Duel(name, 2, 0).play(turns=2)


def play_everywhere() -> None:
    """Play one game at each table."""
    strategies = cycle([*(name for name in strategy_names() if name != SLOW), *WITHOUT_SLIPS])
    for board, players in all_tables():
        simulate(board=board, players=",".join(islice(strategies, players)), seed=players)


def play_slow() -> None:
    """Play a game of the slow strategy on a tiny board."""
    with tempfile.TemporaryDirectory() as folder:
        board = Path(folder) / "small.toml"
        board.write_text(SMALL_BOARD, encoding="utf-8")
        simulate(board=str(board), players=f"{SLOW}(playouts=1),planner", seed=1)


if __name__ == "__main__":
    main()
