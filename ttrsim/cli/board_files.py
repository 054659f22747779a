"""Write board files: changed ones (`ttrsim maps apply`)."""

from pathlib import Path

import click

from ttrsim.cli.options import PathName
from ttrsim.cli.output import note, write
from ttrsim.errors import UsageError
from ttrsim.files import check_new, write_file


@click.command()
@click.argument("board")
@click.argument("changes", nargs=-1, metavar="[CHANGE]...")
@click.option("--changes", "file", type=PathName(), help="A file with a change in each line; lines with # are skipped.")
@click.option("-o", "--output", type=PathName(), help="The board file to write; without it, only the diff is printed.")
def apply(board: str, changes: tuple[str, ...], file: Path | None, output: Path | None) -> None:
    """Change a board file, keep its comments and layout, and print what changed as a diff.

    A CHANGE is what --set takes: 'rules.trains = 40', 'ticket Boston-Miami = 14', 'add ticket Boston-Omaha = 9',
    'drop ticket Boston-Miami', 'ticket Boston-Miami between = Boston-Omaha points = 9',
    'route Denver-Omaha length = 3 tracks = red, blue tunnel = true', 'add route Boston-Washington length = 3',
    'drop route Denver-Omaha'. Rules change for the variant that is named (my.toml:quick), all else for all variants.

    No file is overwritten. The changed board is checked first.
    """
    from ttrsim.boards.edit import apply_to, difference, read_changes

    wanted = [*changes, *(read_changes(file) if file else ())]
    if not wanted and "[" not in board:
        raise UsageError(["no changes; give them as 'rules.trains = 40', or --changes FILE with one in each line"])
    if output:
        check_board_file(output)
    before, after = apply_to(board, wanted)
    for line in difference(before, after, (board, str(output or "changed"))):
        write(line)
    if output:
        write_file(output, after)
        note(f"Wrote {output}")


def check_board_file(path: Path) -> None:
    """Refuse a board file that cannot be written, before it is made."""
    if path.suffix != ".toml":
        raise UsageError([f"-o {path}: a board's file ends in .toml"])
    check_new(path)
