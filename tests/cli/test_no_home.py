"""A user without a name and without a home folder, as containers have, can use the commands."""

import sys

import pytest


@pytest.fixture
def nobody(not_the_first_run, tmp_path, monkeypatch):
    """This process is of a user that the system does not know."""
    pwd = pytest.importorskip("pwd", reason="on Windows everybody has a folder")

    def unknown(user):
        raise KeyError(f"getpwuid(): uid not found: {user}")

    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setattr(pwd, "getpwuid", unknown)


@pytest.mark.skipif(sys.platform == "win32", reason="on Windows everybody has a folder")
def test_a_run_is_played_and_read_without_a_home_folder(ttrsim, nobody, tmp_path):
    line = ("run", "--map", "usa", "--players", "random,random", "-n", "4", "--seed", "1", "--quiet")
    assert ttrsim(*line, "-o", tmp_path / "run").code == 0
    assert ttrsim("stats", tmp_path / "run", "--csv", "seats").code == 0
    ended = ttrsim("play", "--map", "~/x.toml", "--players", "random,random")
    assert (ended.code, ended.err) == (1, "Error: ~/x.toml: cannot be read: No such file or directory\n")


@pytest.mark.skipif(sys.platform == "win32", reason="on Windows everybody has a folder")
def test_there_is_no_file_of_ones_own_without_a_home_folder(ttrsim, nobody, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ttrsim.toml").write_text("[run]\nout = 'x'\n", "utf-8")
    ended = ttrsim("maps", "list")
    assert (ended.code, ended.err.count("\n")) == (2, 1)
    assert (
        "is not allowed in the working folder, whose files may come from others; use --config ttrsim.toml" in ended.err
    )
