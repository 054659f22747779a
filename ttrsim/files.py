"""Read users' files up to a maximum size, write files atomically, and find the files that come with ttrsim."""

import contextlib
import os
import re
import shutil
import stat
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from ttrsim.choices import PICTURES
from ttrsim.errors import UsageError, UserError

SCANNED = 5.0
"""Seconds to wait for a virus scanner to finish with a new file; Windows does not rename open files."""
FILE_TYPES = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
"""Names of what a path can be besides a regular file or a device."""
RUN_FILES = ("run.json", "run-copy.json")
"""The recipe of a run, stored twice in case one copy is damaged. If they differ, the one with more games counts."""
RUN_PARTS = (*RUN_FILES, "board.toml", "lock", "shards", "strategies", "summary", "unfinished")
"""Every file and folder that a run keeps in its folder."""
LOOKS_FILE = "looks.json"
"""The file that `ttrsim balance --until-decided` writes next to its runs."""
TUNING_FILES = ("tuning.json", "stages.jsonl")
"""The files that `ttrsim tune` keeps in its folder: all that decides the tuning; its finished parts."""
IMPROVEMENT_FILES = ("improvement.json", "steps.jsonl")
"""The files that `ttrsim improve` keeps in its folder: all that decides the search; its finished steps."""
MARKS = (
    b'<meta name="generator" content="ttrsim">',
    b"<!-- written by ttrsim -->",
    b'"generator": "ttrsim"',
    b"<dc:title>ttrsim</dc:title>",
    b"Software\0ttrsim",
    b"/Creator (ttrsim)",
    b"!\xfe\x06ttrsim\0",
)
"""Marks of ttrsim in its pages and reports (HTML, Markdown, JSON) and pictures (SVG, PNG, PDF, GIF)."""
PAGE = re.compile(rb'<meta name="application-name" content="ttrsim (\w+)">')
"""Names the kind of a page, at its beginning."""
PAGES = {"report": "a report", "game": "the page of a game", "explorer": "a page to explore a board"}
"""Kinds of pages as readers call them."""
MARKED = 4096
"""Bytes at the beginning and at the end of a file in which a mark may be."""
MOST_PARTS = 16
"""The most parts of a TOML key such as rules.tickets.deck; reading a key takes time quadratic in their number."""
PART = r"""(?>[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*+"?|'[^'\n]*+'?)"""
KEYS = re.compile(
    rf"""
    \#[^\n]*+
    | \"{{3}} (?: [^"\\] | \\. | "(?!"") )*+ (?: "{{3,5}} )?
    | '{{3}} (?: [^'] | '(?!'') )*+ (?: '{{3,5}} )?
    | (?P<deep> {PART} (?: [ \t]*+ \. [ \t]*+ {PART} ){{{MOST_PARTS},}}+ )
    | {PART} (?: [ \t]*+ \. [ \t]*+ {PART} )*+
    """,
    re.VERBOSE | re.DOTALL,
)
"""Comments, strings and keys of a TOML file, so that dots within a text are not counted. Every repetition is
possessive, so a text is scanned once, without backtracking."""


class Unreadable(Exception):
    """A file cannot be used. The message says why; callers put the file's name in front."""


def read_file(path: Path, most: int) -> bytes:
    """Return the content of a regular file of at most `most` bytes.

    Raises Unreadable, also for pipes and devices, on which reading could block.
    """
    try:
        file_type = stat.S_IFMT(path.stat().st_mode)
        if file_type != stat.S_IFREG:
            raise Unreadable(f"cannot be read: it is {FILE_TYPES.get(file_type, 'a device')}, not a file")
        with open(path, "rb", opener=_open_without_blocking) as file:
            content = file.read(most + 1)
    except OSError as e:
        raise Unreadable(f"cannot be read: {e.strerror}") from None
    except ValueError:  # a null character
        raise Unreadable("cannot be read: no file has such a name") from None
    if len(content) > most:
        raise Unreadable(f"is too large: such a file has at most {most:,} bytes")
    return content


