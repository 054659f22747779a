"""The number of games a question needs, compared with runs that have as many."""

import gc

import numpy as np
import pytest

from runs.making import store
from ttrsim.errors import UsageError, UserError
from ttrsim.stats.precision import needs, pilot, stored_pilot
from ttrsim.stats.standings import win_shares
from ttrsim.stats.ticket_values import offer_effects

OPTIONS = {"board": "usa", "players": "random,random_kind,random", "record": ()}


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return store(tmp_path_factory.mktemp("small") / "run", games=3000, **OPTIONS)


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    return store(tmp_path_factory.mktemp("large") / "run", games=30_000, **{**OPTIONS, "seed": 8})


def by_question(found):
    return {need.question: need for need in found}


def test_a_run_of_so_many_games_is_as_precise_as_was_wanted(small, large):
    """A small run predicts the half widths of a larger one, but for chance."""
    shares, offers = win_shares(large), offer_effects(large, "score")
    half_width = ((shares.interval().high - shares.interval().low) / 2)[0]
    need = by_question(needs(small, half_width, asked=["shares"]))["Win share of random"]
    assert need.fewest * 0.9 < large.games_played < need.most * 1.1  # the larger one's are uncertain too
    assert need.fewest < need.games < need.most
    ticket = large.board.ticket_name(large.board.tickets[3])
    half_width = ((offers.interval().high - offers.interval().low) / 2)[0, 3]
    found = by_question(needs(small, half_width, "score", ["offers"], ticket=ticket))
    need = found[f"Offer effect of {ticket}, random"]
    assert need.fewest * 0.9 < large.games_played < need.most * 1.1


def test_half_the_width_needs_four_times_the_games(small):
    for wide, narrow in zip(needs(small, 2, "score"), needs(small, 1, "score"), strict=True):
        assert narrow.games == pytest.approx(4 * wide.games, abs=12)


def test_games_to_see_a_difference_grow_with_the_power(small):
    (half,) = needs(small, 0.01, asked=["differences"], power=0.5)
    (more,) = needs(small, 0.01, asked=["differences"], power=0.8)
    assert half.to_tell == half.games == more.games
    assert more.to_tell / more.games == pytest.approx((1.972 + 0.8416) ** 2 / 1.972**2, rel=1e-2)


def test_all_that_can_be_asked_is_answered_in_whole_blocks(small):
    found = needs(small, 1, "score")
    assert [need.question.split(" of ")[0].split(",")[0] for need in found] == [
        *["Mean score"] * 6, *["Offer effect"] * 2,
    ]  # fmt: skip
    assert len(needs(small, 0.005, asked=["shares"])) == 2
    assert [need.question for need in needs(small, 0.005, asked=["seats"])] == [
        f"Win share of the {place} player" for place in ("1st", "2nd", "3rd")
    ]
    assert all(need.games % 3 == 0 for need in found)
    every = [
        by_question(needs(small, 1, "score", asked=["offers"], ticket=small.board.ticket_name(t)))
        for t in small.board.tickets
    ]
    worst = by_question(needs(small, 1, "score", asked=["offers"]))
    assert sorted(need.games for need in worst.values()) == sorted(
        max(need.games for e in every for need in e.values() if need.question.endswith(f", {name}"))
        for name in small.strategies
    )


def test_what_is_not_there_cannot_be_asked(small, tmp_path):
    with pytest.raises(UsageError, match="no strategy 'planner' in the run; it has random, random_kind"):
        needs(small, 0.005, asked=["differences"], pair=("planner", "random"))
    with pytest.raises(UsageError, match=r"no ticket 'Denver-El Pso' on usa; .*did you mean Denver–El Paso"):
        needs(small, 0.005, asked=["offers"], ticket="Denver-El Pso")
    with pytest.raises(UserError, match="12 games make 4 batches; 20 are needed"):
        needs(store(tmp_path / "tiny", games=12, **OPTIONS), 0.005)


def test_a_pilot_is_forgotten_and_measures_speed(small):
    run, rate = pilot(board="usa", players="random,random_kind,random", games=300, seed=1, threads=1)
    place = run.folder.path
    assert (run.games_played, rate > 0, place.exists()) == (300, True, True)
    del run
    gc.collect()
    assert not place.exists()
    same, rate = stored_pilot(small.folder.path, threads=1)
    assert (same.digest, rate > 0) == (small.digest, True)


@pytest.fixture(scope="module")
def one_sided(tmp_path_factory):
    """Games that planner always wins, so that each seat wins one of two games of a block."""
    run = store(tmp_path_factory.mktemp("one_sided") / "run", players="planner,random", games=400, record=())
    assert win_shares(run).value.tolist() == [1, 0]
    return run


def test_what_does_not_vary_cannot_be_told_and_is_not_the_worst(one_sided):
    found = needs(one_sided, 0.005, power=0.8)
    assert len(found) == 2 + 1 + 2 + 2
    for need in found:
        assert (need.error, need.games, need.fewest, need.most, need.to_tell) == (None,) * 5
    scores = needs(one_sided, 2, "score")
    assert all(need.games > 2 for need in scores)


def test_a_ticket_of_which_nothing_is_known_is_never_the_one_that_needs_most(small):
    (rare,) = needs(small, 0.005, asked=["offers"])[:1]
    known = offer_effects(small, "win60").error[0] / 60
    place = [small.board.ticket_name(t) for t in small.board.tickets].index(rare.question[16:].rsplit(", ", 1)[0])
    assert known[place] == pytest.approx(np.nanmax(known))
