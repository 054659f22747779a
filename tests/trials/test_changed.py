"""Changes of routes: lengths, colours, tracks, tunnels; new routes and dropped ones."""

import pytest
from scipy.stats import binom

from ttrsim import trials
from ttrsim.batches import sidak
from ttrsim.boards import load_board
from ttrsim.boards.changes import with_settings
from ttrsim.core.constants import NOBODY
from ttrsim.errors import UserError
from ttrsim.games import make_games
from ttrsim.report.trial_answers import what_changes_do
from ttrsim.trials.routes import by_setting, clear

SHORTCUT = "add route Ayr–Dax length = 2 tracks = red"


@pytest.fixture(scope="module")
def shortcut(small, line):
    """A way from Ayr to Dax on a board where the only one leads through all cities."""
    return trials.changed(small(line), [SHORTCUT])


def rows(frame, table, what):
    found = frame[(frame["table"] == table) & (frame["what"] == what)]
    assert len(found)
    return found.set_index("of")


def test_a_shortcut_is_claimed_and_completes_its_ticket(shortcut):
    claims = rows(shortcut, "routes", "claims").loc["Ayr–Dax"]
    assert claims["before"] == 0
    assert claims["after"] == 1  # everybody who plays at random comes to it
    assert claims["change_low"] > 0.99
    completed = rows(shortcut, "tickets", "completed_kept")
    assert completed["change"].idxmax() == "Ayr–Dax"
    assert completed["change_low"]["Ayr–Dax"] > 0.4
    (told,) = what_changes_do(shortcut)
    assert told.startswith(f"{SHORTCUT}: Ayr–Dax is claimed 100.0 times in 100 games, 0.0 before")
    assert "kept tickets that are completed: Ayr–Dax (+" in told


def test_before_and_after_are_those_of_the_games(small):
    trial, setting = small(games=1000), "route Ayr–Dax length = 3 tracks = red, gray"
    frame = trials.changed(trial, [setting])
    for side, name in (("before", trial.board.id), ("after", with_settings(trial.board.id, [setting]))):
        board = load_board(name)
        games = make_games(board, trial.line_up, 1).play(range(1000))
        tracks = [route.index for route in board.routes if board.connection_name(route.connection) == "Ayr–Dax"]
        claimed = games.games["claimed"][:, tracks]
        found = {what: rows(frame, "routes", what)[side]["Ayr–Dax"] for what in ("claims", "turn")}
        assert found["claims"] == pytest.approx((claimed != NOBODY).sum(axis=1).mean())
        assert found["turn"] == pytest.approx((claimed[claimed != NOBODY] // 2 + 1).mean())
        assert rows(frame, "seats", "win_share")[side].tolist() == pytest.approx(games.win_share.mean(axis=0).tolist())
    assert frame["change"].to_numpy() == pytest.approx((frame["after"] - frame["before"]).to_numpy(), nan_ok=True)


def test_dropping_a_route_is_closing_it(small):
    """Who plays at random has the same choices, whether nobody may claim a route or there is none."""
    trial = small(games=1000)
    closed = trials.closed(trial, ["Ayr-Dax"]).set_index("strategy")
    dropped = rows(trials.changed(trial, ["drop route Ayr-Dax"]), "strategies", "score")
    assert dropped["change"].to_dict() == pytest.approx(closed["score_change"].to_dict())


def test_what_changes_no_game_changes_nothing(small):
    frame = trials.changed(small(games=400), ["route Ayr–Bern bend = 0.3"])
    assert (frame["change"] == 0).all()
    assert not len(clear(frame))
    assert what_changes_do(frame)[0].endswith("(0.0 ± 0.0): no clear change. Nothing else clearly changes.")


def test_intervals_hold_for_all_changes_together(small):
    """Each of five is wider than one alone, by as much as it takes for all five to hold."""
    trial, first = small(), "route Bern–Córdoba length = 2"
    five = [first, SHORTCUT.replace("add ", "").replace("= red", "= blue, blue"), "route Ayr–Bern length = 3", "route Córdoba–Dax tunnel = false", "drop route Ayr-Dax"]  # fmt: skip  # noqa: E501
    alone, together = (trials.changed(trial, names) for names in ([first], five))
    half = [
        rows(frame[frame["setting"] == first], "games", "turns").eval("change_high - change_low").item()
        for frame in (alone, together)
    ]
    assert half[1] / half[0] == pytest.approx(float(sidak(1, 199, 0.99) / sidak(1, 199)), rel=0.03)
    assert [setting for setting, _ in by_setting(together)] == five


def test_several_changes_can_be_one(small):
    setting = "drop route Ayr–Dax; route Ayr–Bern length = 3"
    frame = trials.changed(small(games=200), [setting])
    assert set(frame["setting"]) == {setting}
    assert set(frame["connection"]) == {"Ayr–Bern"}  # the first in the file of those that changed
    assert rows(frame, "routes", "claims")["after"]["Ayr–Dax"] == 0


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("ticket Ayr–Bern = 9", "is no change of a route; write 'route CITY–CITY KEY = VALUE'"),
        ("rules.trains = 9", "is no change of a route"),
        ("", "is no change of a route"),
        ("route Ayr–Bern length = 2", "is so already"),
        ("route Ayr–Bern lenght = 3", "did you mean length"),
        ("add route Ayr–Bonn length = 2", "does not name two cities of the board"),
        ("drop route Ayr–Dax; drop route Ayr–Bern", "Ayr"),
    ],
)
def test_what_is_no_change_of_a_route_is_refused(small, setting, told):
    with pytest.raises(UserError, match=told):
        trials.changed(small(games=10), [setting])


def test_a_change_that_only_swaps_two_colours_is_rarely_found(small, line):
    """Both colours have as many cards and take part in as much of the rest, so nothing changes but by chance."""
    families = (("seats", "win_share"), ("tickets", "score_effect"), ("games", "turns"), ("strategies", "score"))
    found, seeds = 0, 10
    for seed in range(seeds):
        frame = trials.changed(small(line, games=200, seed=seed), ["route Córdoba–Dax tracks = red"])
        assert (rows(frame, "strategies", "score")["change"] != 0).all()  # the games do differ
        sure = clear(frame)
        found += sum(pair in set(zip(sure["table"], sure["what"], strict=True)) for pair in families)
    assert found <= binom.ppf(0.999, seeds * len(families), 0.05)
