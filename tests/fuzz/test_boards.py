"""A board file that `ttrsim maps check` accepts plays through; one that it refuses is refused by every command."""

import re
from pathlib import Path

import pytest
from boards.test_changed_files import with_one_change
from conftest import SMALL_BOARD
from hypothesis import given
from hypothesis import strategies as st

from fuzz.calling import examples, promised, working_in
from ttrsim.files import data_folder

TEXTS = {path.name: path.read_bytes() for path in sorted((data_folder() / "maps").glob("*.toml"))}
TEXTS["small.toml"] = SMALL_BOARD.encode()
EXTREMES = ["0", "1", "2", "8", "9", "100", "200", "1000", "1001", "-0.0", "1e-300", "1e300", "inf", '"💥"', '"‮"', '"a\\nb"', '"$x$"', '"<b>"', '"{{x}}"', '"%s"', "[" * 3000]  # fmt: skip  # noqa: E501
VALUE = re.compile(rb'(?<=[=\[,{] )("[^"\n]*"|[\w.-]+)')
USES = [
    ("maps", "show"),
    ("maps", "show", "--json"),
    ("maps", "stats"),
    ("maps", "stats", "--json"),
    ("maps", "draw", "-o", "x.svg"),
    ("maps", "draw", "--letters", "-o", "x.png"),
]
PLAYED = (0, 1)
"""Codes with which a good board's game may end: where fewer may play than there are players, that is told."""


def changed(text: bytes, rng) -> bytes:
    """Return a few small changes, or one value made extreme."""
    if rng.random() < 0.4:
        found = list(VALUE.finditer(text))
        one = rng.choice(found)
        return text[: one.start()] + rng.choice(EXTREMES).encode() + text[one.end() :]
    for _ in range(rng.randint(1, 2)):
        text = with_one_change(text, rng)
    return text


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("boards")


@examples(24)
@given(name=st.sampled_from([*TEXTS, *["small.toml"] * 6]), rng=st.randoms(use_true_random=False), use=st.sampled_from(USES))  # fmt: skip  # noqa: E501
def test_boards_are_accepted_by_all_commands_or_by_none(folder, name, rng, use):
    (folder / "my.toml").write_bytes(changed(TEXTS[name], rng))
    with working_in(folder):
        good = promised("maps", "check", "my.toml", codes=(0, 1)).code == 0
        used = promised(*use[:2], "my.toml", *use[2:], codes=(0,) if good else (1, 2))
        assert "\x1b" not in used.out
        if not good:
            promised("play", "--map", "my.toml", "--players", "random,random", "--seed", "1", codes=(1, 2))
            return
        shown = promised("maps", "show", "my.toml", "--json", codes=(0,)).out
        fewest = int(re.search(r'"players": \[\s*(\d+)', shown)[1])
        players = ",".join(["random"] * fewest)
        promised("play", "--map", "my.toml", "--players", players, "--seed", "1", codes=(0,))
        promised("run", "--map", "my.toml", "--players", players, "-n", "20", "--seed", "1", codes=(0,))
