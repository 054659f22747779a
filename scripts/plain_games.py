"""Games for `verify.py lines`, with the compiler off: every shipped strategy, at every table."""

import sys
import tempfile
from itertools import cycle, islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from checks.tables import all_tables
from conftest import SMALL_BOARD

from ttrsim.core.jit import COMPILED
from ttrsim.simulation import simulate
from ttrsim.strategies import strategy_names

SLOW = "lookahead"
"""Plays whole games for each of its moves."""
WITHOUT_SLIPS = ["long_route(slips=0)", "one_step(slips=0)", "route_focused(slips=0)"]


def main() -> None:
    """One game at each table, which together seat every strategy many times; one on a tiny board with the slow one."""
    assert not COMPILED
    strategies = cycle([*(name for name in strategy_names() if name != SLOW), *WITHOUT_SLIPS])
    for board, players in all_tables():
        simulate(board=board, players=",".join(islice(strategies, players)), seed=players)
    with tempfile.TemporaryDirectory() as folder:
        board = Path(folder) / "small.toml"
        board.write_text(SMALL_BOARD, encoding="utf-8")
        simulate(board=str(board), players=f"{SLOW}(playouts=1),planner", seed=1)


if __name__ == "__main__":
    main()
