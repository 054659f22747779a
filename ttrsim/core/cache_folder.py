"""The folder of compiled code. The code is executed from there, so nobody else may be able to write into it."""

import atexit
import errno
import os
import shutil
import stat
import sys
import tempfile
from pathlib import Path

VARIABLE = "TTRSIM_CACHE_DIR"
OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
CHOOSE = f"choose another folder with {VARIABLE}"


class UnsafeFolder(OSError):
    """Others could put code into a folder. The command line prints this in one line, like any error of a file."""

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
    """Refuse a folder to which anyone but the user and the system can write.

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
    """Make and return a folder that is removed when the process ends; processes that it starts use it, too."""
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
