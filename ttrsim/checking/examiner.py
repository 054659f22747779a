"""Play the games of a check, in a process of their own because a strategy may hang or crash.

Some decisions of the strategy are kept, and it must not change what it is shown.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ttrsim.core.constants import OVERLONG, PASSES, STALEMATE, WITHDRAWN
from ttrsim.core.records import ROOM
from ttrsim.encode import Intervention
from ttrsim.failures import occasion, stopped_game
from ttrsim.games import Games, Results, SeatedGame, joined, make_games
from ttrsim.recording import Recording
from ttrsim.strategies import Strategy, StrategyError, load_strategy
from ttrsim.strategies.allowed import WRITING_HINT
from ttrsim.strategies.faults import DECISION, Choice, digest, pack

Send = Callable[[object], None]
GameTable = tuple[str, int]
"""A board's name and a number of players."""
SEED = 4
COMPANY = "random_kind"
"""The strategy that takes the other seats where the one checked does not play against itself."""
GAMES_IN_ONE_GO = 6
"""The fewest games played at a table besides the one played decision by decision."""
IN_ONE_GO = 1.0
"""Seconds that those may take; a strategy that needs more plays only decision by decision."""
LEAST_WATCHED = 0.05
"""The least number of seconds that a strategy has in a game before it is cut short."""
SLOW = 0.2
"""A strategy that takes more seconds in a game at the first table is slow, and plays with faster parameters."""
FORCED_DEALS = 3
"""Deals in which each ticket of an opening offer must be kept."""
SAMPLES = 30
"""The most decisions of a game that are kept."""


@dataclass(frozen=True)
class Sample:
    """A decision, and what the strategy chose."""

    phase: int
    decision: bytes  # packed
    choice: Choice


class Changed(Exception):
    """The strategy changed what it was shown; the message names the field."""


class Enough(Exception):
    """The strategy has used up its time in this game, which is cut short."""


class Observer:
    """Calls a strategy's function in games played decision by decision; checks what it does, and keeps some of it.

    function: that of a guarded strategy. Each decision gets a new room, so its content cannot matter when the decision
    is made again. file: gets each decision before it is made, in case the process hangs or crashes; it must exist.
    limit: seconds of processor time for all decisions, which the last may exceed. alive: called about once a second.
    """

    def __init__(
        self, function: Callable[..., int], board: Any, file: Path, limit: float, alive: Callable[[], None]
    ) -> None:
        self.function, self.limit, self.alive = function, limit, alive
        # Windows cannot recreate a file that is mapped. The fields of a memmap are found twice as fast in a plain view.
        self.last = np.asarray(np.memmap(file, DECISION, "r+", shape=(1,)))
        self.last[:] = np.zeros(1, DECISION)
        self.last["board"][0] = board
        self.samples: list[Sample] = []
        self.seen: dict[int, int] = {}  # decisions of each phase
        self.seconds, self.decisions, self.reported = 0.0, 0, time.monotonic()

    def __call__(self, board: Any, table: Any, hand: Any, mind: Any, room: Any) -> int:
        if self.seconds > self.limit:
            raise Enough
        last = self.last
        last["table"][0], last["hand"][0], last["mind"][0] = table, hand, mind
        packed = pack(last) if self._wanted(int(table.phase)) else None
        room = np.zeros(1, ROOM)[0]
        room.board = board
        started = time.thread_time()
        action = self.function(board, table, hand, mind, room)
        self.seconds += time.thread_time() - started
        self.decisions += 1
        for name in ("board", "table", "hand"):  # what it is shown are the copies in its room
            if room[name].tobytes() != last[name].tobytes():
                raise Changed(f"{name}.{_changed_field(last[name], room[name])}")
        if packed:
            self.samples.append(Sample(int(table.phase), packed, Choice(int(action), digest(mind))))
        if time.monotonic() > self.reported + 1:
            self.alive()
            self.reported = time.monotonic()
        return action

    def _wanted(self, phase: int) -> bool:
        """Return whether to keep a decision: the first two of each phase, then every fifth."""
        self.seen[phase] = self.seen.get(phase, 0) + 1
        return len(self.samples) < SAMPLES and (self.seen[phase] <= 2 or self.seen[phase] % 5 == 0)


