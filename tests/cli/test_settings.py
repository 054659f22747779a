"""`ttrsim.toml` and variables: what need not be typed."""

import json

import pytest

RUN = ("run", "--players", "random,random", "--seed", "1", "-j", "1", "--json", "--quiet")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


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
        ("TTRSIM_QQQQQQQQQQQQQQQQ", "TTRSIM_RUN_THREADS, for example, is -j of ttrsim run"),
    ],
)
def test_a_misspelt_variable_is_refused(ttrsim, monkeypatch, name, told):
    monkeypatch.setenv(name, "1")
    ended = ttrsim("maps", "list")
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert f"{name}: no option is set by this variable; {told}" in ended.err


def test_what_is_usual_does_not_change_a_run_that_is_gone_on_with(ttrsim, folder):
    assert ttrsim(*RUN, "--map", "usa", "-n", "10", "-o", "first").code == 0
    (folder / "ttrsim.toml").write_text("[run]\nmap = 'europe'\ngames = 30\nseed = 9\nplayers = 'random'\n", "utf-8")
    again = ttrsim("run", "--resume", "-o", "first", "--json", "--quiet")
    assert (again.err, board_and_games(again)) == ("", ("usa", 10))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[run]\nthreds = 2", "ttrsim.toml: [run] threds: is not an option; did you mean threads"),
        ("[rn]\nthreads = 2", "ttrsim.toml: rn: is not a table of a command, as [run]; did you mean run?"),
        ("[maps.shw]", "ttrsim.toml: [maps] shw: is not a table of a command, as [run]; did you mean show"),
        ("run = 2", "ttrsim.toml: run: is not a table of a command"),
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
