"""Whatever happens to a run's folder is reported in a line, and `ttrsim verify` notices every byte that counts."""

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import SMALL_BOARD
from hypothesis import given
from hypothesis import strategies as st
from runs.making import store

from fuzz.calling import examples, places_in, promised, working_in

READING = [
    ("stats", "run"),
    ("stats", "run", "tickets", "--json"),
    ("stats", "run", "paths", "--ticket", "Ayr-Bern"),
    ("plot", "scores", "run", "-o", "x.svg"),
    ("plot", "race", "run", "-o", "x.svg"),
    ("report", "run", "-o", "x.md"),
    ("compare", "whole", "run"),
    ("replay", "run", "--game", "3"),
    ("merge", "new", "run", "--quiet"),
    ("run", "--resume", "-o", "run", "--quiet"),
    ("plan", "--run", "run", "--precision", "1pp"),
]
VALUES = [b"", b"0", b"-1", b"null", b"[]", b"{}", b'"x"', b"1e99", b"9" * 30, b"[" * 5000, b"NaN", b'"\\ud800"', b'"~x/a.toml"']  # fmt: skip  # noqa: E501


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder with a small whole run."""
    path = tmp_path_factory.mktemp("runs")
    (path / "small.toml").write_text(SMALL_BOARD, "utf-8")
    with working_in(path):
        options = {"board": "small.toml", "players": "random,random_kind", "record": ("games", "players", "claims")}
        store(Path("whole"), games=1200, **options)
    (path / "small.toml").unlink()
    return path


def truncate(path: Path, rng: random.Random) -> None:
    path.write_bytes(path.read_bytes()[: rng.randrange(path.stat().st_size)])


def flip(path: Path, rng: random.Random) -> None:
    content = bytearray(path.read_bytes())
    content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
    path.write_bytes(content)


def delete(path: Path, rng: random.Random) -> None:
    path.unlink()


def become_a_folder(path: Path, rng: random.Random) -> None:
    path.unlink()
    path.mkdir()


def become_another(path: Path, rng: random.Random) -> None:
    """Put a copy of another file of the run in its place."""
    shutil.copy(rng.choice([file for file in counting(path_of_run(path)) if file != path]), path)


def lose_its_folder(path: Path, rng: random.Random) -> None:
    shutil.rmtree(path.parent)
    if rng.random() < 0.5:
        path.parent.write_text("dear", "utf-8")


def change_a_value(path: Path, rng: random.Random) -> None:
    """Return one value of JSON replaced, or a byte of another file."""
    if path.suffix != ".json":
        return flip(path, rng)
    told = json.loads(path.read_bytes())
    places = list(places_in(told))
    holder, key = rng.choice(places)
    holder[key] = "@@"
    path.write_bytes(json.dumps(told).encode().replace(b'"@@"', rng.choice(VALUES), 1))
    return None


def path_of_run(path: Path) -> Path:
    return next(parent for parent in path.parents if parent.name == "run")


def counting(run: Path) -> list[Path]:
    """Return the files of a run that count: all but the lock."""
    return sorted(path for path in run.rglob("*") if path.is_file() and path.name != "lock")


def by_kind(run: Path) -> list[list[Path]]:
    """Return the files that count, by what they are called."""
    kinds: dict[str, list[Path]] = {}
    for path in counting(run):
        kinds.setdefault(path.name, []).append(path)
    return sorted(kinds.values())


def meaning(run: Path) -> dict[str, object]:
    """Return the content of the files; of JSON the values, however they are written."""
    return {str(path.relative_to(run)): _read(path) for path in counting(run) if path.suffix != ".pyc"}


def _read(path: Path) -> object:
    if path.suffix == ".json":
        try:
            return json.loads(path.read_bytes())
        except (ValueError, RecursionError):
            pass
    return path.read_bytes()


DAMAGES: list[Callable[[Path, random.Random], None]] = [
    *(truncate, flip, delete, become_a_folder, become_another, lose_its_folder, change_a_value, change_a_value)
]


@examples(16)
@given(seed=st.integers(0, 2**32), damage=st.sampled_from(DAMAGES), command=st.sampled_from(READING))
def test_any_damage_is_told_in_a_line_and_noticed(folder, seed, damage, command):
    rng = random.Random(seed)
    with working_in(folder):
        for name in ("run", "new"):
            shutil.rmtree(name, ignore_errors=True)
        shutil.copytree("whole", "run")
        before = meaning(folder / "run")
        damage(rng.choice(rng.choice(by_kind(folder / "run"))), rng)
        same = meaning(folder / "run") == before
        if command[0] != "run":
            promised(*command)
        verified = promised("verify", "run", "--quiet", codes=(0, 1, 2))
        assert (verified.code == 0) == same, f"{damage.__name__}: verify ended with {verified.code}\n{verified.err}"
        if promised("run", "--resume", "-o", "run", "--quiet").code == 0:
            promised("verify", "run", "--quiet", codes=(0,))


def test_numbers_of_a_damaged_run_are_those_of_the_whole_one_or_none(folder):
    with working_in(folder):
        right = json.loads(promised("stats", "whole", "--json").out)["tables"]
        for path in (path for kind in by_kind(folder / "whole") for path in kind[:2]):
            shutil.rmtree("run", ignore_errors=True)
            shutil.copytree("whole", "run")
            damaged = folder / "run" / path.relative_to(folder / "whole")
            flip(damaged, random.Random(str(path.name)))
            ended = promised("stats", "run", "--json")
            assert ended.code != 0 or json.loads(ended.out)["tables"] == right, damaged
