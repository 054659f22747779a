"""The games of a check, played in a process of its own, for a strategy may hang or crash."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ttrsim.boards import load_board
from ttrsim.checking.watch import Changed, Sample, Watch
from ttrsim.core.constants import OVERLONG, PASSES, STALEMATE
from ttrsim.failures import occasion, stopped_game
from ttrsim.record import Recording, record_game
from ttrsim.simulation import Results, Series, param_values, play_shards
from ttrsim.strategies import Strategy, StrategyError, load_strategy
from ttrsim.strategies.fields import WRITING_HINT

Send = Callable[[object], None]
Table = tuple[str, int]
"""A board's name and a number of players."""
SEED = 4
COMPANY = "random_kind"
"""Who sits beside the strategy where it does not sit beside itself."""
SLOW = 2.0
"""Seconds of a game after which no games are played in one go."""


@dataclass(frozen=True)
class Order:
    """What is to be examined."""

    strategy: Strategy
    tables: tuple[Table, ...]
    games: int  # in one go at a table, at most
    seconds: float  # for these games, at a table
    company: bool  # beside others at every table, not only with the fewest players
    file: Path  # where the decision at hand stands, see `Watch`


@dataclass(frozen=True)
class Stage:
    """What comes next."""

    table: Table
    line_up: tuple[Strategy, ...]
    first: int  # of the games, played all in one go, or one decision by decision
    games: int


@dataclass
class TableReport:
    """What the games at a table came to."""

    table: Table
    games: int = 0
    rate: float = 0.0  # games a second, in one go
    micros: float = 0.0  # µs a decision, the game itself included
    passes: int = 0  # of the strategy
    stalemates: int = 0
    overlong: int = 0
    problems: tuple[str, ...] = ()
    samples: tuple[Sample, ...] = ()


def examine(order: Order, send: Send) -> None:
    """Send a TableReport for each table, and before that each Stage."""
    _compile(order, send)
    _extremes(order, send)
    for table in order.tables:
        report = TableReport(table)
        for company in _companies(order, table):
            if not report.problems:
                _sit(order, send, report, _series(order, table, company))
        send(report)


def _compile(order: Order, send: Send) -> None:
    """Compile all that is not in the cache, so that later no silence is but the strategy's."""
    series = _series(order, order.tables[0], load_strategy(COMPANY), load_strategy(COMPANY))
    series.play(0, 1)
    series.replay(0)
    _ = order.strategy.compiled
    send(None)


def _companies(order: Order, table: Table) -> list[Strategy]:
    """Who sits at a table beside the strategy: it itself, and then others."""
    others = load_strategy(COMPANY)
    alone = others.sha256 == order.strategy.sha256 or not (order.company or table[1] == 2)
    return [order.strategy] if alone else [order.strategy, others]


def _extremes(order: Order, send: Send) -> None:
    """Games with each parameter as low and as high as it may be; a report if something is wrong."""
    for i, param in enumerate(order.strategy.params):
        for value in (param.low, param.high):
            values = tuple(value if j == i else v for j, v in enumerate(order.strategy.values))
            strategy = replace(order.strategy, values=values)
            report = TableReport(order.tables[0])
            _watched(order, send, report, _series(order, order.tables[0], strategy, strategy))
            if report.problems:
                report.problems = tuple(f"with {param.name} = {value:g}: {text}" for text in report.problems)
                send(report)
                return


def _series(order: Order, table: Table, company: Strategy, strategy: Strategy | None = None) -> Series:
    name, players = table
    return Series(load_board(name), (strategy or order.strategy, *[company] * (players - 1)), SEED)


def _sit(order: Order, send: Send, report: TableReport, series: Series) -> None:
    """Games of a line-up: one decision by decision, many in one go, and these once more in another way."""
    started = time.perf_counter()
    watch, recording = _watched(order, send, report, series)
    if report.problems:
        return
    report.samples += tuple(watch.samples)
    if time.perf_counter() - started > SLOW:
        again = _watched(order, send, report, series)[1]
        _note_difference(report, again.result.tobytes() != recording.result.tobytes(), 1)
        return
    send(_stage(report, series, 0, order.games))
    try:
        _in_one_go(report, series, _games_in_time(order, series), watch, recording)
    except StrategyError as e:
        report.problems += tuple(e.problems)


