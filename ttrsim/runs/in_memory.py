"""Play a run that is never stored, for searches that play thousands of short ones: only its sums are kept."""

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property

from ttrsim.games import SHARD_GAMES, Results
from ttrsim.progress import OnGames
from ttrsim.runs.laps import pieces, power_below
from ttrsim.runs.playing import Player
from ttrsim.runs.read import Run
from ttrsim.runs.tally import Adder, Tally
from ttrsim.schedule import Schedule
from ttrsim.threads import on_threads

PlayAll = Callable[[Iterable[Player], OnGames], Iterator[tuple[int, "RunInMemory"]]]
"""Plays all games of some players and yields the runs with the numbers of their players, in any order."""


class RunInMemory(Run):
    """The sums of a finished run, as `ttrsim.stats` reads them; it has neither a folder nor rows nor a digest."""

    def __init__(self, player: Player, tally: Tally) -> None:
        self.recipe, self.player, self.board = player.recipe, player, player.board
        self.strategies = player.recipe.names
        self._sums = tally

    def __repr__(self) -> str:
        return f"<Run of {self.board.id} in memory: {self.games_played:,} games, seed {self.recipe.seed}>"

    @property
    def finished(self) -> bool:
        """True: it is made from games that were all played."""
        return True

    @property
    def digest(self) -> None:
        """None: games are added up and not hashed."""
        return

    @cached_property
    def schedule(self) -> Schedule:
        """The numbering and division of the games."""
        return self.recipe.schedule

    @cached_property
    def batches(self) -> list[int]:
        """The numbers of its batches."""
        return list(range(self.schedule.batches))

    @property
    def tally(self) -> Tally:
        """The sums of all games."""
        return self._sums


def play_in_memory(player: Player, threads: int, on_games: OnGames = lambda games: None) -> RunInMemory:
    """Play all games of a player and return their sums."""
    [(_, run)] = play_all(threads, [player], on_games)
    return run


def play_all(
    threads: int, players: Iterable[Player], on_games: OnGames
) -> Generator[tuple[int, RunInMemory], None, None]:
    """Play all games of some players on threads of this machine, as `PlayAll` says."""

    def work(job: Job, stopped: Callable[[], bool]) -> tuple[Job, Tally]:
        return job, sums_of(job.player, job.laps, stopped)

    def jobs() -> Iterator[Job]:
        for job in jobs_of(players):
            job.player.compile()
            yield job

    with closing(on_threads(threads, work, jobs())) as parts:
        yield from runs_of(parts, on_games)


@dataclass(frozen=True)
class Job:
    """Some laps of a player, which one thread or worker plays."""

    number: int  # of the player
    player: Player
    laps: range


def jobs_of(players: Iterable[Player]) -> Iterator[Job]:
    """Divide the games of players into jobs."""
    for number, player in enumerate(players):
        most = power_below(max(1, SHARD_GAMES // player.schedule.lap_games))
        for laps in pieces(range(player.recipe.laps), most):
            yield Job(number, player, laps)


def sums_of(player: Player, laps: range, stopped: Callable[[], bool] = lambda: False) -> Tally:
    """Play laps and return their sums."""
    schedule, batch = player.schedule, player.schedule.batch_laps
    results = player.play(laps, stopped)
    tally = Tally(player.sizes, batch)
    blocks, _ = schedule.where(results.games["index"])
    adder = Adder(player.record, tally)
    for piece in pieces(laps, batch):
        start = (piece.start - laps.start) * schedule.lap_games
        part = slice(start, start + len(piece) * schedule.lap_games)
        adder.add(piece.start, Results(results.games[part], results.seats[part]), blocks[part])
    return tally


def runs_of(parts: Iterable[tuple[Job, Tally]], on_games: OnGames) -> Iterator[tuple[int, RunInMemory]]:
    """Add up the sums of each player's laps, and yield its run when they are complete."""
    totals: dict[int, tuple[Tally, int]] = {}
    for job, part in parts:
        player = job.player
        total, laps = totals.pop(job.number, (Tally(player.sizes, player.schedule.batch_laps), 0))
        total.add(part)
        on_games(len(job.laps) * player.schedule.lap_games)
        if (laps := laps + len(job.laps)) == player.recipe.laps:
            yield job.number, RunInMemory(player, total)
        else:
            totals[job.number] = total, laps
