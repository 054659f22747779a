"""Runs that end before their last game: at the first batch, in order, at which the question is answered."""

import numpy as np
import pytest
from scipy import stats

from runs.making import store
from runs.test_store import content
from ttrsim.errors import UsageError
from ttrsim.runs import Run
from ttrsim.runs.duel import by_lap
from ttrsim.runs.make import carry_out, opened
from ttrsim.runs.plan import Sprt, UntilCi, make_plan
from ttrsim.runs.playing import Player
from ttrsim.runs.shard import play_shard
from ttrsim.runs.shares import FEWEST_BATCHES
from ttrsim.runs.store import Folder
from ttrsim.runs.verify import verify_run
from ttrsim.strategies import load_strategy

WIDE = {"games": 20_000, "stop": UntilCi(half_width=0.003)}
DUEL = {"games": 20_000, "stop": Sprt(first="random_kind", second="random", elo0=0, elo1=1)}


@pytest.fixture(scope="module", params=["until_ci", "sprt"])
def stopped(request, tmp_path_factory):
    """The options of a run that stops early, and where it is stored."""
    options = {"until_ci": WIDE, "sprt": DUEL}[request.param]
    path = tmp_path_factory.mktemp("stopped") / request.param
    store(path, **options)
    return options, path


def widest(players, batches):
    """The largest half width of a 95 % interval of a win share, from the rows of the first so many batches."""
    means = players[players["batch"] < batches].groupby(["strategy", "batch"], observed=True)["win_share"].mean()
    return stats.t.ppf(0.975, batches - 1) * means.groupby("strategy", observed=True).std().max() / batches**0.5


def test_a_run_ends_at_the_first_batch_at_which_every_half_width_is_small_enough(tmp_path):
    run = store(tmp_path / "run", **WIDE)
    ended = len(run.batches)
    rows = run.players.merge(run.games[["game", "batch"]], on="game")
    assert FEWEST_BATCHES < ended < 200
    assert len(run.games) == ended * 100 == run.folder.read_summary().games
    assert rows["batch"].max() == ended - 1
    looked = [shard.pieces[-1].batch + 1 for shard in run.plan.schedule.all_shards()]
    assert ended == min(b for b in looked if b >= FEWEST_BATCHES and widest(rows, b) <= WIDE["stop"].half_width)


def test_it_does_not_end_before_twenty_batches(tmp_path):
    assert len(store(tmp_path / "run", games=20_000, stop=UntilCi(half_width=0.4)).batches) == FEWEST_BATCHES


def test_a_run_that_never_answers_ends_with_its_last_game(tmp_path):
    options = {"games": 2000, "record": ()}
    never = store(tmp_path / "never", **options, stop=UntilCi(half_width=1e-6))
    plain = store(tmp_path / "plain", **options)
    assert never.digest == Run.open(tmp_path / "never").digest
    assert never.folder.read_summary().games == 2000
    for name in ("seats", "tickets", "routes"):
        assert never.table(name).equals(plain.table(name))


def test_neither_threads_nor_the_order_of_shards_decide_where_it_ends(stopped, tmp_path):
    options, path = stopped
    store(tmp_path / "threads", threads=3, **options)
    player = Player(*make_plan(**{"board": "usa", "players": "random,random_kind", "seed": 5, **options}))
    wild = np.random.default_rng(1).permutation(player.schedule.shards).tolist()
    end = len(Folder(path).present())

    def in_disorder(player, folder, numbers):
        played = [n for n in wild if n < end + 3]
        return (play_shard(player, number, folder) for number in played)

    folder = Folder(tmp_path / "disorder")
    with opened(folder, player, resume=False):
        outcome = carry_out(player, in_disorder, folder)
    assert outcome.watch.early
    assert content(path) == content(tmp_path / "threads") == content(tmp_path / "disorder")


def test_a_stopped_run_is_finished_sound_and_stays_so(stopped, tmp_path):
    options, path = stopped
    before = content(path)
    run = Run.open(path)
    assert run.finished
    assert run.games_played == run.folder.read_summary().games < options["games"]
    verdict = verify_run(run.folder, run.player, 3)
    assert (verdict.problems, verdict.missing, verdict.digest) == ([], 0, run.digest)
    store(path, resume=True, **options)
    assert content(path) == before
    assert run.array("seats").shape[0] == len(run.batches) == run.folder.read_summary().batches


def test_a_damaged_or_interrupted_one_ends_at_the_same_batch(stopped, tmp_path):
    options, path = stopped
    player = Player(*make_plan(**{"board": "usa", "players": "random,random_kind", "seed": 5, **options}))
    folder = Folder(tmp_path / "run")
    end = len(Folder(path).present())
    with opened(folder, player, resume=False):
        for number in [0, 2, *range(end - 1, end + 2)]:  # as a run that was killed leaves them
            play_shard(player, number, folder)
    (folder.shard(2) / "tally.parquet").unlink()
    store(folder.path, resume=True, **options)
    assert content(folder.path) == content(path)


@pytest.mark.parametrize(
    "options",
    [
        {"players": "random,random_kind"},
        {"players": "random_kind,random", "design": "mixed", "seats": 3},
        {"players": "one_step,random,random_kind", "design": "mixed", "seats": 4, "rotate": "all"},
    ],
)
def test_differences_are_what_the_first_won_more_lap_by_lap(tmp_path, options):
    run = store(tmp_path / "run", games=500, **options)
    laps, lap_games = run.plan.laps, run.plan.schedule.lap_games
    test = Sprt(first="random_kind", second="random")
    found = by_lap(run.plan, test, run.player.play(0, laps))
    shares = run.players.groupby([run.players["game"] // lap_games, "strategy"], observed=True)["win_share"].sum()
    expected = shares.xs("random_kind", level=1) - shares.xs("random", level=1)
    assert (found / 60).tolist() == pytest.approx(expected.tolist(), abs=1e-4)
    assert found.any()


def test_two_are_tested_only_where_they_change_places():
    """One strategy under two names wins 5 points more where it sits after another one: that is no skill."""
    options = {"board": "usa", "players": "one_step,random_kind,random", "games": 1000, "seed": 1}
    test = Sprt(first="random_kind", second="random")
    with pytest.raises(UsageError, match=r"--sprt random_kind,random: .*; they change places where"):
        make_plan(**options, rotate="none", stop=test)
    for rotate in ("cyclic", "all"):
        assert make_plan(**options, rotate=rotate, stop=test)[0].stop == test
    with pytest.raises(UsageError, match="change places"):
        make_plan(**options, design="focal", seats=3, stop=Sprt(first="one_step", second="random"))
    make_plan(**options, design="mixed", seats=3, stop=test)


def test_copies_of_one_strategy_win_alike_where_they_change_places(tmp_path):
    copy = tmp_path / "twin.py"
    copy.write_text(load_strategy("random").text, "utf-8")
    players = f"random,{copy},random_kind"
    run = store(tmp_path / "run", players=players, rotate="all", games=600, record=())
    assert run.strategies == ["random", "twin.py", "random_kind"]
    seats = run.table("seats").groupby("strategy", observed=True)[["games", "win60", "score"]].sum()
    assert seats.loc["random"].tolist() == seats.loc["twin.py"].tolist()
    same = store(tmp_path / "same", players="random,random,random_kind", rotate="all", games=300, record=())
    pooled = same.table("seats").groupby("strategy", observed=True)[["games", "win60", "score"]].sum()
    assert pooled.loc["random"].tolist() == (seats.loc["random"] + seats.loc["twin.py"]).div(2).tolist()
