"""Ticket trials: planted differences come out with the right size."""

from types import SimpleNamespace

import numpy as np
import pytest
from conftest import TICKET, with_dearer_ticket

from ttrsim import trials
from ttrsim.batches import ratio
from ttrsim.boards.board import find_tickets
from ttrsim.encode import UNCHANGED, Intervention, members
from ttrsim.errors import UsageError
from ttrsim.games import make_games
from ttrsim.runs.recipe import make_recipe
from ttrsim.trials.search import Limits, repriced
from ttrsim.trials.tickets import share
from ttrsim.trials.trial import play

MORE = 20


def gains(trial, change):
    """Return points that `MORE` points on the ticket bring the focal seat in each game; random play does not look at
    them.
    """
    (ticket,) = find_tickets(trial.board, [TICKET])
    games = make_games(trial.board, trial.line_up, trial.seed).changed(change)
    seats = games.play(range(trial.schedule.games)).seats
    mine = seats[seats["strategy"] == 0]
    return [MORE * (2 * (ticket in members(s["completed"])) - 1) * (ticket in members(s["kept"])) for s in mine]


@pytest.mark.parametrize("which", ["swaps", "forced"])
def test_a_dearer_ticket_is_worth_what_its_points_come_to(small, which):
    fair, planted = small(), small(with_dearer_ticket(3 + MORE))
    forced = which == "forced"
    (ticket,) = find_tickets(fair.board, [TICKET])
    base = Intervention(place=0, slot=0, forced=True) if forced else UNCHANGED
    expected = np.mean(gains(fair, Intervention(0, 0, ticket, forced))) - np.mean(gains(fair, base))
    make = trials.FRAMES[which][1]
    before, after = (make(trial, [TICKET]).iloc[0]["score_effect"] for trial in (fair, planted))
    assert abs(expected) > 2
    assert after - before == pytest.approx(expected)


@pytest.mark.parametrize("which", ["swaps", "forced"])
def test_effects_of_a_deck_sum_to_0_but_for_chance(small, which):
    frame = trials.FRAMES[which][1](small(games=4000))
    assert len(frame) == 6
    widest = (frame["score_effect_high"] - frame["score_effect"]).max()
    assert abs(frame["score_effect"].mean()) < widest / 2
    assert (frame["score_effect"].abs() > widest).any()


def test_being_dealt_a_ticket_is_told_by_the_games_in_which_it_was_dealt_as_well(small):
    trial = small(games=12_000)
    frame = trials.swaps(trial).set_index("ticket")
    seats = make_games(trial.board, trial.line_up, 2).play(range(12_000)).seats
    mine = seats[seats["strategy"] == 0]
    for ticket in trial.board.tickets:
        offered = (mine["offered"][:, 0] >> np.uint64(ticket.index) & np.uint64(1)).astype(bool)
        told = mine["score"][offered].mean() - mine["score"].mean()
        error = mine["score"].std() / np.sqrt(offered.sum())
        row = frame.loc[trial.board.ticket_name(ticket)]
        assert row["score_effect"] == pytest.approx(told, abs=3.5 * error)


def test_difficulty_is_one_less_the_share_completed(small):
    trial = small()
    frame = trials.forced(trial, [TICKET])
    (ticket,) = find_tickets(trial.board, [TICKET])
    games = make_games(trial.board, trial.line_up, 1).changed(Intervention(0, 0, ticket, True))
    seats = games.play(range(2000)).seats
    mine = seats[seats["strategy"] == 0]
    done = np.mean([ticket in members(completed) for completed in mine["completed"]])
    assert frame.iloc[0]["difficulty"] == pytest.approx(1 - done)
    assert frame.iloc[0]["difficulty_low"] < 1 - done < frame.iloc[0]["difficulty_high"]


def test_a_ticket_whose_only_way_is_closed_is_never_completed(small, line):
    trial = small(line)
    (ticket,) = find_tickets(trial.board, ["Ayr–Dax"])
    (middle,) = trial.board.connections[1]
    arms = [Intervention(0, 0, ticket, True, closed=closed) for closed in ((), (middle,))]
    done = play(trial, arms).of_tickets("completed", [0, 1], [ticket, ticket]).sum(axis=0)
    assert done[0] > 100
    assert done[1] == 0


