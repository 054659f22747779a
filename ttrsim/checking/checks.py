"""Check a strategy, from the process that stays alive whatever the strategy does."""

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path
from typing import TypeVar

import numpy as np

from ttrsim.boards import board_names, load_board
from ttrsim.checking.examiner import GameTable, NextGames, Sample, TableReport, Task
from ttrsim.core.constants import TURN_LIMIT
from ttrsim.failures import when
from ttrsim.formatting import counted
from ttrsim.strategies import Strategy
from ttrsim.strategies.faults import DECISION, Choice, Fault, choices, pack, unpack
from ttrsim.strategies.processes import Died, Silent, talk
from ttrsim.strategies.source import at

T = TypeVar("T")
Placed = tuple[GameTable, Sample]
"""A decision, and the table at which it was made."""

JOB = "ttrsim.checking.examiner"
FEWEST_SECONDS = 0.02
"""The least number of seconds for the games at one table."""


@dataclass(frozen=True)
class Extent:
    """The thoroughness of a check."""

    games: int = 200  # at each table with itself, and as many with others; fewer if they take too long
    seconds: float = 12.0  # for all these games together
    watched: float = 180.0  # that the strategy has in games played decision by decision before they are cut short
    plain_seconds: float = 5.0  # for making decisions again in plain Python
    patience: float = 20.0  # seconds that one decision may take
    company: bool = True  # play with others at every table, not only with two players


QUICK = Extent(games=20, seconds=1.0, watched=5.0, plain_seconds=0.7, company=False)


@dataclass
class Examination:
    """The result of a check."""

    strategy: Strategy
    reports: list[TableReport] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    compared: int = 0  # decisions made again in plain Python
    seconds: float = 0.0  # that the check took

    @property
    def broken_off(self) -> int:
        """The number of games that took too long and were cut short."""
        return sum(report.broken_off for report in self.reports)

    @property
    def quickened(self) -> str:
        """The parameter at a bound with which a slow strategy played, such as `playouts = 1`; "" if it is not slow."""
        return next((report.quickened for report in self.reports), "")

    @property
    def notes(self) -> list[str]:
        """Notes for the author that are no faults."""
        forced, left_out = (sum(getattr(report, name) for report in self.reports) for name in ("forced", "left_out"))
        if not left_out:
            return self.strategy.notes
        note = (
            f"{self.strategy.path}: leaves out the ticket that it must keep at the opening in {left_out} of {forced} "
            "decisions. It is then kept beside what the strategy chose, so that the ticket seems harder than it is "
            "(`ttrsim tickets --force`, `ttrsim difficulty`). Begin with `hand.must_keep`, a set of places in "
            "`hand.offer`, and choose the others around it: `keep(hand.must_keep | chosen)`"
        )
        return [*self.strategy.notes, note]

    @property
    def passed(self) -> bool:
        """Return whether nothing is wrong."""
        return not self.problems


def all_tables(boards: Sequence[str] = ()) -> tuple[GameTable, ...]:
    """Return every board and variant (or the boards given) with every number of players."""
    ranges = {name: load_board(name).rules.players for name in (boards or board_names())}
    return tuple((name, players) for name, (fewest, most) in ranges.items() for players in range(fewest, most + 1))


def check_strategy(
    strategy: Strategy,
    boards: Sequence[str] = (),
    extent: Extent = Extent(),
    progress: Callable[[str], None] = lambda text: None,
) -> Examination:
    """Play on all boards, or on these, and report what is wrong. A mistake in the file itself is a StrategyError.

    Every strategy is checked with bounds checks, even one that comes with ttrsim and otherwise plays without.
    progress: called from time to time with how far the check has come.
    """
    started = time.perf_counter()
    strategy = replace(strategy, guarded=True)
    _ = strategy.compiled  # reports a mistake in the file before any game is played
    found = Examination(strategy)
    tables = all_tables(boards)
    seconds = max(FEWEST_SECONDS, extent.seconds / len(tables) / 5)  # games are played five times at each table
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "decision"
        file.touch()
        unbuilt = replace(strategy)  # compiled code cannot be sent to another process
        task = Task(unbuilt, tables, extent.games, seconds, extent.watched, extent.company, file)
        for report in _examined(task, extent, found):
            found.reports.append(report)
            progress(f"{len(found.reports)} of {len(tables)} tables")
            if report.problems:
                found.problems += report.problems
                break
    if found.passed:
        progress("decisions in plain Python")
        _compare(found, extent)
    _judge_endings(found)
    found.seconds = time.perf_counter() - started
    return found


