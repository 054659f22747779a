"""`ttrsim.toml` and variables: what need not be typed."""

import json
import os
import sys
from pathlib import Path

import click
import pytest

from ttrsim import run as ttrsim_run
from ttrsim.cli import cli
from ttrsim.cli.option_files import HARMLESS, HARMLESS_NAMES, own_file
from ttrsim.errors import UserError

RUN = ("run", "--players", "random,random", "--seed", "1", "-j", "1", "--json", "--quiet")


PERSONAL = {"changes", "config", "engine", "gif", "html", "out", "output", "outputs", "payoffs", "png", "profile", "replace", "resume", "run", "scheduler", "version"}  # fmt: skip  # noqa: E501
"""Options that a stranger's folder must not give: they say what is written where, what is read, and who plays."""


@pytest.fixture(autouse=True)
def own(tmp_path, monkeypatch) -> Path:
    """The user's own file, which is not there yet."""
    monkeypatch.setenv("APPDATA" if sys.platform == "win32" else "XDG_CONFIG_HOME", str(tmp_path / "config"))
    path = own_file()
    assert path == tmp_path / "config" / "ttrsim" / "ttrsim.toml"
    path.parent.mkdir(parents=True)
    return path


@pytest.fixture(autouse=True)
def folder(tmp_path, own, monkeypatch):
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return tmp_path / "work"


def every_option(group: click.Group = cli) -> set[str]:
    """Return the name of each option of each command, as a file has it."""
    context, found = click.Context(group), set()
    for command in (group, *(group.get_command(context, name) for name in group.list_commands(context))):
        options = [p for p in command.params if isinstance(p, click.Option)]
        found |= {next((o[2:] for o in p.opts if o.startswith("--")), p.name) for p in options}
        if isinstance(command, click.Group) and command is not group:
            found |= every_option(command)
    return found


def board_and_games(ended):
    told = json.loads(ended.out)
    return told["board"], told["games"]


def test_what_is_typed_goes_before_a_variable_and_that_before_the_file(ttrsim, folder, monkeypatch):
    (folder / "ttrsim.toml").write_text("[run]\nmap = 'usa'\ngames = 1e1\n", "utf-8")
    assert board_and_games(ttrsim(*RUN)) == ("usa", 10)
    monkeypatch.setenv("TTRSIM_RUN_MAP", "europe")
    assert board_and_games(ttrsim(*RUN)) == ("europe", 10)
    assert board_and_games(ttrsim(*RUN, "--map", "usa", "-n", "20")) == ("usa", 20)


def test_commands_of_groups_have_theirs(ttrsim, folder, monkeypatch):
    (folder / "ttrsim.toml").write_text("[maps.stats]\njson = true\n", "utf-8")
    assert json.loads(ttrsim("maps", "stats", "usa").out)
    monkeypatch.setenv("TTRSIM_MAPS_STATS_JSON", "0")
    assert not ttrsim("maps", "stats", "usa").out.startswith("{")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("TTRSIM_RUN_THREDS", "did you mean TTRSIM_RUN_THREADS"),
        ("TTRSIM_MAPS_STATS_JSN", "did you mean TTRSIM_MAPS_STATS_JSON"),
        ("TTRSIM_CACHE_DIRS", "did you mean TTRSIM_CACHE_DIR"),
        ("TTRSIM_QQQQQQQQQQQQQQQQ", "TTRSIM_RUN_THREADS, for example, sets -j of ttrsim run"),
    ],
)
def test_a_misspelt_variable_is_refused(ttrsim, monkeypatch, name, told):
    monkeypatch.setenv(name, "1")
    ended = ttrsim("maps", "list")
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert f"{name}: this variable sets no option; {told}" in ended.err


