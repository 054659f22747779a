"""The sequential test: known answers, error rates, and what must not matter."""

import numpy as np
import pytest
from scipy import optimize, stats

from ttrsim.runs.stopping import ELO, Blocks, SprtState, bounds, log_likelihood_ratio

PAIRS = (365, 16618, 36229, 16974, 390)  # of games in chess that brought 0, ½, 1, 1½ and 2 points


def blocks_of(values, counts, games):
    values, counts = np.asarray(values, float), np.asarray(counts, float)
    return Blocks(int(counts.sum()), float(counts @ values), float(counts @ values**2), games)


def test_known_ratio_of_pairs_of_games():
    assert log_likelihood_ratio(blocks_of(range(-2, 3), PAIRS, 2), 0, 2) == pytest.approx(2.25, abs=0.005)


def empirical(values, counts, games, elo):
    """Return the log-likelihood of the likeliest distribution over these very values that has this normalised Elo."""
    shares = np.array(counts) / sum(counts)
    ratio = elo / ELO * games**0.5

    def normalised(p):
        return p @ values / np.sqrt(p @ values**2 - (p @ values) ** 2) - ratio

    found = optimize.minimize(
        lambda p: -shares @ np.log(p),
        shares,
        method="SLSQP",
        bounds=[(1e-9, 1)] * len(shares),
        constraints=[{"type": "eq", "fun": lambda p: p.sum() - 1}, {"type": "eq", "fun": normalised}],
        options={"ftol": 1e-15, "maxiter": 500},
    )
    assert found.success
    return -found.fun * sum(counts)


def test_ratio_is_nearly_that_without_assuming_normal_numbers():
    values, counts = np.array([-3.0, -1, 0, 1, 4]), (300, 800, 2000, 900, 310)
    ours = log_likelihood_ratio(blocks_of(values, counts, 4), 0, 20)
    assert ours == pytest.approx(empirical(values, counts, 4, 20) - empirical(values, counts, 4, 0), rel=0.03)


def test_ratio_is_that_of_normal_likelihoods_at_their_best_deviations():
    numbers = np.random.default_rng(1).normal(0.1, 1, 400)
    blocks = Blocks(400, numbers.sum(), (numbers**2).sum(), 3)

    def best(elo):
        ratio = elo / ELO * 3**0.5
        least = optimize.minimize_scalar(lambda s: -stats.norm.logpdf(numbers, ratio * s, s).sum(), (0.5, 1.5))
        return -least.fun

    assert log_likelihood_ratio(blocks, -3, 15) == pytest.approx(best(15) - best(-3))


def test_units_and_the_order_of_the_two_do_not_matter():
    one, other = blocks_of(range(-2, 3), PAIRS, 2), blocks_of([20, 10, 0, -10, -20], PAIRS, 2)
    assert log_likelihood_ratio(other, -2, 0) == pytest.approx(-log_likelihood_ratio(one, 0, 2))
    assert other.normalised_elo == pytest.approx(-one.normalised_elo)


def test_where_nothing_differs_nothing_is_learnt_and_where_one_always_wins_something_is():
    assert log_likelihood_ratio(Blocks(10**6, 0, 0, 2), 0, 2) == 0
    always = [log_likelihood_ratio(Blocks(n, n, n, 2), 0, 2) for n in (100, 1000)]
    assert 0 < always[0] < always[1]
    assert log_likelihood_ratio(Blocks(0, 0, 0, 2), 0, 2) == 0


def test_bounds_are_those_of_wald():
    assert bounds(0.05, 0.05) == pytest.approx((-2.9444, 2.9444), abs=1e-4)
    low, high = bounds(0.01, 0.1)
    assert np.exp((low, high)) == pytest.approx((0.1 / 0.99, 0.9 / 0.01))


@pytest.mark.parametrize(("truth", "wrong"), [(0, "H1"), (20, "H0")])
def test_it_is_wrong_no_more_often_than_promised(truth, wrong):
    """Skew differences of four games a block, of which at most one is won by either: 500 tests each."""
    random, tests = np.random.default_rng(3), 500
    low, high = bounds(0.05, 0.05)
    mean = truth / ELO * 0.6  # about: the variance in a game is 0.3 + 0.1 − (0.3 − 0.1)²
    verdicts = []
    for _ in range(tests):
        drawn = random.random((300, 20, 4))
        numbers = (drawn < 0.3 + mean).sum(2) - (drawn > 0.9).sum(2) - 4 * 0.2
        sums = [np.arange(20, 6001, 20), *(x.sum(1).cumsum() for x in (numbers, numbers**2))]
        for look in zip(*sums, strict=True):
            ratio = log_likelihood_ratio(Blocks(*look, 4), 0, 20)
            if not low < ratio < high:
                verdicts.append("H1" if ratio >= high else "H0")
                break
    assert len(verdicts) > 0.99 * tests
    assert verdicts.count(wrong) <= stats.binom.ppf(0.999, tests, 0.05)


def test_where_nothing_varies_elo_is_no_number():
    assert Blocks(500, 500, 500, 2).normalised_elo == np.inf
    assert Blocks(500, -1500, 4500, 2).normalised_elo == -np.inf
    thirds = np.full(49, 1 / 3)  # that are rounded
    assert Blocks(49, thirds.sum(), (thirds**2).sum(), 2).normalised_elo == np.inf
    assert np.isnan(Blocks(500, 0, 0, 2).normalised_elo)
    assert Blocks(500, 0, 500, 2).normalised_elo == 0


def test_blocks_that_all_come_out_the_same_tell_no_more_than_their_chance_under_h0_allows():
    """If A is no better, half of the blocks that differ favour it: all of n with a chance of 1 in 2 to the n."""
    for elo1 in (2, 20, 200):
        needed = next(
            n for n in range(1, 1000) if log_likelihood_ratio(Blocks(n, n, n, 2), 0, elo1) >= bounds(0.05, 0.05)[1]
        )
        assert 0.5**needed < 0.05


def test_normalised_elo_is_that_of_a_game_however_many_are_in_a_block():
    one_and_three = Blocks(2, 1 + 3, 1 + 9, 4)  # of four games each: mean 2 and deviation 1 a block, 1/2 and 1/2 a game
    assert one_and_three.normalised_elo == pytest.approx(ELO)


@pytest.mark.parametrize(
    ("ratio", "accepted", "more"),
    [
        (-2, "H0", np.nan),
        (-1, None, 100),
        (0, None, np.nan),
        (1, None, 200),
        (2.9, None, 100 * 0.1 / 2.9),
        (3, "H1", np.nan),
    ],
)
def test_it_is_open_between_its_bounds_and_needs_as_many_blocks_more_as_it_goes_on(ratio, accepted, more):
    state = SprtState("a", "b", ratio, -2, 3, 100, 0.0)
    assert state.accepted == accepted
    assert state.more_blocks == pytest.approx(more, nan_ok=True)