def _open_without_blocking(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def decoded(content: bytes) -> str:
    """Return the text of a file, without a byte order mark. Raises Unreadable."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable("is not UTF-8 text") from None


def parse_toml(content: bytes) -> dict[str, Any]:
    """Return the values in a TOML file. Raises Unreadable."""
    import tomllib  # --help and most errors do without it

    text = decoded(content)
    for found in KEYS.finditer(text):
        if found["deep"]:
            line = text.count("\n", 0, found.start()) + 1
            raise Unreadable(f"line {line}: a key has more than {MOST_PARTS} parts")
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as e:  # besides bad TOML: numbers of too many digits, arrays in arrays
        raise Unreadable(f"is not TOML: {e}") from None


def check_output(path: str | Path) -> None:
    """Refuse to overwrite a file of a run; other files may lie in a run's folder. Links are followed."""
    real = Path(os.path.realpath(path))
    for folder in real.parents:
        part = real.relative_to(folder).parts[0].casefold()  # on some disks RUN.JSON is the same file
        if part in RUN_PARTS and any(os.path.lexists(folder / name) for name in RUN_FILES):
            raise UsageError([f"{path}: is part of the run in {folder}; choose another name"])
    if real.name.casefold() == LOOKS_FILE and any(real.parent.glob(f"*/{RUN_FILES[0]}")):
        raise UsageError([f"{path}: is part of the examination in {real.parent}; choose another name"])
    if real.name.casefold() in TUNING_FILES and os.path.lexists(real.parent / TUNING_FILES[0]):
        raise UsageError([f"{path}: is part of the tuning in {real.parent}; choose another name"])
    if real.name.casefold() in IMPROVEMENT_FILES and os.path.lexists(real.parent / IMPROVEMENT_FILES[0]):
        raise UsageError([f"{path}: is part of the search in {real.parent}; choose another name"])


def write_file(path: str | Path, content: str | bytes, *, own: bool = False) -> None:
    """Write a file atomically: an old one stays until the new one is on disk.

    Links are followed. A device or a pipe, such as /dev/stdout, is written to directly. Characters that UTF-8 cannot
    encode, as in some file names, are written as escapes. Raises UserError, also if the file is part of a run, unless
    it is the `own` file of who writes.
    """
    if not own:
        check_output(path)
    data = content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content
    try:
        if (descriptor := _descriptor(Path(path))) is None:
            _replace(Path(os.path.realpath(path)), data)
            return
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
    except BrokenPipeError:
        raise
    except OSError as e:
        raise UserError([f"{path}: cannot be written: {e.strerror}"]) from None


def _descriptor(path: Path) -> int | None:
    """Return a descriptor to write to directly, that of stdout or stderr if meant; None for a regular file."""
    if not path.exists():
        return None
    found = path.stat()
    for descriptor in (1, 2):
        with contextlib.suppress(OSError):  # it was closed
            if os.path.samestat(found, os.fstat(descriptor)):
                return os.dup(descriptor)
    return None if stat.S_ISREG(found.st_mode) else os.open(path, os.O_WRONLY)


def _replace(path: Path, data: bytes) -> None:
    old = path.stat() if path.exists() else None
    if old and not os.access(path, os.W_OK):
        raise PermissionError(None, "it is write-protected")
    temporary = path.with_name(f".ttrsim-{os.urandom(8).hex()}")
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if old:
            _make_like(temporary, old)
        patiently(lambda: temporary.replace(path))
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _make_like(path: Path, old: os.stat_result) -> None:
    """Give a file the permissions of the one it replaces and, if the system allows it, its owner."""
    if hasattr(os, "chown"):
        with contextlib.suppress(PermissionError):
            os.chown(path, old.st_uid, old.st_gid)
    path.chmod(stat.S_IMODE(old.st_mode))


def check_parent(path: Path, option: str = "-o") -> None:
    """Refuse an output file whose folder does not exist, or that is part of a run."""
    check_output(path)
    if not path.parent.is_dir():
        raise UsageError([f"{option} {path}: there is no folder {str(path.parent)!r}; make it first"])


def check_new(path: Path, option: str = "-o") -> None:
    """Refuse an output file that is there already, or whose folder does not exist."""
    check_parent(path, option)
    if os.path.lexists(path):
        raise UserError([f"{option} {path}: already exists and is left alone; choose another name"])


def check_kept(path: Path, option: str = "-o", page: str = "") -> None:
    """Refuse an output file in place of one that is there, unless ttrsim wrote that too, as a page of the same kind.

    page: the kind of page to write, one of PAGES.
    """
    check_output(path)
    if not path.is_file():
        return
    begins, ends = _ends(path)
    named = PAGE.search(begins)
    kind = named[1].decode() if named else ""
    is_other = bool(page) and kind not in ("", page)
    if is_other or not any(mark in part for mark in MARKS for part in (begins, ends)):
        found = f"is {PAGES.get(kind, 'another page')}" if is_other else "already exists"
        other = "choose another name, or write over it with --replace"
        raise UserError([f"{option} {path}: {found} and is left alone; {other}"])


def _ends(path: Path) -> tuple[bytes, bytes]:
    """Return how a file begins and ends; nothing of one that cannot be read."""
    try:
        with path.open("rb") as file:
            begins = file.read(MARKED)
            file.seek(-min(MARKED, path.stat().st_size), os.SEEK_END)
            return begins, file.read(MARKED)
    except OSError:
        return b"", b""


def check_picture(path: Path) -> None:
    """Refuse a picture that cannot be written, before it is drawn."""
    if path.suffix.lower() not in PICTURES:
        raise UsageError([f"-o {path}: a picture's name ends in {', '.join(PICTURES)}"])
    check_parent(path)


def patiently(change: Callable[[], object]) -> None:
    """Change the disk; on Windows try again as long as a virus scanner may have a file open."""
    deadline = time.monotonic() + SCANNED
    while True:
        try:
            change()
            return
        except PermissionError:
            if os.name != "nt" or time.monotonic() > deadline:
                raise
        time.sleep(0.05)


def data_folder() -> Path:
    """Return the folder of `maps/`, `strategies/` and `reports/templates/`: in the wheel, or in the checkout."""
    packaged = Path(__file__).parent / "_data"
    return packaged if packaged.is_dir() else Path(__file__).parents[1]


class Temporary:
    """A temporary folder, removed when `close` is called or nothing refers to it any more."""

    existing: ClassVar["weakref.WeakSet[Temporary]"] = weakref.WeakSet()
    """All temporary folders, for what ends the process without clearing up."""

    def __init__(self) -> None:
        import tempfile  # it takes a while, and few commands need it

        self.path = Path(tempfile.mkdtemp(prefix="ttrsim-"))
        self.close = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)
        self.existing.add(self)
