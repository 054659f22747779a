"""Parts of the variance of scores and wins: from rows by pandas and statsmodels, with planted parts, and with none."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf

from stats.coverage import counted, holds, make_player
from ttrsim import stats
from ttrsim.stats.variance import SOURCES, intervals_of_variance, luck

BATCHES, LAPS = 100, 12
PARTS = {"strategy": [12.0, 0.0, -12.0], "seat": [5.0, 0.0, -5.0], "cards": 9.0, "tickets": 6.0, "rest": 20.0}


@pytest.fixture(scope="module")
def rows(recorded):
    frame = recorded.players.merge(recorded.games[["game", "block", "line_up"]], on="game")
    names = {"strategy": str, "line_up": str, "seat": int, "block": int}
    return frame.astype({**names, "score": float, "win_share": float}).rename(columns={"win_share": "win"})


@pytest.mark.parametrize("outcome", ["score", "win"])
def test_means_and_deals_are_those_of_the_rows(recorded, rows, outcome):
    y, shares = rows[outcome], plain(recorded, outcome)
    whole = y.var(ddof=0)
    mean = rows.groupby("strategy")[outcome].transform("mean")
    in_line_up = rows.groupby(["line_up", "strategy"])[outcome].transform("mean")
    in_seat = rows.groupby(["seat", "strategy"])[outcome].transform("mean")
    assert shares["strategy"] == pytest.approx(mean.var(ddof=0) / whole)
    assert shares["others"] == pytest.approx((in_line_up - mean).pow(2).mean() / whole)
    assert shares["seat"] == pytest.approx((in_seat - mean).pow(2).mean() / whole)
    kept = rows.assign(y=y, line=in_line_up, off=in_seat - mean)[
        ["game", "block", "seat", "strategy", "y", "line", "off"]
    ]
    both = kept.merge(kept, on=["block", "seat"], suffixes=("", "_b"))
    both = both[both["strategy"] != both["strategy_b"]]
    deal = (both["y"] * both["y_b"] - both["line"] * both["line_b"] - both["off"] * both["off_b"]).mean()
    assert shares["deal"] == pytest.approx(deal / whole)
    assert shares["rest"] == pytest.approx(1 - shares[["strategy", "others", "seat", "deal"]].sum())


def plain(run, outcome):
    """Return the shares before the bias is taken off."""
    from ttrsim.stats import variance

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(variance, "_unbiased", lambda estimate: estimate)
        return pd.Series(variance.shares_of_variance(run, outcome).value, SOURCES)


def test_strategy_and_seat_are_what_a_regression_explains(recorded, rows):
    shares = plain(recorded, "score")
    fit = smf.ols("score ~ C(strategy) * C(seat)", rows).fit()
    assert shares["strategy"] + shares["seat"] == pytest.approx(fit.rsquared)


def planted(parts):
    """Return a run whose scores are made of these parts, at tables of three."""
    player = make_player("usa", "random,random_kind,one_step", 1, BATCHES, LAPS)
    dice, tickets = np.random.default_rng(1), len(player.board.tickets)
    played = player.play(range(BATCHES * LAPS))
    blocks, _ = player.schedule.where(played.games["index"])
    strategies, seats = played.seats["strategy"].astype(int), np.arange(3)
    words = played.seats["offered"].astype(np.uint64)
    offered = (
        words[..., [t // 64 for t in range(tickets)]] >> np.arange(tickets, dtype=np.uint64) % np.uint64(64)
    ) & np.uint64(1)
    values = dice.standard_normal(tickets)
    chance = 3 / tickets
    spread = np.sqrt(chance * (1 - chance) * tickets / (tickets - 1) * ((values - values.mean()) ** 2).sum())
    cards = parts["cards"] * dice.standard_normal((blocks.max() + 1, 3))
    score = np.array(parts["strategy"])[strategies] + np.array(parts["seat"])[seats] + cards[blocks]
    score = score + parts["tickets"] / spread * (offered @ (values - values.mean()))
    played.seats["score"] = np.round(100 + score + parts["rest"] * dice.standard_normal(score.shape))
    return counted(player, played, BATCHES, LAPS)


def test_planted_parts_are_found():
    found = luck(planted(PARTS)).iloc[0]
    variances = {name: float(np.var(of) if isinstance(of, list) else of**2) for name, of in PARTS.items()}
    variances["deal"] = variances["cards"] + variances["tickets"]
    whole = sum(variances[name] for name in ("strategy", "seat", "deal", "rest"))
    assert found["deviation"] == pytest.approx(np.sqrt(whole), rel=0.03)
    for name, part in variances.items():
        half = (found[f"{name}_high"] - found[f"{name}_low"]) / 2
        assert abs(found[name] - part / whole) < 1.5 * half < 0.06, name


def test_where_all_is_chance_there_is_nothing_else():
    nothing = {"strategy": [0.0] * 3, "seat": [0.0] * 3, "cards": 0.0, "tickets": 0.0, "rest": 20.0}
    found = luck(planted(nothing)).iloc[0]
    for name in ("strategy", "seat", "deal", "tickets", "cards"):
        assert abs(found[name]) < 0.02
        assert found[f"{name}_low"] <= 0.002
    assert found["rest"] == pytest.approx(1, abs=0.03)


@pytest.mark.parametrize("apart", [0.0, 1.0])
def test_intervals_of_parts_hold_where_these_are_0_or_small(apart):
    """By normal errors alone three of twenty do not."""
    player = make_player("usa", "random,random_kind", 1, 50, 1)
    run = counted(player, player.play(range(50)), 50, 1)
    dice, games, deviation = np.random.default_rng(1), 40, 20.0
    error = deviation / np.sqrt(50 * 2 * games)  # of the mean of a strategy, and of a seat
    strategy, seat = np.array([[1], [-1]]) * apart * error, np.array([1, -1]) * apart * error
    run.arrays["seats"]["games"] = games
    truth = [1 - 1 / (1 + (apart * error / deviation) ** 2)] * 2
    held = []
    for _ in range(300):
        score = 1000 + strategy + seat + deviation * dice.standard_normal((50, games, 2, 2))
        run.arrays["seats"]["score"] = score.sum(axis=1).round()
        run.arrays["seats"]["score_squared"] = (score**2).sum(axis=1).round()
        found = intervals_of_variance(run, "score")
        parts = [SOURCES.index("strategy"), SOURCES.index("seat")]
        held.append(holds(type(found)(*(end[parts] for end in found)), truth))
    assert 0.93 <= np.mean(held) <= 0.99


def test_one_strategy_says_nothing_of_deals(tmp_path):
    player = make_player("usa", "random,random", 1, 20, 4)
    found = stats.luck(counted(player, player.play(range(80)), 20, 4))
    assert found["deal"].isna().all()
    assert (found["strategy"].abs() < 1e-9).all()
    assert found["rest"].notna().all()
