"""`ttrsim.toml`, and the JSON of trials, whatever is in them."""

import json
import re
from pathlib import Path

import pytest
from conftest import SMALL_BOARD
from hypothesis import given
from hypothesis import strategies as st

from fuzz.calling import call, examples, places_in, promised, working_in

NAMES = ["run", "play", "maps", "show", "stats", "balance", "threads", "players", "games", "seed", "map", "json", "out", "margin", "x", ""]  # fmt: skip  # noqa: E501
VALUES = ["2", "-1", "1e999", "nan", "true", '"random,random"', '"x\\u0000y"', '"💥"', '""', "[]", "[1, 2]", "{}", "{ a = 1 }", "[[]]", "1979-05-27", "07:32:00", "[" * 5000, "9" * 5000, "0x" + "f" * 5000, "0b1", '"""\na"""', "'~x/a.toml'"]  # fmt: skip  # noqa: E501
COMMANDS = [
    ("maps", "list"),
    ("play", "--map", "small.toml", "--players", "random,random", "--quiet"),
    ("run", "--map", "small.toml", "--players", "random,random", "-n", "4", "-j", "1", "--quiet"),
]
JSON = ["null", "true", "0", "-1", "1e999", "NaN", "9" * 5000, '""', '"x"', '"Ayr–Bern"', '"\\ud800"', '"a\\u0000.toml"', '"~x/a.toml"', "[]", "{}", "[[]]", "[" * 100_000, '{"rows": []}', '{"rows": [1]}', '{"rows": {"a": 1}}', '{"rows": [{}]}', "1e308", "-1e308"]  # fmt: skip  # noqa: E501


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder with trials of each kind."""
    path = tmp_path_factory.mktemp("files")
    (path / "small.toml").write_text(SMALL_BOARD, "utf-8")
    common = ("--map", "small.toml", "--players", "random,random", "-n", "16", "--seed", "1", "--json", "--quiet")
    made = {
        "swaps": ("tickets", *common),
        "forced": ("tickets", "--force", *common),
        "fair": ("tickets", "--fair", "--rounds", "1", *common),
        "routes": ("routes", "--gift", "Córdoba-Dax", "--close", "Ayr-Dax", *common),
    }
    with working_in(path):
        for name, command in made.items():
            (path / f"{name}.json").write_text(promised(*command, codes=(0,)).out, "utf-8")
    return path


def settings_text(tables) -> str:
    return "\n".join(f"[{table}]\n" + "\n".join(f"{key} = {value}" for key, value in values) for table, values in tables)  # fmt: skip  # noqa: E501


words = st.sampled_from([name for name in NAMES if name])
headings = st.one_of(words, st.sampled_from(["maps.show", '""', "run.run"]))
tables = st.lists(st.tuples(headings, st.lists(st.tuples(words, st.sampled_from(VALUES)), max_size=2)), max_size=2)


@examples(30)
@given(text=st.one_of(tables.map(settings_text), st.text(max_size=50)), command=st.sampled_from(COMMANDS))
def test_any_settings_are_taken_or_refused_in_a_line(folder, text, command):
    with working_in(folder):
        Path("ttrsim.toml").write_text(text, "utf-8", errors="surrogatepass")
        try:
            promised(*command)
        finally:
            Path("ttrsim.toml").unlink()


PROFILE = """
[[profiles]]
table = "usa/2"
values.greed = 4
gain = 0.02
gain_low = 0.01
gain_high = 0.03
against = "planner"
games = 100
seed = 1
command = "ttrsim tune bot.py"
strategy_sha256 = "{}"
board_sha256 = "{}"
""".format("0" * 64, "1" * 64)
KEYS = re.findall(r"^(\S+) = (.*)$", PROFILE, re.M)


@examples(30)
@given(change=st.tuples(st.sampled_from(KEYS), st.sampled_from([*VALUES, "1" * 400, '"\\u001b[2J/2"', "0x1"])))
def test_any_profiles_are_shown_or_refused_in_a_line(folder, change):
    (key, old), new = change
    with working_in(folder):
        Path("bot.py").write_text(
            'from ttrsim.bot import any_kind as decide\n\nPARAMS = {"greed": (1, 0, 9)}\n', "utf-8"
        )
        Path("bot.profiles.toml").write_text(PROFILE.replace(f"{key} = {old}", f"{key} = {new}"), "utf-8")
        assert "\x1b" not in promised("strategies", "show", "bot.py").out


def test_option_files_that_cannot_be_read_are_refused_in_a_line(folder):
    with working_in(folder):
        Path("ttrsim.toml").mkdir()
        try:
            assert promised("maps", "list", codes=(1, 2)).err.startswith("Error: ttrsim.toml: ")
        finally:
            Path("ttrsim.toml").rmdir()


@pytest.mark.parametrize("value", VALUES)
def test_variables_are_taken_or_refused_in_a_line(folder, value, monkeypatch):
    monkeypatch.setenv("TTRSIM_PLAY_SEED", value[:1000])
    with working_in(folder):
        promised(*COMMANDS[1])


@examples(30)
@given(
    name=st.sampled_from(["swaps", "forced", "fair", "routes"]),
    plot=st.sampled_from([None, None, "tickets", "difficulty", "fair", "gifts", "closed"]),
    rng=st.randoms(use_true_random=False),
)
def test_any_json_of_trials_is_drawn_or_refused_in_a_line(folder, name, plot, rng):
    told = json.loads((folder / f"{name}.json").read_text("utf-8"))
    places = list(places_in(told))
    top = [(told, key) for key in told]
    holder, key = rng.choice(rng.choice([places, top]))
    if rng.random() < 0.4:
        del holder[key]
        text = json.dumps(told)
    else:
        holder[key] = "@@"
        text = json.dumps(told).replace('"@@"', rng.choice(JSON), 1)
    with working_in(folder):
        Path("changed.json").write_text(text if rng.random() < 0.95 else text[: rng.randrange(len(text))], "utf-8")
        if plot:
            promised("plot", plot, "changed.json", "-o", "x.svg")
        else:
            promised("report", "changed.json", "-o", "x.md", "--quiet")


def test_help_is_printed_whatever_is_in_the_environment(monkeypatch):
    for name, value in {"COLUMNS": "-3", "NO_COLOR": "", "TERM": "\x1b", "LANG": "xx"}.items():
        monkeypatch.setenv(name, value)
    assert call("--help").code == 0
