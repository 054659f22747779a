"""Files of users: read within bounds and at once, written whole or not at all."""

import os
import stat
import subprocess
import sys
import threading
import tomllib
from pathlib import Path

import pytest
from full_disk import ROOM, full_disk, small_disk
from hypothesis import given
from hypothesis import strategies as st

from ttrsim.errors import UsageError, UserError
from ttrsim.files import Unreadable, decoded, parse_toml, read_file, write_file

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such files")


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_is_written_is_there(tmp_path: Path) -> None:
    write_file(tmp_path / "a.txt", "Córdoba\n")
    write_file(str(tmp_path / "b.bin"), b"\r\n\x00")
    assert (tmp_path / "a.txt").read_bytes() == "Córdoba\n".encode()
    assert (tmp_path / "b.bin").read_bytes() == b"\r\n\x00"
    assert names_in(tmp_path) == ["a.txt", "b.bin"]


@pytest.mark.parametrize("old", [None, b"older"])
def test_on_a_disk_that_is_full_an_older_file_stays_and_no_other_is_left(tmp_path: Path, old: bytes | None) -> None:
    path = tmp_path / "a.txt"
    if old:
        path.write_bytes(old)
    with full_disk(), pytest.raises(UserError) as refusal:
        write_file(path, b"x" * 1000)
    assert refusal.value.problems == [f"{path}: cannot be written: File too large"]
    assert {p: p.read_bytes() for p in tmp_path.iterdir()} == ({path: old} if old else {})


