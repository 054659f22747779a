"""`ttrsim run`, `replay`, `verify` and `merge`, as a user meets them."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest
from conftest import TTRSIM

import ttrsim as package
from ttrsim.core.constants import RULES_VERSION
from ttrsim.files import data_folder
from ttrsim.runs import Run
from ttrsim.runs.copies import PLAY_AGAIN
from ttrsim.runs.laps import Portion
from ttrsim.runs.store import Folder

pytestmark = pytest.mark.usefixtures("not_the_first_run")

USA = ("--map", "usa", "--players", "random,random_kind")
SMALL = ("run", *USA, "-n", "1000", "--seed", "3", "-j", "1")


def test_summary_tells_shares_errors_and_scores(ttrsim):
    ended = ttrsim(*SMALL)
    lines = ended.out.splitlines()
    assert (ended.code, ended.err) == (0, "")
    assert lines[0] == "USA (usa), 1,000 games, seed 3"
    assert re.fullmatch(r"Strategy +Win share, % +± +Mean score", lines[2])
    assert re.fullmatch(r"random +\d\d\.\d\d +\d\.\d\d +−?\d+\.\d", lines[3])
    assert re.fullmatch(r"Digest [0-9a-f]{64}", lines[-1])


def test_json_holds_the_same_numbers_as_the_rows(ttrsim, tmp_path):
    told = json.loads(ttrsim(*SMALL, "-n", "2e3", "--json", "-o", tmp_path / "run", "--quiet").out)
    players = Run.open(tmp_path / "run").players
    assert (told["seed"], told["games"], told["planned_games"]) == (3, 2000, 2000)
    for strategy in told["strategies"]:
        mine = players[players["strategy"] == strategy["strategy"]]
        assert strategy["seats"] == len(mine) == 2000
        assert strategy["win_share"] == pytest.approx(mine["win_share"].mean())
        assert strategy["score"] == pytest.approx(mine["score"].mean())
        batches = mine.groupby(mine["game"] // 16)["win_share"].mean()  # 125 batches of 16 games
        assert strategy["half_width"] == pytest.approx(1.9793 * batches.std() / 125**0.5, rel=1e-3)


def test_without_output_nothing_is_stored(ttrsim, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert ttrsim(*SMALL).code == 0
    assert not list(tmp_path.iterdir())


def test_games_are_rounded_up_to_whole_blocks_and_it_is_said(ttrsim):
    ended = ttrsim("run", "--map", "usa", "--players", "random,random,random_kind", "-n", "1e1", "--seed", "3")
    assert ended.err == "Playing 12 games (10 rounded up to whole laps)\n"
    assert "12 games" in ended.out


def test_drawn_seed_is_told_and_stored_and_gives_the_same_run_again(ttrsim, tmp_path):
    first = ttrsim("run", *USA, "-n", 100, "-o", tmp_path / "run")
    seed = re.match(r"Seed (\d+) was drawn", first.err)[1]
    assert Run.open(tmp_path / "run").recipe.seed == int(seed)
    assert ttrsim("run", *USA, "-n", 100, "--seed", seed).out == first.out


def test_command_in_run_json_makes_the_same_run(ttrsim, tmp_path):
    design = ("--design", "mixed", "--seats", 3, "--rotate", "all", "--record", "tickets,games")
    ttrsim(*SMALL, *design, "-o", tmp_path / "a", "--quiet")
    run = Run.open(tmp_path / "a")
    command = run.file.provenance.command.split(" ", 1)[1]
    assert ttrsim(*command.split(), "-o", tmp_path / "b", "--quiet").code == 0
    again = Run.open(tmp_path / "b")
    assert (again.recipe, again.digest) == (run.recipe, run.digest)


def test_what_will_be_stored_is_told_and_is_about_right(ttrsim, tmp_path):
    ended = ttrsim("run", *USA, "-n", "2e4", "--seed", 3, "-o", tmp_path / "run", "--record", "games,players,claims")
    told = re.search(r"Saving the run in \S+run \(about ([\d.]+) MB\)\n", ended.err)
    stored = sum(path.stat().st_size for path in (tmp_path / "run").rglob("*") if path.is_file())
    assert 0.5 < stored / (float(told[1]) * 1e6) < 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--map", "usaa"), "no board 'usaa'; did you mean usa"),
        (("--players", "random,randon"), "no strategy 'randon'; did you mean random"),
        (("--players", "random"), "usa is for 2 to 5 players, not 1"),
        (("--players", "random,random,random,random,random,random"), "usa is for 2 to 5 players, not 6"),
        (("--design", "mixed", "--seats", "6"), "usa is for 2 to 5 players, not 6"),
        (("--design", "mixed", "--seats", "7"), "usa is for 2 to 5 players, not 7"),
        (("--design", "mixed"), "--design mixed: needs --seats"),
        (("--seats", "3"), "--seats 3: design fixed seats the 2 players listed"),
        (("--resume", "here"), "the folder of a run is given with -o: ttrsim run --resume -o here"),
        (("-n", "0"), "-n 0: must be from 1 to 1e12"),
        (("-n", "1e99"), "'1e99' is not a whole number up to 1e12"),
        (("-n", "1e13"), "must be from 1 to 1e12"),
        (("-n", "1.5"), "'1.5' is not a whole number"),
        (("-n", "many"), "'many' is not a whole number"),
        (("-n", "nan"), "'nan' is not a whole number"),
        (("--seed", "x"), "'x' is not a whole number"),
        (("--seed", "-1"), "-1 is not in the range"),
        (("-j", "0"), "0 is not in the range"),
        (
            ("--record", "games,plays"),
            "--record: no table 'plays'; tables are games, players, tickets, claims, or none",
        ),
        (("--portion", "0/3"), "--portion 0/3: write it as 3/100"),
        (("--portion", "1/3x"), "--portion 1/3x: write it as 3/100"),
    ],
)
def test_wrong_usage_ends_with_2_and_one_line(ttrsim, tmp_path, arguments, message):
    ended = ttrsim(*SMALL, "-o", tmp_path / "run", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert len([line for line in ended.err.splitlines() if "Error: " in line and message in line]) == 1
    assert not (tmp_path / "run").exists()


def test_folder_around_a_run_leads_to_the_run(ttrsim, tmp_path):
    (tmp_path / "around" / "inside").mkdir(parents=True)
    (tmp_path / "around" / "inside" / "run.json").touch()
    ended = ttrsim("stats", str(tmp_path / "around"))
    hint = f"the folders in it that are runs: {tmp_path / 'around' / 'inside'}"
    assert ended.err == f"Error: {tmp_path / 'around'}: is not a run: it has no run.json; {hint}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run", "--players", "random,random", "-n", "10"), "Missing option '--map'"),
        (("run", "--map", "usa", "-n", "10"), "Missing option '--players'"),
        (("run", *USA), "Missing option '-n'"),
        (("run", *USA, "-n", "10", "--resume"), "--resume: needs -o"),
        (("run", *USA, "-n", "10", "--record", "games"), "--record: needs -o"),
        (("run", *USA, "-n", "10", "--portion", "1/2", "-o", "x"), "--portion: needs --seed"),
        (
            ("run", "--resume", "-o", "x"),
            "-o x: no run was begun there; to begin one, also give --map, --players, -n",
        ),
        (("replay", "x", "--game", "0"), "x: there is no such folder"),
        (("verify", "x"), "x: there is no such folder"),
        (("merge", "y", "x"), "x: there is no such folder"),
    ],
)
def test_what_is_missing_is_told_in_one_line(ttrsim, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    ended = ttrsim(*arguments)
    assert (ended.code, ended.out) == (2, "")
    assert len([line for line in ended.err.splitlines() if "Error: " in line and message in line]) == 1
    assert not list(tmp_path.iterdir())


def test_folder_that_is_not_empty_or_cannot_be_written_is_refused(ttrsim, tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter").write_text("dear", "utf-8")
    refused = ttrsim(*SMALL, "-o", tmp_path / "full", "--quiet")
    told = "holds files that are not from a run begun there: letter; choose a folder that is empty or does not exist"
    assert (refused.code, refused.err) == (2, f"Error: {tmp_path / 'full'}: {told}\n")
    inside = ttrsim(*SMALL, "-o", tmp_path / "full" / "letter" / "run", "--quiet")
    assert inside.code == 2
    assert inside.err.startswith(f"Error: {tmp_path / 'full' / 'letter' / 'run'}: cannot be written: ")
    ttrsim(*SMALL, "-o", tmp_path / "run", "--quiet")
    again = ttrsim(*SMALL, "-o", tmp_path / "run", "--quiet")
    assert again.code == 2
    assert "already holds a run; continue it with --resume, or choose another folder" in again.err


BOT = """\
from ttrsim.core.constants import DECLINE
from ttrsim.kit.chance import any_kind


