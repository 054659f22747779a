"""Report a search as frames and sentences: single changes, numbers of changes, and the steps of the search."""

from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from ttrsim.batches import Array, Interval
from ttrsim.boards import Board, load_board
from ttrsim.formatting import counted
from ttrsim.improving.changes import words_of_setting
from ttrsim.improving.measuring import UNKNOWN
from ttrsim.improving.search import EACH_TICKET, OTHERS
from ttrsim.improving.stored import Arm, Gain, ImprovementRecipe, Step
from ttrsim.runs.recipe import show_home
from ttrsim.stats.frames import Column, Definition, build
from ttrsim.stats.published_boards import NAMES
from ttrsim.words import listed

if TYPE_CHECKING:
    import pandas as pd

TWO_SIDED = 1.96
DISTANCE = (
    "Distance from fair: the squares of the sizes over those that are like the published boards', added up over the "
    "goals; of routes, how many are dead."
)
SINGLES = Definition(
    "singles",
    "A row is a single change of the board, judged on fresh deals: on none of those that put it on this list.",
    (
        Column("change", "key", "", "What changes, from what, and to what.", "Change"),
        Column("goal", "key", "", "What it could mend: tickets, seats or routes.", "Mends"),
        Column(
            "gain", "estimate", "", f"How much nearer to fair it brings the board, in that goal. {DISTANCE}", "Gain ±"
        ),
        Column("setting", "key", "", "The change as `--set` takes it."),
    ),
    "gain",
    "A ticket is credited with its own effect, where all tickets have their new points and the best changes of seats, "
    "rules and routes are made. Each interval holds on its own.",
)
PATH = Definition(
    "path",
    "A row is a number of changes made together, those with the largest gains first, on deals of their own.",
    (
        Column("changes", "number", "", "How many changes.", "Changes"),
        Column("distance", "number", "", DISTANCE, "Distance"),
        Column("tickets", "number", "share difference", "Root mean square of effects of tickets.", "Tickets"),
        Column("seats", "number", "share difference", "Root mean square of effects of seats.", "Seats"),
        Column("routes", "number", "dead", "Dead routes and cities.", "Dead"),
        Column("strategies", "number", "share difference", "Root mean square of effects of strategies.", "Strategies"),
        Column("gain", "estimate", "", "How much nearer to fair than with all changes.", "Than with all ±"),
        Column("sha256", "key", "", "The SHA-256 of the board."),
    ),
    "",
)
STEPS = Definition(
    "steps",
    "A row is a step of the search; each has deals that no other plays.",
    (
        Column("step", "key", "", "What was played.", "Step"),
        Column("boards", "count", "boards", "How many boards.", "Boards"),
        Column("games", "count", "games", "Games of all of them.", "Games"),
        Column("best", "key", "", "What the board that came nearest to fair had changed.", "Nearest to fair"),
    ),
    "",
)
SIDES = Definition(
    "sides",
    "A row is a size of the board, over all tables, as the judges find it.",
    (
        Column("size", "key", "", "Which size.", "Size"),
        Column("before", "key", "", "As the board was, ± half of the 95 % interval.", "Before"),
        Column("after", "key", "", "With the changes.", "After"),
        *(Column(board, "key", "", f"Of {name}.", name) for board, name in NAMES.items()),
    ),
    "",
)


def singles_frame(board: Board, steps: Sequence[Step]) -> "pd.DataFrame":
    """Return the single changes that were judged on fresh deals, the best first."""
    rows: list[tuple[str, str, Gain]] = []
    for step in steps:
        if step.name == EACH_TICKET:
            first, arm = step.arms
            new = [text for text in arm.changes if text not in first.changes]
            rows += [(text, "tickets", arm.credits[_ticket(board, text)]) for text in new]
    if others := [step for step in steps if step.name.endswith(OTHERS)]:
        rows += [(arm.changes[0], arm.goal, arm.gain[arm.goal]) for arm in others[-1].arms[1:]]
    values = np.array([gain for *_, (gain, _) in rows], float)
    half = _half([error for *_, (_, error) in rows])
    return build(
        SINGLES,
        {
            "change": np.array([words_of_setting(board, text) for text, *_ in rows], object),
            "goal": np.array([goal for _, goal, _ in rows], object),
            "gain": Interval(values, values - half, values + half),
            "setting": np.array([text for text, *_ in rows], object),
        },
    )


