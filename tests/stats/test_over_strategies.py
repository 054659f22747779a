"""Effects over strategies: compared with statsmodels, with shared deals, and with planted spreads."""

import numpy as np
import pytest
from statsmodels.stats.meta_analysis import combine_effects

from stats.coverage import effects_of_strategies, hold_for_a_new_one, marked_falsely
from ttrsim.batches import Estimate
from ttrsim.stats.over_strategies import over_strategies, signs

BATCHES = 100


def estimates(values, chance):
    """Return estimates with these errors; chance: (batches, strategies, rows), what each batch adds."""
    return Estimate(values, values + chance * np.sqrt(BATCHES / (BATCHES - 1)))


def of_one_error(strategies, rows, error, seed=1):
    """Return chance of the same size for all strategies, independent between them to the last digit."""
    dice = np.random.default_rng(seed).standard_normal((BATCHES, strategies * rows))
    apart, _ = np.linalg.qr(dice - dice.mean(axis=0))
    return error * apart.reshape(BATCHES, strategies, rows)


@pytest.mark.parametrize("error", [0.1, 0.5])
def test_spread_of_independent_estimates_is_that_of_statsmodels(error):
    values = np.random.default_rng(2).standard_normal((5, 8))
    found = over_strategies("effect", estimates(values, of_one_error(5, 8, error)))
    for row in range(8):
        for method in ("dl", "pm"):
            theirs = combine_effects(values[:, row], np.full(5, error**2), method_re=method)
            assert found["effect_spread"][row] == pytest.approx(np.sqrt(max(0, theirs.tau2)), abs=1e-6)
        assert found["effect_new"].value[row] == pytest.approx(theirs.mean_effect_fe)


def test_chance_that_all_strategies_share_is_no_spread_and_is_not_taken_off():
    values = np.array([[1.0], [2.0], [4.0], [9.0]])
    alone = of_one_error(4, 1, 0.5)
    shared = alone + 3 * np.random.default_rng(3).standard_normal((BATCHES, 1, 1))
    spread = [over_strategies("effect", estimates(values, chance))["effect_spread"] for chance in (alone, shared)]
    assert spread[0] == pytest.approx(np.sqrt(values.var(ddof=1) - 0.25))
    assert spread[1] == pytest.approx(spread[0])


@pytest.mark.parametrize(("spread", "shared"), [(0.0, 0.0), (0.3, 0.0), (0.3, 0.6), (3.0, 0.0), (3.0, -0.2)])
def test_predictions_hold_for_a_strategy_not_tested(spread, shared):
    assert hold_for_a_new_one(4, spread, shared, 2000) >= 0.935


def test_there_is_no_prediction_from_two_strategies():
    found = over_strategies("effect", estimates(np.array([[1.0], [2.0]]), of_one_error(2, 1, 0.1)))
    assert found["effect_spread"] > 0
    assert np.isnan(found["effect_new"].low)


def test_strategies_without_an_estimate_do_not_count():
    values, chance = np.array([[1.0], [2.0], [4.0]]), of_one_error(3, 1, 0.1)
    more = np.append(values, [[np.nan]], axis=0), np.append(chance, np.full((BATCHES, 1, 1), np.nan), axis=1)
    wanted, found = (over_strategies("effect", estimates(*of)) for of in ((values, chance), more))
    assert found["effect_spread"] == wanted["effect_spread"]
    assert found["effect_new"] == wanted["effect_new"]


def test_signs_are_marked_where_one_surely_gains_and_another_surely_loses():
    effects = estimates(np.array([[1.0, 1.0, 0.1], [-1.0, 0.5, -0.1]]), of_one_error(2, 3, 0.1))
    assert signs(effects).tolist() == ["depends", "", ""]


def test_signs_are_marked_falsely_in_fewer_than_5_of_100_runs():
    assert marked_falsely(3, 10, 100) <= 0.05


def test_a_sign_that_depends_is_found():
    effects, _ = effects_of_strategies(4, 6.0, 0.0, 40, np.random.default_rng(4))
    assert (signs(effects) != "").mean() > 0.1
