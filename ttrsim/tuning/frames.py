"""Report a tuning as frames and sentences: gains at each table, the worth of each parameter, and the search."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ttrsim.batches import Array, Interval, mean_of
from ttrsim.formatting import decimal
from ttrsim.stats.frames import Column, Definition, build
from ttrsim.strategies.loading import number_words
from ttrsim.tuning.match import ArmResults, Values
from ttrsim.tuning.playing import MEAN, START, TuningState, gain, joined
from ttrsim.tuning.search import Space

if TYPE_CHECKING:
    import pandas as pd

NEAR_BOUND = 0.02
"""Share of its range within which a parameter counts as at its bound."""

GAINS = Definition(
    "gains",
    "A row is a table, at which the strategy played the same deals with the tuned parameters and as it started.",
    (
        Column("table", "key", "", "The board and the number of players.", "Table"),
        Column("searched", "key", "", "Whether the search played at this table: yes or no.", "Searched"),
        Column("games", "count", "games", "Games with the tuned parameters; the start played the same number."),
        Column("start", "estimate", "share", "How often the strategy wins as it started.", "Start ±"),
        Column("tuned", "estimate", "share", "How often it wins with the tuned parameters.", "Tuned ±"),
        Column("gain", "estimate", "share difference", "How much more often.", "Gain ±"),
        Column("verdict", "key", "", "better or worse, by the interval of the gain; else undecided.", "Verdict"),
    ),
    "",
)
PARAMETERS = Definition(
    "parameters",
    "A row is a parameter that was tuned.",
    (
        Column("parameter", "key", "", "The parameter.", "Parameter"),
        Column("start", "number", "", "Its value at the start.", "Start"),
        Column("tuned", "number", "", "Its value as found.", "Tuned"),
        Column("low", "number", "", "The lowest value it may have.", "Lowest"),
        Column("high", "number", "", "The highest.", "Highest"),
        Column("at_bound", "key", "", "lowest or highest, if that is the value found.", "At bound"),
        Column(
            "worth",
            "estimate",
            "share difference",
            "How much less often the tuned strategy wins if this parameter alone is put back to its start, as a mean "
            "over the tables searched. NaN for one that did not change.",
            "Worth ±",
        ),
    ),
    "worth",
    "The intervals hold at once for all parameters.",
)
TRACE = Definition(
    "trace",
    "A row is a generation of the search.",
    (
        Column("generation", "number", "", "Its number, from 0 on."),
        Column("games", "count", "games", "Games of the search up to the end of the generation."),
        Column("start", "number", "share", "Win share of the strategy as it started, on the deals of this generation."),
        Column("tuned", "number", "share", "Win share with the mean of the search."),
        Column("candidates", "number", "share", "Mean win share of the candidates."),
    ),
    "",
)


def gains_frame(state: TuningState) -> "pd.DataFrame":
    """Return the gains at the tables searched, then at those that were not."""
    rows = []
    for steps, matches, searched in ((state.of("test"), state.matches, "yes"), (state.of("near"), state.near, "no")):
        found = joined(steps) if steps else None
        for table, match in enumerate(matches if found else ()):
            assert found
            rows.append((match.title, searched, found, table))
    change = [found.gains(table, [0], 1).interval() for _, _, found, table in rows]
    return build(
        GAINS,
        {
            "table": [title for title, *_ in rows],
            "searched": [searched for _, searched, *_ in rows],
            "games": [found.games[table] * found.wins[table].shape[1] for *_, found, table in rows],
            "start": _stacked([_share(found, table, 1) for *_, found, table in rows]),
            "tuned": _stacked([_share(found, table, 0) for *_, found, table in rows]),
            "gain": _stacked(change),
            "verdict": [verdict(interval) for interval in change],
        },
    )


def _share(found: ArmResults, table: int, arm: int) -> Interval:
    return found.share(table, arm).interval()


def _stacked(intervals: Sequence[Interval]) -> Interval:
    return Interval(*(np.array([np.ravel(end)[0] for end in ends]) for ends in zip(*intervals, strict=True)))


def verdict(interval: Interval) -> str:
    """Return `better`, `worse` or `undecided` for the interval of one gain."""
    low, high = (float(np.ravel(end)[0]) for end in interval[1:])
    return "better" if low > 0 else "worse" if high < 0 else "undecided"


def parameters_frame(state: TuningState, tuned: Values) -> "pd.DataFrame":
    """Return the parameters that were tuned, those worth most first."""
    space = state.space
    worth = _worth(state, tuned)
    values = [tuned[place] for place in space.places]
    return build(
        PARAMETERS,
        {
            "parameter": list(space.names),
            "start": [space.start[place] for place in space.places],
            "tuned": values,
            "low": [param.low for param in space.params],
            "high": [param.high for param in space.params],
            "at_bound": [_bound(p.low, p.high, value) for p, value in zip(space.params, values, strict=True)],
            "worth": Interval(*(np.array([ends.get(name, np.nan) for name in space.names]) for ends in worth)),
        },
    )


def _bound(low: float, high: float, value: float) -> str:
    near = NEAR_BOUND * (high - low)
    return "lowest" if value - low <= near else "highest" if high - value <= near else ""


def _worth(state: TuningState, tuned: Values) -> tuple[dict[str, float], ...]:
    """Return what each changed parameter is worth, with the ends of its interval, by the parameter's name."""
    changed = [name for name, _ in state.space.put_back(tuned)]
    if not changed:
        return {}, {}, {}
    found = joined(state.of("worth") or state.of("test"))  # put back alone, a single one is the start
    arms = range(1, 1 + len(changed))
    lost = mean_of([found.gains(table, arms, 0).scaled(-1) for table in range(len(found.wins))]).simultaneous()
    return tuple(dict(zip(changed, end.tolist(), strict=True)) for end in lost)


