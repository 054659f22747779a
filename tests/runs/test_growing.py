"""A run that is made longer says what one begun with the larger number says."""

import shutil

import numpy as np
import pytest
from scipy import stats

from runs.making import in_order, make_player, play, results, store
from ttrsim.errors import UsageError
from ttrsim.games import Interrupted
from ttrsim.runs import Run
from ttrsim.runs.playing import local_engine
from ttrsim.runs.recipe import Sprt, UntilCi
from ttrsim.runs.verify import verify_run

FIRST, SECOND, THIRD = 100, 420, 1300
"""Games, two a lap, of batches of one, two and four laps."""
KINDS = {
    "plain": {},
    "mixed": {"design": "mixed", "seats": 2},
    "until ci": {"stop": UntilCi(half_width=0.018)},
    "sprt": {"stop": Sprt(first="random_kind", second="random", elo0=0, elo1=20)},
    "never answered": {"stop": UntilCi(half_width=1e-6)},
}


@pytest.fixture(scope="module", params=KINDS)
def whole(request, tmp_path_factory):
    """The options of a run, and one that was begun with as many games as it has."""
    options = KINDS[request.param]
    return options, store(tmp_path_factory.mktemp("whole") / "run", games=THIRD, **options)


def estimates(run):
    return [(share.strategy, share.win_share, share.half_width) for share in shares_of(run)]


def shares_of(run):
    return play(run.player, run.folder.path, in_order(), resume=True).watch.shares.estimates()


def test_it_grows_to_the_same_run_by_any_steps(whole, tmp_path):
    options, run = whole
    for name, steps in {"once": [FIRST, THIRD], "twice": [FIRST, SECOND, THIRD]}.items():
        for games in steps:
            grown = store(tmp_path / name, threads=2, resume=games != FIRST, games=games, **options)
        assert grown.digest == run.digest
        assert results(tmp_path / name) == results(run.folder.path)
        assert estimates(grown) == estimates(run)
        assert grown.players.equals(run.players)
        assert grown.games.equals(run.games)
        verdict = verify_run(grown.folder, grown.player, None)
        assert (verdict.problems, verdict.missing, verdict.digest) == ([], 0, run.digest)


def test_it_grows_to_the_same_run_through_interruptions(whole, tmp_path, monkeypatch):
    monkeypatch.setattr("ttrsim.runs.playing.QUICK_LAPS", 1)  # as many shards as a longer run has
    options, run = whole

    def interrupted(after):
        def engine(player, staging, gaps):
            for number, record in enumerate(local_engine(2)(player, staging, gaps)):
                if number == after:
                    raise Interrupted
                yield record

        return engine

    resume = False
    for after, games in ((3, FIRST), (0, SECOND), (5, SECOND), (1, THIRD), (4, THIRD)):
        try:
            play(make_player(games=games, **options), tmp_path / "run", interrupted(after), resume=resume)
        except Interrupted:
            resume = True
    grown = store(tmp_path / "run", resume=True, games=THIRD, **options)
    assert (grown.digest, results(tmp_path / "run")) == (run.digest, results(run.folder.path))


