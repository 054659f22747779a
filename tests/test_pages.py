"""Every command and every piece of Python in the README and in docs works, one after the other, page by page.

They are run in a folder of their own, for fewer games. What needs a cluster is only read: the options are there.
A block of which a file is named after the language, as "```python my_bot.py", is that file; of the language diff, it
is what changes in it. All modules and pages are named where a reader looks for them.
"""

import contextlib
import io
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ttrsim.boards import board_names
from ttrsim.cli import cli, main
from ttrsim.compiling import compile_first
from ttrsim.core.jit import COMPILED
from ttrsim.files import data_folder
from ttrsim.strategies import strategy_names

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "ttrsim"
PAGES = ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md") if path.name != "cli.md")]
GAMES = "200"
TRIAL_GAMES = "40"
"""Games for each ticket or route that is changed."""
BUDGET = "5000"
"""Games at most, where a command plays on until something is decided."""
TUNING = "5000"
"""Games of a tuning, which needs some for each of its generations."""
TRIALS = ("difficulty", "tickets", "routes")
PLAYING = ("balance", "compare", "habits", "sweep", *TRIALS)
"""Commands that play many games if no number is given."""
TRIAL_CALL = re.compile(rf"(\b(?:{'|'.join(TRIALS)}|make_trial)\([^()]*games=)[\d_]+")
ELSEWHERE = ("10.0.0.", "$SLURM", "$scheduler", "portions/*", "…")
"""Commands that only mean something on somebody's cluster."""
FOLDERS = (".", "docs", "maps", "strategies", "reports")
"""The folders whose pages link to each other."""
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
PREPARED = (
    "ttrsim run --map usa --players planner,one_step,long_route,destination_hungry -n 240 --seed 1 -o runs/first",
    "ttrsim run --map usa --players planner,one_step,long_route,destination_hungry -n 240 --seed 2 -o runs/second",
    "ttrsim run --map usa --players random,random_kind -n 60 --seed 1 -o runs/usa",
    "ttrsim run --map europe --players random,random_kind -n 60 --seed 1 -o runs/europe",
    "ttrsim strategies new my_bot",
)


def blocks(page: str) -> Iterator[tuple[str, str, str]]:
    """Yield the language, the file it is (or "") and the text of each block of code."""
    yield from re.findall(r"```(\w*) ?(\S*)\n(.*?)```", (ROOT / page).read_text("utf-8"), re.S)


def commands(text: str) -> Iterator[list[str]]:
    """Yield the words of each command of ours in a shell's text, and of each that copies."""
    for line in re.sub(r"\\\n", " ", text).splitlines():
        for part in line.split("&&"):
            if part.strip().startswith(("ttrsim ", "cp ")):
                yield shlex.split(part, comments=True)


def fewer(words: list[str]) -> list[str]:
    """Return the command with fewer games, or on one board."""
    games = TRIAL_GAMES if words[0] in TRIALS else GAMES
    fewest = {"-n": games, "--budget": BUDGET, "--games": TUNING}
    words = [fewest.get(before, word) for before, word in zip(["", *words], words, strict=False)]
    if words[:2] == ["strategies", "check"]:
        words += ["--board", "san_francisco"]
    stored = [word for word in words if word.startswith("runs/")]
    if words[0] in PLAYING and "-n" not in words and not stored:
        words += ["-n", games]
    return words


def run(words: list[str]) -> None:
    """Run a command of ours, or copy a file."""
    if words[0] == "cp":
        shutil.copy(*words[1:])
    elif any(mark in " ".join(words) for mark in ELSEWHERE):
        read(words[1:])
    else:
        call(fresh(fewer(words[1:])))


def write(name: str, language: str, text: str) -> None:
    """Write the file that a block is, or change it by a block of the language diff."""
    if language == "diff":
        old, new = ("".join(line[1:] + "\n" for line in text.splitlines() if line[0] == sign) for sign in "-+")
        was = Path(name).read_text("utf-8")
        assert was.count(old) == 1, f"{name} has not once\n{old}"
        text = was.replace(old, new)
    Path(name).write_text(text, "utf-8")


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
    shutil.copytree(maps, path / "maps")
    for name, board in (("my_usa.toml", "usa"), ("my_board.toml", "san_francisco")):
        (path / name).write_bytes((maps / f"{board}.toml").read_bytes())
    with contextlib.chdir(path):
        compile_first()
        for command in PREPARED:
            call(shlex.split(command)[1:])
    return path