def test_tickets_left_out_though_they_must_be_kept_are_counted(small, tmp_path):
    bot = "from ttrsim.bot import *\n\n\ndef keep_opening(board, table, hand, mind):\n    return keep(0b10)\n"
    (tmp_path / "second.py").write_text(bot, "utf-8")
    frames = [trials.forced(small(players=f"{who},random", games=40)) for who in (tmp_path / "second.py", "random")]
    assert [frame.attrs["overruled"] for frame in frames] == [7 * 40, 0]  # the first ticket is forced, also as dealt


def test_long_tickets_are_compared_with_long_ones():
    trial = trials.make_trial(board="europe", players="random,random", games=400, seed=1)
    frame = trials.forced(trial)
    long = frame[frame["deck"] == "long"]
    assert len(long) == 6
    assert abs(long["score_effect"].mean()) < 2
    assert abs(frame[frame["deck"] == "regular"]["score_effect"].mean()) < 1
    assert long["score_change"].mean() < -5  # a seat may leave a long ticket


@pytest.fixture(scope="module")
def priced(small, ring):
    """Fair values of a ticket printed with 6 points, and with 5 more; random play does not look at them."""
    return [trials.fair(small(ring(dearer), games=6000), ["City A-City E"]).iloc[0] for dearer in (0, 5)]


def test_a_ticket_5_points_dearer_is_5_points_over_its_fair_value(priced):
    fair, dearer = priced
    assert dearer["points"] - fair["points"] == 5
    assert abs(fair["points"] - fair["fair_value"]) < 0.5
    assert dearer["fair_value"] == pytest.approx(fair["fair_value"], abs=0.1)
    assert dearer["fair_value_low"] < 6.5
    assert dearer["fair_value_high"] > 5.5


def test_with_the_fair_value_nothing_is_left(priced):
    for row in priced:
        assert row["new_points"] == round(row["fair_value"])
        assert abs(row["left_score_effect"]) < 0.5
        assert row["verdict"] == "settled"
    assert priced[1]["score_effect_low"] > 3


@pytest.fixture(scope="module")
def searched():
    """Fair values of all tickets of a board whose tickets are far off, for a strategy that looks at points."""
    trial = trials.make_trial(board="san_francisco", players="planner,planner", games=600, seed=1)
    return trial, trials.fair(trial, rounds=4, threads=2)


def of_tests(frame):
    return {row["played"]: row for row in frame.attrs["searched"] if row["played"].startswith("test")}


def test_new_points_are_judged_on_deals_that_the_search_did_not_see(searched):
    trial, frame = searched
    new = {
        t.index: int(frame.set_index("ticket")["new_points"][trial.board.ticket_name(t)]) for t in trial.board.tickets
    }
    for board, effect in ((trial.board, "score_effect"), (repriced(trial.board, new), "left_score_effect")):
        again = trials.forced(trial.at(board, 4)).set_index("ticket")["score_effect"]
        assert frame.set_index("ticket")[effect].to_dict() == pytest.approx(again.to_dict())


def test_new_points_have_the_printed_sum_and_half_the_effects(searched):
    _, frame = searched
    assert (frame["new_points"] != frame["points"]).any()
    assert frame["new_points"].sum() == frame["points"].sum()
    printed, *others = of_tests(frame).values()
    assert min(row["rms"] for row in others) < printed["rms"] / 2


def test_points_are_no_worse_than_the_printed_ones_however_few_games_there_are():
    for seed in range(6):
        trial = trials.make_trial(board="san_francisco", players="planner,planner", games=40, seed=seed)
        tests = of_tests(frame := trials.fair(trial, rounds=2))
        if (frame["new_points"] != frame["points"]).any():
            assert min(row["rms"] for row in tests.values()) < tests["test: printed points"]["rms"]


def test_win_shares_can_be_made_equal_instead_of_scores():
    trial = trials.make_trial(board="san_francisco", players="planner,planner", games=500, seed=1)
    frame = trials.fair(trial, rounds=3, objective="win", threads=2)
    printed, *others = of_tests(frame).values()
    assert min(row["rms"] for row in others) < printed["rms"] / 2
    assert frame["left_win_effect"].abs().mean() < frame["win_effect"].abs().mean() / 2


