"""Compiled code is kept where nobody but the user can put any."""

import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import TTRSIM

from ttrsim.core.code_cache import UnsafeFolder, cache_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="permissions of Windows are other ones")
root = pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="only root can be other users")

AS_USER = """
import os, sys
from pathlib import Path
from ttrsim.core.code_cache import cache_folder
os.setgroups([])
os.setgid(int(sys.argv[1]))
os.setuid(int(sys.argv[1]))
made = cache_folder("key")
found = made.stat()
print(made, found.st_uid, oct(found.st_mode)[-3:], oct(made.parent.stat().st_mode)[-3:])
"""
"""Prints what folder a user gets, its owner and permissions; everything is imported before, in root's own folders."""


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch) -> Path:
    """An empty home folder."""
    for name in ("TTRSIM_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder of root's that all users can enter."""
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def permissions(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def as_user(user: int, **environment: str) -> tuple[list[str], str]:
    """Return the folder that a user without a name gets, and what is written to stderr."""
    clean = {"PATH": os.environ["PATH"], **environment}
    command = [sys.executable, "-c", AS_USER, str(user)]
    ended = subprocess.run(command, env=clean, capture_output=True, text=True, check=True)
    return ended.stdout.split(), ended.stderr


def chosen(monkeypatch, folder: Path) -> Path:
    monkeypatch.setenv("TTRSIM_CACHE_DIR", str(folder))
    return folder


@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_the_folder_and_those_it_lies_in_are_made_for_the_user_alone(tmp_path, monkeypatch, mask):
    folder = chosen(monkeypatch, tmp_path / "a" / "b")
    before = os.umask(mask)
    try:
        assert cache_folder("key") == folder / "key"
    finally:
        os.umask(before)
    assert {permissions(path) for path in (folder.parent, folder, folder / "key")} == {0o700}


@pytest.mark.parametrize("value", [None, "", "relative"])
@pytest.mark.skipif(sys.platform != "linux", reason="the folder of other systems is another one")
def test_it_lies_in_the_home_folder_unless_an_absolute_path_is_given(home, monkeypatch, value):
    if value is not None:
        monkeypatch.setenv("XDG_CACHE_HOME", value)
    assert cache_folder("key") == home / ".cache" / "ttrsim" / "key"
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "x"))
    assert cache_folder("key") == home / "x" / "ttrsim" / "key"


@pytest.mark.parametrize("unsafe", ["folder", "folder/key", "."])
def test_a_chosen_folder_that_all_can_write_to_is_refused(tmp_path, monkeypatch, unsafe):
    folder = chosen(monkeypatch, tmp_path / "folder")
    cache_folder("key")
    (tmp_path / unsafe).chmod(0o777)
    with pytest.raises(UnsafeFolder) as refusal:
        cache_folder("key")
    assert refusal.value.filename == str(tmp_path / unsafe)
    how = f"forbid it with chmod go-w {tmp_path / unsafe}, or choose another folder with TTRSIM_CACHE_DIR"
    assert refusal.value.strerror == f"others could put code there; {how}"
    (tmp_path / unsafe).chmod(0o755)
    assert cache_folder("key") == folder / "key"


def test_a_folder_may_lie_where_others_can_write_but_not_rename_it(tmp_path, monkeypatch):
    chosen(monkeypatch, tmp_path / "folder")
    tmp_path.chmod(0o1777)
    assert cache_folder("key") == tmp_path / "folder" / "key"
    (tmp_path / "folder").chmod(0o1777)
    with pytest.raises(UnsafeFolder):
        cache_folder("key")


@root
@pytest.mark.parametrize("unsafe", ["folder", "folder/key", "."])
def test_a_chosen_folder_of_another_user_is_refused(tmp_path, monkeypatch, unsafe):
    chosen(monkeypatch, tmp_path / "folder")
    cache_folder("key")
    os.chown(tmp_path / unsafe, 12345, 12345)
    with pytest.raises(UnsafeFolder, match="belongs to user 12345, who could put code there"):
        cache_folder("key")


