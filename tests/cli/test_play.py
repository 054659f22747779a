"""`ttrsim play` and `ttrsim warm`: golden transcripts, JSON, seeds, and mistakes.

Each file of `tests/golden` is what the command in its place below prints. After a change that is meant to change them,
`REGENERATE_GOLDEN=1 pytest tests/cli/test_play.py` writes them anew; read the difference before you commit it.
"""

import json
import os
import re
import subprocess
import sys
from itertools import pairwise, product
from pathlib import Path

import pytest
from conftest import TTRSIM

from ttrsim.core.jit import COMPILED

pytestmark = pytest.mark.usefixtures("not_the_first_run")

GOLDEN = Path(__file__).parents[1] / "golden"
COMMANDS = {
    "usa": "play --map usa --players random,random_kind --seed 51",
    "europe": "play --map europe --players random_kind,random,random --seed 139",
    "old_west_alvin": "play --map old_west:alvin --players random,random,random --seed 95",
    "san_francisco": "play --map san_francisco --players random,random_kind --seed 101",
}
USA = ("play", "--map", "usa", "--players", "random,random")
compiled_only = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


@pytest.mark.parametrize("name", COMMANDS)
def test_transcript_is_the_golden_one(ttrsim, name):
    ended = ttrsim(*COMMANDS[name].split())
    assert (ended.code, ended.err) == (0, "")
    path = GOLDEN / f"{name}.txt"
    if "REGENERATE_GOLDEN" in os.environ:
        path.write_text(ended.out, "utf-8")
        pytest.skip(f"wrote {path.name}")
    assert ended.out == path.read_text("utf-8")


@pytest.mark.parametrize("name", COMMANDS)
def test_json_tells_the_same_game_as_the_transcript(ttrsim, name):
    told = json.loads(ttrsim(*COMMANDS[name].split(), "--json").out)
    text = " ".join((GOLDEN / f"{name}.txt").read_text("utf-8").split())
    scores = [seat["score"] for seat in told["result"]]
    assert f"Score {' '.join(map(str, scores)).replace('-', '−')} Rank" in text
    for event in told["events"]:
        if event["decision"] not in ("turn", "second card", "city marker"):
            assert event["words"] in text
    for seat, score in enumerate(scores):
        at_once = sum(p["points"] for e in told["events"] for p in e.get("points", []) if p["seat"] == seat)
        assert at_once == score
        assert sum(told["result"][seat]["points"].values()) == score
        kept = [t["ticket"] for e in told["events"] if e["seat"] == seat for t in e.get("offer", []) if t["kept"]]
        assert sorted(kept) == sorted(t["ticket"] for t in told["result"][seat]["tickets"])
        routes = [e["route"] for e in told["events"] if e["seat"] == seat and "route" in e]
        assert sorted(routes) == sorted(told["result"][seat]["routes"])


@pytest.mark.parametrize("name", COMMANDS)
def test_json_gives_the_code_of_each_action_and_the_kind_it_names(ttrsim, name):
    told = json.loads(ttrsim(*COMMANDS[name].split(), "--json").out)
    names = {kind: name for name, kind in told["kinds"].items()}
    draws = payments = 0
    for event in told["events"]:
        action = event["action"]
        if event["decision"] in ("turn", "second card") and (action == 1 or 10 <= action < 20):
            draws += 1
            assert event["cards"] == {names[event["kind"]]: 1}
            assert action in (1, 10 + event["kind"])
        elif action >= 10_000:
            payments += 1
            assert event["kind"] == action % 100 // 10
            assert names[event["kind"]] in event["words"]
        else:
            assert "kind" not in event
        assert all(offer["kept"] == bool(action - 100 >> i & 1) for i, offer in enumerate(event.get("offer", [])))
    assert draws > payments > 0


