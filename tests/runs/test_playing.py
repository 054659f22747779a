"""The games of a run by their numbers: the same as elsewhere, in calls that can be interrupted."""

import numpy as np
import pytest

import ttrsim
from runs.making import BOT, GAMES, make_player
from ttrsim.games import Interrupted
from ttrsim.runs import Run
from ttrsim.runs.playing import play_shard


def test_playing_stops_in_the_midst_of_a_shard_as_soon_as_it_is_told_to():
    answers = iter([False, False, True])  # who asks once more has not stopped
    with pytest.raises(Interrupted):
        play_shard(make_player(games=10**7), range(2**20), None, lambda: next(answers))


@pytest.mark.parametrize("seconds", [0.5, 0.01])
def test_calls_of_the_core_last_a_fifth_of_a_second_or_a_game(monkeypatch, seconds):
    """Games last `seconds` each, by a clock of their own."""
    player = make_player(games=200)
    call, now, calls = player.games._call, [0.0], []

    def slow(strategies, seatings, blocks, games, results):
        calls.append(len(games))
        now[0] += seconds * len(games)
        call(strategies, seatings, blocks, games, results)

    monkeypatch.setattr(player.games, "_call", slow)
    monkeypatch.setattr("ttrsim.games.time.perf_counter", lambda: now[0])
    player.play(range(100))
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
    player = make_player(players=players, games=1, design="mixed", seats=3)
    results = player.play(range(1))
    assert len(results.games) == player.schedule.lap_games == 7 + 3 * (7 * 6) + 3 * 35
    seatings = player.schedule.where(np.arange(len(results.games)))[1]
    assert (results.seats["strategy"] == seatings).all()
    for game in (0, 40, 200):
        seated, recording = player.replay(game)
        assert recording.seats["score"].tolist() == results.seats["score"][game : game + 1].tolist()
        assert [s.name for s in seated.line_up] == [player.strategies[i].name for i in seatings[game]]