@root
@pytest.mark.parametrize(("group", "safe"), [(0, True), (54321, False)])
def test_a_group_may_write_if_it_is_the_user_alone(tmp_path, monkeypatch, group, *, safe):
    folder = chosen(monkeypatch, tmp_path / "folder")
    cache_folder("key")
    os.chown(folder, 0, group)
    folder.chmod(0o775)
    if safe:
        assert cache_folder("key") == folder / "key"
        return
    with pytest.raises(UnsafeFolder):
        cache_folder("key")


def test_a_link_is_followed_once(tmp_path, monkeypatch):
    (tmp_path / "far").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to("far")
    chosen(monkeypatch, tmp_path / "link")
    assert cache_folder("key") == tmp_path / "far" / "key"


@pytest.mark.parametrize("usual", [True, False])
def test_a_folder_that_cannot_be_had_is_told_and_a_fresh_one_used_that_ends_with_the_process(tmp_path, *, usual):
    (tmp_path / "home" / ".cache").write_text("a file", "utf-8")
    environment = {"HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": "", "TMPDIR": str(tmp_path)}
    if not usual:
        environment["TTRSIM_CACHE_DIR"] = str(tmp_path / "home" / ".cache" / "x")
    code = "import os\nfrom ttrsim.core.code_cache import cache_folder\nmade = cache_folder('key')\nassert made.is_dir()\nassert cache_folder('key') == made\nprint(made, os.environ['TTRSIM_CACHE_DIR'])"  # fmt: skip  # noqa: E501
    ended = subprocess.run([sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True, check=True)  # fmt: skip  # noqa: E501
    made, shared = ended.stdout.split()
    assert Path(made).parent == Path(shared)
    assert Path(shared).parent == tmp_path
    assert not Path(shared).exists()
    (told,) = ended.stderr.splitlines()
    assert told.startswith(f"Compiled code is kept only until this process ends: {tmp_path / 'home' / '.cache'}")
    assert told.endswith("; choose another folder with TTRSIM_CACHE_DIR")


def test_a_usual_folder_that_others_can_write_to_is_not_used(home, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (home / ".cache").mkdir()
    (home / ".cache").chmod(0o777)
    (home / "Library").mkdir()
    (home / "Library").chmod(0o777)
    made = cache_folder("key")
    monkeypatch.delenv("TTRSIM_CACHE_DIR")  # which it sets for processes that are started
    assert (home not in made.parents, permissions(made.parent)) == (True, 0o700)
    assert "others could put code there; forbid it with chmod go-w" in capsys.readouterr().err


@root
def test_each_user_has_a_folder_of_their_own(public):
    (public / "home").mkdir()
    os.chown(public / "home", 65534, 65534)
    made, told = as_user(65534, HOME=str(public / "home"))
    assert (made, told) == ([str(public / "home/.cache/ttrsim/key"), "65534", "700", "700"], "")


@root
@pytest.mark.parametrize("environment", [{}, {"HOME": "/"}, {"HOME": "/none"}])
def test_a_user_without_name_and_home_has_a_temporary_folder(environment):
    made, told = as_user(12345, **environment)
    assert made[1:] == ["12345", "700", "700"]
    assert not Path(made[0]).exists()
    assert told.count("\n") == 1
    assert told.startswith("Compiled code is kept only until this process ends: ")


@root
def test_no_code_is_taken_from_a_folder_that_another_user_laid_out(public):
    public.chmod(0o1777)
    laid = public / "ttrsim-root" / "key"
    laid.mkdir(parents=True)
    for path in (laid.parent, laid):
        os.chown(path, 12345, 12345)
    made, _ = as_user(65534, HOME="/none", TMPDIR=str(public))
    assert Path(made[0]).parent.parent == public
    assert made[1:] == ["65534", "700", "700"]
    assert not list(laid.iterdir())


def test_a_refusal_is_a_line(tmp_path, monkeypatch):
    chosen(monkeypatch, tmp_path / "folder").mkdir()
    (tmp_path / "folder").chmod(0o777)
    line = ["play", "--map", "usa", "--players", "random,random"]
    ended = subprocess.run([*TTRSIM, *line], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (1, "", 1)
    assert ended.stderr.startswith(f"Error: {tmp_path / 'folder'}: others could put code there; forbid it with chmod")
