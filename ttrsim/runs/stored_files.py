"""Write the files of a run's folder so that a crash leaves them whole, and read them only if they are as written.

Only files that ttrsim wrote are removed. Each shard and the summary have a record with the hashes of their files.
"""

import contextlib
import hashlib
import os
import re
import shutil
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from ttrsim.errors import UserError
from ttrsim.files import patiently
from ttrsim.runs.recipe import Sha256, Stored

TABLE_NAMES = (
    "games|players|tickets|claims|deals|seats|line_ups|versus|orders|ticket_fates|ticket_pairs|routes|cities|scores|"
    "lengths"
)
OWN_FILE = re.compile(
    rf"({TABLE_NAMES})\.parquet|sums\.bin|done\.json|summary\.json|run\.json|run-copy\.json|board\.toml"
)
"""Names of the files in shards and summaries, and of those that are first written into `unfinished/`."""
LOCK_FILE = "lock"
COPY_NAME = re.compile(r"[0-9]+_[A-Za-z0-9_.-]*\.py")
NFS_NAME = re.compile(r"\.nfs[0-9a-f]+")
"""Names that a network file system gives to open files when they are removed."""


def strangers(path: Path, folders: Sequence[re.Pattern[str]] = ()) -> list[Path]:
    """Return everything below a folder that does not have a name ttrsim gives to files of shards and summaries.

    folders: the names that folders in it may have.
    """
    if path.is_symlink() or not path.is_dir():
        return [path]
    found = []
    for below in sorted(path.iterdir()):
        if not below.is_symlink() and below.is_dir():
            found += strangers(below, folders) if _matches(below.name, folders) else [below]
        elif below.is_symlink() or not _matches(below.name, (OWN_FILE, COPY_NAME, NFS_NAME)):
            found.append(below)
    return found


def _matches(name: str, patterns: Sequence[re.Pattern[str]]) -> bool:
    return any(pattern.fullmatch(name) for pattern in patterns)


def check_own(path: Path, folders: Sequence[re.Pattern[str]] = ()) -> None:
    """Refuse to delete a folder in which others put files; raises FileNotFoundError if it does not exist."""
    path.lstat()
    if found := strangers(path, folders):
        raise UserError([f"{found[0]}: was not written by ttrsim and would be deleted with {path}; move it elsewhere"])


def remove_own(path: Path, folders: Sequence[re.Pattern[str]] = ()) -> None:
    """Delete a folder if ttrsim wrote everything in it; refuse otherwise."""
    try:
        check_own(path, folders)
    except FileNotFoundError:
        return
    shutil.rmtree(path, ignore_errors=True)


def set_aside(path: Path) -> Path:
    """Rename a file to make room for another, and return its new path."""
    number = 1
    while (aside := path.with_name(f"{path.name}.altered{number if number > 1 else ''}")).exists():
        number += 1
    rename(path, aside)
    return aside


def write_synced(path: Path, content: Any) -> None:
    """Write a file and wait until it is on the disk."""
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(path: Path) -> None:
    """Wait until the entries of a folder are on the disk, if the system supports that."""
    if os.name == "posix":
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def rename(old: Path, new: Path) -> None:
    """Rename a file or a folder; raises FileExistsError if the new name is taken."""

    def change() -> None:
        if os.path.lexists(new):
            raise FileExistsError(new)
        try:
            old.rename(new)
        except OSError:
            if os.path.lexists(new):
                raise FileExistsError(new) from None
            raise

    patiently(change)


def lock_file(file: Any) -> None:
    """Take a lock that ends with the process; raises OSError if another process has it."""
    if os.name == "posix":
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    else:
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]


@contextlib.contextmanager
def locked(folder: Path, work: str) -> Iterator[None]:
    """Keep other processes off a folder. The system frees the lock when the process ends, however it ends.

    work: what is in the folder, for the message to a second process.
    """
    with (folder / LOCK_FILE).open("ab") as file:
        try:
            lock_file(file)
        except (BlockingIOError, PermissionError):
            raise UserError([f"{folder}: another process is working on this {work}; wait for it or stop it"]) from None
        except OSError as e:
            hint = "choose a folder on a file system that has locks"
            raise UserError([f"{folder}: cannot be locked ({e.strerror}); {hint}"]) from None
        yield


SHARD_NAME = re.compile(r"(\d{12})-(\d{12})")
STAGED_NAME = re.compile(r"\d{12}-\d{12}-[0-9a-f]{8}")
READ_AT_ONCE = 1 << 20
LARGEST_JSON = 1 << 24
"""Bytes of the largest run.json or done.json that is read."""


class FileRecord(Stored):
    """A file of a shard or of the summary."""

    bytes: int
    sha256: Sha256


Files = dict[Annotated[str, Field(pattern=f"^({OWN_FILE.pattern})$")], FileRecord]
"""By name; only known names, so none is a path to another folder."""
Count = Annotated[int, Field(ge=0, lt=2**62)]


class PieceRecord(Stored):
    """Sums over the games of one batch in a shard, by strategy."""

    first_lap: Count
    laps: Annotated[int, Field(ge=1)]
    seats: tuple[Count, ...]  # of each strategy, summed over games
    win60: tuple[Count, ...]  # win share in 60ths
    score: tuple[int, ...]
    difference: tuple[int, int] | None = None  # in a sequential test: sums over laps of `sprt.by_lap` and its square

    def joined(self, other: "PieceRecord") -> "PieceRecord":
        """Return this piece and the one that follows it as one."""
        sums = {
            name: tuple(a + b for a, b in zip(getattr(self, name), getattr(other, name), strict=True))
            for name in ("seats", "win60", "score", *(["difference"] if self.difference else []))
        }
        return self.model_copy(update={**sums, "laps": self.laps + other.laps})