def _changed_field(before: npt.NDArray[Any], after: Any) -> str:
    names = before.dtype.names or ()
    return next((name for name in names if before[name].tobytes() != np.asarray(after[name]).tobytes()), "?")


@dataclass(frozen=True)
class Task:
    """The strategy to examine and how thoroughly, as the other process gets it."""

    strategy: Strategy
    tables: tuple[GameTable, ...]
    games: int  # the most played at once at a table
    seconds: float  # for these games at a table
    watched: float  # seconds that the strategy has in all games played decision by decision
    company: bool  # play with others at every table, not only with two players
    file: Path  # holds the decision being made, see `Observer`


@dataclass(frozen=True)
class NextGames:
    """The games that come next, of one line-up at one table: all at once, or one decision by decision."""

    table: GameTable
    line_up: tuple[Strategy, ...]
    first: int  # index of the first game
    games: int


@dataclass
class TableReport:
    """The results of the games at a table."""

    table: GameTable
    games: int = 0
    rate: float = 0.0  # games per second, played at once
    micros: float = 0.0  # µs per decision, including the game itself
    passes: int = 0  # of the strategy
    stalemates: int = 0
    overlong: int = 0
    withdrawn: float = 0.0  # from tunnels, per player in an overlong game, on average
    quickened: str = ""  # the parameter at a bound with which a slow strategy played, such as `playouts = 1`
    broken_off: int = 0  # games that took too long and were cut short
    forced: int = 0  # opening decisions in which a ticket had to be kept
    left_out: int = 0  # those in which the strategy left it out
    problems: tuple[str, ...] = ()
    samples: tuple[Sample, ...] = ()


class _Budget:
    """The seconds that a strategy has in games played decision by decision; those of a slow one are cut short."""

    def __init__(self, seconds: float) -> None:
        self.left = seconds

    def share(self) -> float:
        """Return the seconds for the next game. Fast strategies never come near it."""
        return max(LEAST_WATCHED, self.left / 10)


def examine(task: Task, send: Send) -> None:
    """Send a TableReport for each table, and before that each Stage."""
    _compile(task, send)
    budget = _Budget(task.watched)
    strategy, quickened = _extremes(task, send, budget)
    task = replace(task, strategy=strategy, company=task.company and not quickened)
    for table in task.tables:
        report = TableReport(table, quickened=quickened)
        for company in _companies(task, table):
            if not report.problems:
                _sit(task, send, report, _games(table, task.strategy, company), budget)
        if not report.problems:
            _force(task, send, report, budget)
        send(report)


def _compile(task: Task, send: Send) -> None:
    """Compile whatever is not in the cache, so that any later silence is the strategy's fault."""
    games = _games(task.tables[0], load_strategy(COMPANY), load_strategy(COMPANY))
    games.play(range(1))
    games.seated(0).replay()
    _ = task.strategy.compiled
    send(None)


def _companies(task: Task, table: GameTable) -> list[Strategy]:
    """Return who fills the other seats of a table: the strategy itself, and then others."""
    others = load_strategy(COMPANY)
    alone = others.content_sha256 == task.strategy.content_sha256 or not (task.company or table[1] == 2)
    return [task.strategy] if alone else [task.strategy, others]


def _extremes(task: Task, send: Send, budget: _Budget) -> tuple[Strategy, str]:
    """Play a game with the parameters as they are, and one with each at each of its bounds; report what is wrong.

    Return the strategy that plays from now on, and in words what was changed: nothing or, if it is slow, the one
    parameter at a bound that makes it fastest.
    """
    variants, seconds = _variants(task.strategy), []
    for strategy, change in variants:
        report, games = TableReport(task.tables[0]), _games(task.tables[0], strategy, strategy)
        observer, recording = _watched(task, send, report, games, budget)
        if report.problems:
            report.problems = tuple(f"with {change}: {text}" if change else text for text in report.problems)
            send(report)
            return variants[0]
        seconds.append(math.inf if isinstance(recording.failure, Enough) else observer.seconds)
    return variants[seconds.index(min(seconds)) if seconds[0] > SLOW else 0]