def _in_one_go(report: TableReport, series: Series, games: int, watch: Watch, recording: Recording) -> None:
    started = time.perf_counter()
    results = series.play(0, games)
    seconds = time.perf_counter() - started
    _count(report, series, results)
    if len({s.sha256 for s in series.line_up}) == 1:
        decisions = results.games["turns"].sum() * watch.decisions / recording.result["turns"][0]
        report.rate, report.micros = games / seconds, seconds / decisions * 1e6
    _note_difference(report, not _same_again(series, games, results, recording), games)


def _games_in_time(order: Order, series: Series) -> int:
    """How many games to play in one go."""
    series.play(0, 0)  # what is made once is no part of it
    started = time.perf_counter()
    series.play(0, 1)
    return max(2, min(order.games, int(order.seconds / (time.perf_counter() - started))))


def _same_again(series: Series, games: int, results: Results, recording: Recording) -> bool:
    """Whether the games are the same to the byte on two threads, in shards, and decision by decision."""
    shards = list(play_shards(series, games, threads=2, shard_games=games // 3 + 1))
    parts = [np.concatenate([getattr(s, name) for s in shards]).tobytes() for name in ("games", "seats")]
    alone = [recording.result.tobytes(), recording.seats.tobytes()]
    return parts == [results.games.tobytes(), results.seats.tobytes()] and alone == [
        results.games[:1].tobytes(),
        results.seats[:1].tobytes(),
    ]


def _note_difference(report: TableReport, differs: bool, games: int) -> None:
    if differs:
        hint = "chance must come from mind.rng alone, and what is remembered must stand in mind.memory"
        report.problems += (f"{games} game(s) of seed {SEED}, played twice, are not the same: {hint}",)


def _count(report: TableReport, series: Series, results: Results) -> None:
    """Add up how games ended, and the strategy's passes."""
    report.games += len(results.games)
    mine = np.array([s.sha256 == series.line_up[0].sha256 for s in series.line_up])[results.seats["strategy"]]
    report.passes += int(results.seats["counts"][:, :, PASSES][mine].sum())
    if mine.all():
        report.stalemates += int((results.games["ending"] == STALEMATE).sum())
        report.overlong += int((results.games["ending"] == OVERLONG).sum())


def _stage(report: TableReport, series: Series, first: int, games: int) -> Stage:
    return Stage(report.table, tuple(replace(s) for s in series.line_up), first, games)  # without what is compiled


def _watched(order: Order, send: Send, report: TableReport, series: Series, index: int = 0) -> tuple[Watch, Recording]:
    """Play a game decision by decision; note in the report what goes wrong."""
    send(_stage(report, series, index, 1))
    board = series.record
    watch = Watch(series.line_up[0].compiled, board, order.file, lambda: send(None))
    functions = [watch if s.sha256 == order.strategy.sha256 else s.compiled for s in series.line_up]
    recording = record_game(board, functions, param_values(series.line_up), series.seatings, SEED, index)
    if problem := _problem(series, recording, index):
        report.problems += (problem,)
    return watch, recording


def _problem(series: Series, recording: Recording, index: int) -> str | None:
    """What was wrong in a game, if anything."""
    if isinstance(recording.failure, Changed):
        path = series.line_up[0].path
        return f"{path}: changed {recording.failure}, {occasion(recording.game.table)}: {WRITING_HINT}"
    if recording.failure is not None or recording.illegal is not None:
        return str(stopped_game(series, index))
    return None


def walk(request: tuple[Order, Stage], send: Send) -> None:
    """Play the games of a stage decision by decision, for one of them hangs or crashes."""
    order, stage = request
    _compile(order, send)
    series = Series(load_board(stage.table[0]), stage.line_up, SEED)
    for index in range(stage.first, stage.first + stage.games):
        _watched(order, send, TableReport(stage.table), series, index)
