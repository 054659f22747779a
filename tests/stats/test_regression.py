"""Estimates and errors against cluster-robust regression on the rows of the games."""

import pytest
import statsmodels.formula.api as smf
from runs.making import store
from scipy.stats import t

from ttrsim import stats
from ttrsim.stats.ticket_values import offer_effects

OUTCOMES = {"score": ("score", 1), "win_share": ("win60", 60)}
SEAT = ["game", "seat"]


@pytest.fixture(scope="module", params=[200, 6000], ids=["blocks are batches", "many blocks a batch"])
def run(request, tmp_path_factory):
    """Two-player games, two in each block."""
    path = tmp_path_factory.mktemp("regression") / "run"
    record = ("games", "players", "tickets")
    return store(path, players="one_step,destination_hungry", games=2 * request.param, record=record)


@pytest.fixture(scope="module")
def rows(run):
    frame = run.players.merge(run.games[["game", "batch", "block"]], on="game")
    frame = frame.astype({"strategy": str, "score": float, "win_share": float, "batch": int, "block": int, "seat": int})
    return frame.assign(cell=frame["strategy"] + frame["seat"].astype(str))


def regress(formula, rows):
    return smf.ols(formula, rows).fit(cov_type="cluster", cov_kwds={"groups": rows["batch"]})


def half_width(row, column, quantile):
    return (row[f"{column}_high"] - row[f"{column}_low"]) / 2 / quantile


def test_batches_are_the_blocks_where_there_are_no_more_than_200(run, rows):
    laps = run.recipe.schedule.laps
    assert rows["batch"].nunique() == (200 if laps == 200 else 188)
    assert rows["block"].nunique() == run.recipe.schedule.laps


def test_win_shares_and_scores(run, rows):
    frame = stats.strategies(run)
    for outcome in ("win_share", "score"):
        fit = regress(f"{outcome} ~ 0 + strategy", rows)
        for row in frame.to_dict("records"):
            name = f"strategy[{row['strategy']}]"
            assert row[outcome] == pytest.approx(fit.params[name])
            assert half_width(row, outcome, t.ppf(0.975, 199)) == pytest.approx(fit.bse[name], rel=0.02)


def test_offer_effects(run, rows):
    crowded = run.recipe.schedule.laps > 200
    offered = run.tickets[run.tickets["offered"]].astype({"ticket": str})
    for by, formula in (("strategy", "{} ~ had + C(seat)"), ("all", "{} ~ had + C(cell)")):
        outcomes = OUTCOMES if crowded else {"score": OUTCOMES["score"]}  # of 200 blocks, wins are too few for errors
        estimates = {name: (offer_effects(run, outcome, by), unit) for name, (outcome, unit) in outcomes.items()}
        for number in (0, 7, 21):
            had = offered[offered["ticket"] == run.board.ticket_name(number)][SEAT].assign(had=1.0)
            both = rows.merge(had, on=SEAT, how="left").fillna({"had": 0.0})
            for place, those in enumerate(run.strategies if by == "strategy" else [None]):
                mine = both if those is None else both[both["strategy"] == those]
                for name, (estimate, unit) in estimates.items():
                    fit = regress(formula.format(name), mine)
                    at = number if those is None else (place, number)
                    assert estimate.value[at] / unit == pytest.approx(fit.params["had"])
                    # with a ticket in few of the clusters regression comes out too sure; the jackknife rather not
                    assert 0.98 <= estimate.error[at] / unit / fit.bse["had"] <= (1.02 if crowded else 1.06)
