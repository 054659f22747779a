"""Every kind of report by name, and which one it is that data ask for."""

from collections.abc import Callable, Sequence
from pathlib import Path

from ttrsim.errors import UsageError
from ttrsim.report.document import Report
from ttrsim.report.of_balance import report_of_balance
from ttrsim.report.of_run import report_of_run
from ttrsim.report.of_runs import report_of_runs
from ttrsim.runs import Run

Paths = Sequence[Path]


def _run(paths: Paths, margin: float) -> Report:
    return report_of_run(_opened(_one(paths, "run")), margin)


def _balance(paths: Paths, margin: float) -> Report:
    return report_of_balance(_tables(_one(paths, "balance")), margin)


def _tables(path: Path) -> list[Run]:
    """The runs of `ttrsim balance -o`, by their number of players."""
    found = sorted(folder for folder in path.glob("[1-6]-m*") if (folder / "run.json").exists())
    if not found:
        raise UsageError([f"{path}: has no tables, as 2-mirror and 2-mixed, that ttrsim balance -o makes"])
    return [_opened(folder) for folder in found]


def _runs(paths: Paths, margin: float) -> Report:
    return report_of_runs([_opened(path) for path in paths], margin)


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
    if len(paths) > 1:
        return "runs"
    return "run" if (paths[0] / "run.json").exists() else "balance"


MAKERS: dict[str, Callable[[Paths, float], Report]] = {"run": _run, "balance": _balance, "runs": _runs}
"""What makes each of the data and the margin."""
