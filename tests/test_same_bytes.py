"""In plain Python and with bounds checks, games, records and sums are the same bytes, and no index leads astray."""

import json
import os
import subprocess
import sys
from pathlib import Path

import digests
import pytest

from ttrsim.core.jit import COMPILED

BOUNDS_CHECKED = {"NUMBA_BOUNDSCHECK": "1", "NUMBA_OPT": "0"}
"""Everything is compiled with bounds checks; not optimised, or compiling would take three times as long."""
PLAIN = {"NUMBA_DISABLE_JIT": "1"}
pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


def elsewhere(environment: dict[str, str], wanted: str) -> dict[str, str]:
    """Return digests from another process, for only a new one compiles otherwise."""
    command = [sys.executable, "-c", f"import json, pathlib, digests; print(json.dumps({wanted}))"]
    settings = {**os.environ, **environment, "PYTHONPATH": str(Path(__file__).parent)}
    ended = subprocess.run(command, env=settings, capture_output=True, text=True, check=True)
    told: dict[str, str] = json.loads(ended.stdout)
    return told


def test_plain_python_gives_the_same(tmp_path: Path) -> None:
    plain = elsewhere(PLAIN, f"digests.of_core(10) | digests.of_others(pathlib.Path({str(tmp_path)!r}))")
    assert plain == digests.of_core(10) | digests.of_others(tmp_path)


def test_with_bounds_checks_it_is_the_same_and_no_index_is_out_of_bounds() -> None:
    assert elsewhere(BOUNDS_CHECKED, "digests.of_core(300)") == digests.of_core(300)