def _half(errors: Sequence[float] | Array) -> Array:
    """Return half of the 95 % intervals; NaN where too few games were played to know an error."""
    found = np.array(errors, float)
    return np.where(found < UNKNOWN, TWO_SIDED * found, np.nan)


def _ticket(board: Board, setting: str) -> int:
    name = setting.removeprefix("ticket ").rpartition("=")[0].strip()
    return [board.ticket_name(ticket) for ticket in board.tickets].index(name)


def path_frame(steps: Sequence[Step]) -> "pd.DataFrame":
    """Return the boards with more and more changes; only the one as it is if nothing was clearly better."""
    arms = next((step.arms for step in steps if step.name == "together"), None)
    rows = sorted(arms, key=lambda arm: len(arm.changes)) if arms else [steps[0].arms[0]]
    gains = np.array([arm.gain.get("all", (0.0, 0.0)) for arm in rows])
    half = _half(gains[:, 1])
    goals = {goal: np.array([arm.sizes[goal] for arm in rows]) for goal in rows[0].sizes}
    return build(
        PATH,
        {
            "changes": np.array([len(arm.changes) for arm in rows]),
            "distance": np.array([sum(arm.distance.values()) for arm in rows]),
            **goals,
            "gain": Interval(gains[:, 0], gains[:, 0] - half, gains[:, 0] + half),
            "sha256": np.array([arm.sha256 for arm in rows], object),
        },
    )


def steps_frame(steps: Sequence[Step]) -> "pd.DataFrame":
    """Return the log of what was tried."""
    best = [min(step.arms, key=lambda arm: sum(arm.distance.values())) for step in steps]
    return build(
        STEPS,
        {
            "step": np.array([step.name for step in steps], object),
            "boards": np.array([len(step.arms) for step in steps]),
            "games": np.array([step.games for step in steps]),
            "best": np.array([_changed(arm) for arm in best], object),
        },
    )


def _changed(arm: Arm) -> str:
    if not arm.changes:
        return "the board as it is"
    return arm.changes[0] if len(arm.changes) == 1 else counted(len(arm.changes), "change")


def verdict(gains: Mapping[str, Gain]) -> str:
    """Return `better` if a board is clearly fairer in a goal, and not less fair in all together; else `nothing`.

    gains: as the judges found them, by goal, and of all. The error rate of 5 % is divided among the goals.
    """
    of_goals = [gain for name, gain in gains.items() if name != "all"]
    far = NormalDist().inv_cdf(1 - 0.05 / max(1, len(of_goals)))
    clear = any(value > far * error for value, error in of_goals)
    return "better" if clear and gains["all"][0] > 0 else "nothing"


def finding(recipe: ImprovementRecipe, changes: Sequence[str], gains: Mapping[str, Gain]) -> str:
    """Say whether the board can be made fairer, in a sentence without a full stop. gains: as the judges found them."""
    judges = listed(recipe.judges)
    if not gains:
        goals = listed(recipe.goals)
        return f"Nothing to propose: no change that was tried makes the board measurably fairer in {goals}"
    if verdict(gains) == "nothing":
        number = counted(len(changes), "change that looks", "changes that look")
        return (
            f"Nothing to propose: {number} better to {listed(recipe.players)} "
            f"{'is' if len(changes) == 1 else 'are'} not clearly better to {judges}, who played no part in the search"
        )
    number = counted(len(changes), "change makes", "changes make")
    return f"{number} the board fairer, according to {judges}, who played no part in the search"


def changed_words(recipe: ImprovementRecipe, changes: Sequence[str]) -> list[str]:
    """Return changes in words, each with the value before."""
    board = load_board(show_home(recipe.board))
    return [words_of_setting(board, text) for text in changes]
