"""Crashes, damage and second processes: a run ends with the same bytes, or says what is wrong."""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

import ttrsim
from runs.making import store
from ttrsim.errors import UsageError, UserError
from ttrsim.runs import Run
from ttrsim.runs import store as store_module
from ttrsim.runs.local import local_engine
from ttrsim.runs.make import carry_out, opened
from ttrsim.runs.plan import make_plan
from ttrsim.runs.playing import Interrupted, Player
from ttrsim.runs.shard import play_shard
from ttrsim.runs.store import Folder, Summary
from ttrsim.runs.verify import verify_run

GAMES = 8000
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork and no limit of file sizes")
HOLDER = """
import sys
from ttrsim.runs.store import Folder
with Folder(sys.argv[1]).locked():
    print("held", flush=True)
    input()
"""
BOT = """
from ttrsim.kit.chance import any_action


def decide(board, table, hand, mind):
    return any_action(board, table, hand, mind)
"""
PREAMBLE = """
import os, random, resource, signal, sys, time
from ttrsim.cli import main
from ttrsim.runs.local import local_engine
from ttrsim.runs.make import carry_out
from ttrsim.runs.plan import make_plan
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


def content(folder: Path) -> dict[str, bytes]:
    """Every file of the shards and the summary."""
    parts = [path for part in ("shards", "summary") for path in (folder / part).rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_bytes() for path in parts}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("undisturbed") / "run"
    store(path, games=GAMES)
    return path


@posix_only
@pytest.mark.parametrize("seed", range(2))
def test_a_run_killed_at_any_moment_goes_on_to_the_same_bytes(undisturbed, tmp_path, seed):
    path = tmp_path / "run"
    killer = python(KILLER, path, seed)
    assert killer.returncode == 0, killer.stderr
    shards = [int(line.split()[1]) for line in killer.stdout.splitlines()]
    assert len(shards) >= 3
    assert shards == sorted(shards)  # what was finished stays
    for number in Folder(path).present():
        Folder(path).check(number)
    store(path, games=GAMES, resume=True)
    assert content(path) == content(undisturbed)


def test_neither_threads_nor_the_order_of_shards_change_a_byte(undisturbed, tmp_path):
    store(tmp_path / "threads", threads=3, games=GAMES)
    player = Player(*make_plan(board="usa", players="random,random_kind", seed=5, games=GAMES))

    def backwards(player, folder, numbers):
        return (play_shard(player, number, folder) for number in reversed(numbers))

    folder = Folder(tmp_path / "backwards")
    with opened(folder, player, resume=False):
        carry_out(player, backwards, folder)
    assert content(undisturbed) == content(tmp_path / "threads") == content(tmp_path / "backwards")


def test_digest_and_aggregates_do_not_depend_on_the_size_of_shards_nor_on_what_is_recorded(tmp_path, undisturbed):
    plan, board, strategies = make_plan(board="usa", players="random,random_kind", seed=5, games=GAMES, record=())
    whole = Run.open(undisturbed)
    assert carry_out(Player(plan, board, strategies), local_engine(1)).digest == whole.digest
    for size in (13, 100, 5000):
        player = Player(plan.changed(shard_games=size), board, strategies)
        folder = Folder(tmp_path / str(size))
        with opened(folder, player, resume=False):
            carry_out(player, local_engine(2), folder)
        run = Run.open(folder.path)
        assert run.plan.schedule.shards != whole.plan.schedule.shards
        for name in ("seats", "tickets", "ticket_pairs", "routes", "scores", "games"):
            assert (run.array(name) == whole.array(name)).all()
        assert run.table("orders").equals(whole.table("orders"))


def test_a_worker_that_outlives_its_driver_publishes_a_shard_whole_or_not_at_all(tmp_path, monkeypatch):
    folder = store(tmp_path / "run", games=2000, record=("games", "players")).folder
    record = folder.record(1)
    files = {name: (folder.shard(1) / name).read_bytes() for name in record.files}
    folder.remove(1)
    rmdir, write = os.rmdir, store_module.write_synced

    def write_meanwhile(path, content):
        """Write a file while another process that goes on with the run takes away what is unfinished."""

        def rmdir_late(*arguments, **options):
            with contextlib.suppress(FileNotFoundError):
                write(path, content)
            rmdir(*arguments, **options)

        with monkeypatch.context() as patch:
            patch.setattr(os, "rmdir", rmdir_late)
            with Folder(folder.path).locked():
                pass
        write(path, content)

    def write_first(path, content):
        write(path, content)
        monkeypatch.setattr(store_module, "write_synced", write_meanwhile)

    monkeypatch.setattr(store_module, "write_synced", write_first)
    with pytest.raises(FileNotFoundError):
        folder.publish(record, files)
    assert folder.present() == [0, 2, 3]
    assert not list(folder.path.glob("unfinished*"))


def damage_truncated(path):
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


def damage_altered(path):
    text = bytearray(path.read_bytes())
    text[len(text) // 2] ^= 1
    path.write_bytes(text)


def damage_removed(path):
    path.unlink()


@pytest.mark.parametrize("damage", [damage_truncated, damage_altered, damage_removed])
@pytest.mark.parametrize("file", ["players.parquet", "tally.parquet", "done.json"])
def test_damaged_shard_is_named_and_played_again(undisturbed, tmp_path, ttrsim, damage, file):
    path = tmp_path / "run"
    store(path, games=2000, record=("players",))
    before = content(path)
    damage(path / "shards" / "00002" / file)
    verified = ttrsim("verify", path, "--quiet")
    assert verified.code == 1
    assert re.search(rf"Error: \S+00002.{file}: .*--resume plays shard 2 again\n$", verified.err)
    resumed = ttrsim("run", "--resume", "-o", path, "-j", 1)
    assert resumed.code == 0
    assert re.search(rf"00002.{file}: .*; shard 2 is removed, to be played again\n", resumed.err)
    assert content(path) == before
    assert ttrsim("verify", path).code == 0


def test_unfinished_run_is_no_whole_one(tmp_path, ttrsim):
    path = tmp_path / "run"
    store(path, games=2000)
    shards = len(list((path / "shards").iterdir()))
    Folder(path).remove(1)
    ended = ttrsim("verify", path)
    assert ended.code == 1
    assert ended.out.startswith(f"{shards - 1} of {shards} shards: all as written\n")
    hint = f"1 of {shards} shards still to be played; ttrsim run --resume -o {path}"
    assert ended.err == f"Error: {path}: is unfinished: {hint}\n"


def test_a_shard_beyond_the_last_does_not_stand_for_a_missing_one(tmp_path):
    run = store(tmp_path / "run", games=2000)
    shards = run.folder.path / "shards"
    (shards / "00001").rename(shards / "00099")
    assert verify_run(run.folder, run.player, 0).missing == 1


def test_damaged_summary_is_noticed_and_made_again(tmp_path, ttrsim):
    path = tmp_path / "run"
    store(path, games=1000)
    before = content(path)
    damage_altered(path / "summary" / "tickets.parquet")
    assert "tickets.parquet: was altered" in ttrsim("verify", path).err
    assert ttrsim("run", "--resume", "-o", path, "--quiet").code == 0
    assert content(path) == before


def test_run_json_that_is_damaged_is_named(tmp_path, ttrsim):
    path = tmp_path / "run"
    store(path, games=1000)
    damage_truncated(path / "run.json")
    for command in (["run", "--resume", "-o", path], ["verify", path], ["replay", path, "--game", 0]):
        ended = ttrsim(*command)
        assert ended.code == 1
        assert re.fullmatch(r"Error: \S+\brun.json: is damaged, .*\n", ended.err)


def test_altered_run_json_is_noticed(tmp_path, ttrsim):
    path = tmp_path / "run"
    store(path, games=400)
    text = (path / "run.json").read_text("utf-8")
    (path / "run.json").write_text(text.replace('"seed": 5', '"seed": 6'), "utf-8")
    ended = ttrsim("stats", path)
    assert (ended.code, ended.err) == (1, f"Error: {path / 'run.json'}: was altered: what it says is not what its sha256 is of\n")  # fmt: skip  # noqa: E501


def test_run_json_without_its_sha256_is_refused(tmp_path, ttrsim):
    path = tmp_path / "run"
    store(path, games=400)
    told = json.loads((path / "run.json").read_text("utf-8"))
    del told["sha256"]
    (path / "run.json").write_text(json.dumps(told), "utf-8")
    ended = ttrsim("stats", path)
    assert (ended.code, ended.err.count("\n")) == (1, 1)
    assert "is damaged, or of another version of ttrsim: sha256: Field required" in ended.err


@pytest.mark.parametrize("copy", ["board.toml", "strategies/1_random_kind.py"])
def test_altered_copy_of_a_source_is_noticed_and_written_again(tmp_path, ttrsim, copy):
    path = tmp_path / "run"
    store(path, games=400)
    before = (path / copy).read_bytes()
    damage_altered(path / copy)
    ended = ttrsim("verify", path, "--quiet")
    assert (ended.code, ended.err) == (1, f"Error: {path / copy}: is missing, or was altered; ttrsim run --resume copies it again\n")  # fmt: skip  # noqa: E501
    assert ttrsim("run", "--resume", "-o", path, "--quiet").code == 0
    assert (path / copy).read_bytes() == before


def test_merge_takes_the_board_of_the_parts_where_its_file_has_changed(tmp_path, ttrsim, board_file, small_board):
    board = board_file(small_board)
    store(tmp_path / "part", board=str(board), games=400)
    board.write_text(small_board.replace("trains = 10", "trains = 9"), "utf-8")
    assert ttrsim("merge", tmp_path / "whole", tmp_path / "part", "--quiet").code == 0
    assert (tmp_path / "whole" / "board.toml").read_text("utf-8") == small_board
    board.unlink()
    assert ttrsim("verify", tmp_path / "whole", "--quiet").code == 0


@pytest.mark.parametrize("changed", ["games", "batches", "files"])
def test_altered_summary_json_is_noticed_and_made_again(tmp_path, ttrsim, changed):
    path = tmp_path / "run"
    store(path, games=400)
    before, file = content(path), path / "summary" / "summary.json"
    told = json.loads(file.read_text("utf-8"))
    told[changed] = {} if changed == "files" else told[changed] - 1
    file.write_text(json.dumps(told), "utf-8")
    assert ttrsim("verify", path, "--quiet").err == f"Error: {file}: was altered; ttrsim run --resume makes it again\n"
    assert ttrsim("run", "--resume", "-o", path, "--quiet").code == 0
    assert content(path) == before


@pytest.mark.parametrize("file", ["summary/line_ups.parquet", "shards/00000/games.parquet"])
def test_altered_tables_are_not_read(tmp_path, file):
    path = tmp_path / "run"
    store(path, games=400, record=("games",))
    damage_altered(path / file)
    run = Run.open(path)
    with pytest.raises(UserError, match=re.escape(f"{path / file}: was altered: ") + ".*--resume"):
        run.table("line_ups") if "summary" in file else run.games


def test_shards_missing_in_a_finished_run_are_told_before_numbers(tmp_path, ttrsim):
    path = tmp_path / "run"
    store(path, games=2000)
    shutil.rmtree(path / "shards" / "00001")
    ended = ttrsim("stats", path)
    assert (ended.code, ended.err.count("\n")) == (1, 1)
    assert "batches of the finished run are missing; ttrsim run --resume" in ended.err


def test_only_folders_named_as_shards_are_shards(tmp_path):
    path = tmp_path / "run"
    store(path, games=2000)
    (path / "shards" / "1").mkdir()
    (path / "shards" / "٠٠٠٠١").mkdir()
    assert Folder(path).present() == [0, 1, 2, 3]


@pytest.mark.parametrize("place", ["shards/00001", "summary"])
def test_a_file_in_the_place_of_a_folder_is_noticed_and_gives_way(tmp_path, ttrsim, place):
    path = tmp_path / "run"
    store(path, games=2000)
    before = content(path)
    shutil.rmtree(path / place)
    (path / place).write_text("dear", "utf-8")
    assert ttrsim("verify", path, "--quiet").code == 1
    assert ttrsim("run", "--resume", "-o", path, "--quiet").code == 0
    assert content(path) == before


def test_names_in_a_run_lead_nowhere_else(tmp_path, ttrsim):
    path = tmp_path / "run"
    store(path, games=400)
    told = json.loads((path / "run.json").read_text("utf-8"))
    told["plan"]["strategies"][0]["copy_name"] = "../../bot.py"
    (path / "run.json").write_text(json.dumps(told), "utf-8")
    ended = ttrsim("merge", tmp_path / "whole", path)
    assert ended.code == 1
    assert "plan.strategies.0.copy_name: String should match pattern" in ended.err
    record = {"rows": 1, "bytes": 1, "sha256": "0" * 64}
    with pytest.raises(ValidationError, match="files"):
        Summary.model_validate({"games": 1, "batches": 1, "digest": "0" * 64, "files": {"../x.parquet": record}})


def test_strategies_with_odd_file_names_are_copied_under_plain_ones(tmp_path):
    odd = tmp_path / f"my bot – {'x' * 120}.py"
    odd.write_text(BOT, "utf-8")
    store(tmp_path / "run", players=f"{odd},random", games=20)
    copies = sorted(path.name for path in (tmp_path / "run" / "strategies").iterdir())
    assert copies == [f"0_my_bot___{'x' * 91}.py", "1_random.py"]


def test_games_that_come_out_otherwise_are_noticed(tmp_path, ttrsim, monkeypatch):
    path = tmp_path / "run"
    store(path, games=1000)
    monkeypatch.setattr("ttrsim.runs.verify.probe", lambda player, lap: "0" * 64)
    ended = ttrsim("verify", path)
    assert ended.code == 1
    assert "come out otherwise when played again" in ended.err


def test_only_a_folder_that_cannot_be_written_is_told_to_be_one(tmp_path):
    player = Player(*make_plan(board="usa", players="random,random_kind", seed=5, games=10))
    with pytest.raises(PermissionError, match="elsewhere"), opened(Folder(tmp_path / "run"), player, resume=False):
        raise PermissionError("elsewhere")
    (tmp_path / "letter").write_text("dear", "utf-8")
    with pytest.raises(UsageError, match=r"letter.run: cannot be written: "):
        opened(Folder(tmp_path / "letter" / "run"), player, resume=False).__enter__()


def test_what_a_run_is_made_from_is_on_the_disk_before_its_run_json(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr("os.fsync", lambda descriptor: synced.append(os.fstat(descriptor).st_ino))
    path = store(tmp_path / "run", games=10).folder.path
    places = [
        synced.index((path / name).stat().st_ino) for name in ("board.toml", "strategies/0_random.py", "run.json")
    ]
    assert places[-1] == max(places)


def test_a_shard_that_nobody_wants_any_more_is_not_stored(tmp_path, monkeypatch):
    """A worker may finish it after another run was begun in the folder."""
    player, folder = Player(*make_plan(board="usa", players="random,random_kind", seed=5, games=10)), Folder(tmp_path)
    play, ended = player.play, []
    monkeypatch.setattr(player, "play", lambda *laps: (play(*laps), ended.append(laps))[0])
    with pytest.raises(Interrupted):
        play_shard(player, 0, folder, lambda: bool(ended))
    assert folder.present() == []


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
    assert "another process works on this run" in refused.err
    assert ttrsim("run", "--resume", "-o", path).code == 0


@posix_only
def test_a_full_disk_is_told_in_a_line_and_what_is_finished_stays(undisturbed, tmp_path):
    path = tmp_path / "run"
    first = python("sys.exit(main([*arguments, '--only-shards', '1/2']))", path)
    assert first.returncode == 0, first.stderr
    kept = content(path)
    limited = "resource.setrlimit(resource.RLIMIT_FSIZE, (8000, 8000))\nsys.exit(main([*arguments, '--resume']))"
    full = python(limited, path)
    assert full.returncode == 1
    assert re.fullmatch(
        r"Error: \S+: the disk is full \(File too large\); 9 of 17 shards finished and kept\n", full.stderr
    )
    assert content(path) == kept
    assert not (path / "unfinished").exists() or not list((path / "unfinished").iterdir())
    store(path, games=GAMES, resume=True)
    assert content(path) == content(undisturbed)


def test_playing_stops_in_the_midst_of_a_shard_as_soon_as_it_is_told_to():
    player = Player(*make_plan(board="usa", players="random,random_kind", seed=5, games=10**7))
    answers = iter([False, False, True])  # who asks once more has not stopped
    with pytest.raises(Interrupted):
        play_shard(player, 0, None, lambda: next(answers))


@pytest.mark.parametrize("seconds", [0.5, 0.01])
def test_calls_of_the_core_last_a_fifth_of_a_second_or_a_game(monkeypatch, seconds):
    """Games last so many seconds each, by a clock of their own."""
    player = Player(*make_plan(board="usa", players="random,random_kind", seed=5, games=200))
    call, now, calls = player._call, [0.0], []

    def slow(strategies, seatings, blocks, games):
        calls.append(len(games))
        now[0] += seconds * len(games)
        return call(strategies, seatings, blocks, games)

    monkeypatch.setattr(player, "_call", slow)
    monkeypatch.setattr("ttrsim.runs.playing.time.perf_counter", lambda: now[0])
    player.play(0, 100)
    assert max(calls) * seconds <= max(0.2, seconds) * 1.01
    assert seconds > 0.2 or calls.count(20) > 5


def test_a_run_is_the_same_games_as_simulate(undisturbed):
    run = Run.open(undisturbed)
    results = ttrsim.simulate(board="usa", players="random,random_kind", games=GAMES, seed=5)
    assert run.players["score"].tolist() == results.seats["score"].reshape(-1).tolist()
    assert run.players["win_share"].tolist() == results.win_share.reshape(-1).tolist()
    assert run.players["strategy"].cat.codes.tolist() == results.seats["strategy"].reshape(-1).tolist()
    assert run.games["turns"].tolist() == results.games["turns"].tolist()


def test_more_than_six_strategies_play_in_one_run(tmp_path):
    bots = []
    for i in range(5):
        bots.append(tmp_path / f"bot{i}.py")
        bots[-1].write_text(f'"""Bot {i}."""\n\nNAME = "bot{i}"\nPARAMS = {{}}\n' + BOT, "utf-8")
    players = ["random", "random_kind", *map(str, bots)]
    plan, board, strategies = make_plan(board="usa", players=players, seed=5, games=1, design="mixed", seats=3)
    player = Player(plan, board, strategies)
    results = player.play(0, 1)
    assert len(results.games) == player.schedule.lap_games == 7 + 3 * (7 * 6) + 3 * 35
    seatings = player.schedule.where(np.arange(len(results.games)))[1]
    assert (results.seats["strategy"] == seatings).all()
    for game in (0, 40, 200):
        series, recording = player.replay(game)
        assert recording.seats["score"].tolist() == results.seats["score"][game : game + 1].tolist()
        assert [s.name for s in series.line_up] == [strategies[i].name for i in seatings[game]]
