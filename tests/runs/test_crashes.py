"""Kills, second processes and full disks: a run ends with the same bytes, or says what is wrong."""

import os
import re
import subprocess
import sys

import pytest

from runs.making import GAMES, content, make_player, results, store
from ttrsim.games import Interrupted
from ttrsim.runs import stored_files
from ttrsim.runs.make import opened
from ttrsim.runs.playing import play_shard
from ttrsim.runs.store import Folder

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork and no limit of file sizes")


HOLDER = """
import sys
from ttrsim.runs.store import Folder
with Folder(sys.argv[1]).locked():
    print("held", flush=True)
    input()
"""


PREAMBLE = """
import os, random, resource, signal, sys, time
from ttrsim.cli import main
from ttrsim.runs.playing import local_engine
from ttrsim.runs.make import carry_out
from ttrsim.runs.recipe import make_recipe
from ttrsim.runs.playing import Player
import pandas, pyarrow.parquet, ttrsim.runs.read, ttrsim.runs.summary
path = sys.argv[1]
options = "run --map usa --players random,random_kind -n 8000 --seed 5 --quiet -o"
arguments = [*options.split(), path]
def child(*more):
    pid = os.fork()
    if pid == 0:
        os._exit(main([*arguments, "-j", "1", *more]))
    return pid
"""


KILLER = """
from ttrsim.compiling import compile_game
from ttrsim.games import make_games
compile_game()
make_games("usa", ("random", "random_kind"), 0).play(range(1))  # so that no child has to load the code
dice = random.Random(int(sys.argv[2]))
def finished():
    return len(os.listdir(path + "/shards")) if os.path.isdir(path + "/shards") else 0
kills = 0
while finished() < 14 and kills < 40:
    wanted, pid = finished() + dice.randrange(3), child("--resume")
    while finished() < wanted:  # some shards more, so that it matters little how fast the machine is
        if os.waitpid(pid, os.WNOHANG)[0]:
            sys.exit(f"ended by itself after {kills} kills with {finished()} shards")
        time.sleep(0.001)
    time.sleep(dice.uniform(0, 0.02))
    os.kill(pid, signal.SIGKILL)
    if not os.WIFSIGNALED(os.waitpid(pid, 0)[1]):
        break  # it had come to its end
    kills += 1
    print(kills, finished(), flush=True)
"""


def python(script, *arguments, **options):
    command = [sys.executable, "-c", PREAMBLE + script, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)


@posix_only
@pytest.mark.parametrize("seed", range(2))
def test_a_run_killed_at_any_moment_goes_on_to_the_same_bytes(undisturbed, tmp_path, seed):
    path = tmp_path / "run"
    killer = python(KILLER, path, seed)
    assert killer.returncode == 0, killer.stderr
    shards = [int(line.split()[1]) for line in killer.stdout.splitlines()]
    assert len(shards) >= 3
    assert shards == sorted(shards)  # what was finished stays
    for laps in Folder(path).present():
        Folder(path).check(laps)
    store(path, games=GAMES, resume=True)
    assert results(path) == results(undisturbed)


def test_a_worker_that_outlives_its_driver_stages_a_shard_whole_or_not_at_all(tmp_path, monkeypatch):
    """Another process that goes on with the run takes away what is unfinished, between two of its files."""
    player, folder = make_player(games=100), Folder(tmp_path / "run")
    write, written = stored_files.write_synced, []

    def write_and_lose(path, content):
        write(path, content)
        written.append(path)
        if path.name == "games.parquet":
            Folder(folder.path).remove_unfinished()

    with opened(folder, player, resume=False) as staging:
        monkeypatch.setattr(stored_files, "write_synced", write_and_lose)
        with pytest.raises(FileNotFoundError):
            play_shard(player, range(32), staging)
    assert [path.name for path in written][-1] == "games.parquet"
    assert folder.present() == []
    assert not list(folder.path.glob("unfinished*"))


def test_a_shard_that_two_workers_play_is_staged_once(tmp_path):
    player, folder = make_player(games=100), Folder(tmp_path / "run")
    with opened(folder, player, resume=False) as staging:
        assert play_shard(player, range(32), staging) == play_shard(player, range(32), staging)
        assert len(list(staging.iterdir())) == 2  # one of them is not taken away before its session ends
        folder.publish(staging, play_shard(player, range(32), staging))
    assert folder.present() == [range(32)]
    assert folder.check(range(32)).laps == 32


def test_a_shard_that_nobody_wants_any_more_is_not_stored(tmp_path, monkeypatch):
    """A worker may finish it after another run was begun in the folder."""
    player = make_player(games=10)
    play, ended = player.play, []
    monkeypatch.setattr(player, "play", lambda *laps: (play(*laps), ended.append(laps))[0])
    with pytest.raises(Interrupted):
        play_shard(player, range(4), tmp_path, lambda: bool(ended))
    assert list(tmp_path.iterdir()) == []


def test_the_recipe_is_on_the_disk_before_what_it_records(tmp_path, monkeypatch):
    """So that whatever lies in a folder is known to be ttrsim's, whenever it was killed."""
    synced = []
    monkeypatch.setattr("os.fsync", lambda descriptor: synced.append(os.fstat(descriptor).st_ino))
    path = store(tmp_path / "run", games=10).folder.path
    names = ["run-copy.json", "run.json", "board.toml", "strategies/0_random.py"]
    places = [synced.index((path / name).stat().st_ino) for name in names]
    assert places == sorted(places)


def test_second_process_is_refused_and_a_killed_one_leaves_no_lock(tmp_path, ttrsim):
    path = tmp_path / "run"
    store(path, games=1000)
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "held\n"
        refused = ttrsim("run", "--resume", "-o", path)
        process.kill()
        process.wait()
    assert refused.code == 1
    assert "another process is working on this run" in refused.err
    assert ttrsim("run", "--resume", "-o", path).code == 0


@posix_only
def test_a_full_disk_is_told_in_a_line_and_what_is_finished_stays(undisturbed, tmp_path):
    path = tmp_path / "run"
    first = python("sys.exit(main([*arguments, '--portion', '1/2']))", path)
    assert first.returncode == 0, first.stderr
    kept = content(path)
    limited = "resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))\nsys.exit(main([*arguments, '--resume']))"
    full = python(limited, path)
    assert full.returncode == 1
    assert re.fullmatch(
        r"Error: \S+: the disk is full \(File too large\); 4,\d\d\d games finished and kept\n", full.stderr
    )
    assert content(path) == kept
    assert not (path / "unfinished").exists() or not list((path / "unfinished").iterdir())
    store(path, games=GAMES, resume=True)
    assert results(path) == results(undisturbed)
