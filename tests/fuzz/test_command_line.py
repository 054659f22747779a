"""Any words on the command line are done or refused, never met with a traceback."""

import shlex
import shutil
from pathlib import Path

import click
import pytest
from conftest import SMALL_BOARD
from hypothesis import given
from hypothesis import strategies as st
from runs.making import store

from fuzz.calling import call, check, examples, promised, working_in
from ttrsim.cli import cli

LONG = {"warm", "demo"}
"""Commands that compile all strategies, or play for long, whatever they are given."""
NUMBERS = [
    *("1", "2", "4", "24", "2e1"),
    *("0", "-1", "1e400", "1e99", "nan", "inf", "-inf", "1e-400", "0.5", "99999999999999999999", "٣", "1_0", "0x10"),
]
BOARDS = ["small.toml", "small.toml:quick", "san_francisco", "small.toml:x", "usaa", "broken.toml", "folder.toml", "~x/a.toml"]  # fmt: skip  # noqa: E501
PLAYERS = ["random", "random,random", "random_kind,random", "random,random,random", "random,", "random(a=1)", "random()", "bot.py,random", "folder.py,random", "nobody.py", "broken.py,random", "rnd,random", "(", "random(nan=nan)"]  # fmt: skip  # noqa: E501
PATHS = ["run", "other", "folder.toml", "missing/x.svg", "x.svg", "x.png", "x.html", "x.md", "x.json", "x.gif", "folder.svg", "trials.json", "small.toml", "/dev/null", "/dev/full", ".", "..", "run/run.json", "new", "x" * 300, "new/line\n.svg", "line\n.svg", "~x"]  # fmt: skip  # noqa: E501
WORDS = ["", " ", "\n", "é", "\udcff", "💥", "-", "--", "-1", "%s", "a,b", "A-B", "Ayr-Bern", "Ayr-Córdoba", "random", "strategies", "tickets", "0.5pp", "2pt", "nanpp", "1/2", "2/1", "seat>1pp", "turns>-nanturns", "strategy:random>1pp", "none", "games,players", "all", "x\x1b[31m", "a" * 5000]  # fmt: skip  # noqa: E501
SEED = ("--seed", "1")


def commands(group: click.Group = cli, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], click.Command]:
    """Return every command by its words."""
    found: dict[tuple[str, ...], click.Command] = {}
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        found |= commands(command, (*path, name)) if isinstance(command, click.Group) else {(*path, name): command}
    return found


COMMANDS = {words: command for words, command in commands().items() if words[0] not in LONG}


TABLE = "--map small.toml --players random,random_kind --seed 1"
GOOD = [
    *("maps list", "maps show small.toml", "maps stats small.toml", "maps draw small.toml -o x.svg"),
    *("maps check small.toml", "strategies list", "strategies show random", "strategies new new_bot -o new.py"),
    *(f"play {TABLE}", f"play {TABLE} --html x.html", f"play {TABLE} --png x.png", f"play {TABLE} --json"),
    *(f"run {TABLE} -n 24", f"run {TABLE} -n 24 -o new", f"run {TABLE} -n 24 --design mixed --seats 2 --json"),
    *("run --resume -o run", f"run {TABLE} -n 600 --until-ci 9pp", f"run {TABLE} -n 24 --sprt random,random_kind"),
    *("stats run", "stats run tickets", "stats run strategies --by seat --csv", "stats run paths --ticket Ayr-Bern"),
    *("plot tickets run -o x.svg", "plot routes run -o x.png", "plot scores run -o x.svg", "plot race run -o x.svg"),
    *("plot tickets trials.json -o x.svg", "report run -o x.html", "report trials.json -o x.md"),
    *("report run -o x.json", "compare run run", f"compare {TABLE} --players random,random -n 24"),
    *("compare small.toml small.toml:quick --players random,random_kind --seed 1 -n 24", f"tickets {TABLE} -n 8"),
    *(f"tickets {TABLE} -n 8 --force --ticket Ayr-Bern", f"tickets {TABLE} -n 8 --fair --rounds 1"),
    *(f"routes {TABLE} -n 8", f"routes {TABLE} -n 8 --close Ayr-Dax", f"routes {TABLE} -n 8 --gift Ayr-Dax --json"),
    *("balance small.toml --players random,random_kind --seats 2 -n 8 --seed 1", "verify run", "merge new run"),
    *("plan --run run --precision 1pp", f"plan {TABLE} --pilot 80 --precision 2pt", "replay run --game 3"),
]  # fmt: skip
"""A line of each sort that does something."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder with a run, trials, boards and strategies, good ones and bad ones."""
    path = tmp_path_factory.mktemp("work")
    for name in ("folder.toml", "folder.py", "folder.svg"):
        (path / name).mkdir()
    (path / "small.toml").write_text(SMALL_BOARD, "utf-8")
    (path / "broken.toml").write_text(SMALL_BOARD.replace("Ayr", "Err", 1), "utf-8")
    (path / "broken.py").write_text("def decide(:\n", "utf-8")
    (path / "bot.py").write_text("from ttrsim.kit.chance import any_kind\n\n\ndef decide(board, table, hand, mind):\n    return any_kind(board, table, hand, mind)\n", "utf-8")  # fmt: skip  # noqa: E501
    with working_in(path):
        store(Path("run"), board="small.toml", players="random,random_kind", games=40, record=("games", "claims"))
        told = call("tickets", "--map", "small.toml", "--players", "random,random", "-n", "8", *SEED, "--json")
        (path / "trials.json").write_text(told.out, "utf-8")
    return path


