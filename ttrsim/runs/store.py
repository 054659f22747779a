"""Keep a run in its folder, and refuse to begin one where the files of others are in the way.

Everything in `shards/` is finished and whole; the rest can be made again.
"""

import contextlib
import hashlib
import json
import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ttrsim.errors import UsageError, UserError
from ttrsim.files import RUN_FILES
from ttrsim.runs.laps import cover, is_aligned
from ttrsim.runs.recipe import Begun, Recipe, RunFile
from ttrsim.runs.stored_files import (
    LOCK_FILE,
    OWN_FILE,
    SHARD_NAME,
    STAGED_NAME,
    ShardRecord,
    Summary,
    check_file,
    check_own,
    locked,
    read_json,
    read_record,
    remove_own,
    rename,
    set_aside,
    shard_name,
    staged_path,
    strangers,
    sync_folder,
    validation_words,
    write_folder,
    write_synced,
)

FORMAT = RunFile.model_fields["schema_version"].default
SESSION_NAME = re.compile(r"session-[0-9a-f]{32}(-ended)?")


class Folder:
    """The folder of a run."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self.shards = self.path / "shards"
        self.summary = self.path / "summary"
        self.unfinished = self.path / "unfinished"

    def write_run(self, run: Begun) -> None:
        """Write `run.json` and its copy, each atomically."""
        sealed = RunFile(**dict(run), sha256=_seal(run.model_dump(mode="json")))
        content = sealed.model_dump_json(indent=2).encode()
        for name in reversed(RUN_FILES):
            self._replace(name, content)

    def _replace(self, name: str, content: bytes) -> None:
        """Write a file of this folder atomically: into `unfinished/` first, then rename it."""
        self.unfinished.mkdir(exist_ok=True)
        temporary = self.unfinished / Path(name).name
        write_synced(temporary, content)
        temporary.replace(self.path / name)
        sync_folder((self.path / name).parent)

    def lay_out(self, board: bytes, strategies: Mapping[str, bytes]) -> list[Path]:
        """Write the run's copies of its board and strategies where they are missing or altered.

        Returns the new paths of altered files, which are kept under another name.
        """
        self.shards.mkdir(exist_ok=True)
        (self.path / "strategies").mkdir(exist_ok=True)
        copies = {f"strategies/{name}": text for name, text in strategies.items()}
        aside = []
        for name, content in {"board.toml": board, **copies}.items():
            path = self.path / name
            if path.is_dir():
                raise UserError([f"{path}: is a folder where the run has a file; move it elsewhere"])
            if not path.exists() or path.read_bytes() != content:
                if path.exists() or path.is_symlink():
                    aside.append(set_aside(path))
                self._replace(name, content)
        return aside

    @property
    def begun(self) -> bool:
        """Return whether there is a run in the folder."""
        return any((self.path / name).exists() for name in RUN_FILES)

    def read(self) -> RunFile:
        """Read `run.json`, or its copy if that is damaged, missing or not as long."""
        sound, problems = [], []
        for name in RUN_FILES:
            try:
                sound.append(self._read_run(name))
            except FileNotFoundError:
                continue
            except OldFolder:
                raise
            except UserError as e:
                problems += e.problems
        if sound:
            return max(sound, key=lambda run: run.recipe.laps)
        if problems:
            raise UserError(problems)
        raise UsageError([f"{self.path}: {self._why_no_run()}"])

    def _why_no_run(self) -> str:
        """Say why there is no run to read here, and where there are some: in the folders just below."""
        if not self.path.exists():
            return "there is no such folder"
        if not self.path.is_dir():
            return "is no folder; a run is a folder that `ttrsim run -o` writes"
        if not any(self.path.iterdir()):
            return "is empty; a run is a folder with run.json"
        inside = [path for path in sorted(self.path.glob("*/")) if Folder(path).begun]
        hint = f"; the folders in it that are runs: {', '.join(map(str, inside[:5]))}" if inside else ""
        return f"is not a run: it has no run.json{hint}"

    def run_problems(self) -> list[str]:
        """List the problems of `run.json` and its copy, at least one of which is sound."""
        found = self.read()
        problems = []
        for name in RUN_FILES:
            try:
                same = self._read_run(name) == found
                problem = [] if same else [f"{self.path / name}: differs from the other copy of the recipe"]
            except FileNotFoundError:
                problem = [f"{self.path / name}: is missing"]
            except UserError as e:
                problem = e.problems
            problems += problem
        return problems

    def _read_run(self, name: str) -> RunFile:
        """Read one of RUN_FILES. Raises FileNotFoundError, or a UserError that describes the damage."""
        path = self.path / name
        try:
            content = read_json(path)
            stored = json.loads(content)
        except (FileNotFoundError, NotADirectoryError):
            raise FileNotFoundError from None
        except OSError as e:
            raise UserError([f"{path}: cannot be read: {e.strerror}"]) from None
        except (ValueError, RecursionError):
            raise UserError([f"{path}: is damaged: it is not JSON"]) from None
        version = stored.get("schema_version") if isinstance(stored, dict) else None
        if version == 1 and stored.get("sha256") == _seal(stored):
            raise OldFolder(self.path)
        try:
            run = RunFile.model_validate_json(content)
        except ValidationError as e:
            raise UserError([f"{path}: {validation_words(e)}"]) from None
        if run.sha256 != _seal(stored):
            raise UserError([f"{path}: was altered: its content does not match its sha256"])
        return run

    def locked(self) -> contextlib.AbstractContextManager[None]:
        """Keep other processes off."""
        return locked(self.path, "run")

    @contextlib.contextmanager
    def session(self) -> Iterator[Path]:
        """Make a folder for unfinished shards, which exists as long as they are wanted; first remove any leftovers."""
        self.remove_unfinished()
        path = self.unfinished / f"session-{uuid.uuid4().hex}"
        path.mkdir(parents=True)
        try:
            yield path
        finally:
            self.remove_unfinished()

    def remove_unfinished(self) -> None:
        """Remove unfinished files and folders, but nothing that ttrsim did not write."""
        with contextlib.suppress(OSError):  # it does not exist, or on Windows a worker has a file open
            for left in list(self.unfinished.iterdir()):
                if OWN_FILE.fullmatch(left.name) and left.is_file():
                    left.unlink()
                elif SESSION_NAME.fullmatch(left.name) or STAGED_NAME.fullmatch(left.name):
                    _remove_session(left)
            self.unfinished.rmdir()

    def shard(self, laps: range) -> Path:
        """Return the path of a finished shard."""
        return self.shards / shard_name(laps)

    def present(self) -> list[range]:
        """Return the laps of the stored shards, sound or not, without those that lie within others."""
        return cover(self._named())

    @property
    def holds_results(self) -> bool:
        """Return whether anything is finished, even if only the summary is left."""
        return bool(self.present()) or self.read_summary() is not None

    def _named(self) -> list[range]:
        """Return the laps of all folders with the name of a shard."""
        try:
            names = [path.name for path in self.shards.iterdir()]
        except (FileNotFoundError, NotADirectoryError):
            return []
        found = (SHARD_NAME.fullmatch(name) for name in names)
        ranges = (range(int(match[1]), int(match[2]) + 1) for match in found if match)
        return [laps for laps in ranges if laps and is_aligned(laps)]

    def remove_covered(self) -> None:
        """Remove shards that lie within others, once the larger ones are known to be sound."""
        covering = set(self.present())
        for laps in self._named():
            if laps not in covering:
                self.remove(laps)

    def publish(self, staging: Path, record: ShardRecord) -> None:
        """Move a staged shard to its final place, atomically."""
        rename(staged_path(staging, record), self.shard(record.range))
        sync_folder(self.shards)

    def publish_summary(self, summary: Summary, files: Mapping[str, Any]) -> None:
        """Store the summary, replacing an older one."""
        temporary = self.unfinished / f"{shard_name(range(summary.laps))}-{uuid.uuid4().hex[:8]}"
        self.unfinished.mkdir(exist_ok=True)
        write_folder(temporary, {**files, "summary.json": summary.model_dump_json(indent=1).encode()})
        if self.summary.exists() or self.summary.is_symlink():
            remove_own(self.summary)
        rename(temporary, self.summary)
        sync_folder(self.path)

    def check(self, laps: range) -> ShardRecord:
        """Return a finished shard's record after checking the hash of every file. Raises DamagedShard."""
        record = self.record(laps)
        for name, file in record.files.items():
            check_file(self.shard(laps) / name, file)
        return record

    def record(self, laps: range) -> ShardRecord:
        """Return a finished shard's record. Raises DamagedShard."""
        return read_record(self.shard(laps) / "done.json", laps)

    def read_summary(self) -> Summary | None:
        """Return the summary of a finished run; None if it is missing or cannot be read."""
        try:
            return Summary.model_validate_json(read_json(self.summary / "summary.json"))
        except (OSError, ValidationError):
            return None

    def remove(self, laps: range) -> None:
        """Remove a shard."""
        remove_own(self.shard(laps))


