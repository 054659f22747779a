"""Files whose names are bytes that are no UTF-8, or break a line, are files like others."""

import json

import pytest
from conftest import SMALL_BOARD
from fuzz.calling import promised, working_in


@pytest.fixture(scope="module", params=["odd\udcff", "line\nbreak"])
def named(tmp_path_factory, request):
    """A name, and in the working folder a board and a strategy of that name."""
    path = tmp_path_factory.mktemp("names")
    bot = "from ttrsim.kit.chance import any_kind\n\n\ndef decide(board, table, hand, mind):\n    return any_kind(board, table, hand, mind)\n"  # fmt: skip  # noqa: E501
    with working_in(path):
        try:
            for suffix, text in ((".toml", SMALL_BOARD), (".py", bot)):
                (path / f"{request.param}{suffix}").write_text(text, "utf-8")
        except (OSError, UnicodeError):
            pytest.skip("the system takes no such name")
        yield request.param


@pytest.mark.parametrize(
    "line", ["maps show BOARD --json", "maps stats BOARD --json", "maps stats BOARD --csv", "maps check BOARD"]
)
def test_a_board_is_shown(named, line):
    words = [f"{named}.toml" if word == "BOARD" else word for word in line.split()]
    told = promised(*words, codes=(0,)).out
    assert json.loads(told) if "--json" in line else told


@pytest.mark.parametrize("how", [["--json"], ["--html", "x.html"], ["--png", "x.png"], []])
def test_a_game_is_told(named, how):
    bot = "random" if "\udcff" in named else f"{named}.py"  # numba compiles no file of such a name
    promised("play", "--map", f"{named}.toml", "--players", f"{bot},random", "--seed", "1", *how, codes=(0,))


def test_a_strategy_is_shown(named):
    told = json.loads(promised("strategies", "show", f"{named}.py", "--json", codes=(0,)).out)
    assert (told["file"], told["name"]) == (f"{named}.py", named.replace("\n", "_").replace("\udcff", "_"))


def test_trials_are_made_and_read(named, tmp_path):
    line = ("tickets", "--map", f"{named}.toml", "--players", "random,random", "-n", "8", "--seed", "1", "--json")
    (tmp_path / "trials.json").write_text(promised(*line, codes=(0,)).out, "utf-8")
    promised("report", tmp_path / "trials.json", "-o", tmp_path / "x.html", codes=(0,))
    promised("plot", "tickets", tmp_path / "trials.json", "-o", tmp_path / "x.svg", codes=(0,))
