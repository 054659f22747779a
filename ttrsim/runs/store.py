"""The folder of a run. What is in `shards/` is finished and whole; everything else can be made again."""

import contextlib
import hashlib
import json
import os
import shutil
import time
import uuid
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from ttrsim.errors import UsageError, UserError
from ttrsim.runs.plan import Begun, RunFile, Sha256, Stored

SCANNED = 5.0
"""Seconds in which a virus scanner must be done with what was just written; Windows renames nothing that is read."""


class FileRecord(Stored):
    """A file of a shard or of the summary."""

    rows: int
    bytes: int
    sha256: Sha256


Files = dict[Annotated[str, Field(pattern="^[a-z_]+[.]parquet$")], FileRecord]
"""By name, which leads nowhere else than beside the record."""


class BatchRecord(Stored):
    """What the games of one batch in a shard came to, by strategy."""

    batch: int
    games: int
    seats: tuple[int, ...]  # how often each strategy sat at a table
    win60: tuple[int, ...]  # win share in 60ths
    score: tuple[int, ...]
    difference: tuple[int, int] | None = None  # in a sequential test: sums over laps as `duel.Duel` makes them


class ShardRecord(Stored):
    """What a finished shard holds."""

    shard: int
    first_game: int
    games: int
    content_sha256: Sha256  # of the result rows, whatever is recorded of them
    probe_lap: int  # a lap that `ttrsim verify` plays again
    probe_sha256: Sha256  # of its result rows
    batches: tuple[BatchRecord, ...]
    files: Files


class Done(Stored):
    """`done.json`: a finished shard's record, and a hash by which a change of it is noticed."""

    record: ShardRecord
    sha256: Sha256  # of the record as JSON without spaces


class Summary(Stored):
    """`summary.json`: a finished run."""

    games: int
    batches: int  # fewer than planned if the run was to stop as soon as its question was answered
    digest: Sha256  # over the content digests of the shards
    files: Files


class DamagedShard(Exception):
    """Something stored is not as it was written: which file, and what is wrong with it."""


class Folder:
    """The folder of a run."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        self.shards = self.path / "shards"
        self.summary = self.path / "summary"
        self.unfinished = self.path / "unfinished"

    def begin(self, run: Begun, board: bytes, strategies: Mapping[str, str]) -> None:
        """Lay out a new run: the files it is made from, and `run.json` last. An older one has nothing finished."""
        (self.path / "run.json").unlink(missing_ok=True)
        shutil.rmtree(self.path / "strategies", ignore_errors=True)
        self.shards.mkdir(exist_ok=True)
        self.lay_out(board, strategies)
        self.unfinished.mkdir(exist_ok=True)
        temporary = self.unfinished / "run.json"
        sealed = RunFile(**dict(run), sha256=_seal(run.model_dump(mode="json")))
        write_synced(temporary, sealed.model_dump_json(indent=2).encode())
        rename(temporary, self.path / "run.json")
        sync_folder(self.path)

    def lay_out(self, board: bytes, strategies: Mapping[str, str]) -> None:
        """Write the copies of the files a run is made from that are not there as they should be."""
        (self.path / "strategies").mkdir(exist_ok=True)
        copies = {f"strategies/{name}": text.encode() for name, text in strategies.items()}
        for name, content in {"board.toml": board, **copies}.items():
            path = self.path / name
            if not path.is_file() or path.read_bytes() != content:
                write_synced(path, content)
        sync_folder(self.path / "strategies")

    @property
    def begun(self) -> bool:
        """Whether there is a run in the folder."""
        return (self.path / "run.json").exists()

    def read(self) -> RunFile:
        """`run.json`."""
        path = self.path / "run.json"
        try:
            content = path.read_bytes()
            run = RunFile.model_validate_json(content)
        except (FileNotFoundError, NotADirectoryError):
            raise UsageError([f"{self.path}: is no run: it has no run.json"]) from None
        except ValidationError as e:
            raise UserError([f"{path}: {validation_words(e)}"]) from None
        if run.sha256 != _seal(json.loads(content)):
            raise UserError([f"{path}: was altered: what it says is not what its sha256 is of"])
        return run

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes off. The system frees the lock when the process ends, however it ends."""
        with (self.path / "lock").open("ab") as file:
            try:
                lock_file(file)
            except (BlockingIOError, PermissionError):
                raise UserError([f"{self.path}: another process works on this run; wait for it, or stop it"]) from None
            except OSError as e:
                told = f"cannot be locked ({e.strerror}); choose a folder on a file system that has locks"
                raise UserError([f"{self.path}: {told}"]) from None
            self._remove_unfinished()
            try:
                yield
            finally:
                self._remove_unfinished()

    def _remove_unfinished(self) -> None:
        """Take away what was being written: all at once, by another name for the folder.

        A worker that still writes there must not find a part of its files gone and publish the others.
        """
        with contextlib.suppress(OSError):  # there is none, or Windows keeps what a worker has open
            rename(self.unfinished, self.path / f"unfinished-{uuid.uuid4().hex[:8]}")
        for left in self.path.glob("unfinished-*"):
            _remove(left)

    def shard(self, number: int) -> Path:
        """Where a shard lies when it is finished."""
        return self.shards / f"{number:05d}"

    def present(self) -> list[int]:
        """The numbers of the shards that are there, sound or not."""
        if not self.shards.is_dir():
            return []
        names = [path.name for path in self.shards.iterdir() if path.name.isdecimal()]
        return sorted(int(name) for name in names if name == f"{int(name):05d}")

    def publish(self, record: ShardRecord, files: Mapping[str, Any]) -> None:
        """Store a finished shard: at once whole, or not at all."""
        parts = {**files, "done.json": Done(record=record, sha256=hash_of(record)).model_dump_json().encode()}
        self._place(parts, self.shard(record.shard))

    def publish_summary(self, summary: Summary, files: Mapping[str, Any]) -> None:
        """Store the summary in place of an older one."""
        _remove(self.summary)
        self._place({**files, "summary.json": summary.model_dump_json(indent=1).encode()}, self.summary)

    def _place(self, files: Mapping[str, Any], final: Path) -> None:
        temporary = self.unfinished / f"{final.name}-{os.getpid()}-{uuid.uuid4().hex[:8]}"
        temporary.mkdir(parents=True)
        try:
            for name, content in files.items():
                write_synced(temporary / name, content)
            sync_folder(temporary)
            final.parent.mkdir(exist_ok=True)
            with contextlib.suppress(FileExistsError):  # another worker was faster, with the same content
                rename(temporary, final)
            sync_folder(final.parent)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)

    def check(self, number: int) -> ShardRecord:
        """The record of a finished shard whose files are what it says. Raises DamagedShard."""
        record = self.record(number)
        for name, file in record.files.items():
            check_file(self.shard(number) / name, file)
        return record

    def record(self, number: int) -> ShardRecord:
        """The record of a finished shard. Raises DamagedShard."""
        path = self.shard(number) / "done.json"
        try:
            done = Done.model_validate_json(path.read_bytes())
        except OSError as e:
            raise DamagedShard(f"{path}: cannot be read: {e.strerror}") from None
        except ValidationError as e:
            raise DamagedShard(f"{path}: {validation_words(e)}") from None
        if done.record.shard != number or done.sha256 != hash_of(done.record):
            raise DamagedShard(f"{path}: was altered")
        return done.record

    def read_summary(self) -> Summary | None:
        """The summary of a finished run, if there is one that can be read."""
        try:
            return Summary.model_validate_json((self.summary / "summary.json").read_bytes())
        except (OSError, ValidationError):
            return None

    def remove(self, number: int) -> None:
        """Take a shard away, to be played again, and with it the summary, which needs all of them."""
        _remove(self.summary)
        _remove(self.shard(number))


