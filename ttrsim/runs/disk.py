"""Write files and folders so that a crash leaves them whole, and remove only what ttrsim wrote."""

import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ttrsim.errors import UserError
from ttrsim.files import patiently

TABLE_NAMES = (
    "games|players|tickets|claims|seats|line_ups|versus|orders|ticket_fates|ticket_pairs|routes|cities|scores|lengths"
)
OWN_FILE = re.compile(
    rf"({TABLE_NAMES})\.parquet|sums\.bin|done\.json|summary\.json|run\.json|run-copy\.json|board\.toml"
)
"""Names of the files in shards and summaries, and of those that are first written into `unfinished/`."""
COPY_NAME = re.compile(r"[0-9]+_[A-Za-z0-9_.-]*\.py")
NFS_NAME = re.compile(r"\.nfs[0-9a-f]+")
"""What a network file system leaves behind when an open file is removed."""


def strangers(path: Path, folders: Sequence[re.Pattern[str]] = ()) -> list[Path]:
    """Return everything below a folder whose name is not one that ttrsim gives to files of shards and summaries.

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
