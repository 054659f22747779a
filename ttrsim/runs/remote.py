"""The work of a Dask worker: check that it can play a run, compile, and play shards into the shared folder."""

import asyncio
import hashlib
import shutil
import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

import ttrsim
from ttrsim.core.constants import RULES_VERSION
from ttrsim.errors import UserError
from ttrsim.runs.copies import load_player
from ttrsim.runs.playing import Player, play_shard
from ttrsim.runs.recipe import Recipe
from ttrsim.runs.store import Folder
from ttrsim.runs.stored_files import ShardRecord, shard_name, write_synced

PARTS = ("*.py", "boards/*.py", "core/*.py", "kit/*.py", "runs/*.py", "strategies/*.py")
"""The code on which games and stored files depend; strategies have hashes of their own."""
LIBRARIES = ("numba", "llvmlite", "numpy", "pyarrow")
"""Libraries on which games or the bytes of stored files may depend."""

Versions = tuple[tuple[str, str], ...]
"""Pairs (name, version) that must be the same on every worker."""

one_at_a_time = threading.Lock()
"""Held on a worker by the thread that compiles."""


@dataclass(frozen=True)
class WorkerInput:
    """The data that a worker needs to know about a run; it reads the rest in the run's folder."""

    path: str  # of the run's folder, the same on all machines
    staging: str  # the folder within it where shards are written, which exists as long as they are wanted
    recipe: str  # as JSON
    fewest: int  # laps of a shard
    versions: Versions  # VERSIONS of the process that hands out the shards

    @property
    def folder(self) -> Folder:
        """The run's folder."""
        return Folder(self.path)

    @property
    def wanted(self) -> bool:
        """Return whether shards are still wanted."""
        return Path(self.staging).is_dir()


class Unfit(UserError):
    """This worker cannot play the run."""


def _versions() -> Versions:
    own = (f"{ttrsim.__version__} (code {_code_sha256()[:8]})", str(RULES_VERSION))
    return (*zip(("ttrsim", "rules version"), own, strict=True), *((name, version(name)) for name in LIBRARIES))


def _code_sha256() -> str:
    """Return the hash of the files of PARTS, by their names and what they hold."""
    package, digest = Path(ttrsim.__file__).parent, hashlib.sha256()
    for path in sorted(path for pattern in PARTS for path in package.glob(pattern)):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


VERSIONS = _versions()
"""Computed when this process loaded the code, as the files may have changed since."""


def other_versions(of_worker: Versions, of_client: Versions) -> str:
    """Say which versions of a worker differ from those of the process that hands out the games; "" if none does."""
    pairs = zip(of_worker, of_client, strict=True)
    wrong = [f"{name} {there}, not {here}" for (name, there), (_, here) in pairs if there != here]
    return f"has {', and '.join(wrong)}; install the same versions as here" if wrong else ""


@lru_cache(maxsize=1)
def _player(job: WorkerInput) -> Player:
    """Return a player for the run. Raises Unfit if this worker cannot play it."""
    if wrong := other_versions(VERSIONS, job.versions):
        raise Unfit([wrong])
    if not job.wanted:
        raise Unfit([f"does not see {job.staging}: all machines must share the folder of the run, under the same path"])
    try:
        _try_to_write(Path(job.staging))
    except OSError as e:
        raise Unfit([f"cannot write to {job.path}: {e.strerror}"]) from None
    try:
        return load_player(job.folder, Recipe.model_validate_json(job.recipe))
    except OSError as e:
        raise Unfit([f"cannot read {e.filename}: {e.strerror}"]) from None
    except UserError as e:
        raise Unfit(e.problems) from None


def _try_to_write(staging: Path) -> None:
    """Write and remove a file, in a folder named as a staged shard so that it is cleaned up if this is killed."""
    folder = staging / f"{shard_name(range(1))}-{uuid.uuid4().hex[:8]}"
    folder.mkdir()
    try:
        write_synced(folder / "done.json", b"{}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@lru_cache(maxsize=1)
def _compiled_player(job: WorkerInput) -> Player:
    player = _player(job)
    player.compile()
    return player


def _problems(load: Callable[[WorkerInput], Player], job: WorkerInput) -> list[str]:
    try:
        with one_at_a_time:
            load(job)
    except UserError as e:
        return e.problems
    return []


async def check(job: WorkerInput) -> list[str]:
    """Return the reasons why this worker cannot play the run; none if it can."""
    return await asyncio.to_thread(_problems, _player, job)


async def warm(job: WorkerInput) -> list[str]:
    """Compile what is not in the cache of this machine. Returns the same as `check`."""
    return await asyncio.to_thread(_problems, _compiled_player, job)


def play(job: WorkerInput, laps: range) -> ShardRecord:
    """Play a shard that begins with these laps, and stage it. Raises Unfit: the worker may not have been checked."""
    with one_at_a_time:
        player = _compiled_player(job)
    return play_shard(player, laps, Path(job.staging), lambda: not job.wanted, job.fewest)
