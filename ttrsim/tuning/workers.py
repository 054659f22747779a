"""Play the jobs of a tuning on the workers of a Dask cluster, which need no folder in common."""

import contextlib
import threading
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ttrsim.batches import Array
from ttrsim.errors import UserError
from ttrsim.formatting import counted
from ttrsim.progress import OnMessage
from ttrsim.runs.cluster import connected, lost
from ttrsim.runs.remote import VERSIONS
from ttrsim.tuning.match import ArmLaps, Engine, Match, OnGames

_one_at_a_time = threading.Lock()


@contextlib.contextmanager
def dask_engine(scheduler: str | None, processes: int, report: OnMessage) -> Iterator[Engine]:
    """Yield an engine on the workers of a scheduler or, without one, on `processes` processes of this machine."""
    with connected(scheduler, processes) as client:
        threads = client.nthreads()
        for address, versions in client.run(_versions).items():
            wrong = [f"{name} {there}, not {here}" for (name, there), (_, here) in zip(versions, VERSIONS, strict=True) if there != here]  # fmt: skip  # noqa: E501
            if wrong:
                raise UserError([f"worker {address}: has {', and '.join(wrong)}; install the same versions as here"])
        report(f"Dask workers: {len(threads)}, {counted(sum(threads.values()), 'thread')}")
        yield partial(_play, client, {})


def _versions() -> tuple[tuple[str, str], ...]:
    """Return the versions of this worker."""
    return VERSIONS


def _play(
    client: Any, sent: dict[int, Any], matches: Sequence[Match], jobs: Sequence[ArmLaps], on_games: OnGames
) -> Generator[tuple[ArmLaps, Array], None, None]:
    """Play jobs. sent: the matches that workers have, by the ids of ours."""
    from distributed import as_completed

    with lost(client):
        for match in matches:
            if id(match) not in sent:
                sent[id(match)] = client.scatter(_bare(match), broadcast=True, hash=False)
        futures = [client.submit(_work, sent[id(matches[job.table])], job, pure=False) for job in jobs]
        try:
            for future in as_completed(futures, loop=client.loop):
                job, wins = future.result()
                on_games(len(job.laps) * matches[job.table].lap_games)
                yield job, wins
        finally:
            client.cancel(futures)


def _bare(match: Match) -> Match:
    """Return the match without anything that is compiled."""
    against = tuple(other and replace(other) for other in match.against)
    return replace(match, strategy=replace(match.strategy), against=against)


def _work(match: Match, job: ArmLaps) -> tuple[ArmLaps, Array]:
    """Play a job; runs on a worker, which keeps the match."""
    with _one_at_a_time:  # what compiles
        match.games.compile()
    return job, match.play(job.values, job.rival, job.laps)
