"""A strategy of a user's own sees what it is shown and nothing else, and changes no game but by its actions."""

from dataclasses import replace

import numpy as np
import peeking
import pytest

from ttrsim.core import constants as c
from ttrsim.core.apply import apply
from ttrsim.core.deal import deal
from ttrsim.core.jit import COMPILED
from ttrsim.core.play import ready_minds
from ttrsim.core.records import GAME, MIND, ROOM
from ttrsim.games import make_games, param_values
from ttrsim.strategies import StrategyError, load_strategy

GAMES = 60 if COMPILED else 2
START = "import numpy as np\nfrom ttrsim.core.constants import *\nfrom ttrsim.kit.chance import any_kind\n"
DECIDE = "\n\ndef decide(board, table, hand, mind, room):\n"
GO_ON = "    return any_kind(board, table, hand, mind)\n"
HONEST = f"{START}{DECIDE}{GO_ON}"


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """Plays a strategy against `random` on USA: what the games came to, as bytes. The same one is compiled once."""
    folder = tmp_path_factory.mktemp("bots")

    def play(text, name="bot", params=""):
        path = folder / f"{name}.py"
        path.write_text(text, "utf-8")
        results = make_games("usa", f"{path}{params},random", 11).play(range(GAMES))
        return results.games.tobytes() + results.seats.tobytes()

    return play


@pytest.fixture(scope="module")
def honestly_played(played):
    """The results of a strategy that looks at nothing and changes nothing."""
    return played(HONEST, "honest")


def test_a_strategy_that_undoes_the_mix_of_its_stream_plays_as_without_a_look(played):
    assert played(peeking.BY_ITS_STREAM) == played(peeking.HONEST, "honest_defaults")


def test_a_strategy_that_reads_beyond_its_hand_is_stopped_there(played):
    line = peeking.BEYOND_ITS_HAND[: peeking.BEYOND_ITS_HAND.index("    kind = hand")].count("\n") + 1
    with pytest.raises(StrategyError, match=rf"bot\.py, line {line}: top_card: IndexError"):
        played(peeking.BEYOND_ITS_HAND)


@pytest.mark.parametrize(
    ("imports", "look"),
    [
        ("", "hand.cards[30]"),
        ("", "hand.cards[-11]"),
        ("", "mind.memory[2**40]"),
        ("", "int(mind.floats[2**40])"),
        ("", "mind.integers[-513]"),
        ("", "room.minds[6].memory[0]"),
        ("", "room.minds[0].memory[-70]"),
        ("", "WEIGHTS[hand.seat + 3]"),
        ("from ttrsim.core.legal import claimable_word", "int(claimable_word(board, table, 1000, 0))"),
        ("from ttrsim.core import legal", "int(legal.claimable_word(board, table, -1000, 0))"),
        ("import ttrsim.core.legal as rules", "int(rules.claimable_word(board, table, 1000, 0))"),
        ("import ttrsim.core.legal", "int(ttrsim.core.legal.claimable_word(board, table, 1000, 0))"),
        ("from ttrsim.core.legal import *", "int(claimable_word(board, table, 1000, 0))"),
        ("from ttrsim.bot import claimable_word", "int(claimable_word(board, table, 1000, 0))"),
        ("from ttrsim import bot", "int(bot.claimable_word(board, table, -1000, 0))"),
        ("import ttrsim.bot as kit", "int(kit.contains(table.open, 10**6))"),
        ("import ttrsim.bot", "ttrsim.bot.default_take_turn(board, table, other(room), mind)"),
        ("from ttrsim.bot import *", "next_member(board.at_city[10**6], NOBODY)"),
        ("from ttrsim.core.cards import draw", "draw(astray(room.game))"),
        ("from ttrsim.kit.habits import remembered_word", "int(remembered_word(mind, 4000, 0))"),
        ("from ttrsim.kit import defaults", "defaults.take_turn(board, table, other(room), mind)"),
        ("from ttrsim.kit.defaults import default_answer", "default_answer(board, table, other(room), mind, room)"),
    ],
)
def test_an_index_out_of_its_array_stops_the_game_in_whatever_function_it_is(played, capfd, imports, look):
    table = "WEIGHTS = np.array([1, 2, 3])\n"
    astray = "\n\ndef astray(game):\n    game.table.deck_cards = -5000\n    return game\n"
    other = "\n\ndef other(room):\n    room.game.hands[0].seat = 255\n    return room.game.hands[0]\n"
    text = f"{START}{imports}\n{table}{astray}{other}{DECIDE}    if {look} == 77:\n        return 0\n{GO_ON}"
    with pytest.raises(StrategyError, match=r"bot\.py, line \d+: \w+: IndexError"):
        played(text)
    assert "Exception ignored" not in capfd.readouterr().err  # as numba writes where nobody can be told