def _remove_session(path: Path) -> None:
    """Remove the folder of a session or a staged shard.

    Rename it first, so that a worker that still writes there fails soon.
    """
    if strangers(path, (STAGED_NAME,)):
        return
    ended = path.with_name(f"session-{uuid.uuid4().hex}-ended")
    with contextlib.suppress(OSError):
        rename(path, ended)
        remove_own(ended, (STAGED_NAME,))


class OldFolder(UserError):
    """The folder is in format 1; only its statistics can be read."""

    def __init__(self, path: Path) -> None:
        problem = (
            f"is in folder format 1; this ttrsim plays runs in format {FORMAT} and reads only the statistics of older"
        )
        super().__init__([f"{path}: {problem}; play it again with the command in its run.json"])


def _seal(stored: dict[str, Any]) -> str:
    """Return the SHA-256 of the content of `run.json`, leaving out the hash itself."""
    rest = {key: value for key, value in stored.items() if key != "sha256"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


MOST_NAMED = 3
"""Entries that the message names when a folder is refused."""


def check_free(folder: Folder, *, resume: bool) -> None:
    """Refuse a folder in which a run cannot begin and, with `resume`, cannot be continued either.

    A run begins in a folder that does not exist, is empty, or holds only what ttrsim wrote for a run that has not
    finished anything yet. It is continued in the folder of a run.
    """
    if folder.path.is_symlink() and not folder.path.exists():
        raise UsageError([f"{folder.path}: is a broken link"])
    if not folder.path.exists():
        return
    if not folder.path.is_dir():
        raise UsageError([f"{folder.path}: is a file, not a folder"])
    if folder.begun and folder.holds_results:
        if not resume:
            hint = "continue it with --resume, or choose another folder"
            raise UsageError([f"{folder.path}: already holds a run; {hint}"])
        return
    refuse(folder.path, foreign(folder))


def check_summary(folder: Folder, recipe: Recipe) -> None:
    """Refuse a summary into which others put files if it is going to be replaced, before anything is played."""
    summary = folder.read_summary()
    if summary is None or summary.planned_laps != recipe.laps:
        with contextlib.suppress(FileNotFoundError):
            check_own(folder.summary)


def refuse(folder: Path, found: Sequence[Path]) -> None:
    """Refuse a folder because of these entries, if there are any; name the first few."""
    if found:
        more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
        named = ", ".join(str(path.relative_to(folder)) for path in found[:MOST_NAMED]) + more
        problem = f"holds files that are not from a run begun there: {named}"
        raise UsageError([f"{folder}: {problem}; choose a folder that is empty or does not exist"])


def foreign(folder: Folder) -> list[Path]:
    """Return the entries of a folder that do not belong to a run that has not finished anything yet."""
    try:
        recipe = folder.read().recipe if folder.begun else None
    except OldFolder:
        raise
    except UserError:
        recipe = None
    return [found for path in sorted(folder.path.iterdir()) for found in _foreign(path, recipe)]


def _foreign(path: Path, recipe: Recipe | None) -> list[Path]:
    """Return what does not belong to such a run: the path itself, or entries of it. recipe: of the run, if any."""
    if path.name == "unfinished":
        return strangers(path, (SESSION_NAME, STAGED_NAME))
    if recipe and path.name in ("strategies", "shards") and path.is_dir() and not path.is_symlink():
        copies = {strategy.copy_name: strategy.sha256 for strategy in recipe.strategies}
        hashes = copies if path.name == "strategies" else {}
        return [below for below in sorted(path.iterdir()) if not has_content(below, hashes.get(below.name, ""))]
    return [] if _is_own_file(path, recipe) else [path]


def _is_own_file(path: Path, recipe: Recipe | None) -> bool:
    if path.is_symlink() or not path.is_file():
        return False
    if path.name == LOCK_FILE:
        return path.stat().st_size == 0
    if path.name in RUN_FILES:
        return recipe is not None  # one of them is sound, and ttrsim wrote both
    return recipe is not None and path.name == "board.toml" and has_content(path, recipe.board.sha256)


def has_content(path: Path, sha256: str) -> bool:
    """Return whether the path is a file, not a link, and its content has this hash."""
    return path.is_file() and not path.is_symlink() and hashlib.sha256(path.read_bytes()).hexdigest() == sha256