def trace_frame(state: TuningState) -> "pd.DataFrame":
    """Return how the search went."""
    steps = state.searched
    shares = [step.measured.shares().mean(axis=0) for step in steps]
    return build(
        TRACE,
        {
            "generation": range(len(steps)),
            "games": np.cumsum([step.played for step in steps]),
            "start": [of[START] for of in shares],
            "tuned": [of[MEAN] for of in shares],
            "candidates": [of[:START].mean() for of in shares],
        },
    )


def finding(state: TuningState) -> str:
    """Say whether there is a gain, in a sentence without a full stop."""
    whole, start = gain(state), state.space.strategy.spec
    value, low, high = (float(end[0]) for end in whole)
    points = f"{_with_half(value, low, high)} wins per 100 games"
    at = state.matches[0].title if len(state.matches) == 1 else f"{len(state.matches)} tables"
    at += " (the worst of them)" if state.recipe.worst and len(state.matches) > 1 else ""
    words = {
        "better": f"A gain: on fresh deals at {at}, the tuned parameters bring {points} more than {start}",
        "worse": f"No gain: on fresh deals at {at}, the tuned parameters are worse than {start}: {points}",
    }
    open_ = f"No clear gain: on fresh deals at {at}, the tuned parameters bring {points} more than {start}"
    return words.get(verdict(whole), open_)


def elsewhere_words(gains: "pd.DataFrame") -> str:
    """Say what was found at tables that were not searched."""
    sentences = []
    for word, what in (("better", "It also gains at"), ("worse", "It loses at"), ("undecided", "Undecided at")):
        rows = gains[(gains["searched"] == "no") & (gains["verdict"] == word)]
        if len(rows):
            named = "; ".join(f"{row['table']}: {points_words(row)}" for row in rows.to_dict("records"))
            sentences.append(f"{what} {named}.")
    return " ".join(sentences) or "No other table was played."


def points_words(row: dict[Any, Any]) -> str:
    """Return a gain in wins per 100 games: `+3.3 ± 0.3`."""
    return f"{'+' if row['gain'] > 0 else ''}{_with_half(row['gain'], row['gain_low'], row['gain_high'])}"


def _with_half(value: float, low: float, high: float) -> str:
    """Return a gain in wins per 100 games with half its interval, if that is known: not where no game differs."""
    half = 50 * (high - low)
    return decimal(100 * value) + (f" ± {decimal(half)}" if half == half else "")


def parameters_words(parameters: "pd.DataFrame", found: str) -> str:
    """Say which parameters clearly matter, and which ended at a bound. found: the verdict."""
    if found != "better":
        return "Without a clear gain it is unclear which of them matter."
    sure = list(parameters[parameters["worth_low"] > 0]["parameter"])
    bound = [f"{row['parameter']} ({row['at_bound']})" for row in parameters.to_dict("records") if row["at_bound"]]
    first = f"Clearly worth something alone: {', '.join(sure)}." if sure else "None is clearly worth something alone."
    return f"{first} Ended at a bound: {', '.join(bound)}." if bound else first


SWEEP = Definition(
    "sweep",
    "A row is a value of the parameter that is varied, or a pair of values of two; all play the same deals.",
    (
        Column("parameters", "key", "", "The values of the varied parameters.", "Parameters"),
        Column("value", "number", "", "The value of the first parameter."),
        Column("other", "number", "", "The value of the second parameter, if there is one."),
        Column("games", "count", "games", "Games with these values."),
        Column("win_share", "estimate", "share", "How often the strategy wins.", "Wins ±"),
        Column("change", "estimate", "share difference", "How much more often than as it starts.", "Change ±"),
        Column("verdict", "key", "", "better, worse, or empty where the change is not clear.", "Verdict"),
    ),
    "",
    "The intervals of changes hold at once for all rows, those of win shares each on its own.",
)


def sweep_frame(space: Space, arms: Sequence[Values], found: ArmResults) -> "pd.DataFrame":
    """Return how often each arm wins, and how much more than the last, which is the strategy as it starts."""
    values = np.array([[arm[place] for place in space.places] for arm in arms[:-1]])
    numbers = range(len(arms) - 1)
    change = found.gains(0, numbers, len(arms) - 1).simultaneous()
    ends: list[Array] = [change.low, change.high]
    verdicts = np.where(ends[0] > 0, "better", np.where(ends[1] < 0, "worse", ""))
    data: dict[str, Any] = {
        "parameters": [_in_words(space, arm) for arm in arms[:-1]],
        "value": values[:, 0],
        "games": np.full(len(numbers), found.games[0] * found.wins[0].shape[1]),
        "win_share": _stacked([_share(found, 0, arm) for arm in numbers]),
        "change": change,
        "verdict": verdicts,
    }
    return build(SWEEP, data | ({"other": values[:, 1]} if values.shape[1] > 1 else {}))


def _in_words(space: Space, arm: Values) -> str:
    return ", ".join(f"{n}={number_words(arm[p])}" for n, p in zip(space.names, space.places, strict=True))


def sweep_answers(frame: "pd.DataFrame", start: str) -> list[str]:
    """Return what a sweep found, in a sentence. start: the strategy as it is typed."""
    best = frame.iloc[int(frame["win_share"].argmax())]
    better = list(frame[frame["verdict"] == "better"]["parameters"])
    if not better:
        return [f"No values clearly win more than {start}."]
    change = points_words({f"gain{end}": best[f"change{end}"] for end in ("", "_low", "_high")})
    found = f"{len(better)} of {len(frame)} clearly win more than {start}"
    return [f"{found}; most with {best['parameters']}: {change} wins per 100 games."]