def _variants(strategy: Strategy) -> list[tuple[Strategy, str]]:
    """Return the strategy as it is, and with each parameter moved to each of its bounds; with the change in words."""
    variants = [(strategy, "")]
    for i, param in enumerate(strategy.params):
        for value in [bound for bound in (param.low, param.high) if bound != strategy.values[i]]:
            values = (*strategy.values[:i], value, *strategy.values[i + 1 :])
            variants.append((replace(strategy, values=values), f"{param.name} = {value:g}"))
    return variants


def _games(table: GameTable, first: Strategy, company: Strategy) -> Games:
    name, players = table
    return make_games(name, (first, *[company] * (players - 1)), SEED)


def _sit(task: Task, send: Send, report: TableReport, games: Games, budget: _Budget) -> None:
    """Play games of a line-up: one decision by decision, then many at once, and these again on two threads."""
    observer, recording = _watched(task, send, report, games, budget)
    if report.problems:
        return
    report.samples += tuple(observer.samples)
    ended = not isinstance(recording.failure, Enough)
    if not ended or GAMES_IN_ONE_GO * observer.seconds > min(IN_ONE_GO, budget.share()):
        again = _watched(task, send, report, games, budget)[1]
        _note_difference(report, not _begin_alike(recording, again))
        report.broken_off += not ended
        if ended:
            _count(report, games, Results(recording.result, recording.seats))
            _note_speed(report, games, 1, observer.seconds, observer.decisions)
        return
    send(_stage(report, games, 0, task.games))
    try:
        _in_one_go(task, send, report, games, observer, recording)
    except StrategyError as e:
        report.problems += tuple(e.problems)


def _force(task: Task, send: Send, report: TableReport, budget: _Budget) -> None:
    """Demand each ticket of the first seat's opening offer in a few deals, at a board's smallest table."""
    games = _games(report.table, task.strategy, task.strategy)
    rules = games.board.rules
    if report.table[1] > rules.players[0]:
        return
    for slot in range(rules.tickets.deal + (rules.long_tickets.deal if rules.long_tickets else 0)):
        forced = games.changed(Intervention(0, slot, forced=True))
        for number in range(FORCED_DEALS):
            recording = _watched(task, send, report, forced, budget, number, limit=0)[1]
            report.forced += 1
            report.left_out += int(recording.game.hands[0].overruled)
            if report.problems:
                return


def _begin_alike(one: Recording, other: Recording) -> bool:
    """Return whether two games are the same up to where either was cut short."""
    decisions = min(len(one.events), len(other.events))
    return one.events[:decisions].tobytes() == other.events[:decisions].tobytes()


