"""Files that commands write: never in place of a part of a run, nor without a name."""

from itertools import pairwise

import click
import pytest
from runs.making import everything, store

from ttrsim.cli import cli
from ttrsim.cli.options import OutFile
from ttrsim.files import data_folder

RUN = "RUN"
"""Stands for the folder of the run."""
WRITING = {
    "report": ["report", RUN, "-o", "run.json"],
    "plot": ["plot", "seats", RUN, "-o", "summary/seats.png"],
    "maps draw": ["maps", "draw", "usa", "-o", "shards/usa.svg"],
    "stats --payoffs": ["stats", RUN, "--payoffs", "lock"],
    "replay --html": ["replay", RUN, "--game", "0", "--html", "board.toml"],
    "replay --png": ["replay", RUN, "--game", "0", "--png", "shards/a.png"],
    "play --gif": ["play", "--map", "usa", "--players", "random,random", "--gif", "strategies/a.gif"],
    "strategies new": ["strategies", "new", "mine", "-o", "strategies/9_mine.py"],
}
"""Commands that end with a file to write, by its place in the folder of the run."""
FILES = {
    "report": ["report", RUN, "--quiet", "-o", "a.html", "-o", "a.md", "-o", "a.json"],
    "plot": ["plot", "seats", RUN, "-o", "a.svg"],
    "plot png": ["plot", "seats", RUN, "-o", "a.png"],
    "plot pdf": ["plot", "seats", RUN, "-o", "a.pdf"],
    "replay": ["replay", RUN, "--game", "0", "--quiet", "--html", "b.html", "--png", "b.png", "--gif", "b.gif"],
    "explore": ["explore", RUN, "--quiet", "-o", "c.html"],
    "maps draw": ["maps", "draw", "usa", "-o", "d.svg"],
    "stats --payoffs": ["stats", RUN, "--payoffs", "payoffs.txt"],
}
"""Commands that write files, each after its option."""
EMPTY = {
    "stats": ["stats", ""],
    "report": ["report", "", "-o", "a.html"],
    "report -o": ["report", RUN, "-o", ""],
    "plot": ["plot", "seats", "", "-o", "a.png"],
    "replay": ["replay", "", "--game", "0"],
    "replay --html": ["replay", RUN, "--game", "0", "--html", ""],
    "verify": ["verify", ""],
    "merge": ["merge", "out", ""],
    "plan --run": ["plan", "--precision", "1pp", "--run", ""],
    "maps check": ["maps", "check", ""],
    "maps draw": ["maps", "draw", "usa", "-o", ""],
    "strategies new": ["strategies", "new", "mine", "-o", ""],
    "--config": ["--config", "", "maps", "list"],
    "compare": ["compare", "", RUN],
}
"""Commands with a path that is empty."""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return store(tmp_path_factory.mktemp("outputs") / "run", games=80).folder.path


@pytest.mark.parametrize("command", WRITING)
def test_no_command_writes_over_a_part_of_a_run(run, ttrsim, command):
    *words, part = (str(run) if word == RUN else word for word in WRITING[command])
    before = everything(run)
    ended = ttrsim(*words, run / part)
    assert (ended.code, ended.out) == (2, "")
    assert f"{run / part}: is part of the run in {run}; choose another name" in ended.err
    assert everything(run) == before


@pytest.mark.parametrize("command", FILES)
def test_a_file_that_is_there_is_left_alone_unless_ttrsim_wrote_it(run, ttrsim, tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    words = [str(run) if word == RUN else word for word in FILES[command]]
    files = [(option, tmp_path / word) for option, word in pairwise(words) if option.startswith("-") and "." in word]
    for option, path in files:
        path.write_text("mine")
        ended = ttrsim(*words)
        assert ended.code == 1
        assert f"{option} {path.name}: already exists and is left alone; choose another name" in ended.err
        assert path.read_text() == "mine"
        path.unlink()
    for _, path in files:
        path.write_text("mine")
    assert ttrsim(*words, "--replace").code == 0
    assert all(path.read_bytes() != b"mine" for _, path in files)
    assert ttrsim(*words).code == (1 if command == "stats --payoffs" else 0)  # which has no room for a mark


def test_a_page_gives_way_only_to_one_of_its_kind(run, ttrsim, tmp_path):
    page = tmp_path / "a.html"
    template = data_folder() / "reports" / "templates" / "report.html"
    page.write_bytes(template.read_bytes())
    game, explorer = (["replay", run, "--game", "0", "--html", page], ["explore", run, "-o", page])
    for option, words in (("--html", game), ("-o", explorer)):
        ended = ttrsim(*words, "--quiet")
        assert (ended.code, page.read_bytes()) == (1, template.read_bytes())
        assert f"{option} {page}: is a report and is left alone; choose another name" in ended.err
    assert ttrsim(*game, "--quiet", "--replace").code == 0
    assert ttrsim(*game, "--quiet").code == 0
    assert "is the page of a game and is left alone" in ttrsim("report", run, "--quiet", "-o", page).err


def commands(group, *path):
    """Yield every command with its path."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        yield from commands(command, *path, name) if isinstance(command, click.Group) else [([*path, name], command)]


def test_every_command_that_writes_a_file_has_the_option_to_replace_it():
    writing = {
        " ".join(path): "replace" in [option.name for option in command.params]
        for path, command in commands(cli)
        if any(isinstance(option.type, OutFile) for option in command.params)
    }
    assert len(writing) >= 10
    assert all(writing.values()), writing


@pytest.mark.parametrize("command", EMPTY)
def test_an_empty_path_is_refused_and_not_the_working_folder(run, ttrsim, monkeypatch, command):
    """An unset variable of a shell is empty."""
    monkeypatch.chdir(run)
    before = everything(run)
    ended = ttrsim(*(run if word == RUN else word for word in EMPTY[command]))
    assert (ended.code, ended.out) == (2, "")
    assert "is empty; name a file or a folder" in ended.err or "'': is not the folder of a run" in ended.err
    assert everything(run) == before


def test_a_report_is_not_written_over_what_it_is_about(tmp_path, ttrsim):
    data = tmp_path / "tickets.json"
    data.write_text("dear")
    ended = ttrsim("report", data, "-o", tmp_path / "." / "tickets.json", "--replace", "--quiet")
    assert (ended.code, "is an input of the report; choose another name" in ended.err) == (2, True)
    assert data.read_text() == "dear"
