"""Find the value that each ticket should have, and test it on deals that the search did not see."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ttrsim.batches import Interval, sidak
from ttrsim.choices import ROUNDS
from ttrsim.errors import UsageError
from ttrsim.stats.frames import Column, Definition, build
from ttrsim.stats.verdicts import verdicts
from ttrsim.trials.search import PRINTED as PRINTED_POINTS
from ttrsim.trials.search import Limits, Search, Solution
from ttrsim.trials.tickets import FOCAL_STRATEGY, GAMES, HELD, PRINTED, printed
from ttrsim.trials.trial import OnGames, Trial, nobody_listens

if TYPE_CHECKING:
    import pandas as pd

MARGINS = {"score": 1.0, "win": 0.01}
"""The outcomes in which tickets can be made equal, with the difference that is too small to matter in each."""

FAIR = Definition(
    "fair",
    "A row is a ticket. It is fair if being made to hold it is worth as much as being made to hold the one that was "
    "dealt. Effects come from the test, on deals that the search did not see.",
    (
        FOCAL_STRATEGY,
        *PRINTED,
        GAMES,
        Column("completed", "estimate", "share", "Share of the games in which the ticket, held, is completed."),
        Column("score_effect", "estimate", "points", f"Mean final score of the focal seat {HELD}.", "Extra points ±"),
        Column("win_effect", "estimate", "share difference", "The same for its mean win share.", "Extra wins ±"),
        Column(
            "fair_value",
            "estimate",
            "points",
            "The value at which holding the ticket makes no difference, from all rounds of the search. None if it is "
            "completed in fewer than 60 of 100 games.",
            "Fair value ±",
        ),
        Column(
            "new_points",
            "number",
            "points",
            "The fair value, rounded to points that may be printed; the printed points if the test finds none clearly "
            "better.",
            "New",
        ),
        Column("left_score_effect", "estimate", "points", "The score effect with the new points.", "Score left ±"),
        Column("left_win_effect", "estimate", "share difference", "The win effect with the new points.", "Win left ±"),
        Column(
            "verdict",
            "key",
            "",
            "settled: the whole interval of what is left of the effect is within 1 point of score, or 1 win in 100 "
            "games; off: it is beyond that; undecided: neither.",
            "Verdict",
        ),
        Column(
            "more_games",
            "count",
            "games",
            "How many more games would settle an undecided verdict, at least.",
            "More games",
        ),
    ),
    "score_effect",
    "The intervals of effects hold for all tickets at once; each of the others holds on its own.",
    at_once=("score_effect", "win_effect", "left_score_effect", "left_win_effect"),
)
WORDS = {"balanced": "settled", "imbalanced": "off", "undecided": "undecided"}


def fair(
    trial: Trial,
    tickets: Sequence[str] | None = None,
    *,
    also: Sequence[Trial] = (),
    rounds: int = ROUNDS,
    objective: str = "score",
    limits: Limits | None = None,
    threads: int = 1,
    on_games: OnGames = nobody_listens,
) -> "pd.DataFrame":
    """Find what each ticket should be worth. `frame.attrs["searched"]` lists the rounds and tests of the search.

    also: trials at other tables of the same board; effects are then means over all tables. objective: which outcome
    should be equal, score or win. limits: the points that a ticket may have.
    """
    if rounds < 1:
        raise UsageError([f"rounds = {rounds}: must be at least 1"])
    if objective not in MARGINS:
        raise UsageError([f"objective = {objective}: must be {' or '.join(MARGINS)}"])
    search = Search([trial, *also], tickets, objective, limits or Limits(), threads, on_games)
    found = search.run(rounds)
    frame = _values(search, found)
    floor = found.floor * (100 if objective == "win" else 1)
    frame.attrs |= {"searched": _searched(search, found), "floor": floor, "overruled": search.overruled}
    return frame


def _values(search: Search, found: Solution) -> "pd.DataFrame":
    trial, before, after = search.tables[0], found.before, found.after
    score, win = after.score.simultaneous(), after.win.simultaneous()
    verdict, more = verdicts(
        win if search.objective == "win" else score, MARGINS[search.objective], trial.schedule.games
    )
    width = sidak(1, trial.schedule.batches - 1) * found.error
    data = {
        **{name: values for name, values in printed(trial, search.chosen).items() if name != "players"},
        "completed": before.completed,
        "score_effect": before.score.simultaneous(),
        "win_effect": before.win.simultaneous(),
        "fair_value": Interval(found.value, found.value - width, found.value + width),
        "new_points": after.points,
        "left_score_effect": score,
        "left_win_effect": win,
        "verdict": np.array([WORDS[word] for word in verdict.tolist()], object),
        "more_games": more,
    }
    if len(search.tables) > 1:
        focal = " and ".join(f"{t.line_up[0].spec} of {len(t.line_up)}" for t in search.tables)
        data["strategy"] = np.full(len(search.chosen), focal, object)
    return build(FAIR, data)


def search_words(frame: "pd.DataFrame", objective: str) -> str:
    """Describe how much better the new points are than the printed ones, on deals that the search did not see."""
    searched, floor = frame.attrs["searched"], frame.attrs["floor"]
    tests = {row["played"]: row["rms"] for row in searched if row["played"].startswith("test")}
    before, after = tests[PRINTED_POINTS], min(tests.values())
    unit = "percentage points of wins" if objective == "win" else "points"
    if frame["new_points"].equals(frame["points"]):
        return (
            f"The printed points stay: the search found none that are clearly better. Effects of tickets are "
            f"{before:.2f} {unit} (root mean square, noise subtracted)."
        )
    return (
        f"On deals that the search did not see, effects of tickets are {after:.2f} {unit} with the new points and "
        f"{before:.2f} with the printed ones (root mean square, noise subtracted). Rounding alone leaves about "
        f"{floor:.2f}."
    )


def _searched(search: Search, found: Solution) -> list[dict[str, Any]]:
    """Return what was played, in order: effects as root mean squares, in points or in percentage points of wins."""
    unit = 100 if search.objective == "win" else 1
    played = {f"round {number}": measured for number, measured in enumerate(found.rounds, 1)} | found.tests
    rounds = {name: search.round(measured) for name, measured in played.items()}
    return [
        {
            "played": name,
            "points": int(of.points.sum()),
            "rms": unit * of.rms,
            "noise": unit * of.noise,
            "largest": unit * float(np.abs(of.effect).max(initial=0)),
        }
        for name, of in rounds.items()
    ]
