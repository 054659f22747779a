"""A change of a deal changes what it says, and nothing else."""

import numpy as np
import pytest

from ttrsim.boards import Board, load_board
from ttrsim.core import constants as c
from ttrsim.core.deal import intervene
from ttrsim.core.jit import kernel
from ttrsim.core.records import DECK, HAND, INTERVENTION, TABLE
from ttrsim.encode import Intervention
from ttrsim.games import Games
from ttrsim.recording import tickets_offered
from ttrsim.schedule import Schedule
from ttrsim.strategies import load_line_up

from .agreement import read_deck
from .stepping import CoreGame
from .test_invariants import Observer, members

GAMES = 60
TABLES = [("usa", 2), ("usa", 4), ("europe", 3), ("europe:mega", 5), ("old_west", 6), ("san_francisco", 2)]


@kernel
def change(boards, games, interventions, seating):
    """Change a game that has just been dealt."""
    intervene(boards[0], games[0], interventions[0], seating)


def changed(core: CoreGame, block: int, players: int, intervention: Intervention) -> CoreGame:
    """Return a deal, changed; the strategy in place p of the line-up sits in seat p."""
    core.deal(block, players)
    record = np.zeros(1, INTERVENTION)
    record[0] = intervention.record
    change(core.boards, core.games, record, np.arange(players, dtype=np.uint8))
    core.relist()
    return core


def changed_games(board: str, players: int, intervention: Intervention, strategy: str = "random") -> Games:
    """Return games in which each place of the line-up has a number of its own."""
    line_up = load_line_up(",".join([strategy, *["random_kind"] * (players - 1)]))
    schedule = Schedule((tuple(range(players)),), "cyclic", GAMES)
    return Games(load_board(board), line_up, schedule, 3, intervention)


def focal(played: Games, games: int = GAMES) -> np.ndarray:
    """Return the results of the focal seat, of place 0."""
    seats = played.play(range(games)).seats
    return seats[seats["strategy"] == 0]


def lying(core: CoreGame, players: int) -> list[int]:
    """Return all tickets by where they lie: the offers by seat, then the deck from the top."""
    offers = [t for s in range(players) for t in core.hands.offer[s, : core.hands.offered[s]].tolist()]
    return [*offers, *read_deck(core, "tickets")]


def slots(board: Board) -> list[tuple[int, list[int]]]:
    """Return the first slot of each deck in an opening offer, and the tickets of that deck."""
    long = [t.index for t in board.tickets if t.long]
    regular = [t.index for t in board.tickets if not t.long]
    return [*([(0, long)] if long else []), (board.rules.long_tickets.deal if long else 0, regular)]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_ticket_offered_changes_places_with_the_one_that_was_dealt(name, players):
    core = CoreGame(load_board(name))
    for slot, tickets in slots(core.board):
        for ticket in tickets:
            core.deal(ticket, players)
            before, place = lying(core, players), core.hands.offered[0] + slot  # in the offer of seat 1
            given = before[place]
            swap = {given: ticket, ticket: given}
            after = lying(changed(core, ticket, players, Intervention(place=1, slot=slot, ticket=ticket)), players)
            assert after == [swap.get(t, t) for t in before[:place]] + [ticket] + [
                swap.get(t, t) for t in before[place + 1 :]
            ]
            for seat in range(players):
                offer = core.hands.offer[seat, : core.hands.offered[seat]].tolist()
                assert members(core.hands.dealt[seat]) == set(offer)
            if core.board.rules.long_tickets is None:
                Observer(core, players).check_tickets()


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_nothing_else_of_the_deal_changes(name, players):
    core = CoreGame(load_board(name))
    core.deal(5, players)
    before = core.games.copy()
    slot, tickets = slots(core.board)[-1]
    changed(core, 5, players, Intervention(place=1, slot=slot, ticket=tickets[-1], forced=True))
    different = {
        (record, field)
        for record, fields in (("hands", HAND.names), ("deck", DECK.names), ("table", TABLE.names))
        for field in fields
        if (core.games[record][field] != before[record][field]).any()
    }
    of_hands = {("hands", "offer"), ("hands", "dealt"), ("hands", "must_keep")}
    assert of_hands <= different <= of_hands | {("deck", "tickets")}


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_forced_ticket_is_kept(name, players):
    board = load_board(name)
    for slot, tickets in slots(board):
        seats = focal(changed_games(name, players, Intervention(place=0, slot=slot, ticket=tickets[1], forced=True)))
        assert all(tickets[1] in members(kept) for kept in seats["kept"])
        assert all(tickets[1] in members(dealt) for dealt in seats["offered"])


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_each_legal_choice_has_the_ticket_that_must_be_kept(name, players):
    core = CoreGame(load_board(name))
    for slot, tickets in slots(core.board):
        core.deal(7, players)
        free = set(core.actions.tolist())
        changed(core, 7, players, Intervention(place=0, slot=slot, ticket=tickets[0], forced=True))
        assert set(core.actions.tolist()) == {action for action in free if action - c.KEEP >> slot & 1}


