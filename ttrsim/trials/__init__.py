"""Trials: the same deals played unchanged and changed, to measure the effect of the change alone.

>>> from ttrsim import trials
>>> trial = trials.make_trial(board="usa", players="planner,one_step", games=400, seed=1)
>>> trials.forced(trial, threads=2)[["ticket", "difficulty", "score_effect"]]

`docs/trials.md` says what each column is; so does `frame.attrs["meanings"]`.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ttrsim.stats.frames import Definition
from ttrsim.trials.difficulty import DIFFICULTY, difficulty
from ttrsim.trials.fair import FAIR, fair
from ttrsim.trials.routes import CHANGED, CLOSED, GIFTS, busiest, changed, closed, gifts
from ttrsim.trials.tickets import FORCED, SWAPS, forced, swaps
from ttrsim.trials.trial import Trial, make_trial

if TYPE_CHECKING:
    import pandas as pd

FRAMES: "dict[str, tuple[Definition, Callable[..., pd.DataFrame]]]" = {
    "swaps": (SWAPS, swaps),
    "forced": (FORCED, forced),
    "difficulty": (DIFFICULTY, difficulty),
    "fair": (FAIR, fair),
    "closed": (CLOSED, closed),
    "gifts": (GIFTS, gifts),
    "changed": (CHANGED, changed),
}
"""Every kind of frame by name: its definition, and what makes it of a trial."""

__all__ = [
    "FRAMES",
    "Trial",
    "busiest",
    "changed",
    "closed",
    "difficulty",
    "fair",
    "forced",
    "gifts",
    "make_trial",
    "swaps",
]
