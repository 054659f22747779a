"""Write board files: new and changed ones, and from and for other programs (`ttrsim maps new, apply, …`)."""

import json
import re
from pathlib import Path

import click

from ttrsim.cli.options import PathName
from ttrsim.cli.output import note, paragraph, write
from ttrsim.errors import UsageError, UserError
from ttrsim.files import check_new, write_file
from ttrsim.formatting import command_line

NAME = re.compile(r"\w(?:[\w .'-]{0,38}[\w.'])?")
"""Pattern of a new board's name, which goes into a file as it is."""


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
    'drop route Denver-Omaha'. Rules change in the variant named (my.toml:quick), everything else in all variants.

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


@click.command()
@click.argument("name")
@click.option("-o", "--output", type=PathName(), help="The file to write; by default NAME in lower case, with .toml.")
def new(name: str, output: Path | None) -> None:
    """Write a small board to begin with: eight cities, with comments that invite changes.

    NAME is what the board is called, such as Lakes or "My island".
    """
    if not NAME.fullmatch(name):
        rule = "a board's name is at most 40 letters, digits, spaces and .'- and begins with a letter or digit"
        raise UsageError([f'{name!r}: {rule}; for example "My island"'])
    from ttrsim.boards.documents import new_board

    path = output or Path("_".join(re.findall(r"\w+", name.lower()))).with_suffix(".toml")
    check_board_file(path)
    write_file(path, new_board(name))
    file = command_line([str(path)])
    write(f"Wrote {path}. Change it with an editor, then `ttrsim maps check {file}`,")
    write(f"`ttrsim maps draw {file} -o board.png` and `ttrsim balance {file}`.")


@click.command()
@click.argument("board")
@click.option(
    "-o", "--output", required=True, type=PathName(),
    help="my.toml, a board file; my.json, a file of the map editor; or a new folder, for spreadsheets.",
)  # fmt: skip
def export(board: str, output: Path) -> None:
    """Write a board as a file of its own, as spreadsheets, or for the map editor.

    \b
    my.toml     a board file with its comments. A board such as usa keeps its variants; of a variant, such as
                europe:mega, the file has its rules and its tickets, and no variants.
    my_board    a folder with cities.csv, routes.csv, tickets.csv and rules.toml: all of the board
    my.json     a file that the map editor (bjornhagstrom/ticket-to-ride-map-editor) reads; what it does not know is
                listed, and kept in the file for `ttrsim maps import`

    No file is overwritten.
    """
    check_new(output)
    match output.suffix.lower():
        case ".toml":
            from ttrsim.boards.documents import exported

            write_file(output, exported(board))
        case "":
            from ttrsim.boards.documents import document_of
            from ttrsim.boards.sheets import to_sheets

            sheets = to_sheets(document_of(board))
            output.mkdir()
            for name, content in sheets.items():
                write_file(output / name, content)
        case ".json":
            from ttrsim.boards.documents import document_of
            from ttrsim.boards.to_editor import to_editor

            file, unknown = to_editor(document_of(board))
            write_file(output, json.dumps(file, ensure_ascii=False, indent=1) + "\n")
            paragraph("The map editor does not know, and keeps for `ttrsim maps import`:")
            for line in unknown:
                paragraph(f"* {line}")
        case _:
            raise UsageError([f"-o {output}: should end in .toml or .json, or be a folder, without an ending"])
    note(f"Wrote {output}")


@click.command("import")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...", type=PathName())
@click.option("-o", "--output", required=True, type=PathName(), help="The board file to write.")
def import_board(sources: tuple[Path, ...], output: Path) -> None:
    """Make a board file from spreadsheets, or from a file of the map editor.

    \b
    my_board                a folder with cities.csv, routes.csv, tickets.csv and perhaps rules.toml, as
                            `ttrsim maps export` writes it
    stops.csv routes.csv …  sheets in any order, such as those that the map editor exports; their headings tell which
                            is which. Without a sheet of cities they are placed by the routes.
    map.json                a map or network of the map editor, file versions 1 to 4

    What is left out, or had to be guessed, is listed. No file is overwritten.
    """
    check_board_file(output)
    from ttrsim.boards.documents import document_text, problems_of
    from ttrsim.boards.sheets import read_sheets

    name = output.stem.replace("_", " ").strip().capitalize() or "My board"
    if any(source.suffix.lower() == ".json" for source in sources):
        from ttrsim.boards.from_editor import read_editor

        if len(sources) > 1:
            raise UsageError(["a file of the map editor is a whole board; import it alone"])
        imported = read_editor(sources[0])
    else:
        imported = read_sheets(sources, name)
    made = command_line(["ttrsim", "maps", "import", *map(str, sources)])
    text = document_text(imported.document, f"made by {made}" if made.isprintable() else "made by ttrsim maps import")
    write_file(output, text)
    for line in imported.notes:
        paragraph(f"* {line}")
    note(f"Wrote {output}")
    if problems := problems_of(text, str(output)):
        raise UserError([*problems, f"{output}: cannot be played yet; `ttrsim maps check` says where in the file"])


def check_board_file(path: Path) -> None:
    """Refuse a board file that cannot be written, before it is made."""
    if path.suffix != ".toml":
        raise UsageError([f"-o {path}: a board's file ends in .toml"])
    check_new(path)