def test_only_the_opening_must_keep_it_and_only_the_focal_seat():
    core = CoreGame(load_board("usa"))
    changed(core, 7, 3, Intervention(place=0, slot=2, forced=True))
    assert core.hands.must_keep.tolist() == [4, 0, 0, 0, 0, 0]
    core.apply(c.KEEP + 0b110)
    assert not core.hands.must_keep.any()


IGNORES = """from ttrsim.bot import choose_city, default_answer, keep, OPENING

def decide(board, table, hand, mind, room):
    if table.phase == OPENING:
        return keep(0b110)
    return default_answer(board, table, hand, mind, room)
"""


@pytest.mark.parametrize(("slot", "overruled"), [(0, 1), (1, 0)])
def test_a_strategy_that_leaves_it_out_keeps_it_beside_its_choice_and_is_counted(tmp_path, slot, overruled):
    (tmp_path / "ignores.py").write_text(IGNORES)
    played = changed_games("europe", 2, Intervention(place=0, slot=slot, forced=True), str(tmp_path / "ignores.py"))
    seats = focal(played)
    assert (seats["overruled"] == overruled).all()
    assert all(len(members(seat["kept"] & seat["offered"])) == 2 + overruled for seat in seats)


@pytest.mark.parametrize("strategy", ["planner", "hoarder", "long_hauler", "one_step", "long_route", "random"])
def test_strategies_that_come_with_ttrsim_choose_around_it(strategy):
    """They keep as many tickets as they would of a free choice, not one more."""
    free = focal(changed_games("usa", 2, Intervention(place=0, slot=0), strategy), 20)
    held = focal(changed_games("usa", 2, Intervention(place=0, slot=0, forced=True), strategy), 20)
    assert not held["overruled"].any()
    kept = [np.mean([len(members(s["kept"] & s["offered"])) for s in seats]) for seats in (free, held)]
    assert kept[1] < kept[0] + 0.3


def test_the_ticket_dealt_can_be_forced_too():
    played = changed_games("usa", 2, Intervention(place=0, slot=0, forced=True))
    for game in range(20):
        recording = played.seated(game).replay()
        seat = recording.seats["strategy"][0].tolist().index(0)
        event = recording.events[seat]
        assert next(iter(tickets_offered(event))) in members(recording.seats[0, seat]["kept"])
        assert int(event["action"]) - c.KEEP & 1


def test_a_forced_long_ticket_takes_the_place_of_another_one():
    board = load_board("europe:mega")
    long = {t.index for t in board.tickets if t.long}
    assert board.rules.long_tickets.keep_at_most == 1
    ticket = max(long)
    for seat in focal(changed_games("europe:mega", 2, Intervention(place=0, slot=0, ticket=ticket, forced=True)), 200):
        opening = members(seat["kept"] & seat["offered"])
        assert long & opening == {ticket}
        assert len(opening) >= board.rules.tickets.keep


