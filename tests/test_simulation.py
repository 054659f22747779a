"""Simulated games: the same bytes however they are played, and what a line-up's rotations do."""

import numpy as np
import pytest
from digests import BOARDS, of_games

import ttrsim
from ttrsim.boards import file
from ttrsim.core import constants as c
from ttrsim.errors import UserError
from ttrsim.files import data_folder
from ttrsim.formatting import command_line
from ttrsim.games import make_games


@pytest.mark.parametrize("board", BOARDS)
def test_results_do_not_depend_on_the_number_of_threads(board, monkeypatch):
    monkeypatch.setattr("ttrsim.games.SHARD_GAMES", 37)
    runs = [ttrsim.simulate(board=board, players="random,random_kind", games=500, seed=3, threads=n) for n in (1, 2, 7)]
    assert len({of_games(run) for run in runs}) == 1


@pytest.mark.parametrize("shard", [1, 10, 499, 5000])
def test_results_do_not_depend_on_the_size_of_shards(shard, monkeypatch):
    whole = make_games("europe", "random,random_kind,random", 3).play(range(500))
    monkeypatch.setattr("ttrsim.games.SHARD_GAMES", shard)
    assert of_games(
        ttrsim.simulate(board="europe", players="random,random_kind,random", games=500, seed=3)
    ) == of_games(whole)


@pytest.mark.parametrize("board", BOARDS)
def test_any_game_is_played_again_alone_by_its_index(board):
    whole = ttrsim.simulate(board=board, players="random,random_kind", games=50, seed=9)
    for index in (0, 1, 17, 49):
        alone = ttrsim.simulate(board=board, players="random,random_kind", seed=9, game_index=index)
        assert alone.games[0] == whole.games[index]
        assert (alone.seats[0] == whole.seats[index]).all()


def test_rotations_move_the_strategies_over_the_same_deal():
    results = ttrsim.simulate(board="usa", players="random,random_kind,random", games=300, seed=2)
    dealt = results.seats["offered"].reshape(100, 3, 3, 2)
    assert (dealt == dealt[:, :1]).all()
    assert len(np.unique(dealt[:, 0, 0], axis=0)) > 50
    assert results.seats["strategy"][:3].tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 1]]


def test_a_line_up_of_copies_is_not_rotated_and_its_results_say_that_it_is_one_strategy():
    results = ttrsim.simulate(board="usa", players="random,random,random,random", games=200, seed=1)
    assert results.strategies == ("random",)
    assert not results.seats["strategy"].any()
    assert len(np.unique(results.seats["offered"][:, 0], axis=0)) > 190, "each game has a deal of its own"


def test_results_number_the_different_strategies_in_the_order_listed_and_name_them():
    results = ttrsim.simulate(board="usa", players="random_kind,random,random_kind", games=6, seed=1)
    assert results.strategies == ("random_kind", "random")
    assert sorted(results.seats["strategy"].tolist()) == sorted(2 * [[0, 0, 1], [0, 1, 0], [1, 0, 0]])


@pytest.mark.parametrize(
    ("players", "block"),
    [
        ("random,random_kind,planner", [[0, 1, 2], [1, 2, 0], [2, 0, 1]]),
        ("random_kind,random,random_kind,random", [[0, 1, 0, 1], [1, 0, 1, 0]]),
    ],
)
def test_the_players_keep_the_listed_order_in_every_block_if_asked_to(players, block):
    results = ttrsim.simulate(board="usa", players=players, games=30, seed=1, order="listed")
    assert results.seats["strategy"].tolist() == 30 // len(block) * block


def test_seeds_give_different_games():
    digests = {of_games(ttrsim.simulate(board="usa", players="random,random", games=3, seed=s)) for s in range(20)}
    assert len(digests) == 20


@pytest.mark.parametrize("board", BOARDS)
def test_win_shares_of_a_game_sum_to_one(board):
    results = ttrsim.simulate(board=board, players="random,random", games=2000, seed=4)
    assert results.win_share.sum(axis=1) == pytest.approx(1)
    assert set(np.unique(results.win_share)) <= {0, 0.5, 1}


def test_strategies_of_different_files_are_different_as_in_a_run(tmp_path):
    (tmp_path / "random.py").write_text((data_folder() / "strategies" / "random.py").read_text("utf-8"), "utf-8")
    results = ttrsim.simulate(board="usa", players=f"random,{tmp_path / 'random.py'}", games=2, seed=5)
    assert results.strategies == ("random", "random.py")
    assert results.seats["strategy"].tolist() == [[0, 1], [1, 0]]


def test_among_equals_no_seat_wins_by_far():
    results = ttrsim.simulate(board="usa", players="random,random", games=40_000, seed=11, threads=2)
    assert results.win_share.mean(axis=0) == pytest.approx(0.5, abs=0.03)  # the first may be a little better


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": "random"}, "usa is for 2 to 5 players, not 1"),
        ({"players": "random,random,random,random,random,random"}, "usa is for 2 to 5 players, not 6"),
        ({"players": "random,randum"}, "no strategy 'randum'; did you mean random"),
        ({"players": "random,random(risk=1)"}, "random: no parameter 'risk'"),
        ({"players": "random,random", "seed": -1}, "seed -1: must be from 0"),
        ({"players": "random,random", "games": 0}, "games = 0"),
        ({"players": "random,random", "board": "usb"}, "no board 'usb'; did you mean usa"),
    ],
)
def test_mistakes_are_told_in_a_sentence(arguments, message):
    with pytest.raises(UserError) as raised:
        ttrsim.simulate(**{"board": "usa", **arguments})
    assert message in str(raised.value)


def test_board_files_may_be_as_large_as_the_records_of_the_core():
    assert (file.MAX_CITIES, file.MAX_ROUTES, file.MAX_TICKETS) == (c.CITIES, c.ROUTES, c.TICKETS)
    assert (file.MAX_COLOURS, file.MAX_LENGTH, file.MAX_SEATS) == (c.WILD, c.LENGTHS - 1, c.SEATS)
    assert (file.MAX_OFFER, file.MAX_SYMBOLS, file.MAX_STATIONS) == (c.OFFER, c.SYMBOLS, c.STATIONS)
    assert file.MAX_CARDS <= c.DECK_CARDS


def test_the_command_that_shows_an_illegal_action_names_the_file_of_the_strategy(tmp_path):
    bot = tmp_path / "bot.py"
    bot.write_text(
        'NAME = "other"\nPARAMS = {"risk": (0.5, 0, 1)}\n\n\ndef decide(board, table, hand, mind):\n    return 7\n',
        "utf-8",
    )
    with pytest.raises(UserError) as raised:
        ttrsim.simulate(board="usa", players=[f"{bot}(risk=0.1)", "random"], games=3, seed=1)
    told = command_line(["--players", f"{bot}(risk=0.1),random", "--seed", "1", "--game", "0"])
    assert told in str(raised.value)
