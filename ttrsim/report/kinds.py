"""Make every kind of report by name, and find which kind the data call for."""

from collections.abc import Callable, Sequence
from pathlib import Path

from ttrsim.comparison import compare_balances
from ttrsim.errors import UsageError
from ttrsim.examination import Balance
from ttrsim.improver import Improvement
from ttrsim.improving.stored import ImprovementFolder
from ttrsim.plots.style import drawing
from ttrsim.report.document import Report
from ttrsim.report.of_balance import report_of_balance
from ttrsim.report.of_compare import report_of_compare
from ttrsim.report.of_fairness import report_of_fairness
from ttrsim.report.of_improvement import report_of_improvement
from ttrsim.report.of_run import report_of_run
from ttrsim.report.of_runs import report_of_runs
from ttrsim.report.of_trials import report_of_trials
from ttrsim.report.of_tuning import report_of_tuning
from ttrsim.runs import Run
from ttrsim.runs.store import Folder
from ttrsim.stats.deciding import table_names
from ttrsim.stats.standings import MARGIN
from ttrsim.trials.stored import read_stored
from ttrsim.tuner import Tuning
from ttrsim.tuning.stored import TuningFolder

Paths = Sequence[Path]

SIDES = ("a", "b")
"""The folders of the runs that `ttrsim compare -o` makes."""
MOST_FOUND = 5
"""File names that an error about a folder lists."""
RIGHT = (
    "a report needs runs (folders with run.json), a folder that ttrsim compare, balance, tune or improve -o made, or "
    "files that ttrsim tickets --json or ttrsim routes --json wrote"
)


def _run(paths: Paths, margin: float | None) -> Report:
    return report_of_run(Run.open(_one(paths, "run")), _strict(margin))


def _strict(margin: float | None) -> float:
    return MARGIN if margin is None else margin


def _balance(paths: Paths, margin: float | None) -> Report:
    return report_of_balance(Balance.open(_one(paths, "balance"), margin))


def _runs(paths: Paths, margin: float | None) -> Report:
    """Make the report of runs of several tables; two runs of the same table are refused."""
    runs, seen = [Run.open(path) for path in paths], dict[tuple[str, int, str], Path]()
    for run, path in zip(runs, paths, strict=True):
        table = run.board.id, run.recipe.seats, run.recipe.design
        if table in seen:
            what = f"both are {table[0]}, {table[1]} players, {table[2]}"
            raise UsageError(
                [f"{seen[table]} and {path}: {what}; a report of several runs takes one run of each table"]
            )
        seen[table] = path
    return report_of_runs(runs, _strict(margin))


def _compare(paths: Paths, margin: float | None) -> Report:
    """Make the report of two runs or two examinations, or of a folder with both."""
    both = [paths[0] / side for side in SIDES] if len(paths) == 1 else paths
    if len(both) == 2 and all(map(table_names, both)):
        return report_of_fairness(compare_balances(*both))
    if len(both) != 2 or not all(map(_is_run, both)):
        given = " ".join(map(str, paths))
        needed = "two runs, two balances, or the folder that holds both, a and b"
        raise UsageError([f"{given}: a report of kind compare needs {needed}"])
    return report_of_compare(Run.open(both[0]), Run.open(both[1]), _strict(margin))


def _tickets(paths: Paths, margin: float | None) -> Report:
    """Make the report of files of trials, all of one board."""
    files = [read_stored(path, RIGHT) for path in paths]
    for stored in files[1:]:
        if (stored.board.id, stored.board.sha256) != (files[0].board.id, files[0].board.sha256):
            boards = f"{stored.path} is about {stored.map}, {files[0].path} about {files[0].map}"
            raise UsageError([f"{boards}; a report of trials needs a single board"])
    return report_of_trials(files, _strict(margin))


def _tuning(paths: Paths, margin: float | None) -> Report:
    return report_of_tuning(Tuning.open(_one(paths, "tuning")))


def _improvement(paths: Paths, margin: float | None) -> Report:
    return report_of_improvement(Improvement.open(_one(paths, "improvement")))


def _one(paths: Paths, kind: str) -> Path:
    if len(paths) != 1:
        raise UsageError([f"{' '.join(map(str, paths))}: a report of kind {kind} takes one folder, not {len(paths)}"])
    return paths[0]


@drawing()
def report_of(paths: Paths, kind: str | None, margin: float | None = None) -> Report:
    """Make the report of a kind, by default the one that these data are for.

    margin: by how much a win share may be off; by default 1 point, or for a balance as much as on the published boards.
    """
    return MAKERS[kind or kind_of(paths)](paths, margin)


def kind_of(paths: Paths) -> str:
    """Return the kind of report that these data are for."""
    for path in paths:
        if not path.exists():
            raise UsageError([f"{path}: there is no such file or folder"])
    if all(path.is_file() for path in paths):
        if wrong := [path for path in paths if path.suffix != ".json"]:
            raise UsageError([f"{wrong[0]}: is a file, but not .json; {RIGHT}"])
        return "tickets"
    if all(_is_run(path) for path in paths):
        return "run" if len(paths) == 1 else "runs"
    if len(paths) == 1:
        return _kind_of_folder(paths[0])
    if all(table_names(path) for path in paths):
        if len(paths) == 2:
            return "compare"
        raise UsageError([f"{' '.join(map(str, paths))}: were made by ttrsim balance; give only one or two of them"])
    other = next(path for path in paths if not _is_run(path))
    what = "a file" if other.is_file() else "a folder without run.json"
    raise UsageError([f"{other}: is {what}; give only runs, or only .json files, if you give several"])


def _kind_of_folder(folder: Path) -> str:
    """Return the kind for a folder that is not a run."""
    if TuningFolder(folder).begun:
        return "tuning"
    if ImprovementFolder(folder).begun:
        return "improvement"
    if all(_is_run(folder / side) for side in SIDES):
        return "compare"
    if table_names(folder):
        return "balance"
    if all(table_names(folder / side) for side in SIDES):
        return "compare"
    found = sorted(path.name for path in folder.iterdir())
    has = f"has {', '.join(found[:MOST_FOUND])}{' …' if found[MOST_FOUND:] else ''}" if found else "is empty"
    raise UsageError([f"{folder}: {has}; {RIGHT}"])


def _is_run(path: Path) -> bool:
    return Folder(path).begun


MAKERS: dict[str, Callable[[Paths, float | None], Report]] = {
    "run": _run,
    "runs": _runs,
    "balance": _balance,
    "compare": _compare,
    "tickets": _tickets,
    "tuning": _tuning,
    "improvement": _improvement,
}
"""Report builders by kind."""
