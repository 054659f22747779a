"""Runs that end before their last game: at the first look, in order, at which the question is answered."""

import numpy as np
import pytest
from scipy import stats

from runs.making import in_order, make_player, play, results, store
from ttrsim.errors import UsageError
from ttrsim.runs import Run
from ttrsim.runs.laps import pieces
from ttrsim.runs.recipe import Sprt, UntilCi, make_recipe
from ttrsim.runs.stopping import by_lap
from ttrsim.runs.store import Folder
from ttrsim.runs.verify import verify_run
from ttrsim.schedule import FIRST_LOOK, batch_laps, is_look, next_look
from ttrsim.strategies import load_strategy

WIDE = {"games": 20_000, "stop": UntilCi(half_width=0.006)}
DUEL = {"games": 20_000, "stop": Sprt(first="random_kind", second="random", elo0=0, elo1=2)}


@pytest.fixture(scope="module", params=["until_ci", "sprt"])
def stopped(request, tmp_path_factory):
    """The options of a run that stops early, and where it is stored."""
    options = {"until_ci": WIDE, "sprt": DUEL}[request.param]
    path = tmp_path_factory.mktemp("stopped") / request.param
    store(path, **options)
    return options, path


def widest(run, laps):
    """Return the largest half width of a 95 % interval of a win share, from the rows of the first laps."""
    players = run.players[run.players["game"] < laps * 2]
    batch = players["game"] // 2 // batch_laps(laps)
    sums = players.groupby([batch, "strategy"], observed=True)["win_share"].agg(["sum", "size"]).unstack()
    won, seats = sums["sum"].to_numpy(), sums["size"].to_numpy()
    share, batches = won.sum(axis=0) / seats.sum(axis=0), len(won)
    errors = np.sqrt(batches / (batches - 1) * ((won - share * seats) ** 2).sum(axis=0)) / seats.sum(axis=0)
    return stats.t.ppf(0.975, batches - 1) * errors.max()


def looks(laps):
    """Return all looks below a number of laps."""
    found = [next_look(0)]
    while (look := next_look(found[-1])) < laps:
        found.append(look)
    return found


def test_a_run_ends_at_the_first_look_at_which_every_half_width_is_small_enough(stopped):
    options, path = stopped
    if options is not WIDE:
        pytest.skip("asks for no width")
    run = Run.open(path)
    ended = run.summary.laps
    assert FIRST_LOOK < ended < 10_000
    assert len(run.games) == 2 * ended
    wanted = WIDE["stop"].half_width
    assert widest(run, ended) <= wanted < min(widest(run, look) for look in looks(ended))


def test_it_does_not_end_before_the_first_look(tmp_path):
    twin = tmp_path / "twin.py"
    twin.write_text(load_strategy("random").text, "utf-8")
    run = store(tmp_path / "run", players=f"random,{twin}", rotate="none", games=200, stop=UntilCi(half_width=0.4))
    assert run.summary.laps == len(run.batches) == FIRST_LOOK


def test_a_run_that_never_answers_ends_with_its_last_game(tmp_path):
    options = {"games": 2000, "record": ()}
    never = store(tmp_path / "never", **options, stop=UntilCi(half_width=1e-6))
    plain = store(tmp_path / "plain", **options)
    assert never.digest == plain.digest
    assert never.summary.laps == 1000
    for name in ("seats", "tickets", "routes", "orders"):
        assert never.table(name).equals(plain.table(name))


