"""Files that commands write: never in place of a part of a run, nor without a name."""

import pytest
from runs.making import everything, store

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
    ended = ttrsim("report", data, "-o", tmp_path / "." / "tickets.json", "--quiet")
    assert (ended.code, "is an input of the report; choose another name" in ended.err) == (2, True)
    assert data.read_text() == "dear"