def test_json_names_the_tunnel_of_each_attempt_and_its_outcome(ttrsim):
    told = json.loads(ttrsim(*COMMANDS["europe"].split(), "--json").out)
    outcomes = set()
    for before, event in pairwise(told["events"]):
        if (tunnel := event.get("tunnel")) is None:
            assert "tunnel" not in event["words"]
            continue
        outcomes.add((event["decision"], tunnel["outcome"]))
        assert (event.get("route") == tunnel["route"]) == (tunnel["outcome"] == "claimed")
        if event["decision"] == "tunnel":
            laid_out = before["tunnel"]
            assert (laid_out["route"], laid_out["outcome"]) == (tunnel["route"], "to be decided")
            assert sum(tunnel.get("paid", {}).values()) == laid_out["asked"] * (tunnel["outcome"] == "claimed")
        else:
            assert tunnel["route"].partition(" (")[0] in event["words"]
            kind = next(name for name, kind in told["kinds"].items() if kind == event["kind"])
            assert tunnel["asked"] == sum(tunnel["turned_up"].get(name, 0) for name in {kind, "locomotive"})
            change = {} if tunnel["outcome"] == "withdrawn" else {name: -n for name, n in tunnel["laid_out"].items()}
            assert event.get("cards", {}) == change
    assert outcomes == {
        *product(["turn", "tunnel"], ["claimed", "withdrawn"]),
        ("turn", "to be decided"),
    }


def test_borrowed_routes_are_told_at_the_end(ttrsim):
    told = json.loads(ttrsim(*COMMANDS["europe"].split(), "--json").out)
    text = (GOLDEN / "europe.txt").read_text("utf-8")
    for seat in told["result"]:
        built = [e["city"] for e in told["events"] if e["seat"] == seat["seat"] and "a station in" in e["words"]]
        assert sorted(station["city"] for station in seat["stations"]) == sorted(built)
    loans = [(s["borrowed"], s["city"]) for seat in told["result"] for s in seat["stations"] if "borrowed" in s]
    assert loans == [("Angora–Constantinople", "Angora"), ("Berlin–Frankfurt (black)", "Berlin")]
    assert [f"  borrowed   {route} by the station in {city}\n" in text for route, city in loans] == [True, True]


def test_board_without_stations_tells_of_none(ttrsim):
    told = json.loads(ttrsim(*COMMANDS["usa"].split(), "--json").out)
    assert not any("stations" in seat for seat in told["result"])


def test_reconstructed_board_is_said_to_be_one(ttrsim):
    assert "a RECONSTRUCTION" in ttrsim(*COMMANDS["san_francisco"].split()).out
    assert "RECONSTRUCTION" not in ttrsim(*COMMANDS["usa"].split()).out


@pytest.mark.parametrize(
    ("board", "most"), [("usa:1910", 5), ("europe:mega", 5), ("old_west", 6), ("san_francisco", 4)]
)
def test_every_number_of_players_has_a_transcript_that_keeps_to_the_width(ttrsim, board, most):
    for players in range(2, most + 1):
        ended = ttrsim("play", "--map", board, "--players", ",".join(["random_kind"] * players), "--seed", 1)
        assert ended.code == 0
        assert max(map(len, ended.out.splitlines())) <= 100
        assert all(line == line.rstrip() for line in ended.out.splitlines())
        assert re.search(r"\nThe \d\w\w player .* (wins|and the .* share the win) with −?\d+ points?", ended.out)


def test_drawn_seed_is_told_and_gives_the_same_game_again(ttrsim):
    first = ttrsim(*USA)
    again = re.fullmatch(r"The same game again: ttrsim (play --map usa .* --seed (\d+))\n", first.err)
    assert f"Seed {again[2]}, game 0" in first.out
    second = ttrsim(*again[1].split())
    assert (second.out, second.err) == (first.out, "")


def test_two_drawn_seeds_differ(ttrsim):
    assert ttrsim(*USA).out != ttrsim(*USA).out


