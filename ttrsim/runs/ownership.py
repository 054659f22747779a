"""Check that a run may begin or go on in a folder: that no files of others are in its way."""

import contextlib
import hashlib
from collections.abc import Sequence
from pathlib import Path

from ttrsim.errors import UsageError, UserError
from ttrsim.files import RUN_FILES
from ttrsim.runs.disk import check_own, strangers
from ttrsim.runs.plan import Plan
from ttrsim.runs.shard_files import STAGED_NAME
from ttrsim.runs.store import SESSION_NAME, Folder, OldFolder

MOST_NAMED = 3
"""Entries that the message names when a folder is refused."""


def check_free(folder: Folder, *, resume: bool) -> None:
    """Refuse a folder in which a run cannot begin and, with `resume`, cannot be continued either.

    A run begins in a folder that does not exist, is empty, or holds only what ttrsim wrote for a run that has not
    finished anything yet. It is continued in the folder of a run.
    """
    if folder.path.is_symlink() and not folder.path.exists():
        raise UsageError([f"{folder.path}: is a link that leads nowhere"])
    if not folder.path.exists():
        return
    if not folder.path.is_dir():
        raise UsageError([f"{folder.path}: is a file, not a folder"])
    if folder.begun and folder.holds_results:
        if not resume:
            hint = "go on with it by --resume, or choose another folder"
            raise UsageError([f"{folder.path}: already holds a run; {hint}"])
        return
    refuse(folder.path, foreign(folder))


def check_summary(folder: Folder, plan: Plan) -> None:
    """Refuse a summary into which others put files if it is going to be replaced, before anything is played."""
    summary = folder.read_summary()
    if summary is None or summary.planned_laps != plan.laps:
        with contextlib.suppress(FileNotFoundError):
            check_own(folder.summary)


def refuse(folder: Path, found: Sequence[Path]) -> None:
    """Refuse a folder because of these entries, if there are any; name the first few."""
    if found:
        more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
        named = ", ".join(str(path.relative_to(folder)) for path in found[:MOST_NAMED]) + more
        problem = f"holds files that are not of a run begun there: {named}"
        raise UsageError([f"{folder}: {problem}; choose a folder that is empty or does not exist"])


def foreign(folder: Folder) -> list[Path]:
    """Return the entries of a folder that do not belong to a run that has not finished anything yet."""
    try:
        plan = folder.read().plan if folder.begun else None
    except OldFolder:
        raise
    except UserError:
        plan = None
    return [found for path in sorted(folder.path.iterdir()) for found in _foreign(path, plan)]


def _foreign(path: Path, plan: Plan | None) -> list[Path]:
    """Return what does not belong to such a run: the path itself, or entries of it. plan: of the run, if any."""
    if path.name == "unfinished":
        return strangers(path, (SESSION_NAME, STAGED_NAME))
    if plan and path.name in ("strategies", "shards") and path.is_dir() and not path.is_symlink():
        copies = {strategy.copy_name: strategy.sha256 for strategy in plan.strategies}
        hashes = copies if path.name == "strategies" else {}
        return [below for below in sorted(path.iterdir()) if not has_content(below, hashes.get(below.name, ""))]
    return [] if _is_own_file(path, plan) else [path]


def _is_own_file(path: Path, plan: Plan | None) -> bool:
    if path.is_symlink() or not path.is_file():
        return False
    if path.name == "lock":
        return path.stat().st_size == 0
    if path.name in RUN_FILES:
        return plan is not None  # one of them is sound, and ttrsim wrote both
    return plan is not None and path.name == "board.toml" and has_content(path, plan.board.sha256)


def has_content(path: Path, sha256: str) -> bool:
    """Return whether it is a file, and not a link, that holds what has this hash."""
    return path.is_file() and not path.is_symlink() and hashlib.sha256(path.read_bytes()).hexdigest() == sha256
