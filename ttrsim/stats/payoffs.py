"""The win share of each strategy in each line-up, as a table for game theory (OpenSpiel's heuristic payoff table)."""

import csv
from io import StringIO
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ttrsim.batches import ratio
from ttrsim.core.tally import WHOLE_WIN
from ttrsim.files import write_file
from ttrsim.stats.reading import sums

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run


def payoffs(run: "Run") -> "pd.DataFrame":
    """A row a line-up: how many seats each strategy has (`seats of …`), then the mean win share of each (`wins of …`).

    A strategy that does not sit there wins 0, as OpenSpiel has it.
    """
    import pandas as pd

    line_ups = np.array(run.plan.line_ups)
    s = sums(run, "line_ups")
    played = s["games"].sum(axis=(0, 2)) > 0
    wins = np.nan_to_num(ratio(s["win60"] / WHOLE_WIN, s["games"]).value)
    names = run.strategies
    seated = {f"seats of {name}": (line_ups == i).sum(axis=1)[played] for i, name in enumerate(names)}
    return pd.DataFrame(seated | {f"wins of {name}": wins[played, i] for i, name in enumerate(names)})


def missing_line_ups(run: "Run") -> int:
    """Count the compositions of a table that the run lacks: a full payoff table has all (`--design mixed`)."""
    compositions = {tuple(sorted(line_up)) for line_up in run.plan.line_ups}
    return comb(len(run.strategies) + run.plan.seats - 1, run.plan.seats) - len(compositions)


def write_payoffs(run: "Run", path: Path) -> None:
    """Write the table as CSV, its header after a #, so that `numpy.loadtxt(path, delimiter=",")` reads it."""
    table, text = payoffs(run), StringIO(newline="")
    text.write("# ")
    csv.writer(text, lineterminator="\n").writerow(table.columns)
    csv.writer(text, lineterminator="\n").writerows(table.to_numpy(object).tolist())
    write_file(path, text.getvalue())