def value_of(option: click.Parameter) -> st.SearchStrategy[str]:
    """Return values for an option: such as it wants, nearly such, and nonsense."""
    names = {option.name, option.metavar}
    kind = option.type
    if isinstance(kind, click.Choice):
        likely = st.sampled_from(list(kind.choices))
    elif isinstance(kind, click.Path) or names & {"run", "parts", "data", "out"}:
        likely = st.sampled_from(PATHS)
    elif names & {"board", "boards", "BOARD", "FILE...", "files"}:
        likely = st.sampled_from(BOARDS)
    elif names & {"players", "STRATEGIES", "strategy", "strategies"}:
        likely = st.sampled_from(PLAYERS)
    elif isinstance(kind, click.types.FloatParamType | click.types.IntParamType) or kind.name == "number":
        likely = st.sampled_from(NUMBERS)
    else:
        likely = st.sampled_from(WORDS)
    return st.one_of(likely, likely, likely, st.sampled_from(WORDS), st.sampled_from(NUMBERS), st.sampled_from(BOARDS))


@st.composite
def lines(draw: st.DrawFn) -> list[str]:
    """Return a line that is good, with up to three changes: an option more, a word exchanged, dropped, or put in."""
    line = shlex.split(draw(st.sampled_from(GOOD)))
    command = COMMANDS.get(tuple(line[:2])) or COMMANDS[tuple(line[:1])]
    options = [p for p in command.params if isinstance(p, click.Option)]
    for change in draw(st.lists(st.sampled_from(["option", "option", "value", "value", "drop", "word"]), max_size=3)):
        place = draw(st.integers(1, len(line)))
        if change == "option" and options:
            option = draw(st.sampled_from(options))
            line += [draw(st.sampled_from(option.opts)), *([] if option.is_flag else [draw(value_of(option))])]
        elif change == "value" and place < len(line):
            before = next((p for p in command.params if line[place - 1] in p.opts), None)
            arguments = [p for p in command.params if isinstance(p, click.Argument)]
            line[place] = draw(value_of(before or draw(st.sampled_from(arguments or options))))
        elif change == "drop" and place < len(line):
            del line[place]
        elif change == "word":
            line.insert(place, draw(st.sampled_from(WORDS)))
    return [word.replace("\x00", "") for word in line if word != "dask"]


LEFT = ("new", "x.svg", "x.png", "x.html", "x.md", "x.json", "x.gif", "line\n.svg", "new.py")
"""Files that lines may leave, which would change what the next ones do."""


def remove(left: str) -> None:
    path = Path(left)
    if path.is_dir():
        shutil.rmtree(path)
    elif path.exists():  # Windows says so of names that no file can have, and removes none
        path.unlink()


@examples(80)
@given(line=lines())
def test_any_words_are_done_or_refused_in_a_line(folder, line):
    with working_in(folder):
        check(call(*line), tuple(line))
        for left in LEFT:
            remove(left)


@examples(30)
@given(line=st.lists(st.one_of(st.sampled_from(sorted({word for words in COMMANDS for word in words})), st.sampled_from(WORDS), st.text(max_size=20)), max_size=4))  # fmt: skip  # noqa: E501
def test_nonsense_is_refused_in_a_line(folder, line):
    line = [word.replace("\x00", "") for word in line]
    with working_in(folder):
        check(call(*line), tuple(line))


@pytest.mark.parametrize("line", GOOD)
def test_the_lines_that_are_changed_are_good(folder, line):
    with working_in(folder):
        promised(*shlex.split(line), codes=(0,))
        for left in LEFT:
            remove(left)
