"""The search finds what is best, within bounds, and leaves all other random numbers alone."""

from dataclasses import replace

import numpy as np
import pytest

from ttrsim.errors import UsageError
from ttrsim.strategies import Param, load_strategy
from ttrsim.tuning.search import Search, make_space

PARAMS = (
    Param("small", 0.5, 0.0, 1.0),
    Param("large", 12.0, 0.0, 100.0),
    Param("whole", 2.0, 0.0, 9.0, whole=True),
    Param("fixed", 1.0, 1.0, 1.0),
)
BOT = replace(load_strategy("random"), params=PARAMS, values=tuple(p.default for p in PARAMS))


def searched(best, names=None, generations=60, noise=0.0):
    """Return the end of a search if win shares fall with the squared distance from `best`."""
    search, dice = Search(make_space(BOT, names), seed=3), np.random.default_rng(1)
    width = np.array([max(1.0, p.high - p.low) for p in PARAMS])
    for _ in range(generations):
        far = ((np.array(search.ask()) - best) / width) ** 2
        search.tell((-far.sum(axis=1) + noise * dice.standard_normal(len(far))).tolist())
    return search.mean


@pytest.mark.parametrize("noise", [0.0, 0.02])
def test_the_best_is_found(noise):
    small, large, whole, fixed = searched((0.8, 60.0, 6.0, 1.0), noise=noise)
    assert abs(small - 0.8) < 0.01 + 5 * noise
    assert abs(large - 60) < 1 + 500 * noise
    assert abs(whole - 6) <= 50 * noise
    assert whole == int(whole)
    assert fixed == 1


def test_nothing_lies_beyond_its_bounds():
    small, large, *_ = searched((3.0, -50.0, 6.0, 1.0))
    assert small == pytest.approx(1.0, abs=0.01)
    assert large == pytest.approx(0.0, abs=1.0)
    search = Search(make_space(BOT, None), seed=1)
    tried = np.array([values for _ in range(20) for values in (search.ask(), search.tell([0.0] * 16))[0]])
    for place, param in enumerate(PARAMS):
        assert param.low <= tried[:, place].min() <= tried[:, place].max() <= param.high
    assert (tried[:, 2] == np.rint(tried[:, 2])).all()


def test_a_single_parameter_can_be_tuned_and_the_others_stay():
    small, *others = searched((0.9, 0.0, 0.0, 0.0), names=["small"])
    assert small == pytest.approx(0.9, abs=0.01)
    assert others == [12.0, 2.0, 1.0]


def test_switches_are_left_alone_unless_they_are_named():
    planner = load_strategy("planner")
    assert make_space(planner, None).names == tuple(p.name for p in planner.params if not p.switch)
    assert make_space(planner, ["draws_blind", "risk"]).names == ("risk", "draws_blind")
    only = replace(BOT, params=(Param("draws_blind", 0.0, 0.0, 1.0, whole=True, switch=True),), values=(0.0,))
    with pytest.raises(UsageError, match="has no parameters to tune"):
        make_space(only, None)


def test_a_search_begins_at_the_start_and_depends_on_its_seed_alone():
    np.random.seed(5)  # noqa: NPY002 - the generator that cma would use
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    one, two, other = (Search(make_space(BOT, None), seed) for seed in (1, 1, 2))
    assert one.mean == BOT.values
    first = one.ask()
    np.random.standard_normal()  # noqa: NPY002 - somebody else draws
    assert first == two.ask() != other.ask()
    np.random.seed(5)  # noqa: NPY002
    assert (np.random.get_state()[1] == before).all()  # noqa: NPY002


def test_changed_parameters_are_put_back_one_at_a_time():
    space = make_space(BOT, None)
    assert space.put_back((0.5, 20.0, 3.0, 1.0)) == [
        ("large", (0.5, 12.0, 3.0, 1.0)),
        ("whole", (0.5, 20.0, 2.0, 1.0)),
    ]


@pytest.mark.parametrize(
    ("bot", "names", "words"),
    [
        (BOT, ["smal"], "no parameter of that name to tune; did you mean small?"),
        (BOT, ["fixed"], "no parameter of that name to tune"),
        (load_strategy("random"), None, "has no parameters to tune"),
    ],
)
def test_what_cannot_be_tuned_is_named(bot, names, words):
    with pytest.raises(UsageError, match=words.replace("?", r"\?")):
        make_space(bot, names)