def test_neither_threads_nor_the_order_of_shards_nor_games_decide_where_it_ends(stopped, tmp_path):
    options, path = stopped
    store(tmp_path / "threads", threads=3, **options)
    end = Run.open(path).summary.laps
    ahead = [range(end, end + 1), range(end + 1, end + 2)]
    spaced = [
        part for last, look in zip([0, *looks(end)], [*looks(end), end], strict=True) for part in halves(last, look)
    ]
    wild = np.random.default_rng(1).permutation(len(spaced)).tolist()
    outcome = play(make_player(**options), tmp_path / "wild", in_order(*ahead, *(spaced[i] for i in wild)))
    assert outcome.watch.early
    other = store(tmp_path / "longer", threads=2, **{**options, "games": 3 * options["games"]})
    assert (other.summary.laps, other.digest) == (end, Run.open(path).digest)
    assert results(path) == results(tmp_path / "threads") == results(tmp_path / "wild")
    assert Folder(tmp_path / "wild").present()[-1].stop == end  # what was played ahead is gone


def halves(first, end):
    """Return aligned ranges of laps, as many as needed."""
    found = []
    while first < end:
        size = min(1 << (end - first).bit_length() - 1, first & -first or 1 << 60)
        found.append(range(first, first + size))
        first += size
    return found


def test_a_stopped_run_is_finished_sound_and_stays_so(stopped):
    options, path = stopped
    before = results(path)
    run = Run.open(path)
    assert run.finished
    assert run.games_played == 2 * run.summary.laps < options["games"]
    assert is_look(run.summary.laps)
    verdict = verify_run(run.folder, run.player, 3)
    assert (verdict.problems, verdict.missing, verdict.digest) == ([], 0, run.digest)
    store(path, resume=True, **options)
    assert results(path) == before
    assert run.array("seats").shape[0] == len(run.batches) == run.schedule.batches


def test_a_damaged_or_interrupted_one_ends_at_the_same_look(stopped, tmp_path):
    options, path = stopped
    whole = Run.open(path)
    here = [*whole.present[:1], *whole.present[2:4], *whole.present[-2:]]  # as a run that was killed leaves them
    folder = Folder(tmp_path / "run")
    play(make_player(**options), folder.path, in_order(*here))
    (folder.shard(here[1]) / "sums.bin").unlink()
    store(folder.path, resume=True, **options)
    assert results(folder.path) == results(path)


def test_an_unfinished_one_tells_the_batches_of_what_is_played_without_a_gap(tmp_path):
    player, ranges = make_player(**WIDE), [*pieces(range(256), 32), range(512, 544)]
    play(player, tmp_path / "run", in_order(*ranges))
    run, plain = Run.open(tmp_path / "run"), store(tmp_path / "plain", games=512)
    assert (run.finished, run.schedule.laps, run.games_played) == (False, 256, 512)
    for name in ("seats", "ticket_fates", "scores", "orders"):
        assert run.table(name).equals(plain.table(name))
    assert run.players.equals(plain.players)
    assert run.games.equals(plain.games)


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
    laps, lap_games = run.recipe.laps, run.recipe.schedule.lap_games
    test = Sprt(first="random_kind", second="random")
    found = by_lap(run.recipe, test, run.player.play(range(laps)))
    shares = run.players.groupby([run.players["game"] // lap_games, "strategy"], observed=True)["win_share"].sum()
    expected = shares.xs("random_kind", level=1) - shares.xs("random", level=1)
    assert (found / 60).tolist() == pytest.approx(expected.tolist(), abs=1e-4)
    assert found.any()


def test_two_are_tested_only_where_they_change_places():
    """One strategy under two names wins 5 points more where it sits after another one: that is no skill."""
    options = {"board": "usa", "players": "one_step,random_kind,random", "games": 1000, "seed": 1}
    test = Sprt(first="random_kind", second="random")
    with pytest.raises(UsageError, match=r"--sprt random_kind,random: .*; they swap places if"):
        make_recipe(**options, rotate="none", stop=test)
    for rotate in ("cyclic", "all"):
        assert make_recipe(**options, rotate=rotate, stop=test)[0].stop == test
    with pytest.raises(UsageError, match="swap places"):
        make_recipe(**options, design="focal", seats=3, stop=Sprt(first="one_step", second="random"))
    make_recipe(**options, design="mixed", seats=3, stop=test)


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
