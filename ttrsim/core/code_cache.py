"""Compiled code on disk, one file per part, and the folder that holds it.

The code is executed from there, so nobody else may be able to write into the folder. A file is written whole or not at
all, so several processes can fill the folder at once. A file that is damaged, or that needs others that are missing,
counts as absent, and its function is compiled again.
"""

import atexit
import contextlib
import errno
import hashlib
import os
import pickle
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

VARIABLE = "TTRSIM_CACHE_DIR"
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
CHOOSE = f"choose another folder with {VARIABLE}"


class Code(NamedTuple):
    """The compiled code of one function."""

    symbol: str
    """The name by which others call it."""
    returns: Any
    """The type of what it returns, as numba has it."""
    is_object: bool
    """True for machine code, called by its symbol; else bitcode, which becomes part of its callers."""
    data: bytes
    calls: tuple[str, ...]
    """The keys of those it calls: of bitcode all, of machine code those that are machine code too."""
    size: int
    """The number of its own instructions, which its callers take over with bitcode."""


class CodeCache:
    """The compiled code in a folder, read when it is needed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._codes: dict[str, Code] = {}

    def get(self, key: str) -> Code | None:
        """Return the code of this key if it and all that it calls are there."""
        if key not in self._codes:
            code = self._read(key)
            if code is None or any(self.get(called) is None for called in code.calls):
                return None
            self._codes[key] = code
        return self._codes[key]

    def put(self, key: str, code: Code) -> None:
        """Keep code in memory, and on disk if possible."""
        self._codes[key] = code
        data = pickle.dumps(code)
        with contextlib.suppress(OSError):
            self._write(key, hashlib.sha256(data).digest() + data)

    def closure(self, keys: Iterable[str]) -> tuple[dict[str, Code], list[str]]:
        """Return all bitcode that the keys lead to, by key, and the keys of the machine code that it calls."""
        bitcode: dict[str, Code] = {}
        objects: dict[str, None] = {}
        todo = list(keys)
        while todo:
            key = todo.pop()
            code = self._codes[key]
            if code.is_object:
                objects[key] = None
            elif key not in bitcode:
                bitcode[key] = code
                todo += code.calls
        return bitcode, list(objects)

    def _read(self, key: str) -> Code | None:
        try:
            data = (self.folder / key).read_bytes()
        except OSError:
            return None
        digest, data = data[:32], data[32:]
        return pickle.loads(data) if hashlib.sha256(data).digest() == digest else None

    def _write(self, key: str, data: bytes) -> None:
        with tempfile.NamedTemporaryFile(dir=self.folder, delete=False) as file:
            made = Path(file.name)
        try:
            made.write_bytes(data)
            made.replace(self.folder / key)
        except BaseException:
            made.unlink()
            raise


class UnsafeFolder(OSError):
    """A folder into which others could put code. The command line prints this in one line, like any file error."""

    def __init__(self, folder: Path, problem: str) -> None:
        super().__init__(errno.EPERM, problem, str(folder))


def cache_folder(key: str) -> Path:
    """Make and return the private folder for code compiled under this key.

    If the default folder cannot be used, make a temporary one and say so on stderr. Raises UnsafeFolder if others can
    write to the folder that the user chose.
    """
    chosen = os.environ.get(VARIABLE)
    folder = Path(chosen) if chosen else _default()
    if folder is None:
        return _temporary(f"there is no home folder; {CHOOSE}", key)
    try:
        return _private(folder, key)
    except UnsafeFolder as e:
        if chosen:
            raise
        return _temporary(f"{e.filename}: {e.strerror}", key)
    except OSError as e:
        return _temporary(f"{folder}: {e.strerror}; {CHOOSE}", key)


def _default() -> Path | None:
    """Return ttrsim's folder among the user's caches; None if there is no home folder."""
    try:
        home = Path.home()
    except RuntimeError:  # a user without a name, as in containers, and without HOME
        return None
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or home) / "ttrsim" / "cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "ttrsim"
    caches = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (caches if caches.is_absolute() else home / ".cache") / "ttrsim"


def _private(folder: Path, key: str) -> Path:
    """Make and return the folder of the key within this one. Raises OSError if it is not private or not writable."""
    folder = Path(os.path.realpath(folder))  # a link may lead elsewhere later
    made = folder / key
    for place in (*reversed(made.parents), made):
        if not place.exists():
            place.mkdir(mode=0o700, exist_ok=True)
        if sys.platform != "win32":  # there, folders of users are private, and permissions are not bits
            _check(place, own=place in (folder, made))
    with tempfile.TemporaryFile(dir=made):
        return made


def _check(folder: Path, *, own: bool) -> None:
    """Refuse a folder that anyone but the user and the system can write to.

    own: it is one of ttrsim's. In the folders above it others may write if they cannot rename what is not theirs, as
    in /tmp.
    """
    found, user = folder.stat(), os.geteuid()
    system = {0, Path("/").stat().st_uid}  # in a container without a root user, the root folder is somebody else's
    if found.st_uid != user and (own or found.st_uid not in system):
        raise UnsafeFolder(folder, f"belongs to user {found.st_uid}, who could put code there; {CHOOSE}")
    others = found.st_mode & OTHERS_WRITE
    if others == stat.S_IWGRP and _is_of_one(found.st_gid, found.st_uid):
        return
    if others and (own or not found.st_mode & stat.S_ISVTX):
        raise UnsafeFolder(folder, f"others could put code there; forbid it with chmod go-w {folder}, or {CHOOSE}")


def _is_of_one(group: int, user: int) -> bool:
    """Return whether a group is the user's own; on many systems each user has a group of the same name."""
    import grp
    import pwd

    try:
        name, found = pwd.getpwuid(user).pw_name, grp.getgrgid(group)
    except KeyError:
        return False
    return found.gr_name == name and set(found.gr_mem) <= {name}


def _temporary(problem: str, key: str) -> Path:
    """Make and return a folder that is removed when the process ends. Processes it starts use the same folder."""
    try:
        made = Path(tempfile.mkdtemp(prefix="ttrsim-"))
    except OSError as e:
        raise UnsafeFolder(Path(VARIABLE), f"no folder for compiled code: {problem} ({e.strerror or e})") from None
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    folder = _private(made, key)
    os.environ[VARIABLE] = str(made)
    if sys.stderr:  # it is None in a process without a console
        sys.stderr.write(f"Compiled code is kept only until this process ends: {problem}\n")
    return folder