def test_the_same_on_a_small_disk(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    with small_disk(tmp_path):
        path.write_bytes(b"older")
        with pytest.raises(UserError) as refusal:
            write_file(path, b"x" * ROOM)
        assert refusal.value.problems == [f"{path}: cannot be written: No space left on device"]
        assert (names_in(tmp_path), path.read_bytes()) == (["a.txt"], b"older")


def test_a_file_that_is_broken_off_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(descriptor: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_file(tmp_path / "a.txt", "x")
    assert names_in(tmp_path) == []


@posix
@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_permissions_are_those_of_a_plain_file(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        write_file(tmp_path / "written", "x")
        (tmp_path / "plain").write_text("x", "utf-8")
    finally:
        os.umask(before)
    assert (tmp_path / "written").stat().st_mode == (tmp_path / "plain").stat().st_mode


@posix
def test_permissions_and_owner_of_an_older_file_stay(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("older", "utf-8")
    path.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(path, 12345, 54321)
    before = path.stat()
    write_file(path, "newer")
    after = path.stat()
    assert (after.st_mode, after.st_uid, after.st_gid) == (before.st_mode, before.st_uid, before.st_gid)
    assert path.read_text("utf-8") == "newer"


AS_NOBODY = """
import os, sys
from ttrsim.files import write_file
os.geteuid() or os.setuid(65534)
try:
    write_file(sys.argv[1], "x")
except Exception as e:
    print(e)
"""


@posix
def test_a_file_that_is_write_protected_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("older", "utf-8")
    path.chmod(0o444)
    tmp_path.chmod(0o777)
    for folder in tmp_path.parents[:3] if os.geteuid() == 0 else ():  # pytest's own
        folder.chmod(0o711)
    told = subprocess.run([sys.executable, "-c", AS_NOBODY, path], capture_output=True, text=True, check=True).stdout
    assert told == f"{path}: cannot be written: it is write-protected\n"
    assert path.read_text("utf-8") == "older"


@posix
def test_a_link_goes_on_leading_where_it_led(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "a.txt").write_text("older", "utf-8")
    link, dangling = tmp_path / "link.txt", tmp_path / "dangling.txt"
    link.symlink_to("far/a.txt")
    dangling.symlink_to("far/b.txt")
    for path in (link, dangling):
        write_file(path, "newer")
        assert path.is_symlink()
    assert names_in(tmp_path / "far") == ["a.txt", "b.txt"]
    assert {path.read_text("utf-8") for path in (tmp_path / "far").iterdir()} == {"newer"}


@posix
def test_a_pipe_is_written_directly(tmp_path: Path) -> None:
    path, heard = tmp_path / "pipe", list[bytes]()
    os.mkfifo(path)
    reader = threading.Thread(target=lambda: heard.append(path.read_bytes()))
    reader.start()
    write_file(path, "x" * 100)
    reader.join()
    assert (heard, stat.S_ISFIFO(path.stat().st_mode)) == ([b"x" * 100], True)


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="the system has no /dev/stdout")
@pytest.mark.parametrize("to_file", [False, True])
def test_what_is_written_to_stdout_comes_where_the_rest_of_it_comes(tmp_path: Path, *, to_file: bool) -> None:
    code = "import os\nfrom ttrsim.files import write_file\nos.write(1, b'1')\nwrite_file('/dev/stdout', '2')\nos.write(1, b'3')"  # fmt: skip  # noqa: E501
    with (tmp_path / "out").open("wb") as out:
        ended = subprocess.run([sys.executable, "-c", code], stdout=out if to_file else subprocess.PIPE, check=True)
    assert ((tmp_path / "out").read_bytes() if to_file else ended.stdout) == b"123"


def test_a_folder_is_no_file_to_write(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r": cannot be written: "):
        write_file(tmp_path, "x")


@posix
def test_a_name_that_is_no_utf8_can_be_written_in_a_file_of_such_a_name(tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"\xff.html")
    write_file(path, f"<p>{path.name}</p>")
    assert path.read_text("utf-8") == "<p>\\udcff.html</p>"


@pytest.mark.parametrize("size", [0, 9, 10])
def test_a_file_is_read_up_to_the_most_it_may_have(tmp_path: Path, size: int) -> None:
    (tmp_path / "a").write_bytes(b"x" * size)
    assert read_file(tmp_path / "a", 10) == b"x" * size


def test_a_larger_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 1001)
    with pytest.raises(Unreadable, match="is too large: such a file has at most 1,000 bytes"):
        read_file(tmp_path / "a", 1000)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="cannot be read: it is a folder, not a file"):
        read_file(tmp_path, 10)


@pytest.mark.parametrize(("name", "told"), [("none", "No such file or directory"), ("a\0b", "no file has such a name")])
def test_a_file_that_is_not_there_is_refused(tmp_path: Path, name: str, told: str) -> None:
    with pytest.raises(Unreadable, match=f"cannot be read: {told}"):
        read_file(tmp_path / name, 10)


@posix
def test_a_pipe_and_a_device_are_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, what in ((tmp_path / "pipe", "a pipe"), (Path("/dev/zero"), "a device")):
        with pytest.raises(Unreadable, match=f"cannot be read: it is {what}, not a file"):
            read_file(path, 10)


def test_text_is_utf8_with_a_mark_or_without() -> None:
    assert decoded("\ufeffø".encode()) == decoded("ø".encode()) == "ø"
    with pytest.raises(Unreadable, match="is not UTF-8 text"):
        decoded(b"\xff")


HIDING = [
    "",
    '# it\'s """\n',
    'x = """a"b""",  \n',
    "x = '''a'''''\n",
    'x = "\\""\n',
    "x = '\\'\n",
    'x = """\\""""""\n',
    "[a.'b\"c']\n",
    'x = """"a""""\n',
    "x = ''''a''''\n",
]
"""Texts that may stand before a key, with marks in it that a careless reader takes for the beginning of a text."""


@pytest.mark.parametrize("before", HIDING)
@pytest.mark.parametrize("part", ["a", '"a.b"', "'a'", '""'])
def test_a_key_of_too_many_parts_is_refused_wherever_it_stands(before: str, part: str) -> None:
    with pytest.raises(Unreadable, match=r"line \d: a key has more than 16 parts"):
        parse_toml((before + " . ".join([part] * 30_000) + " = 1\n").encode())


@pytest.mark.parametrize("before", HIDING)
def test_dots_in_texts_are_no_parts_of_keys(before: str) -> None:
    dots, deep = "a." * 100 + "a", ".".join("abcdefghijklmnop")
    text = f"{before.replace(',', '')}y = ['{dots}', \"{dots}\", '''{dots}\n{dots}''', \"\"\"{dots}\"\"\"] # {dots}\n{deep} = 1"  # fmt: skip  # noqa: E501
    assert parse_toml(text.encode()) == tomllib.loads(text)


@given(text=st.text(alphabet="ab.\"'#\\\n =[]{}", max_size=40))
def test_any_text_is_read_as_tomllib_reads_it_or_refused(text: str) -> None:
    try:
        expected = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        with pytest.raises(Unreadable):
            parse_toml(text.encode())
    else:
        assert parse_toml(text.encode()) == expected


@pytest.mark.parametrize(
    "text", ["x = " + "[" * 100_000, "x = " + "{a=" * 100_000, "x = " + "9" * 5000, "x = 1\nx = 2"]
)
def test_what_no_toml_reader_takes_is_refused(text: str) -> None:
    with pytest.raises(Unreadable, match="is not TOML: "):
        parse_toml(text.encode())


def lay_out_run(folder: Path, name: str = "run.json") -> None:
    folder.mkdir(parents=True)
    (folder / name).write_text("{}")


@pytest.mark.parametrize("plan", ["run.json", "run-copy.json"])
@pytest.mark.parametrize(
    "part",
    [
        *(
            "run.json",
            "run-copy.json",
            "board.toml",
            "lock",
            "RUN.JSON",
            "shards/report.html",
            "shards/0-7/games.parquet",
        ),
        *("summary/summary.json", "strategies/0_bot.py", "unfinished/a.html"),
    ],
)
def test_no_file_that_is_part_of_a_run_is_written(tmp_path: Path, part: str, plan: str) -> None:
    run = tmp_path / "runs" / "first"
    lay_out_run(run, plan)
    before = sorted(tmp_path.rglob("*"))
    for path in (run / part, tmp_path / "runs" / ".." / "runs" / "first" / part):
        with pytest.raises(UsageError) as refusal:
            write_file(path, "mine")
        assert refusal.value.problems == [f"{path}: is part of the run in {run}; choose another name"]
    assert (sorted(tmp_path.rglob("*")), (run / plan).read_text()) == (before, "{}")


@posix
def test_a_link_to_a_part_of_a_run_is_not_written_through(tmp_path: Path) -> None:
    lay_out_run(tmp_path / "run")
    (tmp_path / "report.json").symlink_to(tmp_path / "run" / "run.json")
    with pytest.raises(UsageError, match="is part of the run in"):
        write_file(tmp_path / "report.json", "mine")
    assert (tmp_path / "run" / "run.json").read_text() == "{}"


def test_other_files_may_lie_in_the_folder_of_a_run(tmp_path: Path) -> None:
    lay_out_run(tmp_path / "run")
    write_file(tmp_path / "run" / "report.html", "mine")
    write_file(tmp_path / "run.json", "of no run")
    (tmp_path / "shards").mkdir()
    (tmp_path / "run.json").unlink()
    write_file(tmp_path / "shards" / "a.html", "beside no run")
    assert names_in(tmp_path / "run") == ["report.html", "run.json"]


def test_the_looks_of_an_examination_are_not_written_over(tmp_path: Path) -> None:
    write_file(tmp_path / "looks.json", "mine")
    lay_out_run(tmp_path / "2-mixed")
    with pytest.raises(UsageError, match="is part of the examination in"):
        write_file(tmp_path / "looks.json", "other")
    assert (tmp_path / "looks.json").read_text() == "mine"
