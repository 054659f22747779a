"""The search for fair points, on responses that are known."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ttrsim.trials.search import Limits, Round, crossings

TICKETS = 20
DECKS = np.zeros(TICKETS, int)
EXPECTED = np.full(TICKETS, 0.8)
"""Points of score that a further point of each ticket should bring."""


def search(truth, printed, steepness, noise, rounds, seed):
    """Search where effects are `steepness` times as steep as expected; return the points of all rounds and the last."""
    limits = Limits()
    dice, played, points = np.random.default_rng(seed), [], printed
    for _ in range(rounds):
        effect = steepness * EXPECTED * (points - truth)
        effect = effect - effect.mean() + dice.normal(0, noise, TICKETS)
        played.append(Round(points, effect, np.full(TICKETS, noise), EXPECTED))
        points = limits.rounded(crossings(played, printed, DECKS, limits)[0], printed, DECKS)
    return [r.points for r in played], points


def rms(points, truth):
    """Return the distance of points from the truth, apart from their level."""
    off = points - truth
    return np.sqrt(np.mean((off - off.mean()) ** 2))


def unfair(seed):
    """Return printed points and fair ones with the same sum, which lie about 4 points away and within all bounds."""
    dice = np.random.default_rng(seed)
    printed = dice.integers(20, 37, TICKETS)
    truth = printed + np.clip(dice.normal(0, 4, TICKETS), -12, 12)
    return printed, truth + printed.mean() - truth.mean()


@given(st.integers(0, 10**6), st.floats(0.7, 2.8))
def test_without_noise_only_rounding_is_left(seed, steepness):
    printed, truth = unfair(seed)
    _, end = search(truth, printed, steepness, 0.0, 6, seed)
    assert rms(end, truth) < 0.5


@pytest.mark.parametrize(("steepness", "left"), [(0.4, 0.36), (0.7, 0.17), (1.0, 0.14), (1.8, 0.12), (2.8, 0.11)])
def test_with_noise_it_ends_much_nearer_to_fair_points_however_steep_the_response(steepness, left):
    """The means over 20 boards; a flat response stands out least from the noise."""
    nearer = []
    for seed in range(20):
        printed, truth = unfair(seed)
        _, end = search(truth, printed, steepness, 0.5, 6, seed)
        nearer.append(rms(end, truth) / rms(printed, truth))
    assert np.mean(nearer) < left
    assert max(nearer) < 1


def test_a_response_three_times_as_steep_as_expected_does_not_swing():
    """A Newton step would go from 4 points off to 8 on the other side."""
    printed = np.full(TICKETS, 12)
    truth = printed + np.where(np.arange(TICKETS) % 2, 4.0, -4.0)
    points, end = search(truth, printed, 2.9, 0.2, 5, 1)
    assert rms(end, truth) < 1
    assert all(rms(after, truth) < 1.2 * rms(printed, truth) for after in points[2:])


@given(st.integers(0, 10**6))
def test_points_that_are_fair_hardly_move(seed):
    printed = np.random.default_rng(seed).integers(5, 22, TICKETS)
    _, end = search(printed.astype(float), printed, 1.0, 1.0, 3, seed)
    assert rms(end, printed) < 0.9  # noise alone, followed, would be 1.25 after the first round


@given(
    st.lists(st.floats(-30, 60), min_size=2, max_size=30),
    st.integers(1, 5),
    st.integers(6, 25),
    st.integers(1, 3),
)
def test_points_keep_their_sum_and_their_bounds_as_far_as_both_can_hold(targets, least, most, step):
    targets, decks = np.array(targets), np.arange(len(targets)) % 2
    printed = np.full(len(targets), 9)
    limits = Limits(least, most, step)
    points = limits.rounded(targets, printed, decks)
    assert (points >= least).all()
    assert (points <= most).all()
    assert not (points % step).any()
    for deck in (0, 1):
        of = decks == deck
        level, lowest, highest = printed[of].sum(), -(-least // step) * step, most // step * step
        reachable = np.clip(level, of.sum() * lowest, of.sum() * highest)
        assert abs(points[of].sum() - reachable) < step


def test_without_a_level_each_ticket_goes_where_its_own_target_is():
    targets = np.array([3.4, 20.6, 9.0])
    points = Limits(hold_level=False).rounded(targets, np.array([5, 5, 5]), np.zeros(3, int))
    assert points.tolist() == [3, 21, 9]


def test_the_sum_is_kept_by_those_whose_targets_lie_nearest_to_the_next_point():
    targets = np.array([4.4, 4.3, 6.2, 5.0])
    assert Limits().rounded(targets, np.array([5, 5, 5, 5]), np.zeros(4, int)).tolist() == [5, 4, 6, 5]


@pytest.mark.parametrize(("effects", "rms"), [([3.0, -3.0], 2.83), ([0.5, -0.5], 0.0)])
def test_what_chance_adds_is_taken_off_the_rms(effects, rms):
    of = Round(np.array([5, 5]), np.array(effects), np.array([1.0, 1.0]), np.array([0.8, 0.8]))
    assert of.rms == pytest.approx(rms, abs=0.01)
