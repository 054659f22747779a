"""strategies/README.md: its commands and its code work, and it names what there is."""

import re
import shlex
from pathlib import Path

import pytest

from ttrsim import bot
from ttrsim.compiling import compile_first
from ttrsim.core import records
from ttrsim.core.jit import COMPILED
from ttrsim.strategies.faults import first_fault
from ttrsim.strategies.loading import load_source, new_text
from ttrsim.strategies.source import DECISIONS, SWITCHES

ROOT = Path(__file__).parents[2]
README = (ROOT / "strategies" / "README.md").read_text("utf-8")
COMMANDS = [line for block in re.findall(r"```sh\n(.*?)```", README, re.S) for line in block.splitlines()]
CODE = re.findall(r"```python\n(.*?)```", README, re.S)


def part(title: str) -> str:
    """Return the section of this title."""
    return README.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_the_example_is_the_file_that_new_writes():
    assert CODE[0] == new_text("my_bot")


def test_the_example_has_about_forty_lines():
    assert len(CODE[0].splitlines()) <= 50


def fewer(command: list[str]) -> list[str]:
    """Return the command for fewer games, or to check one board."""
    if "check" in command:
        return [*command, "--board", "san_francisco"]
    return [("300" if before == "-n" else word) for before, word in zip(["", *command], command, strict=False)]


@pytest.mark.skipif(not COMPILED, reason="plain Python plays too slowly for so many games")
def test_the_commands_work_one_after_the_other_with_the_change_made(ttrsim, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    compile_first()
    first, *others = [shlex.split(line) for line in COMMANDS if line.startswith("ttrsim ")]
    assert ttrsim(*first[1:]).code == 0
    bot = tmp_path / "my_bot.py"
    bot.write_text(bot.read_text("utf-8") + "\n\n" + CODE[1], "utf-8")
    for _, *arguments in map(fewer, others):
        ended = ttrsim(*arguments)
        assert (ended.code, ended.out != "") == (0, True), arguments


@pytest.mark.parametrize("block", CODE[2:4], ids=["walk", "ahead"])
def test_an_example_of_a_turn_works(tmp_path, block):
    text = block.replace("range(10)", "range(1)")
    path = tmp_path / "example.py"
    path.write_text(text, "utf-8")
    assert load_source(str(path)).decisions == ["take_turn"]
    fault = first_fault(path, text, (), 4.0)
    assert fault is None or fault.endless  # time was up


def test_every_decision_is_in_the_table_of_decisions():
    for function in DECISIONS.values():
        assert f"`{function}`" in part("The decisions")


def test_every_switch_is_in_the_table_of_habits():
    named = {words[1] for words in re.findall(r"^\| (`(\w+)(=\d)?`) \|", part("Habits"), re.M)}
    assert named == set(SWITCHES)


def test_names_of_actions_and_fields_are_those_of_the_code():
    answers = re.findall(r"^\| `.*\| (.*) \|$", part("The decisions"), re.M)
    named = re.findall(r"`(\w+)[`(]", "".join(answers))
    assert len(named) >= 10
    assert all(hasattr(bot, name) for name in named)
    rows = dict(re.findall(r"^\| `(board|table|hand|mind)` \|.*\| (.*) \|$", part("What a strategy sees"), re.M))
    for owner, record in {"board": "BOARD", "table": "TABLE", "hand": "HAND", "mind": "MIND"}.items():
        fields = re.findall(r"`([a-z_]+)", rows[owner])
        assert fields
        assert set(fields) <= set(getattr(records, record).names)


def test_every_helper_that_is_named_is_there():
    named = re.findall(r"`(\w+)`", part("The kit").partition("|---|")[2].partition("\n\n")[0])
    assert len(named) >= 40
    assert all(callable(getattr(bot, name)) for name in named)
