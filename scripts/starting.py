"""Measure what people wait for: the first start, and the time from an edit until a test of it has passed."""

import ast
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
TTRSIM = str(shutil.which("ttrsim", path=str(Path(sys.executable).parent)))
COPIED = ("ttrsim", "maps", "strategies", "reports", "tests", "pyproject.toml")
PYTEST = ["-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider"]
PLAY = ["-c", "from ttrsim.cli import main; main()", "play", "--map", "usa", "--seed", "7", "--players"]
AFTER = {
    "ttrsim/core": [*PYTEST, "tests/core/test_rules_of_cards.py"],
    "ttrsim/kit": [*PYTEST, "tests/kit/test_hands.py"],
    "strategies": [*PLAY, "{0},{0}"],
}
"""The command to wait for after an edit in a folder; {0} is the name of the file."""


class Cost(NamedTuple):
    """The cost of a command, including all processes it starts."""

    seconds: float  # wall time
    cpu_seconds: float
    megabytes: float  # the most memory one of them had


def bench_start(edits: int) -> None:
    """Measure the first start, and edits of the core, the kit and bots, in CPU time of all processes."""
    with tempfile.TemporaryDirectory() as folder:
        out = ["-o", f"{folder}/demo", "--quiet"]
        for what, cache, command in (
            ("first ttrsim demo", "one", ["demo", *out]),
            ("the second", "one", ["demo", "-o", f"{folder}/again", "--quiet"]),
            ("ttrsim warm, everything that comes with ttrsim", "two", ["warm"]),
            ("ttrsim warm again", "two", ["warm"]),
            ("ttrsim play", "two", ["play", "--map", "usa", "--players", "random,random", "--seed", "7"]),
            ("ttrsim --help", "two", ["--help"]),
        ):
            Path(folder, cache).mkdir(exist_ok=True)
            took = measured([TTRSIM, *command], Path(folder), TTRSIM_CACHE_DIR=f"{folder}/{cache}")
            print(f"{what}: {took.cpu_seconds:.1f} s of CPU time, {took.seconds:.1f} s", flush=True)
        bench_edits(Path(folder, "copy"), f"{folder}/two", edits)


def bench_edits(copy: Path, cache: str, edits: int) -> None:
    """Measure the time until a test passes after an edit of one function, for functions drawn by a seed."""
    copy.mkdir()
    for name in COPIED:
        source = ROOT / name
        shutil.copytree(source, copy / name) if source.is_dir() else shutil.copy(source, copy / name)
    for folder, command in AFTER.items():
        found = [(path, function) for path in sorted((copy / folder).glob("*.py")) for function in functions(path)]
        times = []
        for path, function in random.Random(7).sample(found, min(edits, len(found))):
            after = [sys.executable, *(word.format(path.stem) for word in command)]
            measured(after, copy, TTRSIM_CACHE_DIR=cache)
            with edited(path, function):
                took = measured(after, copy, TTRSIM_CACHE_DIR=cache)
                times.append((took.cpu_seconds, f"{path.stem}.{function}"))
        median, (longest, worst) = statistics.median(cpu for cpu, _ in times), max(times)
        then = command[-1] if command[1] == "pytest" else "a game"
        print(
            f"an edit in {folder}, then {then}: {median:.1f} s of CPU time "
            f"(median of {len(times)} functions), at most {longest:.1f} s ({worst})",
            flush=True,
        )


def functions(path: Path) -> list[str]:
    """Return the names of the functions of a module that may be compiled."""
    tree = ast.parse(path.read_text("utf-8"))
    compiled = path.parent.name == "strategies"
    return [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and (compiled or any("kernel" in ast.unparse(decorator) for decorator in node.decorator_list))
    ]


@contextmanager
def edited(path: Path, function: str) -> Iterator[None]:
    """Make a function set a variable that nothing reads, and restore its file afterwards."""
    text = path.read_text("utf-8")
    first = next(n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef) and n.name == function).body[-1]
    lines = text.split("\n")
    indent = re.match(r"\s*", lines[first.lineno - 1])
    assert indent
    lines.insert(first.lineno - 1, f"{indent[0]}edited = 1")
    path.write_text("\n".join(lines), "utf-8")
    try:
        yield
    finally:
        path.write_text(text, "utf-8")


def measured(command: Sequence[str], folder: Path | None = None, **environment: str) -> Cost:
    """Run a command to its end and return what it cost."""
    if not hasattr(os, "wait4"):
        raise SystemExit("Windows does not report what a command cost; only the other parts can be measured there")
    start = time.perf_counter()
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(
            command, cwd=folder, env={**os.environ, **environment}, stdout=output, stderr=subprocess.STDOUT
        )
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            output.seek(0)
            words = output.read()[-2000:].decode(errors="replace")
            raise SystemExit(f"{' '.join(command)}: ended with {process.returncode}: {words}")
    unit = 1e6 if sys.platform == "darwin" else 1e3  # macOS counts bytes, Linux kilobytes
    return Cost(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit)
