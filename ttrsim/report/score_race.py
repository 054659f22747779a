"""The race of the scores of one game, turn by turn, as lines of a page."""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.ticker import MaxNLocator

from ttrsim.report.states import changes

WIDTH, HEIGHT = 440.0, 180.0
LEFT, RIGHT, TOP, BOTTOM = 36.0, 22.0, 12.0, 22.0
"""Room about the lines, for the numbers beside them and the marks at their ends."""


@dataclass(frozen=True)
class ScoreRace:
    """Lines over the steps of a game; y goes down."""

    width: float
    height: float
    left: float
    across: float  # from the first step to the last
    lines: list[str]  # by seat, the `d` of a path
    ends: list[float]  # y of the last score of each seat
    marks: list[tuple[int, float]]  # scores, with their y


def score_race(scores: Sequence[Sequence[int]]) -> ScoreRace:
    """Return the race. scores: of each seat, at each step."""
    ticks = MaxNLocator(4, integer=True).tick_values(
        min(0, *(min(of) for of in scores)), max(1, *(max(of) for of in scores))
    )
    low, high = float(ticks[0]), float(ticks[-1])
    across, down = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
    last = max(1, len(scores[0]) - 1)

    def y(score: float) -> float:
        return round(TOP + down * (high - score) / (high - low), 1)

    def line(of: Sequence[int]) -> str:
        parts = [f"M{LEFT} {y(of[0])}"]
        for step, score in changes(of):
            parts.append(f"H{LEFT + across * step / last:.1f}V{y(score)}")
        return "".join([*parts, f"H{LEFT + across}"])

    marks = [(int(tick), y(tick)) for tick in ticks]
    return ScoreRace(WIDTH, HEIGHT, LEFT, across, [line(of) for of in scores], [y(of[-1]) for of in scores], marks)
