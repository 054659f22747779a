"""Two runs side by side: planted changes are found with the right size, and nothing where nothing changed."""

from pathlib import Path

import numpy as np
import pytest
from conftest import SMALL_BOARD, TICKET, with_dearer_ticket
from runs.making import store
from scipy.stats import binom

from stats.coverage import holds, make_player, runs, together
from ttrsim import stats
from ttrsim.batches import jackknife, ratio
from ttrsim.core.sums import WHOLE_WIN
from ttrsim.errors import UsageError, UserError
from ttrsim.files import data_folder
from ttrsim.runs.recipe import Sprt
from ttrsim.runs.stopping import ELO
from ttrsim.stats.compare import (
    Pair,
    changes,
    dealt_otherwise,
    difference,
    difference_of_strangers,
    match_names,
    match_strategies,
    sequential,
)
from ttrsim.stats.frames import sums
from ttrsim.stats.standings import win_shares

MORE = 5
SEAT = ["game", "seat"]
HANDICAPPED = '''"""Plays randomly, but keeps all tickets it is offered with a chance of so many per cent."""

from ttrsim.core.constants import KEEPING, OPENING
from ttrsim.core.streams import below
from ttrsim.kit.chance import any_action
from ttrsim.kit.keeping import keep_first

NAME = "handicapped"
PARAMS = {"percent": (0, 0, 100)}


def decide(board, table, hand, mind):
    keeps = table.phase == OPENING or table.phase == KEEPING
    if keeps and below(mind.rng, 100) < mind.params["percent"]:
        return keep_first(board, table, hand, 9)
    return any_action(board, table, hand, mind)
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("compare")


@pytest.fixture(scope="module")
def boards(folder):
    """The small board, and the same with a ticket that is worth more."""
    found = []
    for name, text in (("fair", SMALL_BOARD), ("planted", with_dearer_ticket(3 + MORE))):
        path = folder / f"{name}.toml"
        path.write_text(text, "utf-8")
        found.append(str(path))
    return found


@pytest.fixture(scope="module")
def planted(folder, boards):
    """Return the same games before and after the ticket became dearer."""
    options = {"players": "random,random_kind", "games": 8000, "record": ("games", "players", "tickets")}
    return Pair.of(*(store(folder / f"run{i}", board=board, **options) for i, board in enumerate(boards)))


def rows(frame, table, what):
    found = frame[(frame["table"] == table) & (frame["what"] == what)]
    assert len(found)
    return found.set_index("of")


def test_ticket_worth_five_points_more_is_found_with_its_size(planted):
    offers = planted.b.tickets[planted.b.tickets["ticket"] == TICKET]
    gains = offers["kept"] * (2 * offers["completed"].astype(int) - 1) * MORE
    players = planted.b.players.merge(offers[SEAT].assign(had=offers["offered"], gain=gains), on=SEAT, how="left")
    players = players.fillna({"gain": 0}).assign(had=players["had"].eq(True))
    expected = players[players["had"]]["gain"].mean() - players[~players["had"]]["gain"].mean()
    found = rows(changes(planted), "tickets", "score_effect")
    assert expected > 0.4
    assert found["change"][TICKET] == pytest.approx(expected, abs=0.1)  # rows are not compared within seats
    assert found["change_low"][TICKET] > 0
    assert found["change"].idxmax() == TICKET


def test_what_did_not_change_is_not_said_to(planted):
    frame = changes(planted)
    for table, what in (("games", "turns"), ("strategies", "points_routes"), ("tickets", "completed_kept")):
        assert (rows(frame, table, what)[["change", "change_low", "change_high"]] == 0).all(axis=None)


def test_rows_are_those_of_the_tables_of_each_run(planted):
    frame = changes(planted)
    for side, run in (("a", planted.a), ("b", planted.b)):
        strategies, tickets = stats.strategies(run).set_index("strategy"), stats.tickets(run, "all").set_index("ticket")
        for what in ("win_share", "score", "points_lost", "turns"):
            assert rows(frame, "strategies", what)[side].to_dict() == pytest.approx(strategies[what].to_dict())
        for what in ("score_effect", "win_effect", "keep_rate"):
            assert rows(frame, "tickets", what)[side].to_dict() == pytest.approx(tickets[what].to_dict())
        assert rows(frame, "seats", "win_share")[side].tolist() == pytest.approx(stats.seats(run)["win_share"].tolist())
        games = run.games
        assert rows(frame, "games", "turns")[side].item() == pytest.approx(games["turns"].mean())
    assert frame["change"].to_numpy() == pytest.approx((frame["b"] - frame["a"]).to_numpy())


def test_paired_intervals_are_narrower(planted):
    shares = [win_shares(run) for run in (planted.a, planted.b)]
    paired, unpaired = planted.change(*shares), difference_of_strangers(*shares)
    assert paired.value == pytest.approx(unpaired.value)
    assert (paired.error < 0.7 * unpaired.error).all()
    assert unpaired.error == pytest.approx(np.hypot(shares[0].error, shares[1].error))


@pytest.mark.parametrize("outcome", ["win60", "score"])
def test_paired_intervals_hold_the_truth(boards, outcome):
    """A hundred pairs of small runs, on a board and on its variant, where games end earlier."""

    def mean(run):
        s = sums(run, "seats")
        return ratio(s[outcome].sum(axis=2), s["games"].sum(axis=2))

    found = []
    for board in (boards[0], f"{boards[0]}:quick"):
        player = make_player(board, "random,random_kind", repeats=100, batches=30, laps=2)
        small = list(runs(player, 30, 2))
        found.append([*map(mean, small), mean(together(player, small))])
    *apart, whole = map(difference, *found)
    assert (np.abs(whole.value) > 2 * whole.error).any()
    assert 0.9 <= np.mean([holds(estimate.interval(), whole.value) for estimate in apart]) <= 0.99


def test_handicap_is_found_with_its_size(folder):
    bot = folder / "handicapped.py"
    bot.write_text(HANDICAPPED, "utf-8")
    options = {"board": "san_francisco", "games": 2000, "record": ("players",)}
    pair = Pair.of(*(store(folder / f"bot{p}", players=f"random,{bot}(percent={p})", **options) for p in (0, 100)))
    name = "handicapped → handicapped(percent=100)"
    found = rows(changes(pair), "strategies", "win_share")
    expected = [run.players[run.players["strategy"] != "random"]["win_share"].mean() for run in (pair.a, pair.b)]
    assert found.loc[name, ["a", "b"]].tolist() == pytest.approx(expected)
    assert found["change_high"][name] < -0.05
    assert found["change"][name] == pytest.approx(-found["change"]["random"])


def test_one_strategy_under_two_names_changes_nothing(folder, boards):
    twin = folder / "twin.py"
    twin.write_bytes((data_folder() / "strategies" / "random_kind.py").read_bytes())
    options = {"board": boards[0], "games": 1000, "record": ()}
    pair = Pair.of(
        *(store(folder / f"aa_{Path(bot).stem}", players=f"random,{bot}", **options) for bot in ("random_kind", twin))
    )
    frame = changes(pair)
    assert "random_kind → twin.py" in set(frame["of"])
    assert (frame["change"].dropna() == 0).all()
    assert not ((frame["change_low"] > 0) | (frame["change_high"] < 0)).any()


def test_two_runs_of_the_same_with_other_seeds_differ_by_chance_only(folder, boards):
    options = {"board": boards[0], "players": "random,random_kind", "games": 4000, "record": ()}
    pair = Pair.of(*(store(folder / f"seed{seed}", seed=seed, **options) for seed in (3, 4)))
    assert pair.unpaired == "seeds are 3 and 4"
    frame = changes(pair)
    families = frame.assign(out=(frame["change_low"] > 0) | (frame["change_high"] < 0)).groupby(["table", "what"])[
        "out"
    ]
    assert (frame["change"] != 0).sum() > 50
    assert families.any().mean() < 0.15


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"games": 1200}, "there are 500 and 600 laps"),
        ({"design": "mixed", "seats": 2, "games": 2000}, "there are 1 and 3 line-ups"),
        ({"seed": 6}, "seeds are 5 and 6"),
    ],
)
def test_runs_on_other_blocks_are_not_paired(tmp_path, boards, options, told):
    usual = {"board": boards[0], "games": 1000, "record": ()}
    pair = Pair.of(store(tmp_path / "a", **usual), store(tmp_path / "b", **{**usual, **options}))
    assert pair.unpaired == told


def test_what_cannot_be_compared_is_refused(tmp_path, boards):
    usual = {"board": boards[0], "games": 1000, "record": ()}
    two = store(tmp_path / "two", **usual)
    with pytest.raises(UsageError, match="tables of 2 players and tables of 3 cannot be compared"):
        Pair.of(two, store(tmp_path / "three", **{**usual, "players": "random,random_kind,random"}))
    with pytest.raises(UserError, match="20 games make 10 batches, and unpaired runs need 20"):
        Pair.of(two, store(tmp_path / "few", **{**usual, "games": 20}))


def test_error_of_unrelated_runs_has_both_errors_in_it():
    dice = np.random.default_rng(1)
    a, b = (jackknife(lambda s, n=n: s / n, dice.normal(size=(n, 4))) for n in (40, 200))
    apart = difference_of_strangers(a, b)
    assert apart.error == pytest.approx(np.hypot(a.error, b.error))
    assert apart.value == pytest.approx(b.value - a.value)


def test_families_of_unrelated_runs_hold_where_the_one_with_few_batches_has_the_error():
    """Errors use the freedom of the fewest batches; with that of all 220, 92.9 % would hold."""
    dice, held, pairs = np.random.default_rng(2), 0, 2000
    for _ in range(pairs):
        few, many = (dice.normal(0, deviation, (n, 4)) for n, deviation in ((20, 1), (200, 0.1)))
        apart = difference_of_strangers(*(ratio(sums, np.ones(sums.shape)) for sums in (few, many)))
        _, low, high = apart.simultaneous()
        held += (low <= 0).all() and (high >= 0).all()
    assert held >= binom.ppf(0.01, pairs, 0.95)


def test_shares_that_never_occur_have_an_interval_of_rare_events(planted):
    stalemates = rows(changes(planted), "games", "overlong").iloc[0]
    assert stalemates["a"] == stalemates["b"] == 0
    assert -0.002 < stalemates["change_low"] < 0 < stalemates["change_high"] < 0.002


def test_what_only_one_run_has_is_listed_without_a_change():
    assert match_strategies(["x", "y", "z"], ["z", "v"]) == [("z", 2, 0), ("x → v", 0, 1), ("y", 1, -1)]
    assert match_names(["p", "q"], ["q", "r"]) == [("p", 0, -1), ("q", 1, 0), ("r", -1, 1)]


@pytest.mark.parametrize(("truth", "wrong"), [(0, "H1"), (30, "H0")])
def test_sequential_test_of_batches_is_wrong_no_more_often_than_promised(truth, wrong):
    dice, tests, games, deviation = np.random.default_rng(4), 300, 20, 0.4
    test = Sprt(first="b", second="a", elo0=0, elo1=30)
    a = (np.zeros(200), np.full(200, games))
    verdicts = []
    for _ in range(tests):
        change = truth / ELO * deviation + deviation / games**0.5 * dice.normal(size=200)
        verdicts.append(sequential(test, a, (change * WHOLE_WIN * games, a[1])).accepted)
    assert verdicts.count(None) < 0.1 * tests
    assert verdicts.count(wrong) <= binom.ppf(0.999, tests, 0.05)


def test_boards_that_deal_otherwise_are_told(tmp_path):
    usa, europe = (store(tmp_path / board, board=board, games=8, record=()) for board in ("usa", "europe"))
    assert dealt_otherwise(usa, usa) == []
    assert dealt_otherwise(usa, europe) == ["tickets"]
