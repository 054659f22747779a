"""Every file that a command writes for the user is there whole, or the older one stays."""

import shlex

import pytest
from full_disk import full_disk, small_disk
from fuzz.calling import call, working_in
from runs.making import store

GAME = "play --map usa --players random,random --seed 1 --quiet"
WRITING = {
    "maps draw usa -o": ("a.png", "a.svg", "a.pdf"),
    f"{GAME} --html": ("a.html",),
    f"{GAME} --png": ("a.png",),
    f"{GAME} --gif": ("a.gif",),
    "replay run --game 1 --quiet --html": ("a.html",),
    "plot seats run -o": ("a.svg",),
    "plot tickets trials.json -o": ("a.png",),
    "report run --quiet -o": ("a.html", "a.md", "a.json"),
    "report trials.json --quiet -o": ("a.md",),
    "stats run --payoffs": ("a.csv",),
}
"""Commands up to the name of the file that they write, and such names."""
CASES = [(command, name) for command, names in WRITING.items() for name in names]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a run and trials."""
    path = tmp_path_factory.mktemp("full")
    with working_in(path):
        store(path / "run", games=40, record=())
        told = call("tickets", "--map", "usa", "--players", "random,random", "-n", "8", "--seed", "1", "--json")
        (path / "trials.json").write_text(told.out, "utf-8")
    return path


@pytest.mark.parametrize(("command", "name"), CASES, ids=[f"{c.partition(' -')[0]} {n}" for c, n in CASES])
def test_an_older_file_stays_when_the_disk_is_full(folder, tmp_path, command, name):
    path = tmp_path / name
    path.write_bytes(b"older")
    with working_in(folder), full_disk():
        ended = call(*shlex.split(command), path, "--replace")
    assert (ended.code, ended.err.splitlines()[-1]) == (1, f"Error: {path}: cannot be written: File too large")
    assert {p: p.read_bytes() for p in tmp_path.iterdir()} == {path: b"older"}


@pytest.mark.parametrize("name", ["a.html", "a.json"])
def test_the_same_on_a_disk_of_its_own(folder, tmp_path, name):
    path = tmp_path / name
    with working_in(folder), small_disk(tmp_path):
        path.write_bytes(b"older")
        ended = call("report", "run", "--quiet", "-o", path, "--replace")
        left = {p: p.read_bytes() for p in tmp_path.iterdir()}
    assert (ended.code, ended.err) == (1, f"Error: {path}: cannot be written: No space left on device\n")
    assert left == {path: b"older"}


def test_a_strategy_to_start_from_is_written_whole_or_not_at_all(tmp_path):
    with working_in(tmp_path), full_disk():
        ended = call("strategies", "new", "my_bot")
    assert (ended.code, ended.err) == (1, "Error: my_bot.py: cannot be written: File too large\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["usa:mega", "odd\udcff", "line\nbreak", "http:"])
def test_any_name_that_the_system_takes_is_a_name_for_a_file(folder, tmp_path, name):
    path = tmp_path / name
    try:
        path.mkdir()
    except (OSError, ValueError):
        pytest.skip("the system takes no such name")
    for command, written in CASES:
        if command.startswith(("report trials", "stats", "maps")):
            with working_in(folder):
                assert call(*shlex.split(command), path / written).code == 0
            assert (path / written).stat().st_size > 0
