"""Seats, ranks and strengths: what is concluded from intervals."""

import numpy as np
import pytest
import statsmodels.api as sm
from runs.making import store
from scipy.stats import beta

from ttrsim import stats
from ttrsim.batches import Interval
from ttrsim.files import data_folder
from ttrsim.stats.balance import balance
from ttrsim.stats.verdicts import rare_share, verdicts


def around(value, half_width):
    value = np.array([value])
    return Interval(value, value - half_width, value + half_width)


@pytest.mark.parametrize(
    ("value", "half_width", "verdict"),
    [
        (0.002, 0.005, "balanced"),
        (-0.004, 0.006, "balanced"),
        (0.03, 0.01, "imbalanced"),
        (-0.03, 0.01, "imbalanced"),
        (0.015, 0.01, "undecided"),  # surely not 0, but perhaps within the margin
        (0.0, 0.02, "undecided"),
        (0.01, 0.001, "undecided"),
    ],
)
def test_verdict_by_margin(value, half_width, verdict):
    assert verdicts(around(value, half_width), 0.01, 1000)[0].tolist() == [verdict]


@pytest.mark.parametrize("critical", [1.97, 3.1], ids=["alone", "one of 30"])
@pytest.mark.parametrize(("true", "margin"), [(0.5, 1.0), (3.0, 1.0), (10.0, 0.3)])
def test_undecided_verdicts_need_at_least_the_games_told_in_nine_of_ten_cases(critical, true, margin):
    dice = np.random.default_rng(4)
    truth = dice.normal(0, true, 20_000)
    value = truth + dice.normal(size=20_000)
    verdict, more = verdicts(Interval(value, value - critical, value + critical), margin, 10_000)
    open_ = verdict == "undecided"
    needed = 10_000 * (critical / np.abs(np.abs(truth) - margin)) ** 2 - 10_000
    assert (more[open_] <= np.maximum(1.02 * needed[open_], 0)).mean() > 0.87
    assert (more[open_] > 2000).mean() > 0.25


def test_decided_verdicts_need_no_more_games():
    assert np.isnan(verdicts(around(0.0, 0.001), 0.01, 1000)[1]).all()


def test_seats_are_not_judged_where_strategies_did_not_rotate(tmp_path):
    run = store(tmp_path / "run", games=500, rotate="none", record=())
    assert set(stats.seats(run)["verdict"]) == {"not rotated"}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Two strategies that are the same, and a better one."""
    folder = tmp_path_factory.mktemp("strength")
    twin = folder / "twin.py"
    twin.write_bytes((data_folder() / "strategies" / "random_kind.py").read_bytes())
    return store(folder / "run", players=f"random_kind,{twin},random", games=3000, record=())


def test_strengths_are_those_of_a_logistic_regression_on_pairs(run):
    duels, names = stats.versus(run), run.strategies
    once = duels[duels["strategy"].map(names.index) < duels["other"].map(names.index)]
    ahead = once["pairs"] * (once["ahead"] + once["tied"] / 2)
    design = np.array(
        [
            [float(n == a) - float(n == b) for n in names[1:]]
            for a, b in zip(once["strategy"], once["other"], strict=True)
        ]
    )
    fit = sm.GLM(np.column_stack([ahead, once["pairs"] - ahead]), design, family=sm.families.Binomial()).fit()
    expected = np.concatenate([[0], fit.params])
    found = stats.strength(run).set_index("strategy").loc[names]
    assert found["strength"].to_numpy() == pytest.approx(expected - expected.mean(), abs=1e-6)
    assert found["strength"].sum() == pytest.approx(0)


def test_ranks_are_sure_where_strategies_differ_and_open_where_they_do_not(run):
    found = stats.strength(run).set_index("strategy")
    better = found.loc["random"]
    assert (better["rank"], better["rank_low"], better["rank_high"]) == (1, 1, 1)
    for name in ("random_kind", "twin.py"):
        assert (found["rank_low"][name], found["rank_high"][name]) == (2, 3)
    assert sorted(found["rank"]) == [1, 2, 3]


@pytest.mark.parametrize(("games", "worst", "verdict"), [(6, 2, "undecided"), (1500, 1, "imbalanced")])
def test_what_never_varies_is_sure_only_after_many_games(tmp_path, games, worst, verdict):
    """The planner wins every game against `random`, so that batches show no error however few there are."""
    run = store(tmp_path / "run", players="planner,random", design="mixed", seats=2, games=games, record=())
    found = stats.strength(run).set_index("strategy").loc["planner"]
    assert (found["rank"], found["rank_low"], found["rank_high"]) == (1, 1, worst)
    lead = balance([run]).set_index("question").loc["strategies"]
    assert (lead["of"], lead["value"], lead["verdict"]) == ("planner", pytest.approx(0.5), verdict)
    assert lead["value_low"] < lead["value"] < lead["value_high"]


def test_superiority_is_sure_of_what_differs_only(run):
    superiority = stats.versus(run).set_index(["strategy", "other"])["superiority"]
    assert superiority["random", "random_kind"] > 0.9999
    assert 0.005 < superiority["random_kind", "twin.py"] < 0.995


def test_rare_shares_of_a_family_have_wider_intervals():
    counts = np.array([0, 3]), np.array([100, 100]), np.array([100, 100])
    alone, at_once = rare_share(*counts), rare_share(*counts, 1 - 0.05 / 4)
    for interval, tail in ((alone, 0.025), (at_once, 0.05 / 8)):
        assert interval.high == pytest.approx(beta.ppf(1 - tail, [1, 4], [100, 97]))
    assert (at_once.high > alone.high).all()
    assert at_once.low[1] < alone.low[1]
