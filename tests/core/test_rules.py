"""Corner cases of the rules, one by one, played on the core: routes, tunnels, tickets and the end."""

import pytest
from reference.actions import keep

from ttrsim.core import constants as c

from .scene import Scene
from .stepping import core_game

# Routes


def test_a_ferry_may_be_paid_in_wilds_alone() -> None:
    game = Scene("europe", 2)
    game.give(0, "6 wild")
    assert game.claims("Smyrna", "Palermo") == {("wild", 6)}
    game.claim("Smyrna", "Palermo", "wild", 6)
    assert game.discards == game.cards("6 wild")
    assert game.scores == [15, 0]


def test_a_ferry_wants_a_wild_for_each_symbol_and_takes_more() -> None:
    game = Scene("europe", 2)
    game.give(0, "6 red, 1 wild")
    assert game.claims("Smyrna", "Palermo") == set()
    game.give(0, "4 red, 3 wild, 3 blue")
    assert game.claims("Smyrna", "Palermo") == {("red", 2), ("red", 3), ("blue", 3)}


@pytest.mark.parametrize(
    ("name", "players", "opened"),
    [
        ("usa", 3, False),
        ("usa", 4, True),
        ("europe", 3, False),
        ("europe", 4, True),
        ("san_francisco", 2, False),
        ("san_francisco", 3, True),
    ],
)
def test_the_twin_of_a_claimed_route_is_closed_to_its_owner_and_with_few_players_to_all(
    name: str, players: int, opened: bool
) -> None:
    game = Scene(name, players)
    pair = next(twins for twins in game.board.connections if len(twins) == 2)
    one, twin = (game.board.routes[r] for r in pair)

    def pay(route: int) -> int:
        colour = game.board.routes[route].colour
        return c.CLAIM + 100 * route + 10 * (0 if colour is None else colour) + one.ferry

    for seat in (0, 1):
        game.give(seat, "")
        game.hands.cards[seat, :] = one.length
    game.act(pay(one.index))
    while game.phase == c.TOKEN:
        game.act(game.legal[0])
    game.turn_of(0)
    assert not game.apply(pay(twin.index))
    assert pay(twin.index) not in game.legal
    game.turn_of(1)
    assert (pay(twin.index) in game.legal) == opened
    assert game.apply(pay(twin.index)) == opened


def test_stations_in_all_cities_do_not_make_passing_legal_while_a_route_can_be_claimed() -> None:
    game = Scene("europe", 2)
    game.build(1, *[city.name for city in game.board.cities])
    game.give(0, "2 red")
    game.bare_display()
    game.bare_deck()
    game.bare_tickets()
    assert game.claims("Sarajevo", "Sofia") == {("red", 0)}
    assert not game.apply(c.PASS)


# Tunnels: Sarajevo–Sofia is a gray one of two spaces


def tunnel(hand: str, turned_up: str, colour: str, wilds: int = 0, left: int | None = None) -> Scene:
    """Let seat 0 lay out a payment, and turn up these cards; `left` are in the deck, if given."""
    game = Scene("europe", 2)
    game.show("1 pink, 1 white, 1 orange, 1 yellow, 1 black")
    game.give(0, hand)
    game.on_top(turned_up)
    if left is not None:
        game.bare_deck(keep=left)
    game.claim("Sarajevo", "Sofia", colour, wilds)
    return game


def test_a_tunnel_paid_in_wilds_alone_is_asked_only_for_wilds_and_only_wilds_answer() -> None:
    assert tunnel("2 wild", "2 red, 1 blue", "wild", 2).scores == [2, 0]
    game = tunnel("3 wild, 4 red", "1 wild, 2 red", "wild", 2)
    assert game.legal == [c.DECLINE, c.PAY + 1]
    game.act(c.PAY + 1)
    assert game.hand(0) == game.cards("4 red")
    assert game.discards == game.cards("4 wild, 2 red")


def test_a_tunnel_paid_in_a_colour_is_asked_for_that_colour_and_wilds() -> None:
    game = tunnel("2 red, 3 wild", "1 red, 1 wild, 1 blue", "red", 1)
    assert game.legal == [c.DECLINE, c.PAY + 1, c.PAY + 2]


def test_a_tunnel_declined_gives_the_payment_back_and_ends_the_turn() -> None:
    game = tunnel("3 red", "1 red, 1 blue, 1 green", "red")
    game.act(c.DECLINE)
    assert game.hand(0) == game.cards("3 red")
    assert game.discards == game.cards("1 red, 1 blue, 1 green")
    assert (game.phase, game.seat, game.scores, game.table.trains[0]) == (c.TURN, 1, [0, 0], 45)
    assert game.table.owner[game.route("Sarajevo", "Sofia")] == c.NOBODY


def test_who_cannot_pay_the_extra_cards_is_not_asked() -> None:
    game = tunnel("2 red, 4 blue", "1 red, 2 blue", "red")
    assert game.hand(0) == game.cards("2 red, 4 blue")
    assert (game.phase, game.seat, game.scores) == (c.TURN, 1, [0, 0])