@pytest.mark.skipif(not COMPILED, reason="plain Python plays too slowly for so many games")
@pytest.mark.parametrize("page", PAGES)
def test_everything_on_the_page_works(folder, page, monkeypatch):
    import ttrsim.cli.demo as demo

    monkeypatch.setattr(demo, "GAMES", int(GAMES))
    monkeypatch.chdir(folder)
    names: dict[str, object] = {}
    for language, file, text in blocks(page):
        if file:
            write(file, language, text)
        elif language == "sh":
            for words in commands(text):
                run(words)
        elif language == "python":
            text = TRIAL_CALL.sub(rf"\g<1>{TRIAL_GAMES}", re.sub(r"games=[\d_]+", f"games={GAMES}", text))
            text = re.sub(r"(ttrsim\.(?:tune|improve)\(.*games=)\d+", rf"\g<1>{TUNING}", text)
            if "open_spiel" not in text:  # has no wheels for all platforms
                exec(compile(text, page, "exec"), names)


def fresh(words: list[str]) -> list[str]:
    """Return the command after removing the folders that it makes."""
    if words[0] in ("run", "balance", "compare", "tune", "improve") and "-o" in words and "--resume" not in words:
        shutil.rmtree(words[words.index("-o") + 1], ignore_errors=True)
    if words[:2] == ["strategies", "new"]:
        Path(f"{words[2]}.py").unlink(missing_ok=True)
    return words


def modules_told(package: str) -> list[str]:
    """Return the modules of a part of ttrsim that ARCHITECTURE.md lists, in its table of that part."""
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    rows = re.findall(rf"\| module of `{package}` \|.*\n\|[-|]+\n((?:\|.*\n)+)", text)
    return re.findall(r"`(\w+)`", " ".join(row.split("|")[1] for part in rows for row in part.splitlines()))


@pytest.mark.parametrize("package", ["ttrsim", *sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))])
def test_the_architecture_names_every_module_once_and_no_other(package):
    folder = PACKAGE if package == "ttrsim" else PACKAGE / package
    assert sorted(modules_told(package)) == sorted(p.stem for p in folder.glob("*.py") if p.stem != "__init__")


def test_the_readme_leads_to_every_page():
    linked = re.findall(r"\]\(([\w/.]+\.md)", (ROOT / "README.md").read_text("utf-8"))
    assert {*PAGES[1:], "docs/cli.md", "maps/README.md", "strategies/README.md"} <= set(linked)


def test_every_strategy_and_board_has_its_row():
    rows = re.findall(r"^\| (`.*?) \|", (ROOT / "strategies" / "README.md").read_text("utf-8"), re.M)
    assert set(strategy_names()) <= set(re.findall(r"`(\w+)`", " ".join(rows)))
    boards = {name for name in board_names() if ":" not in name}
    assert boards == set(
        re.findall(r"^\| .* \| `(\w+)\.toml` \|", (ROOT / "maps" / "README.md").read_text("utf-8"), re.M)
    )


def test_the_readme_counts_what_there_is():
    text = " ".join((ROOT / "README.md").read_text("utf-8").split())
    boards = len({name.partition(":")[0] for name in board_names()})
    assert f"knows {NUMBERS[boards]} boards" in text
    assert f"comes with {NUMBERS[len(strategy_names())]} strategies" in text


def test_every_link_between_pages_leads_to_a_file_and_its_section():
    pages = [path for part in FOLDERS for path in (ROOT / part).glob("*.md")]
    missing = [f"{page.relative_to(ROOT)}: {link}" for page in pages for link in links(page) if not leads(page, link)]
    assert not missing


def links(page: Path) -> list[str]:
    """Return the links of a page to files and sections, without those in code and those to the web."""
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.S)
    return [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]


def leads(page: Path, link: str) -> bool:
    """Return whether a link of a page leads to a file and, if it names one, to a section of that file."""
    name, _, section = link.partition("#")
    target = page.parent / name if name else page
    if not section or not target.is_file():
        return target.exists()
    titles = re.findall(r"^#+ (.*)$", target.read_text("utf-8"), flags=re.M)
    return section in {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
