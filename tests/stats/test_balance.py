"""The examination of a board finds what was planted in it, and nothing of that in the sound one."""

import numpy as np
import pytest
from conftest import SMALL_BOARD, TICKET
from runs.making import store
from scipy.stats import binomtest

from ttrsim import stats
from ttrsim.batches import ratio
from ttrsim.stats.balance import BOUNDS, balance, summary
from ttrsim.stats.sizes import overall, sizes
from ttrsim.stats.verdicts import rare_share, share_interval

DOMINANT = SMALL_BOARD.replace("3 = 4 }", "3 = 30 }")
"""The only route of length 3 decides games."""
DEAD = (
    SMALL_BOARD.replace("3 = 4 }", "3 = 4, 8 = 21 }")
    .replace('"Bern", "Córdoba"], points = 3', '"Bern", "Córdoba"], points = 63')
    .replace("y = 90 },\n]", 'y = 90 },\n  { name = "Far", x = 50, y = 50 },\n]')
    .replace(
        '"Dax"], length = 2',
        '"Far"], length = 8, tracks = ["gray"], ferry = 6 },\n  { between = ["Ayr", "Dax"], length = 2',
    )
)
"""A city at the end of a route that takes all wilds there are; and a ticket that decides games."""
QUESTIONS = {"seats", "tickets", "strategies", "cities", "routes", "games"}


def examined(folder, text, players="random,long_route"):
    board = folder / "board.toml"
    board.write_text(text, "utf-8")
    options = {"board": str(board), "players": players, "seats": 2, "games": 6000, "record": ()}
    return [store(folder / design, design=design, **options) for design in ("mirror", "mixed")]


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return examined(tmp_path_factory.mktemp("sound"), SMALL_BOARD)


@pytest.fixture(scope="module")
def dominated(tmp_path_factory):
    return examined(tmp_path_factory.mktemp("dominated"), DOMINANT)


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    return examined(tmp_path_factory.mktemp("planted"), DEAD, players="random,random_kind")


def of(frame, question):
    return frame[frame["question"] == question].set_index("of")


def test_every_question_is_answered_for_every_table(sound):
    frame = balance(sound)
    assert set(frame["question"]) == QUESTIONS == set(BOUNDS)
    assert len(of(frame, "seats")) == len(of(frame, "games")) == 4
    assert (len(of(frame, "tickets")), len(of(frame, "cities")), len(of(frame, "routes"))) == (6, 4, 4)
    assert set(frame["verdict"]) <= {"balanced", "imbalanced", "undecided"}
    assert (frame["imbalance"] == "").equals(frame["verdict"] != "imbalanced")
    assert summary(frame)[["balanced", "imbalanced", "undecided"]].to_numpy().sum() == len(frame)


def test_strategy_that_goes_for_a_dominant_route_is_dominant(sound, dominated):
    found = of(balance(dominated), "strategies").loc["long_route"]
    shares = stats.strategies(dominated[1]).set_index("strategy")["win_share"]
    assert found["imbalance"] == "dominant"
    assert found["value"] == pytest.approx(shares["long_route"] - shares["random"])
    before = of(balance(sound), "strategies").iloc[0]
    assert found["value_low"] > before["value_high"]


def test_ticket_worth_too_much_is_over_par(planted):
    found = of(balance(planted), "tickets")
    assert found["imbalance"][TICKET] == "over par"
    assert found["value"].idxmax() == TICKET
    effects = stats.tickets(planted[1], "all").set_index("ticket")["win_effect"]
    assert found["value"].to_dict() == pytest.approx(effects.to_dict())


def test_dead_places_are_found_and_no_others(sound, planted):
    frame = balance(planted)
    for question, dead in (("cities", "Far"), ("routes", "Ayr–Far")):
        found = of(frame, question)
        assert found.index[found["imbalance"] == "dead"].tolist() == [dead]
        assert (found["verdict"].drop(dead) == "balanced").all()
        assert (of(balance(sound), question)["verdict"] == "balanced").all()


def test_bounds_decide(planted):
    wide, narrow = (balance(planted, dict.fromkeys(QUESTIONS, bound)) for bound in (1.0, 0.0))
    assert set(of(wide, "seats")["verdict"]) == set(of(wide, "tickets")["verdict"]) == {"balanced"}
    bounds = dict.fromkeys(QUESTIONS, 1.0)
    assert overall(wide, sizes(planted, wide, bounds), bounds) == "imbalanced"  # no city is used by everybody
    assert "balanced" not in set(of(narrow, "tickets")["verdict"])
    assert set(of(narrow, "routes")["verdict"]) == {"balanced"}


def test_verdicts_are_those_of_the_intervals(planted):
    frame = balance(planted)
    for question, sided in (("seats", 2), ("tickets", 2), ("strategies", 1), ("games", 1)):
        rows = of(frame, question)
        low = rows["value_low"] if sided == 1 else np.maximum(rows["value_low"], -rows["value_high"])
        high = rows["value_high"] if sided == 1 else np.maximum(rows["value_high"], -rows["value_low"])
        assert ((low > rows["bound"]) == (rows["verdict"] == "imbalanced")).all()
        assert ((high <= rows["bound"]) == (rows["verdict"] == "balanced")).all()


def test_share_of_rare_events_is_that_of_clopper_and_pearson():
    events, blocks = np.array([0, 1, 9]), np.array([300, 50, 1000])
    found = rare_share(events, blocks, blocks)
    for i, (k, n) in enumerate(zip(events, blocks, strict=True)):
        exact = binomtest(int(k), int(n)).proportion_ci(0.95)
        assert (found.low[i], found.high[i]) == pytest.approx((exact.low, exact.high))


def test_share_of_rare_events_holds_also_where_games_of_a_block_agree():
    dice = np.random.default_rng(2)
    held = []
    for _ in range(300):
        events = 4 * (dice.random((200, 1)) < 0.02)  # blocks of four games that all end the same way
        chances = np.full((200, 1), 4)
        found = share_interval(ratio(events, chances), events.sum(0), chances.sum(0), chances.sum(0) // 4)
        held.append(found.low[0] <= 0.02 <= found.high[0])
    assert np.mean(held) > 0.9
