"""Trials: the sums are those of the games, for any number of threads, and the errors those of paired batches."""

import re

import numpy as np
import pytest
from scipy.stats import t as student

from ttrsim import trials
from ttrsim.boards import load_board
from ttrsim.encode import UNCHANGED, Intervention, members
from ttrsim.errors import UsageError, UserError
from ttrsim.games import SeatedGame, make_games
from ttrsim.strategies import load_line_up, load_strategy
from ttrsim.trials.trial import COLUMNS, FOCAL, Trial, TrialResults, play

CHANGE = Intervention(place=0, slot=0, ticket=4, forced=True)


def focal_games(trial: Trial, change: Intervention) -> np.ndarray:
    """Return the focal seat's results in each game of an arm, and its win shares."""
    results = make_games(trial.board, trial.line_up, trial.seed).changed(change).play(range(trial.schedule.games))
    mine = results.seats["strategy"] == 0
    return results.seats[mine], results.win_share[mine]


@pytest.mark.parametrize("players", ["random,random_kind", "random_kind,random,random"])
def test_sums_are_those_of_the_games_played_one_by_one(small, players):
    trial = small(players=players, games=300)
    played = play(trial, [UNCHANGED, CHANGE])
    for arm, change in enumerate((UNCHANGED, CHANGE)):
        seats, won = focal_games(trial, change)
        sums = dict(zip(COLUMNS, played.sums[arm, :, 0].sum(axis=0).tolist(), strict=True))
        assert sums["games"] == len(seats) == 300
        assert sums["score"] == seats["score"].sum()
        assert sums["win60"] == pytest.approx(60 * won.sum())
        assert sums["completed"] == sum(len(members(done)) for done in seats["completed"])
        for fate in ("kept", "completed"):
            counts = [sum(ticket in members(tickets) for tickets in seats[fate]) for ticket in range(6)]
            assert played.of_tickets(fate, [arm] * 6, range(6)).sum(axis=0).tolist() == counts
    assert counts[4] > 0
    plain, _ = focal_games(trial, UNCHANGED)
    assert sums["score_changed"] == (seats["score"] != plain["score"]).sum()


def test_the_focal_strategy_has_every_seat_equally_often_beside_copies_of_it(small):
    trial = small(players="random,random,random", games=301)
    assert trial.schedule.games == 303
    results = trial.unchanged.play(trial.games_of(range(101)))
    assert (results.seats["strategy"] == FOCAL).sum(axis=0).tolist() == [101, 101, 101]
    assert (results.seats["strategy"] != FOCAL).sum(axis=0).tolist() == [202, 202, 202]


def test_threads_change_nothing(small):
    trial = small(games=3000)
    one, three = (play(trial, [UNCHANGED, CHANGE], threads) for threads in (1, 3))
    assert (one.sums == three.sums).all()
    assert (one.fates == three.fates).all()


def test_batches_are_whole_blocks_in_order(small):
    trial = small(games=1000)
    scores = focal_games(trial, CHANGE)[0]["score"].reshape(-1, 2).sum(axis=1)  # of each block
    assert len(scores) == 500
    batches = scores.reshape(-1, 4).sum(axis=1).tolist()
    assert play(trial, [CHANGE]).of("score", [0])[:, 0].tolist() == batches


def test_intervals_are_those_of_paired_batch_means(small):
    trial = small(games=4000)  # 125 batches of 16 blocks
    frame = trials.swaps(trial, ["Bern–Dax"])
    changed, plain = (focal_games(trial, c)[0]["score"] for c in (Intervention(place=0, slot=0, ticket=4), UNCHANGED))
    batches = (changed - plain).reshape(125, -1).mean(axis=1)
    half = student.ppf(0.975, 124) * batches.std(ddof=1) / np.sqrt(125)
    row = frame.iloc[0]
    assert row["score_effect"] == pytest.approx(batches.mean())
    assert row["score_effect_high"] - row["score_effect"] == pytest.approx(half)


def test_where_no_game_differs_nothing_is_known_of_how_much_it_could():
    """Two arms in which the focal seat never wins, compared with each other; in the first arm it won 20 games."""
    sums = np.zeros((3, 200, 1, len(COLUMNS)), np.int64)
    sums[..., COLUMNS.index("games")] = 10
    sums[0, :20, 0, COLUMNS.index("win60")] = 60
    sums[1:, :20, 0, COLUMNS.index("win60_changed")] = 1
    played = TrialResults(sums, np.zeros((3, 200, 1, 2), np.int64), np.zeros((3, 200, 0), np.int64))
    assert np.isnan(played.change("win60", [1], [2]).interval().low).all()
    assert played.change("win60", [1], [0]).interval().high < 0


def test_a_later_trial_has_other_deals(small):
    trial = small(games=100)
    later = trial.at(trial.board, 1)
    played = later.unchanged.play(later.games_of(range(50)))
    assert played.seats.tobytes() == make_games(trial.board, trial.line_up, 1).play(range(100, 200)).seats.tobytes()


@pytest.mark.parametrize(("players", "games", "told"), [("random", 100, "players"), ("random,random", 0, "`games` 0")])
def test_what_cannot_be_played_is_refused(players, games, told):
    with pytest.raises(UsageError, match=told):
        trials.make_trial(board="usa", players=players, games=games)


def test_a_strategy_that_fails_in_a_changed_deal_is_named(small, tmp_path):
    path = tmp_path / "picky.py"
    text = load_strategy("random").path.read_text("utf-8").replace('"random"', '"picky"')
    body = "    if table.phase == 3 and hand.tickets[0] & hand.dealt[0] & 16:\n        return 99\n"
    path.write_text(text.replace("hand, mind):\n", f"hand, mind):\n{body}"), "utf-8")
    trial = small(players=f"{path},random", games=10)
    with pytest.raises(UserError, match=r"picky .*chose an illegal action, 99; `SeatedGame.*ticket=4") as raised:
        play(trial, [CHANGE])
    shown = re.search("`(SeatedGame.*)` shows", str(raised.value))
    names = {"SeatedGame": SeatedGame, "Intervention": Intervention}
    recording = eval(shown[1], {**names, "load_board": load_board, "load_line_up": load_line_up})
    assert recording.illegal == 99
    assert 4 in members(recording.game.hands["dealt"][recording.game.table.seat]), (
        "with the ticket it was dealt instead"
    )
