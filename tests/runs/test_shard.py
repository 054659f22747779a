"""Shards are pieces of time: a few seconds of a slow bot, many games of a quick one."""

import threading
import time
from itertools import pairwise

import pytest

from runs.making import make_player, play, results, store
from ttrsim.runs.laps import Gaps, Portion
from ttrsim.runs.playing import local_engine, play_shard, take
from ttrsim.runs.recipe import UntilCi
from ttrsim.runs.store import Folder
from ttrsim.schedule import next_look


class Clock:
    """Time that passes only while games are played, by the lap."""

    def __init__(self, monkeypatch, player, seconds: float) -> None:
        self.now, plays = 0.0, player.play

        def play(laps, *more):
            self.now += seconds * len(laps)
            return plays(laps, *more)

        monkeypatch.setattr(player, "play", play)
        monkeypatch.setattr("ttrsim.runs.playing.time.monotonic", lambda: self.now)


@pytest.mark.parametrize(
    ("seconds", "fewest", "laps"),
    [
        (0.01, 1, 64),  # all that it was given
        (1, 1, 8),  # twice as many would last 16 seconds
        (4, 1, 2),
        (20, 1, 1),  # a lap is the least
        (20, 8, 8),  # in a run of so many laps that it would have too many shards
        (100, 8, 2),  # but not for more than five minutes
    ],
)
def test_a_shard_grows_while_it_lasts_seconds(monkeypatch, seconds, fewest, laps):
    player = make_player(games=1000)
    player.games.call_games = 1
    Clock(monkeypatch, player, seconds)
    assert play_shard(player, range(64, 128), fewest=fewest).range == range(64, 64 + laps)


@pytest.mark.parametrize(("seconds", "laps"), [(0.001, 64), (0.01, 16), (0.1, 4)])
def test_a_shard_is_larger_than_a_tenth_of_a_threads_laps_only_if_it_lasts_a_moment(monkeypatch, seconds, laps):
    player = make_player(games=1000)
    player.games.call_games = 1
    Clock(monkeypatch, player, seconds)
    assert len(play_shard(player, range(64), share=4).range) == laps


def test_a_shard_has_no_more_games_than_fit_into_memory(monkeypatch):
    monkeypatch.setattr("ttrsim.runs.playing.MOST_GAMES", 40)
    assert len(play_shard(make_player(games=1000), range(64)).range) == 16


def slow(player, monkeypatch, seconds=0.03):
    """Return a bot that takes so long for each game, and the numbers of games that each thread has played."""
    call, played = player.games._call, {}

    def wait(strategies, seatings, blocks, games, results):
        time.sleep(seconds * len(games))
        played[threading.get_ident()] = played.get(threading.get_ident(), 0) + len(games)
        call(strategies, seatings, blocks, games, results)

    player.compile()
    monkeypatch.setattr(player.games, "_call", wait)
    monkeypatch.setattr("ttrsim.games.CALL_SECONDS", seconds)
    monkeypatch.setattr("ttrsim.runs.playing.SECONDS", 4 * seconds)
    return played


def test_slow_bots_keep_all_threads_busy_and_are_stored_while_they_play(tmp_path, monkeypatch):
    player = make_player(games=120)
    played, known = slow(player, monkeypatch), []
    folder = Folder(tmp_path / "run")
    play(
        player,
        folder.path,
        local_engine(2),
        on_shard=lambda shares: known.append((shares.games, len(folder.present()))),
    )
    games = [count for thread, count in played.items() if thread != threading.get_ident()]
    assert (len(games), sum(games)) == (2, 120)
    assert min(games) >= 30
    assert len(known) > 20
    assert known == sorted(known)
    assert [stored for _, stored in known] == list(range(len(known)))  # each as soon as it is finished
    assert max(later - earlier for (earlier, _), (later, _) in pairwise(known)) <= 8
    monkeypatch.undo()
    assert results(folder.path) == results(store(tmp_path / "quick", games=120).folder.path)


def test_games_are_told_as_they_are_played(monkeypatch):
    """Inside shards too, of which there may be one in a few minutes."""
    player, told = make_player(games=64), []
    player.games.call_games = 1
    player.on_games = told.append
    play_shard(player, range(32))
    assert sum(told) == 64
    assert len(told) > 1


def test_what_is_cut_short_is_played_by_whoever_comes_next(tmp_path, monkeypatch):
    """Shards are half, or less, of what was taken: the rest is given back and nothing is played twice."""
    player = make_player(games=200)
    player.games.call_games = 1
    monkeypatch.setattr("ttrsim.games.MOST_MORE", 1)  # or calls would grow with the speed that the games really have
    Clock(monkeypatch, player, 6.0)
    play(player, tmp_path / "run", local_engine(1))
    present = Folder(tmp_path / "run").present()
    assert [lap for laps in present for lap in laps] == list(range(100))
    assert {len(laps) for laps in present} == {1, 2} or {len(laps) for laps in present} == {2}


def test_no_shard_of_a_run_that_may_stop_reaches_beyond_a_look():
    recipe, gaps = make_player(games=20_000, stop=UntilCi(half_width=0.01)).recipe, Gaps(range(10_000))
    taken = []
    while len(gaps) > 5000:
        taken.append(take(recipe, gaps, 1024))
    for laps in taken:
        assert laps.stop <= next_look(laps.start)
    assert max(map(len, taken)) > 64


def test_a_portion_of_a_large_run_is_planned_and_begun(tmp_path, ttrsim):
    words = ["run", "--map", "usa", "--players", "random,random_kind", "--seed", 5, "-n", "1e6", "--record", "none"]
    ended = ttrsim(*words, "--portion", "6000/10000", "-o", tmp_path / "run", "-j", 2, "--quiet")
    assert ended.code == 0
    laps = Portion(6000, 10_000).laps(500_000)
    assert [lap for shard in Folder(tmp_path / "run").present() for lap in shard] == list(laps)
    assert f"{2 * len(laps)} of 1,000,000 games played" in ended.out
    assert len(Portion(60, 100).laps(500_000)) in range(4900, 5100)


def test_a_portion_with_nothing_to_do_ends_well_and_says_so(tmp_path, ttrsim):
    words = ["run", "--map", "usa", "--players", "random,random_kind", "--seed", 5, "-n", 6, "--quiet"]
    ended = [ttrsim(*words, "--portion", f"{portion}/5", "-o", tmp_path / str(portion)) for portion in range(1, 6)]
    nothing = [end for end in ended if "nothing to play" in end.err]
    assert [end.code for end in ended] == [0] * 5
    assert len(nothing) == 2
    for number, end in enumerate(ended, 1):
        told = (
            f"portion {number}/5: nothing to play, because the run has fewer laps than portions (3 laps of 2 games)\n"
        )
        assert end.err in ("", told)
    merged = ttrsim("merge", tmp_path / "whole", *(tmp_path / str(portion) for portion in range(1, 6)), "--quiet")
    assert (merged.code, "Digest" in merged.out) == (0, True)
