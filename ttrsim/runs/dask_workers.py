"""Play the games of searches on a Dask cluster whose machines need no folder in common."""

import contextlib
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any, TypeVar

from ttrsim.boards import Board
from ttrsim.errors import UserError
from ttrsim.formatting import counted
from ttrsim.progress import OnGames, OnMessage
from ttrsim.runs.cluster import AHEAD, connected, lost
from ttrsim.runs.in_memory import Job, RunInMemory, jobs_of, runs_of, sums_of
from ttrsim.runs.playing import Player
from ttrsim.runs.recipe import Recipe
from ttrsim.runs.remote import VERSIONS, Versions, one_at_a_time, other_versions
from ttrsim.runs.tally import Tally
from ttrsim.strategies import Strategy

Item = TypeVar("Item")
Result = TypeVar("Result")


class Workers:
    """The workers of a cluster."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def send(self, data: Any) -> Any:
        """Send data to all workers, which keep it; return a reference to it for jobs."""
        return self._client.scatter(data, broadcast=True, hash=False)

    def play(
        self, work: Callable[..., Result], jobs: Iterable[tuple[Item, tuple[Any, ...]]]
    ) -> Generator[tuple[Item, Result], None, None]:
        """Yield each job with the result of `work(*arguments)`, as the results come.

        jobs: each with the arguments; taken only when a worker will soon be free.
        """
        from distributed import as_completed

        left, running = iter(jobs), dict[Any, Item]()
        most = AHEAD * max(1, sum(self._client.nthreads().values()))

        def more(number: int) -> list[Any]:
            new = {self._client.submit(work, *given, pure=False): job for job, given in islice(left, number)}
            running.update(new)
            return list(new)

        with lost(self._client):
            finished = as_completed(more(most), loop=self._client.loop)
            try:
                for future in finished:
                    finished.update(more(1))
                    yield running.pop(future), future.result()
            finally:
                self._client.cancel([*running])


@contextlib.contextmanager
def dask_workers(scheduler: str | None, processes: int, report: OnMessage) -> Iterator[Workers]:
    """Yield the workers of a scheduler or, without one, `processes` processes of this machine."""
    with connected(scheduler, processes) as client:
        threads = client.nthreads()
        for address, versions in client.run(_versions).items():
            if wrong := other_versions(versions, VERSIONS):
                raise UserError([f"worker {address}: {wrong}"])
        report(f"Dask workers: {len(threads)}, {counted(sum(threads.values()), 'thread')}")
        yield Workers(client)


def _versions() -> Versions:
    """Return the versions of this worker."""
    return VERSIONS


def play_all_on_dask(
    workers: Workers, players: Iterable[Player], on_games: OnGames
) -> Generator[tuple[int, RunInMemory], None, None]:
    """Play all games of some players on the workers of a cluster, as `PlayAll` says."""

    def jobs() -> Iterator[tuple[Job, tuple[Any, range]]]:
        of, sent = None, None
        for job in jobs_of(players):
            if job.player is not of:
                of = job.player
                sent = workers.send(SentPlayer(of.recipe, of.board, tuple(map(replace, of.strategies))))
            yield job, (sent, job.laps)

    with closing(workers.play(_work, jobs())) as parts:
        yield from runs_of(parts, on_games)


@dataclass(frozen=True)
class SentPlayer:
    """The data of a player, without compiled functions, which cannot be sent."""

    recipe: Recipe
    board: Board
    strategies: tuple[Strategy, ...]

    @cached_property
    def player(self) -> Player:
        """The player, on the worker."""
        return Player(self.recipe, self.board, self.strategies)


def _work(sent: SentPlayer, laps: range) -> Tally:
    """Play laps; runs on a worker, which keeps the player."""
    with one_at_a_time:
        sent.player.compile()
    return sums_of(sent.player, laps)