def _remove(folder: Path) -> None:
    """Take away a folder, or what else has its name."""
    if folder.is_dir() and not folder.is_symlink():
        shutil.rmtree(folder, ignore_errors=True)
    else:
        folder.unlink(missing_ok=True)


def _seal(told: dict[str, Any]) -> str:
    """The hash of what `run.json` says, but for the hash itself."""
    rest = {key: value for key, value in told.items() if key != "sha256"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()


def hash_of(record: ShardRecord) -> str:
    """Of the record itself."""
    return hashlib.sha256(record.model_dump_json().encode()).hexdigest()


def digest_of(contents: list[str]) -> str:
    """The digest of a run from the content digests of its shards, in order."""
    return hashlib.sha256("".join(contents).encode()).hexdigest()


def file_record(content: Any, rows: int) -> FileRecord:
    """The record of a file that is to be written."""
    return FileRecord(rows=rows, bytes=memoryview(content).nbytes, sha256=hashlib.sha256(content).hexdigest())


def check_file(path: Path, file: FileRecord) -> None:
    """Raises DamagedShard if a file is not what was written."""
    try:
        size = path.stat().st_size
        if size != file.bytes:
            raise DamagedShard(f"{path}: has {size} bytes; {file.bytes} were written")
        with path.open("rb") as opened:
            found = hashlib.file_digest(opened, "sha256").hexdigest()
        if found != file.sha256:
            raise DamagedShard(f"{path}: was altered: its SHA-256 is {found[:12]}…, not {file.sha256[:12]}…")
    except OSError as e:
        raise DamagedShard(f"{path}: cannot be read: {e.strerror}") from None


def validation_words(e: ValidationError) -> str:
    """The first thing that is wrong with a stored file."""
    error = e.errors()[0]
    where = ".".join(map(str, error["loc"]))
    return f"is damaged, or of another version of ttrsim: {where + ': ' if where else ''}{error['msg']}"


def write_synced(path: Path, content: Any) -> None:
    """Write a file and wait until it is on the disk."""
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(path: Path) -> None:
    """Wait until the names in a folder are on the disk, where the system can do that."""
    if os.name == "posix":
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def rename(old: Path, new: Path) -> None:
    """Rename a file or a folder; raises FileExistsError if there is something in the new place."""
    deadline = time.monotonic() + SCANNED
    while True:
        try:
            old.rename(new)
            return
        except OSError as e:
            if new.exists():
                raise FileExistsError(new) from None
            if os.name != "nt" or not isinstance(e, PermissionError) or time.monotonic() > deadline:
                raise
        time.sleep(0.05)


def lock_file(file: Any) -> None:
    """Take a lock that ends with the process; raises OSError if another process has it."""
    if os.name == "posix":
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    else:
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
