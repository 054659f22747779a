"""What a worker of a cluster does: see whether it is fit for a run, compile, and play shards into the shared folder."""

import asyncio
import hashlib
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

import ttrsim
from ttrsim.core.constants import RULES_VERSION
from ttrsim.errors import UserError
from ttrsim.runs.plan import Plan, code_sha256
from ttrsim.runs.playing import Player
from ttrsim.runs.read import load_player
from ttrsim.runs.shard import play_shard
from ttrsim.runs.store import Folder, ShardRecord

PARTS = ("*.py", "boards/*.py", "core/*.py", "kit/*.py", "runs/*.py", "strategies/*.py")
"""The code that games and what is stored depend on; strategies have hashes of their own."""
LIBRARIES = ("numba", "llvmlite", "numpy", "pyarrow")
"""Those that games or the bytes of what is stored may depend on."""

_one_at_a_time = threading.Lock()


@dataclass(frozen=True)
class Job:
    """What a worker must know of a run; all else it reads in the folder."""

    path: str  # of the run's folder, the same on all machines
    session: str  # a file in the folder's `unfinished/`, there as long as shards are wanted
    plan_sha256: str
    versions: tuple[tuple[str, str], ...]  # VERSIONS of the process that hands out the shards

    @property
    def folder(self) -> Folder:
        """The run's folder."""
        return Folder(self.path)

    @property
    def marker(self) -> Path:
        """The file of the session."""
        return self.folder.unfinished / self.session


class Unfit(UserError):
    """This worker cannot play the run."""


def _versions() -> tuple[tuple[str, str], ...]:
    """What must be the same on every worker: (name, version)."""
    own = (f"{ttrsim.__version__} (code {code_sha256(*PARTS)[:8]})", str(RULES_VERSION))
    return (*zip(("ttrsim", "rules version"), own, strict=True), *((name, version(name)) for name in LIBRARIES))


VERSIONS = _versions()
"""Of the code as this process loaded it; a worker may have done so long before the files changed."""


def plan_sha256(plan: Plan) -> str:
    """Of all that decides the games of a run."""
    return hashlib.sha256(plan.model_dump_json().encode()).hexdigest()


@lru_cache(maxsize=1)
def _player(job: Job) -> Player:
    """What plays the run here. Raises Unfit."""
    pairs = zip(VERSIONS, job.versions, strict=True)
    if wrong := [f"{name} {here}, not {there}" for (name, here), (_, there) in pairs if here != there]:
        raise Unfit([f"has {', and '.join(wrong)}; install there what is installed here"])
    if not job.marker.exists():
        raise Unfit([f"does not see {job.marker}: all machines must share the folder of the run, by the same path"])
    plan = job.folder.read().plan
    if plan_sha256(plan) != job.plan_sha256:
        raise Unfit([f"sees another run in {job.path}"])
    try:
        return load_player(job.folder, plan)
    except UserError as e:
        raise Unfit(e.problems) from None


@lru_cache(maxsize=1)
def _compiled_player(job: Job) -> Player:
    player = _player(job)
    player.compile()
    return player


def _problems(load: Callable[[Job], Player], job: Job) -> list[str]:
    try:
        with _one_at_a_time:
            load(job)
    except UserError as e:
        return e.problems
    return []


async def check(job: Job) -> list[str]:
    """What makes this worker unfit for the run; nothing if it is fit."""
    return await asyncio.to_thread(_problems, _player, job)


async def warm(job: Job) -> list[str]:
    """Compile what is not in the cache of this machine. Returns what is wrong, as `check`."""
    return await asyncio.to_thread(_problems, _compiled_player, job)


def play(job: Job, number: int) -> ShardRecord:
    """Play a shard and store it. Raises Unfit, also on a worker that came later than the others."""
    with _one_at_a_time:
        player = _compiled_player(job)
    return play_shard(player, number, job.folder, lambda: not job.marker.exists())