def decide(board, table, hand, mind):
    return DECLINE if table.turn > 5 else any_kind(board, table, hand, mind)
"""


def test_run_that_its_bot_stopped_at_once_gives_way_to_one_with_the_corrected_bot(ttrsim, tmp_path):
    bot, path = tmp_path / "bot.py", tmp_path / "run"
    bot.write_text(BOT, "utf-8")
    command = (*SMALL, "--players", f"{bot},random", "-o", path)
    failed = ttrsim(*command, "--quiet")
    assert failed.code == 1
    assert f"{path}: nothing was finished: once the file is corrected, repeat the whole command" in failed.err
    bot.write_text(BOT.replace("DECLINE if table.turn > 5 else ", ""), "utf-8")
    assert ttrsim(*command).code == 0
    assert Run.open(path).strategies == ["bot", "random"]
    kept = ttrsim(*command)
    assert (kept.code, kept.err) == (
        2,
        f"Error: {path}: already holds a run; continue it with --resume, or choose another folder\n",
    )


def test_nothing_is_told_or_compiled_before_a_refusal(ttrsim, tmp_path):
    ttrsim(*SMALL, "-o", tmp_path / "run", "--quiet")
    command = ("run", *USA, "-n", 100)
    for more in (["-o", tmp_path / "run"], ["-o", tmp_path / "new", "--seats", 3], ["--seats", 3]):
        refused = ttrsim(*command, *more)
        assert (refused.code, len(refused.err.splitlines())) == (2, 1)


@pytest.mark.parametrize(
    ("options", "difference"),
    [
        (("--seed", "4"), "seed was 3, not 4"),
        (("--map", "europe"), "board was usa, not europe"),
        (("--map", "usa:mega"), "board was usa, not usa:mega"),
        (("--players", "random,random"), "player 2 was random_kind, not random"),
        (("--players", "random,random_kind,planner"), "there were 2 players, not 3, with planner(REST)"),
        (("--rotate", "none"), "rotation was cyclic, not none"),
        (("--design", "mirror", "--seats", "2"), "design was fixed, not mirror"),
        (("--record", "none"), "tables recorded was games,players, not none"),
    ],
)
def test_resume_as_another_run_is_refused_with_the_difference(ttrsim, tmp_path, options, difference):
    path = tmp_path / "run"
    ttrsim(*SMALL, "-o", path, "--quiet")
    refused = ttrsim("run", "--resume", *SMALL[1:], *options, "-o", path, "--quiet")
    assert refused.code == 2
    differs = re.escape(f"Error: {path}: is a different run: {difference}\n").replace("REST", ".*")
    assert re.search(differs, refused.err)
    assert ttrsim("run", "--resume", *SMALL[1:], "-o", path, "--quiet").code == 0


def test_of_players_only_what_differs_is_told_and_of_games_what_rounding_does_not_explain(ttrsim, tmp_path):
    command = ("run", "--map", "usa", "-n", "50", "--seed", "3", "-o", tmp_path / "run", "--quiet", "--players")
    assert ttrsim(*command, "random,planner,random_kind").code == 0
    assert ttrsim(*command, "random,planner,random_kind", "--resume").code == 0  # 51 games, for 50 were asked for
    tuned = ttrsim(*command, "random,planner(share=0.4),random_kind", "--resume")
    differs = r"Error: \S+: is a different run: player 2 was planner\(share=\S+\), not planner\(share=0.4\)\n"
    assert re.fullmatch(differs, tuned.err)
    four = ttrsim(*command, "random,planner,random_kind,one_step", "--resume")
    assert "number of games" not in four.err  # 52, for the same 50


def test_resume_with_other_rules_or_files_is_refused(ttrsim, tmp_path, monkeypatch, small_board):
    board, bot, path = tmp_path / "my.toml", tmp_path / "bot.py", tmp_path / "run"
    board.write_text(small_board, "utf-8")
    text = '"""A bot."""\n\nfrom ttrsim.kit.chance import any_kind\n\nNAME = "bot"\nPARAMS = {}\n\n\n'
    text += "def decide(board, table, hand, mind):\n    return any_kind(board, table, hand, mind)\n"
    bot.write_text(text, "utf-8")
    command = ("run", "--map", board, "--players", f"{bot},random", "-n", 100, "--seed", 1, "-o", path, "--quiet")
    made = ttrsim(*command)
    assert made.code == 0
    board.write_text(small_board + "\n# changed\n", "utf-8")
    bot.write_text(text + "\nCHANGED = 1\n", "utf-8")
    refused = ttrsim(*command, "--resume")
    assert refused.code == 2
    assert f"the file of board {board} has changed" in refused.err
    assert f"the code of strategy {bot} has changed" in refused.err
    own = ttrsim("run", "--resume", "-o", path, "--quiet")  # by the run's own copies
    assert (own.code, own.out) == (0, made.out)
    assert "bot" in ttrsim("replay", path, "--game", 3).out
    monkeypatch.setattr("ttrsim.runs.recipe.RULES_VERSION", 99)
    monkeypatch.setattr("ttrsim.runs.copies.RULES_VERSION", 99)
    assert f"rules version was {RULES_VERSION}, not 99" in ttrsim(*SMALL, "--resume", "-o", path).err
    for other in (["run", "--resume", "-o", path], ["verify", path], ["replay", path, "--game", 3]):
        ended = ttrsim(*other)
        assert ended.code == 1
        told = f"was played by rules version {RULES_VERSION}, and this ttrsim plays by 99"
        assert ended.err == f"Error: {path}: {told}; {PLAY_AGAIN}\n"


def with_another_kit(tmp_path, added, *commands):
    """Run commands, uncompiled, in one process of a ttrsim with some lines added to its kit."""
    other = tmp_path / "other"
    shutil.copytree(Path(package.__file__).parent, other / "ttrsim")
    for part in ("maps", "strategies"):
        shutil.copytree(data_folder() / part, other / part)
    with (other / "ttrsim" / "kit" / "chance.py").open("a") as file:
        file.write(added)
    environment = {**os.environ, "PYTHONPATH": str(other), "NUMBA_DISABLE_JIT": "1"}
    script = f"from ttrsim.cli import main\nfor words in {commands}:\n    print('code', main(words))"
    ended = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert ended.returncode == 0, ended.stderr
    return ended


def test_run_of_another_kit_is_not_played_on_or_again(ttrsim, tmp_path):
    assert ttrsim(*SMALL, "-o", tmp_path / "run", "--quiet").code == 0
    commands = (["run", "--resume", "-o", "run"], ["verify", "run"], ["replay", "run", "--game", "3"])
    ended = with_another_kit(tmp_path, "\nCHANGED = 1\n", *commands)
    told = f"the helpers of strategies (ttrsim.bot) have changed since it was played; {PLAY_AGAIN}"
    assert (ended.stdout, ended.stderr) == ("code 1\n" * 3, f"Error: run: {told}\n" * 3)


def test_run_of_a_kit_with_other_comments_is_played_on_and_again(ttrsim, tmp_path):
    for games in (6, 8):
        ttrsim("run", *USA, "-n", games, "--seed", 3, "-o", tmp_path / str(games), "--quiet")
    ended = with_another_kit(
        tmp_path,
        "\n# a comment\n",
        ["run", "--resume", "-n", "8", "-o", "6", "--quiet"],
        ["verify", "6", "--sample", "1", "--quiet"],
        ["replay", "6", "--game", "3"],
    )
    assert ended.stderr == ""
    *before, replayed = ended.stdout.split("code 0\n")[:3]
    assert len(before) == 2
    assert replayed == ttrsim("replay", tmp_path / "8", "--game", 3).out
    assert Run.open(tmp_path / "6").digest == Run.open(tmp_path / "8").digest


def test_paths_below_the_home_folder_do_not_tell_the_user(ttrsim, tmp_path, monkeypatch, small_board):
    for name in ("HOME", "USERPROFILE"):  # the latter on Windows
        monkeypatch.setenv(name, str(tmp_path))
    (tmp_path / "my.toml").write_text(small_board, "utf-8")
    command = ("run", "--map", tmp_path / "my.toml", "--players", "random,random", "-n", 10, "-o", tmp_path / "run")
    assert ttrsim(*command).code == 0
    assert tmp_path.name not in (tmp_path / "run" / "run.json").read_text("utf-8")
    assert ttrsim("run", "--resume", "-o", tmp_path / "run").code == 0


def test_replay_prints_the_game_of_the_run(ttrsim, tmp_path):
    ttrsim(*SMALL, "-o", tmp_path / "run", "--quiet")
    assert ttrsim("replay", tmp_path / "run", "--game", 7).out == ttrsim("play", *USA, "--seed", 3, "--game", 7).out
    mixed = ("--design", "mixed", "--seats", 4, "--rotate", "all", "-o", tmp_path / "mixed", "--quiet")
    ttrsim(*SMALL, *mixed)
    run = Run.open(tmp_path / "mixed")
    for game in (0, 5, 100, 999):
        told = json.loads(ttrsim("replay", tmp_path / "mixed", "--game", game, "--json").out)
        rows = run.players[run.players["game"] == game]
        assert [seat["score"] for seat in told["result"]] == rows["score"].tolist()
        assert [seat["strategy"] for seat in told["result"]] == rows["strategy"].tolist()
    beyond = ttrsim("replay", tmp_path / "run", "--game", 1000)
    assert (beyond.code, beyond.err) == (1, "Error: game 1000: the run has games 0 to 999\n")


def test_portions_merge_to_the_undivided_run(ttrsim, tmp_path):
    whole = ttrsim("run", *USA, "-n", 3000, "--seed", 3, "-o", tmp_path / "whole", "--quiet")
    for portion in (1, 2, 3):
        options = ("--portion", f"{portion}/3", "-o", tmp_path / str(portion), "--quiet")
        assert ttrsim("run", *USA, "-n", 3000, "--seed", 3, *options).code == 0
    first = ttrsim("merge", tmp_path / "all", tmp_path / "1", tmp_path / "3")
    assert first.code == 0
    missing = 2 * len(Portion(2, 3).laps(1500))
    assert f"{missing:,} of 3,000 games are missing\n" in first.err
    assert f"{3000 - missing:,} of 3,000 games played" in first.out
    merged = ttrsim("merge", tmp_path / "all", tmp_path / "2")
    assert (merged.code, merged.out) == (0, whole.out)
    other = ttrsim("run", *USA, "-n", 3000, "--seed", 4, "--portion", "1/3", "-o", tmp_path / "other", "--quiet")
    assert other.code == 0
    refused = ttrsim("merge", tmp_path / "all", tmp_path / "other")
    assert refused.code == 2
    assert "is a different run: seed was 3, not 4" in refused.err


def test_unfinished_run_can_be_read_by_its_finished_batches(ttrsim, tmp_path):
    ttrsim("run", *USA, "-n", 3000, "--seed", 3, "--portion", "2/3", "-o", tmp_path / "run", "--quiet")
    run = Run.open(tmp_path / "run")
    assert (run.finished, run.digest) == (False, None)
    assert run.games_played == len(run.games) == run.array("games")["games"].sum()
    assert 900 < run.games_played < 1100
    assert run.table("seats")["games"].sum() == len(run.players) == 2 * run.games_played
    assert set(run.games["batch"]) == set(run.batches) == set(run.table("seats")["batch"])


def test_rows_are_plain_parquet(ttrsim, tmp_path):
    ttrsim(*SMALL, "-o", tmp_path / "run", "--quiet")
    frame = pd.concat(pd.read_parquet(path) for path in sorted((tmp_path / "run").glob("shards/*/players.parquet")))
    assert set(frame["strategy"]) == {"random", "random_kind"}
    assert (frame.groupby("game")["win_share"].sum() == 1).all()
    summary = pd.read_parquet(tmp_path / "run" / "summary" / "tickets.parquet")
    assert "Denver–El Paso" in set(summary["ticket"])


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no signals to a single process")
@pytest.mark.parametrize(
    ("number", "code", "told"), [(signal.SIGINT, 130, "Interrupted."), (signal.SIGTERM, 143, "Terminated.")]
)
def test_ctrl_c_and_sigterm_keep_what_is_finished_and_name_the_command_that_goes_on(tmp_path, number, code, told):
    path = tmp_path / "run"
    command = [*TTRSIM, "run", *USA, "-n", "3e5", "--seed", "3", "-j", "1", "-o", str(path), "--record", "none"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            for _ in range(1200):
                if any((path / "shards").glob("*")):
                    break
                time.sleep(0.05)
            process.send_signal(number)
            out, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, out) == (code, "")
    done = 2 * sum(map(len, Folder(path).present()))
    hint = f"{done:,} of 300,000 games finished and kept; continue with: ttrsim run --resume -o {path}\n"
    assert err.endswith(f"{hint}\n{told}\n")


def test_progress_shows_on_a_terminal_only(tmp_path):
    command = [*TTRSIM, "run", *USA, "-n", "2e4", "--seed", "3", "-j", "1"]
    leader, follower = pytest.importorskip("pty").openpty()  # Windows has none
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=follower, env={**os.environ, "COLUMNS": "200", "LINES": "20"}
    )
    os.close(follower)
    seen = b""
    while True:
        try:
            part = os.read(leader, 4096)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        seen += part
    os.close(leader)
    out, _ = process.communicate(timeout=30)
    share = r"random \d+\.\d ± \d\.\d % · random_kind \d+\.\d ± \d\.\d %"
    assert re.search(rf"20,000 of 20,000 games · [\d,]+/s · 0:00 left · {share}", seen.decode())
    assert seen.endswith(b"\r\x1b[K")
    assert b"/s" not in out


def test_same_command_without_a_seed_goes_on_wherever_the_board_lies(ttrsim, tmp_path, board_file, small_board):
    board, out = board_file(small_board), tmp_path / "run"
    command = ("run", "--resume", "--players", "random,random", "-n", "20", "-j", "1", "-o", out, "--map")
    first = ttrsim(*command, board)
    moved = board.rename(tmp_path / "moved.toml")
    again = ttrsim(*command, moved)
    assert (first.code, again.code) == (0, 0)
    seed = first.err.split()[1]  # "Seed … was drawn"
    assert f"Continuing with seed {seed}, as in {out}" in again.err.splitlines()
    assert again.out.splitlines()[-1] == first.out.splitlines()[-1]  # the digest