class ShardRecord(Stored):
    """The content of a finished shard."""

    run: Sha256  # the identity of the recipe it was played for
    first_lap: Count
    laps: Annotated[int, Field(ge=1)]
    batch_laps: Annotated[int, Field(ge=1)]  # of the batches by which its sums are kept
    content_sha256: Sha256  # of the result rows, whatever is recorded of them
    probe_lap: Count  # a lap that `ttrsim verify` plays again
    probe_sha256: Sha256  # of its result rows
    pieces: tuple[PieceRecord, ...]
    files: Files

    @property
    def range(self) -> range:
        """Its laps."""
        return range(self.first_lap, self.first_lap + self.laps)


class Done(Stored):
    """`done.json`: a finished shard's record, and its hash."""

    record: ShardRecord
    sha256: Sha256  # of the record as JSON without spaces


class Summary(Stored):
    """`summary.json`: a finished run."""

    run: Sha256  # the identity of the recipe
    planned_laps: Annotated[int, Field(ge=1)]
    laps: Annotated[int, Field(ge=1)]  # fewer than planned if the run was to stop as soon as its question was answered
    digest: Sha256  # of all results
    files: Files


class DamagedShard(Exception):
    """A stored file is not as it was written. The message names the file and the problem."""


def shard_name(laps: range) -> str:
    """Return the name of a shard, by its first and its last lap."""
    return f"{laps.start:012d}-{laps.stop - 1:012d}"


def staged_path(staging: Path, record: ShardRecord) -> Path:
    """Return the path of a shard until it is published, which depends on its content."""
    return staging / f"{shard_name(record.range)}-{record.content_sha256[:8]}"


def stage(staging: Path, record: ShardRecord, files: Mapping[str, Any]) -> None:
    """Write the files of a finished shard into a session's folder, which must still exist."""
    done = Done(record=record, sha256=hash_of(record)).model_dump_json().encode()
    temporary = staging / f"{shard_name(record.range)}-{uuid.uuid4().hex[:8]}"
    write_folder(temporary, {**files, "done.json": done})
    with contextlib.suppress(FileExistsError):  # another worker was faster
        rename(temporary, staged_path(staging, record))


def write_folder(path: Path, files: Mapping[str, Any]) -> None:
    """Write a folder of files and wait until it is on the disk."""
    path.mkdir()
    for name, content in files.items():
        write_synced(path / name, content)
    sync_folder(path)


def read_json(path: Path) -> bytes:
    """Return the content of a small file, cut off at LARGEST_JSON bytes."""
    with path.open("rb") as file:
        return file.read(LARGEST_JSON)


def read_record(path: Path, laps: range) -> ShardRecord:
    """Return the record of the shard of these laps from its `done.json`. Raises DamagedShard."""
    try:
        done = Done.model_validate_json(read_json(path))
    except OSError as e:
        raise DamagedShard(f"{path}: cannot be read: {e.strerror}") from None
    except ValidationError as e:
        raise DamagedShard(f"{path}: {validation_words(e)}") from None
    if done.record.range != laps or done.sha256 != hash_of(done.record):
        raise DamagedShard(f"{path}: was altered")
    return done.record


def hash_of(record: ShardRecord) -> str:
    """Return the SHA-256 of a record."""
    return hashlib.sha256(record.model_dump_json().encode()).hexdigest()


def file_record(content: Any) -> FileRecord:
    """Return the record of a file with this content."""
    return FileRecord(bytes=memoryview(content).nbytes, sha256=hashlib.sha256(content).hexdigest())


def check_file(path: Path, file: FileRecord) -> None:
    """Raise DamagedShard if a file is not as it was written."""
    try:
        size = path.stat().st_size
        if size != file.bytes:
            raise DamagedShard(f"{path}: has {size} bytes; {file.bytes} were written")
        digest = hashlib.sha256()
        with path.open("rb") as opened:
            while part := opened.read(READ_AT_ONCE):
                digest.update(part)
    except OSError as e:
        raise DamagedShard(f"{path}: cannot be read: {e.strerror}") from None
    _check_hash(path, digest.hexdigest(), file)


def read_file(path: Path, file: FileRecord) -> bytes:
    """Return the content of a file. Raises DamagedShard if it is not as it was written."""
    try:
        with path.open("rb") as opened:
            content = opened.read(file.bytes + 1)
    except OSError as e:
        raise DamagedShard(f"{path}: cannot be read: {e.strerror}") from None
    if len(content) != file.bytes:
        raise DamagedShard(f"{path}: does not have the {file.bytes} bytes that were written")
    _check_hash(path, hashlib.sha256(content).hexdigest(), file)
    return content


def _check_hash(path: Path, found: str, file: FileRecord) -> None:
    if found != file.sha256:
        raise DamagedShard(f"{path}: was altered: its SHA-256 is {found[:12]}…, not {file.sha256[:12]}…")


def validation_words(e: ValidationError) -> str:
    """Describe the first problem of a stored file."""
    error = e.errors()[0]
    where = ".".join(map(str, error["loc"]))
    return f"is damaged, or of another version of ttrsim: {where + ': ' if where else ''}{error['msg']}"