def _in_one_go(
    task: Task, send: Send, report: TableReport, games: Games, observer: Observer, recording: Recording
) -> None:
    number, at_once = _number_in_time(task, games)
    started = time.perf_counter()
    results = _played(games, number, 1, at_once, send)
    seconds = time.perf_counter() - started
    _count(report, games, results)
    decisions = results.games["turns"].sum() * observer.decisions / recording.result["turns"][0]
    _note_speed(report, games, number, seconds, decisions)
    again = _played(games, number, 2, min(number // 3 + 1, at_once), send)
    _note_difference(report, not _same_again(results, again, recording))


def _number_in_time(task: Task, games: Games) -> tuple[int, int]:
    """Return how many games to play at once, and how many of them take about a second."""
    games.compile()  # done only once, so it does not count
    started = time.perf_counter()
    games.play(range(1))
    seconds = time.perf_counter() - started
    return max(2, min(task.games, int(task.seconds / seconds))), max(1, int(1 / seconds))


def _played(games: Games, number: int, threads: int, size: int, send: Send) -> Results:
    """Play games; send a sign of life after each shard, so that many games are not taken for one that never ends."""
    parts = []
    for part in games.shards(range(number), threads, size):
        send(None)
        parts.append(part)
    return joined(parts)


def _same_again(results: Results, again: Results, recording: Recording) -> bool:
    """Return whether games played again, the first decision by decision, are the same byte for byte."""
    return (
        (results.games.tobytes(), results.seats.tobytes()) == (again.games.tobytes(), again.seats.tobytes())
        and results.games[:1].tobytes() == recording.result.tobytes()
        and results.seats[:1].tobytes() == recording.seats.tobytes()
    )


def _note_difference(report: TableReport, differs: bool) -> None:
    if differs:
        hint = "randomness must come from mind.rng alone, and memory must be kept in mind.memory"
        report.problems += (f"games of seed {SEED}, played twice, are not the same: {hint}",)


def _count(report: TableReport, games: Games, results: Results) -> None:
    """Add to the report how games ended, and how often the strategy passed."""
    report.games += len(results.games)
    own = games.strategies[0].content_sha256
    mine = np.array([s.content_sha256 == own for s in games.strategies])[results.seats["strategy"]]
    report.passes += int(results.seats["counts"][:, :, PASSES][mine].sum())
    if mine.all():
        report.stalemates += int((results.games["ending"] == STALEMATE).sum())
        overlong = results.games["ending"] == OVERLONG
        report.overlong += int(overlong.sum())
        if overlong.any():
            report.withdrawn = float(results.seats["counts"][overlong, :, WITHDRAWN].mean())


def _note_speed(report: TableReport, games: Games, number: int, seconds: float, decisions: float) -> None:
    """Note how fast the strategy plays; only games with itself show that."""
    if len({s.content_sha256 for s in games.strategies}) == 1:
        report.rate, report.micros = number / seconds, seconds / decisions * 1e6


def _stage(report: TableReport, games: Games, first: int, number: int) -> NextGames:
    line_up = tuple(replace(strategy) for strategy in games.seated(0).line_up)  # without compiled code
    return NextGames(report.table, line_up, first, number)


def _watched(
    task: Task,
    send: Send,
    report: TableReport,
    games: Games,
    budget: _Budget,
    index: int = 0,
    limit: float | None = None,
) -> tuple[Observer, Recording]:
    """Play a game decision by decision, and note in the report what goes wrong.

    limit: seconds after which the game is cut short, by default a share of the budget; 0 after the first decision.
    """
    send(_stage(report, games, index, 1))
    game = games.seated(index)
    seconds = budget.share() if limit is None else limit
    observer = Observer(games.strategies[0].compiled, game.record, task.file, seconds, lambda: send(None))
    own = task.strategy.content_sha256
    recording = game.replay([observer if s.content_sha256 == own else s.compiled for s in game.line_up])
    budget.left -= observer.seconds
    if problem := _problem(game, recording):
        report.problems += (problem,)
    return observer, recording


def _problem(game: SeatedGame, recording: Recording) -> str | None:
    """Describe what was wrong in a game; return None if nothing was."""
    if isinstance(recording.failure, Changed):
        path = game.line_up[0].path
        return f"{path}: changed {recording.failure}, {occasion(recording.game.table)}: {WRITING_HINT}"
    if isinstance(recording.failure, Enough):
        return None
    if recording.failure is not None or recording.illegal is not None:
        return str(stopped_game(game))
    return None


def walk(request: tuple[Task, NextGames], send: Send) -> None:
    """Play the games of a stage decision by decision, to find the one that hangs or crashes."""
    task, stage = request
    _compile(task, send)
    games = make_games(stage.table[0], stage.line_up, SEED)
    for index in range(stage.first, stage.first + stage.games):
        _watched(task, send, TableReport(stage.table), games, _Budget(math.inf), index)