def test_closed_routes_are_never_claimed():
    board = load_board("usa")
    closed = tuple(range(0, len(board.routes), 3))
    results = changed_games("usa", 3, Intervention(closed=closed)).play(range(GAMES))
    assert (results.games["claimed"][:, list(closed)] == c.NOBODY).all()
    assert not any(set(closed) & members(routes) for seats in results.seats["routes"] for routes in seats)
    assert (results.games["ending"] == c.ENDED).any()


def twins() -> tuple[int, int]:
    """Return the two routes of a double connection of USA."""
    return next(tuple(tracks) for tracks in load_board("usa").connections if len(tracks) == 2)


def test_the_twin_of_a_gift_is_closed_where_parallel_routes_are():
    gift, twin = twins()
    results = changed_games("usa", 2, Intervention(place=0, gift=(gift,))).play(range(GAMES))
    assert (results.games["claimed"][:, [gift, twin]] == c.NOBODY).all()


def test_the_twin_of_a_gift_is_barred_for_its_owner_alone_where_both_can_be_claimed():
    gift, twin = twins()
    seats = changed_games("usa", 4, Intervention(place=0, gift=(gift,))).play(range(300)).seats
    owns = {
        name: np.array([[route in members(routes) for routes in game] for game in seats["routes"]])
        for name, route in (("gift", gift), ("twin", twin))
    }
    assert (owns["gift"] == (seats["strategy"] == 0)).all()
    assert not owns["twin"][seats["strategy"] == 0].any()
    assert owns["twin"].any()


@pytest.mark.parametrize("name", ["usa", "old_west"])
def test_a_gift_takes_no_trains_and_brings_no_points_but_connects(name):
    board = load_board(name)
    gift = (0, 20)
    core = changed(CoreGame(board), 1, 3, Intervention(place=2, gift=gift))
    table = core.table
    assert members(table.owned[2]) == set(gift)
    assert table.trains[:3].tolist() == [board.rules.trains] * 3
    assert table.score[:3].tolist() == [0] * 3
    ends = {city for r in gift for city in (board.routes[r].a, board.routes[r].b)}
    assert members(table.network[2]) == ends
    if board.rules.own_network:
        assert members(table.reach[2]) == {r.index for r in board.routes if {r.a, r.b} & ends}
    for seat in focal(changed_games(name, 3, Intervention(place=0, gift=gift))):
        used = sum(board.routes[r].length for r in members(seat["routes"]) if r not in gift)
        assert seat["trains_left"] == board.rules.trains - used


def test_cards_are_conserved_in_changed_games():
    board = load_board("usa")
    core = CoreGame(board)
    observer = Observer(core, 2)
    changed(core, 3, 2, Intervention(place=0, slot=0, ticket=7, forced=True, closed=(3, 4), gift=(30,)))
    dice = np.random.default_rng(1)
    while not core.over:
        core.apply(int(dice.choice(core.actions)))
        observer.check_cards()
        observer.check_tickets()


def test_what_changes_nothing_leaves_every_byte():
    plain = changed_games("europe", 3, Intervention()).play(range(GAMES))
    for nothing in (Intervention(place=0), Intervention(place=0, slot=1), Intervention(place=5, slot=0, ticket=3)):
        played = changed_games("europe", 3, nothing).play(range(GAMES))
        assert played.games.tobytes() == plain.games.tobytes()
        assert played.seats.tobytes() == plain.seats.tobytes()


def test_a_changed_game_is_recorded_as_it_was_played():
    played = changed_games("europe", 3, Intervention(place=0, slot=1, ticket=30, forced=True, closed=(3,), gift=(8,)))
    results = played.play(range(6))
    for game in range(6):
        recording = played.seated(game).replay()
        assert recording.result.tobytes() == results.games[game : game + 1].tobytes()
        assert recording.seats.tobytes() == results.seats[game : game + 1].tobytes()
