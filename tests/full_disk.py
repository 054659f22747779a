"""A disk that is full, so far as the system lets tests have one."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOM = 8192
"""Bytes that a file may still have: fewer than any output has, and two blocks of most file systems."""


@contextlib.contextmanager
def full_disk() -> Iterator[None]:
    """Let no file grow beyond a few bytes in this process; the system breaks the write off as on a full disk."""
    resource = pytest.importorskip("resource", reason="Windows has no such limit")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)  # Python ignores the signal that comes with it
    kept = sys.dont_write_bytecode
    sys.dont_write_bytecode = True  # or what is imported now is kept cut short, and no later process can import it
    resource.setrlimit(resource.RLIMIT_FSIZE, (50, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        sys.dont_write_bytecode = kept


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """Mount a file system in the folder that has room for two blocks of data; skip the test where that is forbidden."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "tmpfs", str(folder)]
    if sys.platform != "linux" or os.geteuid() or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("only root can mount a small disk, and not in every container")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)
