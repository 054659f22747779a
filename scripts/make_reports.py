#!/usr/bin/env python
"""Write the reports in `reports/`: `python scripts/make_reports.py` takes half an hour to an hour on two cores.

A balance report, a page to explore and a picture of how hard its tickets are for each board and variant, "Which
strategy wins Ticket to Ride?" over all of them, and the sizes of the published boards, with which `ttrsim balance`
compares others. The runs are kept in a folder and continued, so the script can be interrupted. To see which findings
depend on the reading of a rule, write the reports by the other reading beside these:

    python scripts/make_reports.py --set 'rules.draw_when_dry = false' -o runs/letter --reports runs/letter

To see which strategy wins with each style at its best, write that report again as `which_strategy_wins_tuned`, with
tuned strategies beside the shipped ones wherever `strategies/*.profiles.toml` has a profile of the table:

    python scripts/make_reports.py --only-which-wins --tuned
"""

from pathlib import Path

import click

from ttrsim.boards import board_names, load_board
from ttrsim.boards.changes import split_name, with_settings
from ttrsim.choices import BALANCE_PLAYERS
from ttrsim.cli import main as ttrsim
from ttrsim.measurement import difficulty
from ttrsim.runs import Run
from ttrsim.schedule import Schedule, make_line_ups
from ttrsim.stats.balance import balance
from ttrsim.stats.published_boards import LEVEL, NAMES, published_boards, write_published_boards
from ttrsim.strategies import load_strategy

ROOT = Path(__file__).parents[1]
REPORTS = ROOT / "reports"
SEED = 1
LEAST_LAPS = 32


@click.command()
@click.option("--games", default="1e5", show_default=True, help="Games at each table.")
@click.option("--difficulty-games", default=500, show_default=True, help="Games with each ticket at each table, for the pictures of difficulty.")  # fmt: skip  # noqa: E501
@click.option("--only-difficulty", is_flag=True, help="Draw the pictures of difficulty and nothing else.")
@click.option("--only-which-wins", is_flag=True, help="Write the last report and nothing else.")
@click.option("--tuned", is_flag=True, help="In the last report let strategies with a profile of the table play tuned, too.")  # fmt: skip  # noqa: E501
@click.option("-o", "out", type=click.Path(path_type=Path), default=ROOT / "runs" / "reports", show_default=True, help="The folder of the runs.")  # fmt: skip  # noqa: E501
@click.option("--reports", type=click.Path(path_type=Path), default=REPORTS, show_default=True, help="The folder of the reports.")  # fmt: skip  # noqa: E501
@click.option("--board", "boards", multiple=True, help="Only this board, without the last report; may be repeated.")
@click.option("--set", "settings", multiple=True, help="Change every board, as `ttrsim balance --set` does.")
def main(
    games: str,
    difficulty_games: int,
    only_difficulty: bool,
    only_which_wins: bool,
    tuned: bool,
    out: Path,
    reports: Path,
    boards: tuple[str, ...],
    settings: tuple[str, ...],
) -> None:
    """Play the games that are missing, and write the reports."""
    if settings and reports == REPORTS:
        raise click.UsageError("--set: give --reports a folder beside reports/, which is of the boards as they are")
    reports.mkdir(parents=True, exist_ok=True)
    if only_which_wins:
        _which_wins(out, reports, games, settings, tuned=tuned)
        return
    for board in boards or board_names():
        _draw_difficulty(with_settings(board, settings), difficulty_games, reports)
    if only_difficulty:
        return
    for board in boards or board_names():
        played = with_settings(board, settings)
        _call("balance", played, "-n", games, "--seed", str(SEED), "-o", str(_folder(out, board)))
    if not boards and not settings:
        _measure_published(out)
    for board in boards or board_names():
        name = board.replace(":", "-")
        _write(reports / name, "balance", [_folder(out, board)])
        _call("explore", str(_folder(out, board)), "-o", str(reports / f"{name}-explorer.html"), "--replace")
    if not boards:
        _which_wins(out, reports, games, settings, tuned=tuned)


def _which_wins(out: Path, reports: Path, games: str, settings: tuple[str, ...], *, tuned: bool) -> None:
    """Write the report of all boards, each with the fewest and the most players."""
    tables = []
    for board in board_names():
        for seats in load_board(board).rules.players:
            best = _at_their_best(board, seats) if tuned else []
            folder = _folder(out / "tuned" if best else out, board) / f"{seats}-mixed"
            if best or not folder.exists():
                players = [*BALANCE_PLAYERS.split(","), *best]
                words = ["--map", with_settings(board, settings), "--players", ",".join(players), "--design", "mixed"]
                words += ["--seats", str(seats), "-n", _at_least(games, len(players), seats), "--seed", str(SEED)]
                _call("run", "--resume", *words, "-o", str(folder))
            tables.append(folder)
    _write(reports / f"which_strategy_wins{'_tuned' if tuned else ''}", "runs", tables)


def _at_least(games: str, strategies: int, seats: int) -> str:
    """Return this number of games, or more where these are too few laps to tell errors from."""
    line_ups = make_line_ups("mixed", range(strategies), seats)
    return str(max(int(float(games)), Schedule(tuple(line_ups), "cyclic", LEAST_LAPS).games))


def _at_their_best(board: str, seats: int) -> list[str]:
    """Return the strategies that have a profile of the table, as they play with it."""

    def differs(style: str) -> bool:
        return load_strategy(f"{style}@best", board=board, seats=seats).values != load_strategy(style).values

    return [f"{style}@best" for style in BALANCE_PLAYERS.split(",") if differs(style)]


def _folder(out: Path, board: str) -> Path:
    return out / board.replace(":", "-")


def _measure_published(out: Path) -> None:
    """Store the sizes of the published boards in the package."""
    runs = {
        board: [Run.open(path.parent) for path in sorted(_folder(out, board).glob("*/run.json"))] for board in NAMES
    }
    write_published_boards({board: (of, balance(of, level=LEVEL)) for board, of in runs.items()})
    published_boards.cache_clear()


def _draw_difficulty(board: str, games: int, reports: Path) -> None:
    """Draw how hard the tickets of a board are for its strongest strategy, with any number of players."""
    found = difficulty(board=board, games=games, seed=SEED)
    found.plot(reports / f"difficulty_{split_name(board)[0].replace(':', '-')}.svg")
    click.echo("\n".join([f"{board}:", *found.answers]))


def _write(report: Path, kind: str, data: list[Path]) -> None:
    """Write a report as a page and as Markdown."""
    files = [word for ending in ("html", "md") for word in ("-o", f"{report}.{ending}")]
    _call("report", *map(str, data), "--kind", kind, *files, "--replace")


def _call(*words: str) -> None:
    if ttrsim(words):
        raise SystemExit(f"ttrsim {' '.join(words)}: failed")


if __name__ == "__main__":
    main()
