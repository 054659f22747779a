"""Every command and every piece of Python in the README and in docs works, one after the other, page by page.

They are run in a folder of their own, for fewer games. What needs a cluster is only read: the options are there.
"""

import contextlib
import io
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from ttrsim.cli import cli, main
from ttrsim.cli.compiling import compile_first
from ttrsim.core.jit import COMPILED
from ttrsim.data import data_folder

ROOT = Path(__file__).parents[1]
PAGES = ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md") if path.name != "cli.md")]
GAMES = "200"
PLAYING = ("balance", "compare", "tickets", "routes")
"""Commands that play many games if no number is given."""
ELSEWHERE = ("10.0.0.", "$SLURM", "$scheduler", "parts/*", "…")
"""What only means something on somebody's cluster."""
PREPARED = (
    "ttrsim run --map usa --players planner,one_step,long_route,destination_hungry -n 240 --seed 1 -o runs/first",
    "ttrsim run --map usa --players planner,one_step,long_route,destination_hungry -n 240 --seed 2 -o runs/second",
    "ttrsim run --map usa --players random,random_kind -n 60 --seed 1 -o runs/usa",
    "ttrsim run --map europe --players random,random_kind -n 60 --seed 1 -o runs/europe",
    "ttrsim strategies new my_bot",
)

pytestmark = pytest.mark.skipif(not COMPILED, reason="plain Python plays too slowly for so many games")


def blocks(page: str) -> Iterator[tuple[str, str]]:
    """The language and the text of each block of code."""
    yield from re.findall(r"```(\w*)\n(.*?)```", (ROOT / page).read_text("utf-8"), re.S)


def commands(text: str) -> Iterator[list[str]]:
    """The words of each command of ours in a shell's text."""
    for line in re.sub(r"\\\n", " ", text).splitlines():
        for part in line.split("&&"):
            words = shlex.split(part, comments=True) if part.strip().startswith("ttrsim ") else []
            if words:
                yield words[1:]


def fewer(words: list[str]) -> list[str]:
    """The same for fewer games, or on one board."""
    words = [GAMES if before == "-n" else word for before, word in zip(["", *words], words, strict=False)]
    if words[:2] == ["strategies", "check"]:
        words += ["--board", "san_francisco"]
    stored = [word for word in words if word.startswith("runs/")]
    if words[0] in PLAYING and "-n" not in words and not stored:
        words += ["-n", GAMES]
    return words


def call(words: list[str]) -> None:
    """Run a command, with its output sent where it says."""
    target = words.index(">") if ">" in words else len(words)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = main(words[:target])
    assert code in (0, 3), f"ttrsim {shlex.join(words)} ended with {code}"
    for name in words[target + 1 :]:
        Path(name).write_text(out.getvalue(), "utf-8")


def read(words: list[str]) -> None:
    """See that the command and its options are there."""
    command = cli.get_command(None, words[0])
    known = {option for parameter in command.params for option in parameter.opts}
    assert {word.split("=")[0] for word in words if re.match("--?[a-z]", word)} <= known


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with what the pages take for granted."""
    path = tmp_path_factory.mktemp("docs")
    maps = data_folder() / "maps"
    for name, board in (("my_usa.toml", "usa"), ("my_board.toml", "san_francisco")):
        (path / name).write_bytes((maps / f"{board}.toml").read_bytes())
    with contextlib.chdir(path):
        compile_first(quiet=True)
        for command in PREPARED:
            call(shlex.split(command)[1:])
    return path


@pytest.mark.parametrize("page", PAGES)
def test_everything_on_the_page_works(folder, page, monkeypatch):
    import ttrsim.cli.demo as demo

    monkeypatch.setattr(demo, "GAMES", int(GAMES))
    monkeypatch.chdir(folder)
    names: dict[str, object] = {}
    for language, text in blocks(page):
        if language == "sh":
            for words in commands(text):
                read(words) if any(mark in " ".join(words) for mark in ELSEWHERE) else call(fresh(fewer(words)))
        elif language == "python":
            text = re.sub(r"games=\d+", f"games={GAMES}", text)
            if "open_spiel" not in text:  # has no wheels for all platforms
                exec(compile(text, page, "exec"), names)


def fresh(words: list[str]) -> list[str]:
    """With the folders gone that the command makes."""
    import shutil

    if words[0] in ("run", "balance") and "-o" in words:
        shutil.rmtree(words[words.index("-o") + 1], ignore_errors=True)
    if words[:2] == ["strategies", "new"]:
        Path(f"{words[2]}.py").unlink(missing_ok=True)
    return words
