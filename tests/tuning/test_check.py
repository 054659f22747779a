"""`scripts/verify.py tuning` in small: nothing is claimed of noise, and a spoilt copy of planner is mended."""

from conftest import load_script

import ttrsim

check = load_script("checks/tuning.py")


def test_hardly_any_tuning_on_noise_claims_a_gain(tmp_path):
    """At a rate of one in forty, three of ten would do so once in five hundred times."""
    bot = check.noise(tmp_path)
    assert sum(check.claims_gain(bot, 4000, seed) for seed in range(10)) < 3


def test_the_spoilt_copy_differs_in_three_defaults(tmp_path):
    spoilt = ttrsim.load_strategy(str(check.spoilt_planner(tmp_path)))
    good = ttrsim.load_strategy("planner")
    changed = [p.name for p, q in zip(good.params, spoilt.params, strict=True) if p.default != q.default]
    assert set(changed) == set(check.SPOILT)