def test_effects_at_several_tables_are_means_over_them():
    tables = [
        trials.make_trial(board="san_francisco", players=players, games=100, seed=1)
        for players in ("planner,planner", "one_step,planner,planner")
    ]
    both = trials.fair(tables[0], also=tables[1:], rounds=1).set_index("ticket")
    alone = [trials.forced(table.at(table.board, 1)).set_index("ticket")["score_effect"] for table in tables]
    assert both["score_effect"].to_dict() == pytest.approx(((alone[0] + alone[1]) / 2).to_dict())
    assert both["strategy"].unique().tolist() == ["planner of 2 and one_step of 3"]


def test_points_lie_within_the_limits():
    trial = trials.make_trial(board="san_francisco", players="planner,planner", games=200, seed=1)
    frame = trials.fair(trial, rounds=2, limits=Limits(4, 20, 2))
    changed = frame[frame["new_points"] != frame["points"]]
    assert len(changed)
    assert changed["new_points"].between(4, 20).all()
    assert not (changed["new_points"] % 2).any()


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ((5, 4, 1), "points from 5 to 4 in steps of 1: least and most must be"),
        ((1, 2000, 1), "points from 1 to 2000"),
        ((1, 9, 0), "in steps of 0"),
        ((6, 8, 5), "no multiple of 5 from 6 to 8"),
    ],
)
def test_limits_that_no_points_can_keep_are_refused(limits, message):
    with pytest.raises(UsageError, match=message):
        Limits(*limits)


def test_a_ticket_that_is_seldom_completed_has_no_fair_value():
    trial = trials.make_trial(board="usa", players="random,random", games=200, seed=1)
    row = trials.fair(trial, ["New York-Seattle"]).iloc[0]
    assert np.isnan(row["fair_value"])
    assert row["new_points"] == row["points"]


def test_intervals_hold_the_truth_about_as_often_as_they_say(small):
    trial, found = small(games=200), []
    for _ in range(120):
        found.append(trials.swaps(trial, [TICKET]).iloc[0])
        trial = trial.at(trial.board, 1)
    truth = np.mean([row["score_effect"] for row in found])
    held = np.mean([row["score_effect_low"] <= truth <= row["score_effect_high"] for row in found])
    assert 0.88 <= held <= 0.995


@pytest.mark.parametrize("alike", [0.0, 1.0])
def test_intervals_of_rare_shares_hold_the_truth_whether_games_of_a_block_are_alike_or_not(alike):
    """Intervals hold as often as they claim, and are much narrower where the five games of a block are independent."""
    dice, truth = np.random.default_rng(1), np.array([0.0, 0.005, 0.01, 0.02, 0.03, 0.1])
    trial, held, widths = SimpleNamespace(line_up=[None] * 5), [], []
    for _ in range(200):
        alone, shared = dice.random((60, 5, 6)), dice.random((60, 1, 6))
        failed = (np.where(dice.random((60, 1, 6)) < alike, shared, alone) < truth).sum(axis=1)
        games = np.full_like(failed, 5)
        _, low, high = share(trial, ratio(failed, games), failed, games)
        held.append((low <= truth) & (truth <= high))
        widths.append(high - low)
    assert (np.mean(held, axis=0) > 0.9).all()
    assert np.mean(widths, axis=0)[1] < 0.03 + 0.05 * alike


def test_values_that_few_games_cannot_tell_stay_as_printed():
    frame = trials.fair(trials.make_trial(board="usa", players="random,random", games=2, seed=1), rounds=1)
    untold = frame["fair_value"].isna()
    assert untold.any()
    assert (frame["new_points"][untold] == frame["points"][untold]).all()
    assert frame["new_points"].between(1, 1000).all()


def test_seeds_and_rounds_that_cannot_be_are_refused_in_words():
    usual = {"board": "usa", "players": "random,random", "games": 2}
    for seed in (-1, 2**64):
        with pytest.raises(UsageError, match=f"seed {seed}: must be from 0 to "):
            trials.make_trial(**usual, seed=seed)
        with pytest.raises(UsageError, match=f"seed {seed}: must be from 0 to "):
            make_recipe(**usual, seed=seed)
    with pytest.raises(UsageError, match="rounds = 0: must be at least 1"):
        trials.fair(trials.make_trial(**usual), rounds=0)
