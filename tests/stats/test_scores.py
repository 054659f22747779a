"""Scores round by round are those of the games as they were recorded."""

import numpy as np

from ttrsim.stats.distributions import race


def test_the_last_row_of_a_seat_is_its_result(recorded):
    final = race(recorded, 6).query("final").set_index(["game", "seat"])
    rows = recorded.players.set_index(["game", "seat"]).loc[final.index]
    np.testing.assert_array_equal(final["score"], rows["score"])
    assert list(final["strategy"]) == list(rows["strategy"])


def test_every_round_of_a_game_has_a_row_for_each_seat(recorded):
    frame = race(recorded, 4).query("not final")
    turns = recorded.games.set_index("game")["turns"]
    for (game, _), rows in frame.groupby(["game", "seat"]):
        rounds = -(-turns[game] // recorded.recipe.seats)
        assert list(rows["round"]) == list(range(1, rounds + 1))


def test_games_are_taken_from_the_whole_run(recorded):
    games = race(recorded, 5)["game"].unique()
    assert len(games) == 5
    assert (games[0], games[-1]) == (0, recorded.games_played - 1)