def test_what_is_usual_does_not_change_a_run_that_is_gone_on_with(ttrsim, folder):
    assert ttrsim(*RUN, "--map", "usa", "-n", "10", "-o", "first").code == 0
    (folder / "ttrsim.toml").write_text("[run]\nmap = 'europe'\ngames = 30\nseed = 9\nplayers = 'random'\n", "utf-8")
    again = ttrsim("run", "--resume", "-o", "first", "--json", "--quiet")
    assert (again.err, board_and_games(again)) == ("", ("usa", 10))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[run]\nthreds = 2", "ttrsim.toml: [run] threds: is not an option; did you mean threads"),
        ("[rn]\nthreads = 2", "ttrsim.toml: rn: is not the table of a command, such as [run]; did you mean run?"),
        ("[maps.shw]", "ttrsim.toml: [maps] shw: is not the table of a command, such as [run]; did you mean show"),
        ("run = 2", "ttrsim.toml: run: is not the table of a command"),
        ("[run]\nthreads = 'x'", "ttrsim.toml: [run] threads = 'x': 'x' is not a whole number"),
        ("[run]\nplayers = ['planner']", "ttrsim.toml: [run] players = ['planner']: takes one value"),
        ("[run", "ttrsim.toml: is not TOML"),
        ("x = " + "[" * 5000, "ttrsim.toml: is not TOML"),
        ("[run]\nseed = " + "9" * 5000, "ttrsim.toml: is not TOML"),
        ("[run]\nseed = 0x" + "f" * 5000, "ttrsim.toml: [run] seed: has too many digits"),
        ("[run]\nplayers = { a = 1 }", "ttrsim.toml: [run] players = {'a': 1}: takes one value"),
        ('[run]\nout = "a\\u0000b"', "has a null character"),
    ],
)
def test_mistakes_in_the_file_end_with_2_and_one_line(ttrsim, folder, text, message):
    (folder / "ttrsim.toml").write_text(text, "utf-8")
    ended = ttrsim("maps", "list")
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert message in ended.err


def test_of_every_option_it_is_said_whether_it_is_harmless():
    assert every_option() == HARMLESS | HARMLESS_NAMES.keys() | PERSONAL
    assert not PERSONAL & (HARMLESS | HARMLESS_NAMES.keys())


STRANGE = [
    ("run", "out", "'/tmp/x'"),
    ("run", "engine", "'dask'"),
    ("run", "scheduler", "'tcp://evil:8786'"),
    ("run", "resume", "true"),
    ("run", "players", "'random,evil.py'"),
    ("run", "players", "'random, evil.PY(a=1)'"),
    ("run", "map", "'evil.toml'"),
    ("run", "map", "'//evil/x.toml:quick'"),
    ("compare", "players", "['random,random', './evil.py']"),
    ("compare", "map", "['usa', 'x.toml']"),
    ("tickets", "also", "['random,./evil.py']"),
    ("strategies.check", "board", "['x.toml']"),
    ("stats", "payoffs", "'../x'"),
    ("report", "outputs", "['x.html']"),
    ("report", "replace", "true"),
    ("plot", "output", "'x.svg'"),
    ("maps.draw", "output", "'x.svg'"),
    ("strategies.new", "output", "'x.py'"),
    ("play", "html", "'x.html'"),
    ("replay", "gif", "'x.gif'"),
    ("plan", "run", "'r'"),
    ("demo", "out", "'x'"),
]


@pytest.mark.parametrize(("command", "option", "value"), STRANGE)
def test_a_strangers_folder_cannot_say_what_is_run_read_or_written(ttrsim, folder, own, command, option, value):
    (folder / "ttrsim.toml").write_text(f"[{command}]\n{option} = {value}\n", "utf-8")
    ended = ttrsim("maps", "list")
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert f"ttrsim.toml: [{command}] {option} = " in ended.err
    assert f"is not allowed in the working folder, whose files may come from others; put it into {own}" in ended.err
    (folder / "ttrsim.toml").rename(own)
    assert ttrsim("maps", "list").code == 0
    assert ttrsim("--config", own, "maps", "list").code == 0


def test_all_that_is_harmless_counts_in_any_folder(ttrsim, folder):
    (folder / "ttrsim.toml").write_text(
        "[run]\nplayers = 'random,random(a=.5)'\nmap = 'europe:mega'\nseats = 2\n", "utf-8"
    )
    assert ttrsim("maps", "list").code == 0


def test_the_folder_goes_before_ones_own_file_and_one_that_is_named_before_both(ttrsim, folder, own):
    own.write_text("[run]\nmap = 'europe'\ngames = 30\n[maps.stats]\njson = true\n", "utf-8")
    assert board_and_games(ttrsim(*RUN)) == ("europe", 30)
    (folder / "ttrsim.toml").write_text("[run]\ngames = 10\n", "utf-8")
    assert board_and_games(ttrsim(*RUN)) == ("europe", 10)
    (folder / "other.toml").write_text("[run]\nmap = 'usa'\ngames = 20\n", "utf-8")
    assert board_and_games(ttrsim("--config", "other.toml", *RUN)) == ("usa", 20)


