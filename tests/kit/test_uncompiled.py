"""Runs the other files of this folder where kernels are plain Python, which needs a process of its own: one for all of
them, for it takes seconds to start.
"""

import os
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent


def test_all_tests_of_the_kit_pass_in_plain_python() -> None:
    command = [sys.executable, "-m", "pytest", "--numprocesses=0", "--quiet", "-p", "no:cacheprovider", str(FOLDER)]
    ended = subprocess.run(command, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout + ended.stderr
