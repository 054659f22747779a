"""Runs the other files of this folder, each in a process where kernels are plain Python."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

FILES = sorted(path for path in Path(__file__).parent.glob("test_*.py") if path != Path(__file__))


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem.removeprefix("test_"))
def test_all_tests_pass_of(file: Path) -> None:
    command = [sys.executable, "-m", "pytest", "--numprocesses=0", "--quiet", "-p", "no:cacheprovider", str(file)]
    ended = subprocess.run(command, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr
