"""Any change of a good board file gives a board or clear messages, and nothing else."""

import random
import re
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ttrsim.boards import Board, BoardError, read_boards
from ttrsim.files import data_folder

VALUES = [
    "0",
    "-1",
    "1e9",
    "nan",
    "true",
    '""',
    '"Ayr"',
    "[]",
    "{}",
    "[[[]]]",
    "1979-05-27",
    '"\\u0000"',
    "0x" + "f" * 5000,
]
VALUE = rb'"[^"\n]*"|(?<=[=\[,] )[\w.-]+'
WORD = rb'"[^"\n]*"|[\w.-]+|[\[\]{}=,]'


def with_one_replaced(line: bytes, pattern: bytes, new: bytes, rng: random.Random) -> bytes:
    found = list(re.finditer(pattern, line))
    if not found:
        return line
    one = rng.choice(found)
    return line[: one.start()] + new + line[one.end() :]


def with_one_change(data: bytes, rng: random.Random) -> bytes:
    """Return a line, value, key or byte deleted, doubled or altered."""
    lines = data.split(b"\n")
    i = rng.randrange(len(lines))
    match rng.choices(["delete", "double", "swap", "value", "number", "word", "byte"], [2, 2, 2, 4, 4, 1, 1])[0]:
        case "delete":
            del lines[i]
        case "double":
            lines.insert(i, lines[i])
        case "swap":
            lines[i - 1], lines[i] = lines[i], lines[i - 1]
        case "value":
            lines[i] = with_one_replaced(lines[i], VALUE, rng.choice(VALUES).encode(), rng)
        case "number":
            lines[i] = with_one_replaced(lines[i], rb"\d+", str(rng.randint(-3, 300)).encode(), rng)
        case "word":
            lines[i] = with_one_replaced(lines[i], WORD, rng.choice([b"", b"x"]), rng)
        case "byte":
            lines[i] = with_one_replaced(lines[i], rb".", bytes([rng.randrange(256)]), rng)
    return b"\n".join(lines)


def changed(text: str, rng: random.Random) -> bytes:
    data = text.encode()
    for _ in range(rng.randint(1, 3)):
        data = with_one_change(data, rng)
    return data


def read(path: Path) -> tuple[list[Board], list[str]]:
    try:
        return list(read_boards(path).values()), []
    except BoardError as e:
        return [], e.problems


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(["usa", "europe", "old_west", "san_francisco"]), seed=st.integers(0, 2**32))
def test_any_change_of_a_good_file_gives_a_board_or_clear_messages(tmp_path: Path, name: str, seed: int) -> None:
    good = (data_folder() / "maps" / f"{name}.toml").read_text("utf-8")
    path = tmp_path / "my.toml"
    path.write_bytes(changed(good, random.Random(seed)))
    boards, problems = read(path)
    assert bool(boards) != bool(problems)
    assert all(isinstance(board, Board) for board in boards)
    assert all(re.match(r".*my\.toml: \S.{10}", problem) for problem in problems)
    assert len(set(problems)) == len(problems)