def _examined(task: Task, extent: Extent, found: Examination) -> Iterator[TableReport]:
    """Yield reports as they arrive; add a problem if the other process hangs or crashes."""
    stage = None
    try:
        for message in talk(f"{JOB}:examine", task, extent.patience):
            if isinstance(message, NextGames):
                stage = message
            elif isinstance(message, TableReport):
                yield message
    except (Silent, Died) as e:
        assert stage is not None
        found.problems.append(_hanging(task, stage, extent, e))


def _hanging(task: Task, stage: NextGames, extent: Extent, error: Exception) -> str:
    """Say which decision never ends or crashes. Games played at once are first played again decision by decision."""
    if stage.games > 1:
        try:
            for _ in talk(f"{JOB}:walk", (task, stage), extent.patience):
                pass
        except (Silent, Died) as e:
            error = e
    decision = np.fromfile(task.file, DECISION)
    path, asked = task.strategy.path, decision["table"][0]
    where = _where(int(asked["seat"]), int(asked["turn"]), int(asked["phase"]), stage.table)
    again = choices(path, task.strategy.text, [pack(decision)], extent.patience, extent.patience)
    fault = next(again, None)
    if isinstance(fault, Fault) and fault.line:
        problem = "never ends here" if fault.endless else fault.problem
        return at(path, fault.line, f"{fault.function}: {problem}, {where}")
    if isinstance(error, Silent):
        return f"{path}: no answer after {extent.patience:.0f} s, {where}; plain Python does end there"
    return f"{path}: crashed, {where} ({error}); an index may be outside its array"


def _compare(found: Examination, extent: Extent) -> None:
    """Make decisions again in plain Python, as many as time allows; all choices must be the same."""
    strategy = found.strategy
    by_phase: dict[int, list[Placed]] = {}
    for report in found.reports:
        for sample in report.samples:
            by_phase.setdefault(sample.phase, []).append((report.table, sample))
    samples = _in_turn(by_phase.values())
    packed = [sample.decision for _, sample in samples]
    outcomes = choices(strategy.path, strategy.text, packed, extent.plain_seconds)
    for (table, sample), outcome in zip(samples, outcomes, strict=False):
        if isinstance(outcome, Fault) and outcome.endless:
            break  # time has run out
        if outcome != sample.choice:
            found.problems.append(_difference(strategy, table, sample, outcome))
            break
        found.compared += 1


def _in_turn(lists: Iterable[list[T]]) -> list[T]:
    """Return the first item of each list, then the second of each, and so on."""
    return [thing for row in zip_longest(*lists) for thing in row if thing is not None]


def _difference(strategy: Strategy, table: GameTable, sample: Sample, other: Choice | Fault) -> str:
    """State how a decision differed, or failed, when it was made again in plain Python."""
    asked = unpack(sample.decision)["table"][0]
    where = _where(int(asked["seat"]), int(asked["turn"]), int(asked["phase"]), table)
    if isinstance(other, Fault):
        if other.line:
            return at(strategy.path, other.line, f"{other.function}: {other.problem}, {where}")
        return f"{strategy.path}: {other.problem} (in plain Python), {where}"
    hint = "numbers may be too large, or of another type than they seem (np.uint64 and int)"
    if other.action != sample.choice.action:
        actions = f"answers {other.action} in plain Python, {sample.choice.action} compiled"
        return f"{strategy.path}: {actions}, {where}: {hint}"
    return f"{strategy.path}: leaves a different mind in plain Python than when compiled, {where}: {hint}"


def _where(seat: int, turn: int, phase: int, table: GameTable) -> str:
    return f"{when(seat, turn, phase)}, on {table[0]} with {table[1]} players"


def _judge_endings(found: Examination) -> None:
    """Report games of the strategy with itself that did not end. Only tunnels allow that: all else uses up cards."""
    for report in found.reports:
        if report.overlong:
            games, where = counted(report.overlong, "game"), f"on {report.table[0]} with {report.table[1]} players"
            problem = f"{games} with itself {where} had not ended after {TURN_LIMIT} turns per player"
            did = f"in {report.withdrawn:.0f} of them it laid out cards at a tunnel and took them back"
            hint = "it must pay there (PAY + wilds, not DECLINE), or not try such a tunnel turn after turn"
            found.problems.append(f"{found.strategy.path}: {problem}: {did}; {hint}")
            return