SPOILS = [
    "t.score[1 - h.seat] = -1000",
    "t.trains[h.seat] = 1",
    "t.open[0] = np.uint64(0)",
    "h.cards[WILD] = 0",
    "b.last_round_at = 40",
    "shuffle(t.display, 9, r.minds[0].rng)",
]


@pytest.mark.parametrize("spoil", SPOILS)
def test_writing_into_what_is_shown_changes_no_game(played, honestly_played, spoil):
    """One strategy has all of the lines, and a parameter says which of them it runs."""
    imports = "from ttrsim.core.streams import shuffle\nPARAMS = {'which': (0, 0, 9)}\n"
    lines = "".join(f"    if which == {i}:\n        {line}\n" for i, line in enumerate(SPOILS))
    spoiler = f"\n\ndef spoil(b, t, h, r, which):\n{lines}"
    before = "    action = any_kind(board, table, hand, mind)\n"
    before += "    spoil(board, table, hand, room, int(mind.params['which']))\n"
    text = f"{START}{imports}{spoiler}{DECIDE}{before}    return action\n"
    assert played(text, "spoiler", f"(which={SPOILS.index(spoil)})") == honestly_played


def test_nothing_is_left_of_earlier_games(played, honestly_played):
    note = (
        "    if table.phase == OPENING:\n"
        "        notes = mind.memory[5] + mind.work.planned_for + room.minds[3].memory[7] + room.game.table.turn\n"
        "        notes += room.minds[hand.seat].work.failures + board.token_points[3]\n"
        "        if notes != 0:\n"
        "            return 99\n"
        "    leave(board, mind, room)\n"
    )
    leave = (
        "\n\ndef leave(b, m, r):\n    m.memory[5] = m.work.planned_for = r.minds[3].memory[7] = r.game.table.turn = 1\n"
        "    r.minds[0].work.failures = r.minds[1].work.failures = 1\n    b.token_points[3] = 1\n"
    )
    assert played(f"{START}{leave}{DECIDE}{note}{GO_ON}") == honestly_played


def test_a_guarded_strategy_plays_the_same_games():
    for name in ("planner", "random"):
        trusted = load_strategy(name)
        assert not trusted.guarded
        line_ups = [[trusted, "one_step"], [replace(trusted, guarded=True), "one_step"]]
        one, other = (make_games("usa", line_up, 5).play(range(20)) for line_up in line_ups)
        assert one.seats.tobytes() == other.seats.tobytes()


def test_an_imagined_game_has_neither_the_key_nor_anything_of_another_room(tmp_path):
    path = tmp_path / "bot.py"
    imports = "from ttrsim.core.streams import next_word\nfrom ttrsim.kit.imagine import imagine\n"
    text = "    if table.phase == TURN:\n        imagine(board, table, hand, room, next_word(mind.rng))\n"
    path.write_text(f"{START}{imports}{DECIDE}{text}{GO_ON}", "utf-8")
    seats = [load_strategy(str(path)), load_strategy("random")]
    board, seating = make_games("usa", seats, 3).record, np.array([0, 1], np.uint8)
    game, minds, rooms = np.zeros(1, GAME)[0], np.zeros(c.SEATS, MIND), np.zeros(c.SEATS, ROOM)
    deal(board, game, np.uint64(3), 0, 2)
    ready_minds(game, minds, param_values(seats), seating)
    while game.table.turn < 30:
        seat = int(game.table.seat)
        action = seats[seat].compiled(board, game.table, game.hands[seat], minds[seat], rooms[seat])
        assert game.deck.key.tobytes() not in rooms[0].tobytes() + minds[0].tobytes()
        assert apply(board, game, action)
    assert rooms[0].game.table.turn >= 28, "it did imagine"
    assert not any(rooms[1].tobytes()), "and in its own room alone"
