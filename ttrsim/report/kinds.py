"""Every kind of report by name, and which one it is that data ask for."""

from collections.abc import Callable, Sequence
from pathlib import Path

from ttrsim.errors import UsageError
from ttrsim.report.document import Report
from ttrsim.report.of_run import report_of_run
from ttrsim.runs import Run

Paths = Sequence[Path]


def _run(paths: Paths, margin: float) -> Report:
    return report_of_run(_opened(_one(paths, "run")), margin)


def _one(paths: Paths, kind: str) -> Path:
    if len(paths) != 1:
        raise UsageError([f"{' '.join(map(str, paths))}: a report of kind {kind} is of one; {len(paths)} are given"])
    return paths[0]


def _opened(path: Path) -> Run:
    run = Run.open(path)
    if not run.batches:
        raise UsageError([f"{path}: no batch of the run is finished yet"])
    return run


def kind_of(paths: Paths) -> str:
    """What data these are, as far as they tell."""
    return "run"


MAKERS: dict[str, Callable[[Paths, float], Report]] = {"run": _run}
"""What makes each of the data and the margin."""