@pytest.mark.parametrize(("turned_up", "extra"), [("1 red", 1), ("1 red, 1 wild", 2)])
def test_with_too_few_cards_those_there_are_are_turned_up(turned_up: str, extra: int) -> None:
    game = tunnel("4 red", turned_up, "red", left=extra)
    assert game.table.revealed.sum() == extra
    assert game.table.extra[0] == extra
    assert game.phase == c.TUNNEL


def test_a_tunnel_is_simply_claimed_when_no_card_can_be_turned_up() -> None:
    game = tunnel("2 red", "", "red", left=0)
    assert game.scores == [2, 0]


def test_the_payment_is_not_shuffled_into_the_deck_that_is_turned_up() -> None:
    game = Scene("europe", 2)
    game.give(0, "3 red")
    game.bare_deck()
    game.table.discards[c.WILD], game.table.discard_cards[0] = 1, 1
    game.claim("Sarajevo", "Sofia", "red")
    assert game.table.revealed.tolist() == [0] * 9 + [1]
    assert game.discards.total() == 0


def test_extra_cards_are_paid_beside_the_printed_length() -> None:
    game = tunnel("3 red", "1 red, 1 blue, 1 green", "red")
    game.act(c.PAY)
    assert game.discards == game.cards("4 red, 1 blue, 1 green")
    assert (game.scores, game.table.trains[0]) == ([2, 0], 43)


# Tickets


def test_fewer_tickets_than_a_draw_are_drawn_and_one_at_least_is_kept() -> None:
    game = Scene("usa", 2)
    game.bare_tickets(keep=2)
    game.act(c.DRAW_TICKETS)
    assert game.legal == [keep((0,)), keep((1,)), keep((0, 1))]
    game.act(keep((0, 1)))
    assert c.DRAW_TICKETS not in game.legal


def test_a_draw_keeps_no_more_than_there_are() -> None:
    game = Scene("san_francisco", 2)
    game.bare_tickets(keep=1)
    game.act(c.DRAW_TICKETS)
    assert game.legal == [keep((0,))]


def test_of_the_long_tickets_one_at_most_is_kept() -> None:
    core = core_game("europe:mega")
    core.deal(0, 2)
    kept = [int(a) - c.KEEP for a in core.actions]
    assert core.hands.offered[0] == 7
    assert {(k & 3).bit_count() for k in kept} == {0, 1}
    assert {k.bit_count() for k in kept} == {3, 4, 5, 6}


# The end


def draw_two(game: Scene) -> int:
    """Let the seat to move draw two cards blind; return which seat that was."""
    seat = game.seat
    game.act(c.DRAW_BLIND)
    game.act(c.DRAW_BLIND)
    return seat


@pytest.mark.parametrize("ender", range(4))
def test_after_two_trains_are_left_everybody_has_one_more_turn(ender: int) -> None:
    game = Scene("usa", 4)
    for _ in range(ender):
        draw_two(game)
    game.table.trains[ender] = 5
    game.give(ender, "3 blue")
    game.claim("Montreal", "New York", "blue")
    assert (game.table.ender[0], game.table.trains[ender]) == (ender, 2)
    seats = []
    while not game.over:
        seats.append(draw_two(game))
    assert seats == [(ender + i) % 4 for i in (1, 2, 3, 4)]
    assert game.table.ending[0] == c.ENDED


def test_three_trains_left_do_not_start_the_last_round() -> None:
    game = Scene("usa", 2)
    game.table.trains[0] = 6
    game.give(0, "3 blue")
    game.claim("Montreal", "New York", "blue")
    assert (game.table.ender[0], game.table.turns_to_go[0]) == (c.NOBODY, c.NOBODY)


def test_another_player_at_two_trains_does_not_prolong_the_last_round() -> None:
    game = Scene("usa", 2)
    game.table.trains[:] = 2
    seats = []
    while not game.over:
        seats.append(draw_two(game))
    assert (seats, game.table.ender[0]) == ([0, 1, 0], 0)


def stripped(players: int) -> Scene:
    """Return a game in which nobody can do anything."""
    game = Scene("usa", players)
    game.bare_display()
    game.bare_deck()
    game.bare_tickets()
    game.table.trains[:] = 0
    game.table.turns_to_go[0] = 100
    return game


def test_a_game_in_which_everybody_has_passed_in_turn_is_a_stalemate() -> None:
    game = stripped(3)
    game.act(c.PASS)
    game.act(c.PASS)
    game.bare_tickets(keep=1)
    game.act(c.DRAW_TICKETS)
    game.act(keep((0,)))
    game.act(c.PASS)
    game.act(c.PASS)
    assert not game.over
    game.act(c.PASS)
    assert game.over
    assert game.table.ending[0] == c.STALEMATE


def test_a_last_round_of_passes_is_no_stalemate() -> None:
    game = stripped(2)
    game.table.turns_to_go[0] = 2
    game.act(c.PASS)
    game.act(c.PASS)
    assert game.over
    assert game.table.ending[0] == c.ENDED


@pytest.mark.parametrize("players", [2, 5])
def test_a_game_is_overlong_at_400_turns_a_player(players: int) -> None:
    game = Scene("usa", players)
    game.table.turn[0] = 400 * players - 2
    draw_two(game)
    assert not game.over
    draw_two(game)
    assert game.over
    assert game.table.ending[0] == c.OVERLONG
