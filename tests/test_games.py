"""One schedule for everything that plays: a number and a seed are one game, and the command that shows it shows it."""

import json
import re
from itertools import count

import pytest
from conftest import words_of
from runs.making import make_player, store

import ttrsim as package
from ttrsim.boards import load_board
from ttrsim.checking import examiner
from ttrsim.encode import Intervention
from ttrsim.games import make_games
from ttrsim.recording import tickets_offered
from ttrsim.strategies import StrategyError, load_strategy
from ttrsim.trials import make_trial

SEED, GAMES = 4, 18
TABLES = ["random_kind,random", "random_kind,random,planner", "random_kind,random,planner,random"]
"""Line-ups whose blocks have one order at the table, two and three."""
STOPPING = """
from ttrsim.kit.chance import any_kind


def decide(board, table, hand, mind):
    if table.seat == 2 and table.turn > 30 and hand.dealt[0] & 128:
        return 7
    return any_kind(board, table, hand, mind)
"""


def as_bytes(results):
    """Return the results of each game."""
    return [(game.tobytes(), seats.tobytes()) for game, seats in zip(results.games, results.seats, strict=True)]


def seated(shown):
    """Return the strategies by seat in the JSON of a game."""
    return [seat["strategy"] for seat in shown["seats"]]


@pytest.mark.parametrize("players", TABLES)
def test_game_i_of_a_seed_is_one_game_in_simulate_a_run_a_trial_and_play(players, ttrsim, tmp_path):
    simulated = package.simulate(board="usa", players=players, games=GAMES, seed=SEED)
    games, strategies = as_bytes(simulated), simulated.seats["strategy"]
    trial = make_trial(board="usa", players=players, games=GAMES, seed=SEED)
    assert as_bytes(trial.unchanged.play(range(GAMES))) == games
    run = store(tmp_path / "run", players=players, games=GAMES, seed=SEED)
    assert as_bytes(run.player.play(range(run.schedule.laps)))[:GAMES] == games
    rows = run.players[: strategies.size]
    assert rows["score"].tolist() == simulated.seats["score"].reshape(-1).tolist()
    assert rows["strategy"].cat.codes.tolist() == strategies.reshape(-1).tolist()
    for game in range(GAMES):
        words = ["--map", "usa", "--players", players, "--seed", SEED, "--game", game]
        shown = json.loads(ttrsim("play", *words, "--json", "--quiet").out)
        assert [seat["score"] for seat in shown["result"]] == simulated.seats["score"][game].tolist()
        assert seated(shown) == [simulated.strategies[strategy] for strategy in strategies[game]]


def test_the_check_plays_the_first_games_of_a_run():
    assert examiner.SEED == SEED
    first, company = load_strategy("planner"), load_strategy(examiner.COMPANY)
    checked = examiner._games(("usa", 3), first, company).play(range(GAMES))
    run = make_player(players="planner,random_kind,random_kind", games=GAMES, seed=SEED).play(range(GAMES // 3))
    assert as_bytes(checked) == as_bytes(run)


@pytest.mark.parametrize("players", TABLES)
def test_a_recorded_game_is_the_game_played(players):
    games = make_games("usa", players, SEED)
    recordings = [games.seated(number).replay() for number in range(GAMES)]
    again = [(r.result[0].tobytes(), r.seats[0].tobytes()) for r in recordings]
    assert again == as_bytes(games.play(range(GAMES)))


def test_game_0_is_the_line_up_as_listed():
    assert [make_games("usa", players, SEED).seated(0).strategies for players in TABLES] == [
        (0, 1),
        (0, 1, 2),
        (0, 1, 2, 1),
    ]


def test_play_without_a_number_seats_the_strategies_as_listed_whatever_a_run_does(ttrsim):
    """A run leaves out the order A, B, A, B, whose blocks would be shorter than those of others."""
    words = ["play", "--map", "usa", "--players", "random,random_kind,random,random_kind", "--seed", SEED, "--json"]
    listed, first = (seated(json.loads(ttrsim(*words, *more, "--quiet").out)) for more in ((), ("--game", 0)))
    assert listed == ["random", "random_kind", "random", "random_kind"]
    assert first == ["random", "random_kind", "random_kind", "random"]


@pytest.fixture
def stopper(tmp_path):
    """The path of a strategy that stops the games in which it is dealt a ticket in one of the seats."""
    path = tmp_path / "stopper.py"
    path.write_text(STOPPING, "utf-8")
    return path


def first_stopped(games):
    """Return the first game that a strategy stops, recorded."""
    return next(r for r in (games.seated(number).replay() for number in count()) if r.illegal is not None)


def check_command(games, ttrsim):
    """Return the command in the error shows just the game that stopped; return that."""
    with pytest.raises(StrategyError) as raised:
        games.play(range(1000))
    command = re.search(r"`ttrsim (play .*)` shows", str(raised.value))
    shown = json.loads(ttrsim(*words_of(command[1]), "--json", "--quiet").out)
    events = first_stopped(games).events
    assert [event["action"] for event in shown["events"]] == events["action"].tolist()
    assert [event["seat"] for event in shown["events"]] == events["seat"].tolist()
    return shown


@pytest.mark.parametrize("players", ["random,{},random_kind", "random,{},random_kind,planner"])
def test_the_command_shows_the_game_that_stopped_a_run_with_orders_in_turn(stopper, ttrsim, players):
    player = make_player(players=players.format(stopper), games=1000, seed=5)
    shown = check_command(player.games, ttrsim)
    assert shown["game"] // len(shown["seats"]) % 2, "a block of another order than that listed"
    assert seated(shown)[2] == str(stopper)


def test_the_command_shows_the_game_that_stopped_a_check(stopper, ttrsim):
    first, company = load_strategy(str(stopper)), load_strategy(examiner.COMPANY)
    shown = check_command(examiner._games(("usa", 3), first, company), ttrsim)
    assert shown["game"] > 0
    assert seated(shown)[2] == str(stopper)


def test_a_changed_game_is_that_of_the_focal_strategy_in_its_seat():
    board = load_board("usa")
    games = make_games(board, "random,random_kind,planner", SEED).changed(Intervention(place=0, slot=0, ticket=9))
    for number in range(6):
        game = games.seated(number)
        assert game.line_up[game.intervention.place].name == "random"
        assert 9 in tickets_offered(game.replay().events[game.intervention.place])