def test_quiet_writes_nothing_on_stderr(ttrsim):
    ended = ttrsim(*USA, "--quiet")
    assert (ended.code, ended.err) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--map", "usaa", "--players", "random,random"), "no board 'usaa'"),
        (("--map", "usa", "--players", "random,randon"), "no strategy 'randon'; did you mean random"),
        (("--map", "usa", "--players", "random(risk=1),random"), "random: no parameter 'risk'"),
        (("--map", "usa", "--players", "random"), "usa is for 2 to 5 players, not 1"),
        (("--map", "san_francisco", "--players", "random," * 4 + "random"), "for 2 to 4 players, not 5"),
        (("--map", "usa", "--players", "random,random", "--seed", "-1"), "-1 is not in the range"),
        (("--map", "usa", "--players", "random,random", "--seed", "x"), "'x' is not a whole number"),
        (("--map", "usa", "--players", "random,random", "--seed", str(2**64)), "is not in the range"),
        (("--map", "usa", "--players", "random,random", "--game", "-1"), "-1 is not in the range"),
        (("--players", "random,random"), "Missing option '--map'"),
        (("--map", "usa"), "Missing option '--players'"),
    ],
)
def test_wrong_usage_ends_with_2_and_one_line(ttrsim, arguments, message):
    ended = ttrsim("play", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert [line for line in ended.err.splitlines() if "Error: " in line and message in line]


def test_missing_file_of_a_strategy_ends_with_1(ttrsim):
    ended = ttrsim("play", "--map", "usa", "--players", "none.py,random")
    assert (ended.code, ended.err) == (1, "Error: none.py: cannot be read: No such file or directory\n")


@pytest.mark.parametrize(
    ("action", "meaning"), [("99999", "which means nothing there"), ("10002", "which would be “claims")]
)
def test_game_is_shown_up_to_an_illegal_action(ttrsim, tmp_path, action, meaning):
    path = tmp_path / "bad.py"
    path.write_text(
        '"""Wants something illegal in turn 4."""\nfrom ttrsim.kit.chance import any_kind\n\n'
        "def decide(board, table, hand, mind):\n"
        f"    return {action} if table.turn == 3 else any_kind(board, table, hand, mind)\n",
        "utf-8",
    )
    ended = ttrsim("play", "--map", "usa", "--players", f"random,{path}", "--seed", 1)
    assert ended.code == 1
    assert re.search(r"\n +3  1st player", ended.out)
    assert not re.search(r"\n +4  \w+ player", ended.out)
    assert f"Error: bad ({path}), as the 2nd player in turn 4, asked for 'turn', " in ended.err
    assert f"returned the illegal action {action}, {meaning}" in ended.err
    assert "; legal actions are: draws a blind card; " in ended.err


def test_illegal_action_before_the_first_turn_is_said_to_be_so(ttrsim, tmp_path):
    path = tmp_path / "bad.py"
    path.write_text('"""Always passes."""\n\ndef decide(board, table, hand, mind):\n    return 0\n', "utf-8")
    ended = ttrsim("play", "--map", "usa", "--players", f"{path},random", "--seed", 1)
    assert (ended.code, "Turns" in ended.out) == (1, False)
    assert "as the 1st player before the first turn, asked for 'opening tickets', " in ended.err


@compiled_only
def test_first_run_on_a_machine_says_that_it_compiles(ttrsim, monkeypatch, tmp_path):
    monkeypatch.setattr("ttrsim.core.jit.CACHE_FOLDER", tmp_path)
    first, second = ttrsim(*USA, "--seed", 1), ttrsim(*USA, "--seed", 1)
    assert first.err == "Compiling the game for this machine, once: about 15 seconds ...\n"
    assert (second.out, second.err) == (first.out, "")


def test_first_run_compiles_in_silence_if_quiet(ttrsim, monkeypatch, tmp_path):
    monkeypatch.setattr("ttrsim.core.jit.CACHE_FOLDER", tmp_path)
    assert ttrsim(*USA, "--quiet").err == ""


def test_warm_compiles_ahead_and_says_how_long_it_took(ttrsim, monkeypatch, tmp_path):
    monkeypatch.setattr("ttrsim.core.jit.CACHE_FOLDER", tmp_path)
    ended = ttrsim("warm", "random", "random_kind")
    assert ended.code == 0
    assert re.fullmatch(r"Compiled the game, random, random_kind in \d+\.\d s\n", ended.out)
    assert ttrsim(*USA, "--seed", 1).err == ""


def test_warm_start_takes_no_time_to_speak_of(ttrsim):
    ttrsim(*USA, "--seed", 1)
    before = os.times()
    subprocess.run([*TTRSIM, *USA, "--seed", "1"], capture_output=True, check=True)
    # A guard against compiling again, which takes half a minute of the processor; a warm start takes about 0.7 s.
    assert os.times().children_user - before.children_user < 10


def test_play_imports_no_pandas():
    code = (
        "import sys; from ttrsim.cli import main; "
        f"main({[*USA, '--seed', '1']!r}); print(*sys.modules, file=sys.stderr)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"pandas", "matplotlib"}.isdisjoint(ended.stderr.split())