def test_a_variable_can_name_the_file(ttrsim, folder, monkeypatch):
    (folder / "other.toml").write_text("[run]\nmap = 'usa'\ngames = 20\n", "utf-8")
    monkeypatch.setenv("TTRSIM_CONFIG", "other.toml")
    assert board_and_games(ttrsim(*RUN)) == ("usa", 20)


def test_a_file_that_is_named_must_be_there(ttrsim):
    ended = ttrsim("--config", "none.toml", "maps", "list")
    assert (ended.code, ended.err) == (2, "Error: none.toml: cannot be read: No such file or directory\n")


def test_what_is_taken_is_told_with_its_file_in_a_line(ttrsim, folder, own):
    own.write_text("[maps.stats]\njson = true\n[play]\nseed = 7\nhtml = 'x.html'\nquiet = false\n", "utf-8")
    (folder / "ttrsim.toml").write_text("[play]\nmap = 'usa'\nseed = 3\n", "utf-8")
    told = ttrsim("play", "--players", "random,random").err.splitlines()
    assert told[:2] == ["ttrsim.toml: map = usa, seed = 3", f"{own}: html = x.html, quiet = false"]
    assert ttrsim("play", "--players", "random,random", "--seed", "1", "--map", "usa", "--html", "x.html").err.splitlines()[0] == f"{own}: quiet = false"  # fmt: skip  # noqa: E501
    assert ttrsim("maps", "stats", "usa").err == f"{own}: json = true\n"
    assert ttrsim("maps", "list").err == ""


def test_who_wants_no_messages_has_none_but_a_stranger_cannot_want_that(ttrsim, folder, own):
    line = ("play", "--map", "usa", "--players", "random,random")
    (folder / "ttrsim.toml").write_text("[play]\nseed = 3\n", "utf-8")
    assert ttrsim(*line, "--quiet").err == ""
    own.write_text("[play]\nquiet = true\n", "utf-8")
    assert ttrsim(*line).err == ""
    own.unlink()
    (folder / "ttrsim.toml").write_text("[play]\nseed = 3\nquiet = true\n", "utf-8")
    assert ttrsim(*line).err == "ttrsim.toml: seed = 3, quiet = true\n"


def test_only_what_still_counts_is_told_of_a_run_that_is_gone_on_with(ttrsim, folder):
    assert ttrsim(*RUN, "--map", "usa", "-n", "10", "-o", "first").code == 0
    (folder / "ttrsim.toml").write_text("[run]\nmap = 'europe'\nthreads = 1\n", "utf-8")
    assert "ttrsim.toml: threads = 1" in ttrsim("run", "--resume", "-o", "first").err.splitlines()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")
def test_a_pipe_a_device_and_a_large_file_are_refused_at_once(ttrsim, folder):
    os.mkfifo(folder / "ttrsim.toml")
    for what in ("it is a pipe, not a file", "it is a device, not a file", "is too large"):
        ended = ttrsim("maps", "list")
        assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
        assert what in ended.err
        (folder / "ttrsim.toml").unlink()
        if "pipe" in what:
            (folder / "ttrsim.toml").symlink_to("/dev/zero")
        else:
            (folder / "ttrsim.toml").write_text("#" * 64_001, "utf-8")


def test_ones_own_file_counts_whole_where_it_lies(ttrsim, own, monkeypatch):
    own.write_text("[play]\nhtml = 'x.html'\n", "utf-8")
    monkeypatch.chdir(own.parent)
    assert ttrsim("maps", "list").code == 0


def test_errors_name_the_options_of_the_command_for_parameters_of_the_library(ttrsim):
    with pytest.raises(UserError, match=r"`games` 0\.5: must be a whole number"):
        ttrsim_run(board="usa", players="random,random", games=0.5)
    ended = ttrsim("run", "--map", "usa", "--players", "random,random", "-n", "10", "--design", "mixed")
    assert ended.err == "Error: --design mixed: needs --seats, the number of seats at a table\n"
    ended = ttrsim("plan", "--map", "usa", "--players", "random,random", "--precision", "1pp", "--pilot", "0")
    assert ended.err.startswith("Error: --pilot 0: must be from 1 to ")
