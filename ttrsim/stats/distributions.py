"""Describe scores, the lengths and endings of games, and how scores rose in a few games, which are replayed."""

from typing import TYPE_CHECKING

import numpy as np

from ttrsim.batches import Array, ratio, share
from ttrsim.core.sums import LOWEST_SCORE, WHOLE_WIN
from ttrsim.stats.frames import Column, Definition, build, sums
from ttrsim.stats.standings import PLAYERS, SAT, STRATEGY

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run


QUANTILES = {"p5": 0.05, "p25": 0.25, "median": 0.5, "p75": 0.75, "p95": 0.95}

SCORES = Definition(
    "scores",
    "A row is a strategy.",
    (
        PLAYERS,
        STRATEGY,
        SAT,
        Column("score", "estimate", "points", "Mean final score.", "Score ±"),
        Column("deviation", "number", "points", "Standard deviation of final scores.", "Deviation"),
        Column("lowest", "number", "points", "The lowest final score; below −500 counts as −500.", "Lowest"),
        *(
            Column(
                name,
                "number",
                "points",
                f"The smallest score that at least {share:.0%} of its seats do not exceed.",
                name,
            )
            for name, share in QUANTILES.items()
        ),
        Column("highest", "number", "points", "The highest final score; above 999 counts as 999.", "Highest"),
        Column(
            "even_score",
            "number",
            "points",
            "The smallest of its scores so that with that one or a higher one it wins at least 50 %.",
            "Even",
        ),
    ),
    "score",
)

GAMES = Definition(
    "games",
    "A row is a line-up.",
    (
        PLAYERS,
        Column("line_up", "key", "", "The strategies that sit together.", "Line-up"),
        Column("games", "count", "games", "Games played.", "Games"),
        Column("turns", "estimate", "turns", "Mean turns of a game, of all seats together.", "Turns ±"),
        Column("winner_score", "estimate", "points", "Mean of the best score.", "Best score ±"),
        Column("margin", "estimate", "points", "Mean of the best score less the second best.", "Margin ±"),
        Column("spread", "estimate", "points", "Mean of the best score less the lowest.", "Spread"),
        Column("shared_wins", "estimate", "share", "Share of games that several win.", "Shared"),
        Column("stalemate", "estimate", "share", "Share of games that end with nobody able to move.", "Stalemate"),
        Column("overlong", "estimate", "share", "Share of games stopped at 400 turns per player.", "Overlong"),
        Column("reshuffles", "estimate", "times", "Mean number of times the discards became the deck."),
        Column("refreshes", "estimate", "times", "Mean number of times the display was dealt anew for too many wilds."),
        Column(
            "dry_turns",
            "estimate",
            "share",
            "Share of the turns that began with neither deck nor discards.",
            "Dry turns ±",
        ),
    ),
    "",
)


def scores(run: "Run") -> "pd.DataFrame":
    """Return the distribution of final scores of each strategy."""
    seats, histogram = sums(run, "seats"), sums(run, "scores")
    played, values = seats["games"].sum(axis=2), LOWEST_SCORE + np.array(run.axes("scores")["score"])
    number, total, squares = (seats[name].sum(axis=(0, 2)) for name in ("games", "score", "score_squared"))
    data = {
        "players": np.full(len(run.strategies), run.recipe.seats),
        "strategy": np.array(run.strategies, object),
        "seats": number,
        "score": ratio(seats["score"].sum(axis=2), played).interval(),
        "deviation": np.sqrt((squares - total / number * total) / np.maximum(number - 1, 1)),
    }
    rows = [_distribution(values, *counts) for counts in zip(histogram["seats"], histogram["win60"], strict=True)]
    return build(SCORES, data | {name: np.array([row[name] for row in rows]) for name in rows[0]})


def _distribution(values: Array, seats: Array, win60: Array) -> dict[str, float]:
    """Return the quantiles of a histogram, and where wins begin."""
    found, below = np.flatnonzero(seats), np.cumsum(seats)
    at = {name: values[np.searchsorted(below, share * below[-1])] for name, share in QUANTILES.items()}
    with np.errstate(invalid="ignore"):
        from_here = np.cumsum(win60[::-1])[::-1] / np.cumsum(seats[::-1])[::-1] / WHOLE_WIN
    even = values[(seats > 0) & (from_here >= 0.5)]
    return {
        **at,
        "lowest": values[found[0]],
        "highest": values[found[-1]],
        "even_score": even[0] if len(even) else np.nan,
    }


def games(run: "Run") -> "pd.DataFrame":
    """Return how long games are, how close, and how they end."""
    s = sums(run, "games")
    of = {"dry_turns": s["turns"]}
    means = {
        c.name: share(s[c.name], of.get(c.name, s["games"]))
        if c.unit == "share"
        else ratio(s[c.name], s["games"]).interval()
        for c in GAMES.columns
        if c.kind == "estimate"
    }
    line_ups = np.array(run.recipe.line_up_names, object)
    players = np.full(len(line_ups), run.recipe.seats)
    return build(GAMES, {"players": players, "line_up": line_ups, "games": s["games"].sum(axis=0), **means})


def rounds(run: "Run") -> "pd.DataFrame":
    """Return how many games took each number of rounds: a round is a turn of each player, the last one may be part."""
    lengths = run.table("lengths")
    whole = -(-lengths["turns"] // run.recipe.seats)
    return lengths.groupby(whole.rename("rounds"))["games"].sum().reset_index()


RACE_GAMES = 500  # so that a median is off by about a twentieth of the spread of scores


def race(run: "Run", games: int = RACE_GAMES) -> "pd.DataFrame":
    """Return scores by round in some games, taken evenly from the run and played again.

    A row is a seat of a game after a round: `game`, `strategy`, `seat`, `round` (each seat's turns so far) and
    `score`, without the final scoring; the last row of each has `final` set and the score that counts.
    """
    import pandas as pd

    from ttrsim.runs.copies import check_replay

    check_replay(run.folder, run.recipe)
    numbers = np.unique(np.linspace(0, run.games_played - 1, games).astype(int))
    of_games = [_of_game(run, int(number)) for number in numbers]
    columns = {name: np.concatenate([of[name] for of in of_games]) for name in of_games[0]}
    columns["strategy"] = np.array(run.strategies, object)[columns["strategy"]]
    return pd.DataFrame(columns)


def _of_game(run: "Run", number: int) -> dict[str, Array]:
    """Return the columns of a game, seat by seat, with strategies as indices."""
    game, recording = run.player.replay(number)
    players, played = run.recipe.seats, recording.events["turn"] // run.recipe.seats
    last = np.flatnonzero(np.diff(played, append=played[-1] + 1))  # decision of each round
    running = recording.events["after"]["table"]["score"][last, :players]
    scores = np.concatenate([running, recording.seats["score"][:1, :players]]).T
    ends = np.append(played[last] + 1, played[-1] + 1)
    return {
        "game": np.full(scores.size, number),
        "strategy": np.repeat([run.strategies.index(strategy.spec) for strategy in game.line_up], len(ends)),
        "seat": np.repeat(np.arange(players), len(ends)),
        "round": np.tile(ends, players),
        "score": scores.ravel(),
        "final": np.tile(np.arange(len(ends)) == len(last), players),
    }
