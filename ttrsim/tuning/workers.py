"""Play the jobs of a tuning on the workers of a Dask cluster."""

import contextlib
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any

from ttrsim.batches import Array
from ttrsim.progress import OnGames, OnMessage
from ttrsim.runs.dask_workers import Workers, dask_workers
from ttrsim.runs.remote import one_at_a_time
from ttrsim.tuning.match import ArmLaps, Engine, Match


@contextlib.contextmanager
def dask_engine(scheduler: str | None, processes: int, report: OnMessage) -> Iterator[Engine]:
    """Yield an engine on the workers of a scheduler or, without one, on `processes` processes of this machine."""
    with dask_workers(scheduler, processes, report) as workers:
        yield partial(_play, workers, {})


def _play(
    workers: Workers, sent: dict[int, Any], matches: Sequence[Match], jobs: Sequence[ArmLaps], on_games: OnGames
) -> Generator[tuple[ArmLaps, Array], None, None]:
    """Play jobs. sent: the matches that workers have, by the ids of ours."""
    for match in matches:
        if id(match) not in sent:
            sent[id(match)] = workers.send(_bare(match))
    given = ((job, (sent[id(matches[job.table])], job)) for job in jobs)
    with closing(workers.play(_work, given)) as played:
        for job, wins in played:
            on_games(len(job.laps) * matches[job.table].lap_games)
            yield job, wins


def _bare(match: Match) -> Match:
    """Return the match without anything that is compiled."""
    against = tuple(other and replace(other) for other in match.against)
    return replace(match, strategy=replace(match.strategy), against=against)


def _work(match: Match, job: ArmLaps) -> Array:
    """Play a job; runs on a worker, which keeps the match."""
    with one_at_a_time:
        match.games.compile()
    return match.play(job.values, job.rival, job.laps)
