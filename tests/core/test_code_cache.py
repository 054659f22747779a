"""Compiled code that is kept: read whole or not at all, by several processes at once, and never in place of an edit."""

import gc
import os
import subprocess
import sys

import pytest

from ttrsim.core.code_cache import Code, CodeCache
from ttrsim.core.jit import COMPILED, PARTS, kernel

PROBE = """
import sys
from ttrsim.core import jit
from ttrsim.core.trail_search import count

print(jit.PARTS, count(255))
"""
HANDING_ON = """
import numba
from ttrsim.core.jit import compile_for, kernel

@kernel
def double(number):
    return 2 * number

@kernel
def repeat(function, number):
    LINES
    return number

def both(number):
    return repeat(double, number) + repeat(double, number + 1)

print(compile_for(numba.int64(numba.int64), both)(1), kernel(both)(1))
""".replace("LINES", "; ".join(["number = function(number) % 7919"] * 60))
"""A program with a function that hands another on to one which is too long to be copied into it."""
parts_only = pytest.mark.skipif(not PARTS, reason="code is kept by numba" if COMPILED else "nothing is compiled")


def code(*calls: str, is_object: bool = False) -> Code:
    return Code("symbol", None, is_object, b"code", calls, 7)


@pytest.fixture
def kept(tmp_path):
    """A cache that another process might open, too."""
    cache = CodeCache(tmp_path)
    cache.put("a", code())
    cache.put("b", code("a"))
    cache.put("c", code("b", "a"))
    return cache


def test_what_was_kept_is_found_by_others(kept):
    assert CodeCache(kept.folder).get("c") == code("b", "a")


def test_nothing_but_the_codes_is_in_the_folder(kept):
    assert sorted(path.name for path in kept.folder.iterdir()) == ["a", "b", "c"]


@pytest.mark.parametrize("damage", [b"", b"short", b"x" * 200])
def test_a_damaged_file_counts_as_absent_with_what_calls_it(kept, damage):
    (kept.folder / "a").write_bytes(damage)
    other = CodeCache(kept.folder)
    assert [other.get(key) for key in "abc"] == [None, None, None]


def test_a_flipped_bit_is_noticed(kept):
    data = bytearray((kept.folder / "a").read_bytes())
    for place in (0, 40, len(data) - 1):
        flipped = data.copy()
        flipped[place] ^= 1
        (kept.folder / "a").write_bytes(flipped)
        assert CodeCache(kept.folder).get("a") is None


def test_code_is_of_use_without_a_folder_to_write_to(tmp_path):
    cache = CodeCache(tmp_path / "missing")
    cache.put("a", code())
    assert cache.get("a") == code()


def test_bitcode_is_followed_and_machine_code_is_called(kept):
    kept.put("large", code("x", is_object=True))
    kept.put("d", code("c", "large"))
    bitcode, objects = kept.closure(["d", "large"])
    assert (set(bitcode), objects) == ({"a", "b", "c", "d"}, ["large"])


def probe(folder, **environment):
    """Start a process that plays with the code of a folder; returns what it printed and the files that it left."""
    settings = {**os.environ, "TTRSIM_CACHE_DIR": str(folder), **environment}
    ended = subprocess.run([sys.executable, "-c", PROBE], env=settings, capture_output=True, text=True, check=True)
    return ended.stdout.split(), {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


@parts_only
def test_a_second_process_compiles_nothing(tmp_path):
    first, second = probe(tmp_path), probe(tmp_path)
    assert first == second
    assert first[0] == ["True", "8"]
    assert first[1]


@parts_only
def test_a_switch_leaves_all_to_numba_with_the_same_result(tmp_path):
    assert probe(tmp_path, TTRSIM_PARTS="0")[0] == ["False", "8"]


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
@pytest.mark.parametrize("parts", ["0", "1"])
def test_a_function_that_is_handed_on_as_an_argument_is_compiled_without_a_warning(tmp_path, parts):
    program = tmp_path / "program.py"
    program.write_text(HANDING_ON, "utf-8")
    settings = {**os.environ, "TTRSIM_CACHE_DIR": str(tmp_path), "TTRSIM_PARTS": parts}
    command = [sys.executable, "-W", "error", str(program)]
    ended = subprocess.run(command, env=settings, capture_output=True, text=True, check=False)
    assert (ended.stdout.split(), ended.stderr) == ([str(pow(2, 60, 7919) + pow(2, 61, 7919))] * 2, "")


@pytest.fixture(params=[gc.enable, gc.disable])
def collecting(request):
    """True if garbage is collected, which it is again afterwards."""
    request.param()
    yield gc.isenabled()
    gc.enable()


def test_compiling_leaves_the_collection_of_garbage_as_it_was(collecting):
    @kernel
    def half(number):
        return number // 2

    assert half(8) == 4
    assert gc.isenabled() == collecting
    with pytest.raises(Exception, match=r"floordiv|unsupported operand"):
        half("eight")
    assert gc.isenabled() == collecting
