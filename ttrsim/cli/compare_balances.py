"""Show which of two examinations of a board is nearer to fair (`ttrsim compare BALANCE_A BALANCE_B`)."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ttrsim.cli.output import ANSWERS_WIDER, heading, paragraph, table, write, write_csv, write_json
from ttrsim.errors import UsageError
from ttrsim.report.tables import frames_json

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.comparison import BalanceComparison
    from ttrsim.runs import Run


def balances_of(words: Sequence[str]) -> list[str]:
    """Return the folders of two examinations, if that is what the words are."""
    if len(words) != 2 or not all(word and Path(word).is_dir() for word in words):
        return []
    from ttrsim.stats.deciding import table_names

    return [*words] if all(table_names(Path(word)) for word in words) else []


def refuse_options(given: Mapping[str, Any]) -> None:
    """Refuse options for playing games."""
    if others := [name for name, value in given.items() if value not in (None, (), "")]:
        raise UsageError([f"`{others[0]}`: has no effect on two stored examinations; leave it out"])


def print_balances(found: "BalanceComparison", *, as_json: bool, as_csv: bool) -> None:
    """Print what is nearer to fair and what farther."""
    if as_json:
        sides = {name: _side(runs) for name, runs in (("a", found.a), ("b", found.b))}
        rows = frames_json({"fairness": found.frame})["fairness"]
        write_json({**sides, "unpaired": found.unpaired, "answers": found.answers, **rows})
    elif as_csv:
        write_csv(found.frame)
    else:
        _print(found)


def _side(runs: "Sequence[Run]") -> dict[str, Any]:
    return {
        "board": runs[0].recipe.board.id,
        "strategies": runs[0].strategies,
        "seed": runs[0].recipe.seed,
        "games": sum(run.games_played for run in runs),
    }


def _print(found: "BalanceComparison") -> None:
    from ttrsim.report.prose import some
    from ttrsim.stats.fairness import FAIRNESS, SIZE
    from ttrsim.stats.sizes import ALL

    for name, runs in (("A", found.a), ("B", found.b)):
        side = _side(runs)
        heading(f"{name}  {runs[0].board.name} ({side['board']}); {side['games']:,} games, seed {side['seed']}")
    for answer in found.answers:
        paragraph(answer)
    frame = found.frame
    is_size, over_all = frame["of"] == SIZE, frame["players"] == ALL
    moved = frame["verdict"].isin(["nearer", "farther"])
    _print_rows("Sizes, over all tables", frame[is_size & over_all].drop(columns=["players", "table", "of"]))
    _print_rows("Sizes that moved, at single numbers of players", frame[is_size & ~over_all & moved].drop(columns="of"))
    _print_rows("Seats, tickets, strategies, cities and routes that moved", frame[~is_size & moved])
    for name in "AB":
        if only := dict.fromkeys(frame[frame["verdict"] == f"only in {name}"]["of"]):
            paragraph(f"Only in {name}: {some([*only])}.")
    write()
    paired = "; ".join(found.unpaired)
    how = f"Not paired, because {paired}." if paired else "Paired: both played the same blocks."
    paragraph(
        f"{how} A and B of seats, tickets and strategies: effects on the win share, in percentage points. Farther: how "
        "much farther from fair B is, whatever the signs; ± is half of the 95 % interval, or its ends. "
        f"{FAIRNESS.intervals}"
    )
    paragraph(ANSWERS_WIDER)


def _print_rows(title: str, frame: "pd.DataFrame") -> None:
    """Print rows of the frame, if there are any."""
    from ttrsim.report.tables import grid
    from ttrsim.stats.fairness import FAIRNESS

    if len(frame):
        shown = grid(FAIRNESS, frame).joined
        write()
        heading(title)
        table(shown.header, shown.rows)
