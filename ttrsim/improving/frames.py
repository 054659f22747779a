"""What a search found, as frames and sentences: single changes, numbers of changes, and the steps of the search."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ttrsim.batches import Interval
from ttrsim.boards import Board, load_board
from ttrsim.formatting import counted, decimal
from ttrsim.improving.changes import words_of_setting
from ttrsim.improving.stored import Arm, Gain, Settings, Step
from ttrsim.runs.plan import show_home
from ttrsim.stats.frames import Column, Table, build
from ttrsim.words import listed

if TYPE_CHECKING:
    import pandas as pd

TWO_SIDED, ONE_SIDED = 1.96, 1.645
DISTANCE = (
    "Distance from fair: the squares of the sizes over those that are like the published boards', added up over the "
    "goals; of routes, how many are dead."
)
SINGLES = Table(
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
    "A ticket is credited with its own effect, on a board on which all tickets have their new points. Each interval "
    "holds on its own.",
)
PATH = Table(
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
STEPS = Table(
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


def singles_frame(board: Board, steps: Sequence[Step]) -> "pd.DataFrame":
    """Return the single changes that were judged on fresh deals, the best first."""
    rows: list[tuple[str, str, Gain]] = []
    for step in steps:
        if step.name == "each ticket":
            arm = step.arms[1]
            rows += [(text, "tickets", arm.credits[_ticket(board, text)]) for text in arm.changes]
    if others := [step for step in steps if step.name.endswith("seats, rules and routes")]:
        rows += [(arm.changes[0], goal, arm.gain[goal]) for arm in others[-1].arms[1:] for goal in [_goal(arm)]]
    values = np.array([gain for *_, (gain, _) in rows], float)
    half = TWO_SIDED * np.array([error for *_, (_, error) in rows], float)
    return build(
        SINGLES,
        {
            "change": np.array([words_of_setting(board, text) for text, *_ in rows], object),
            "goal": np.array([goal for _, goal, _ in rows], object),
            "gain": Interval(values, values - half, values + half),
            "setting": np.array([text for text, *_ in rows], object),
        },
    )


def _goal(arm: Arm) -> str:
    """Return the goal that a single change gains most in."""
    return max((goal for goal in arm.gain if goal != "all"), key=lambda goal: arm.gain[goal][0])


def _ticket(board: Board, setting: str) -> int:
    name = setting.removeprefix("ticket ").rpartition("=")[0].strip()
    return [board.ticket_name(ticket) for ticket in board.tickets].index(name)


def path_frame(steps: Sequence[Step]) -> "pd.DataFrame":
    """Return the boards with more and more changes; only the one as it is if nothing was clearly better."""
    arms = next((step.arms for step in steps if step.name == "together"), None)
    rows = sorted(arms, key=lambda arm: len(arm.changes)) if arms else [steps[0].arms[0]]
    gains = np.array([arm.gain.get("all", (0.0, 0.0)) for arm in rows])
    half = TWO_SIDED * gains[:, 1]
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


def answer(
    settings: Settings, changes: Sequence[str], gain: Gain | None, sizes: "Mapping[str, tuple[Any, Any]]"
) -> str:
    """Return what to do in a sentence or two. gain: as the judges found it; sizes: before and after, in words."""
    judges = listed(settings.judges)
    if gain is None:
        goals = listed(settings.goals)
        return f"Nothing to propose: no change that was tried makes the board measurably fairer in {goals}."
    if gain[0] <= ONE_SIDED * gain[1]:
        return (
            f"Nothing to propose: {counted(len(changes), 'change')} that looked better to {listed(settings.players)} "
            f"make no clear difference to {judges}, who played no part in the search (nearer to fair by "
            f"{decimal(gain[0], 2)} ± {decimal(TWO_SIDED * gain[1], 2)})."
        )
    moved = [f"{name} from {before} to {after}" for name, (before, after) in sizes.items() if before != after]
    return (
        f"{counted(len(changes), 'change').capitalize()} make the board fairer: {listed(moved)}, as {judges} judge it, "
        "who played no part in the search."
    )


def changed_words(settings: Settings, changes: Sequence[str]) -> list[str]:
    """Return changes in words, each with the value before."""
    board = load_board(show_home(settings.board))
    return [words_of_setting(board, text) for text in changes]
