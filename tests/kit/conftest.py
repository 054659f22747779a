"""The kit's tests call it as plain Python: nothing is compiled for them, and an index out of bounds is an error.

`test_uncompiled.py` runs the other files in a process of its own. To run one test alone:
`NUMBA_DISABLE_JIT=1 .venv/bin/pytest tests/kit -k the_name`
"""

from pathlib import Path

from ttrsim.core.jit import COMPILED

RUNNER = "test_uncompiled.py"
collect_ignore = [p.name for p in Path(__file__).parent.glob("test_*.py") if (p.name == RUNNER) != COMPILED]