def test_shards_that_were_finished_are_not_played_again(tmp_path, monkeypatch):
    run = store(tmp_path / "run", games=FIRST)
    player, played = make_player(games=SECOND), []
    plays = player.play
    monkeypatch.setattr(player, "play", lambda laps, *more: (played.extend(laps), plays(laps, *more))[1])
    play(player, run.folder.path, local_engine(1), resume=True)
    assert sorted(played) == list(range(FIRST // 2, SECOND // 2))


def test_a_run_cannot_be_made_shorter(tmp_path, ttrsim):
    run = store(tmp_path / "run", games=SECOND)
    before = results(run.folder.path)
    with pytest.raises(UsageError, match="has 420 games already, more than -n 100; a run can be made longer, not sh"):
        store(tmp_path / "run", resume=True, games=FIRST)
    ended = ttrsim("run", "--resume", "-o", tmp_path / "run", "-n", FIRST)
    assert (ended.code, "has 420 games already" in ended.err) == (2, True)
    assert results(run.folder.path) == before


def test_the_same_number_of_games_is_no_change(tmp_path):
    run = store(tmp_path / "run", games=FIRST)
    told = (tmp_path / "run" / "run.json").read_bytes()
    assert store(tmp_path / "run", resume=True, games=FIRST).digest == run.digest
    assert (tmp_path / "run" / "run.json").read_bytes() == told


def test_a_summary_of_fewer_games_is_not_told_of_a_run_that_was_made_longer(tmp_path):
    store(tmp_path / "run", games=FIRST)
    play(make_player(games=SECOND), tmp_path / "run", in_order(), resume=True)
    run = Run.open(tmp_path / "run")
    assert (run.finished, run.digest) == (False, None)
    assert run.games_played == FIRST - FIRST // 2 % 2 * 2
    assert run.array("games")["games"].sum() == run.games_played


@pytest.mark.parametrize("recorded", [("games", "players"), ()])
def test_which_rows_are_stored_stays_as_begun(tmp_path, ttrsim, monkeypatch, recorded):
    """The default depends on the number of games, which must not count when a run grows."""
    monkeypatch.setattr("ttrsim.runs.recipe.MOST_RECORDED", FIRST if recorded else FIRST - 1)
    words = ["run", "--map", "usa", "--players", "random,random_kind", "--seed", "5", "--quiet", "-o", tmp_path / "run"]
    assert ttrsim(*words, "-n", FIRST).code == 0
    monkeypatch.setattr("ttrsim.runs.recipe.MOST_RECORDED", FIRST if recorded else 10**6)
    assert ttrsim(*words, "-n", SECOND, "--resume").code == 0
    assert ttrsim("run", "--resume", "-o", tmp_path / "run", "-n", THIRD, "--quiet").code == 0
    run = Run.open(tmp_path / "run")
    assert (run.recipe.record, run.games_played, run.finished) == (recorded, THIRD, True)
    assert run.digest == store(tmp_path / "whole", games=THIRD).digest


def test_a_board_that_moved_and_bots_that_moved_are_the_same(tmp_path, board_file, small_board, ttrsim):
    board = board_file(small_board)
    bot = tmp_path / "bot.py"
    bot.write_text("from ttrsim.kit.chance import any_kind\n\n\ndef decide(board, table, hand, mind):\n    return any_kind(board, table, hand, mind)\n", "utf-8")  # fmt: skip  # noqa: E501
    options = {"players": f"{bot},random", "seed": 5}
    store(tmp_path / "run", board=str(board), games=FIRST, **options)
    whole = store(tmp_path / "whole", board=str(board), games=SECOND, **options)
    moved = tmp_path / "elsewhere"
    moved.mkdir()
    for file in (board, bot):
        shutil.move(file, moved / file.name)
    words = ["--map", moved / board.name, "--players", f"{moved / bot.name},random", "--seed", 5, "-n", SECOND]
    ended = ttrsim("run", "--resume", "-o", tmp_path / "run", *words, "--quiet")
    assert (ended.code, ended.err) == (0, "")
    assert Run.open(tmp_path / "run").digest == whole.digest
    (moved / board.name).write_text(small_board.replace("trains = 10", "trains = 9"), "utf-8")
    ended = ttrsim("run", "--resume", "-o", tmp_path / "run", *words, "--quiet")
    assert (ended.code, "is a different run: " in ended.err) == (2, True)


def test_estimates_of_a_run_that_grew_are_those_of_its_batches(tmp_path):
    store(tmp_path / "run", games=FIRST)
    run = store(tmp_path / "run", resume=True, games=THIRD)
    share = shares_of(run)[0]
    frame = run.players.merge(run.games[["game", "batch"]], on="game")
    sums = frame[frame["strategy"] == share.strategy].groupby("batch")["win_share"].agg(["sum", "size"])
    batches, total = len(sums), sums.sum()
    assert batches == 163
    assert share.win_share == pytest.approx(total["sum"] / total["size"])
    without = (total["sum"] - sums["sum"]) / (total["size"] - sums["size"])  # each batch left out in turn
    error = np.sqrt((batches - 1) / batches * ((without - without.mean()) ** 2).sum())
    assert share.half_width == pytest.approx(stats.t.ppf(0.975, batches - 1) * error)
