"""A recorded game: the same game as in a batch, and its states follow from its events."""

from itertools import product

import numpy as np
import pytest

import ttrsim
from ttrsim.boards import load_board
from ttrsim.core import constants as c
from ttrsim.encode import members
from ttrsim.errors import UserError
from ttrsim.games import make_games
from ttrsim.recording import (
    EVENT,
    cards_gained,
    is_withdrawn,
    points_scored,
    route_claimed,
    tickets_offered,
    token_taken,
    tunnel_tried,
)

CASES = [
    ("usa", 2),
    ("usa:mega", 5),
    ("europe", 2),
    ("europe:mega", 5),
    ("old_west", 3),
    ("old_west:alvin", 6),
    ("san_francisco", 2),
    ("san_francisco", 4),
]
GAMES = [
    (board, strategy, players, index)
    for board, players in CASES
    for strategy in ("random", "random_kind")
    for index in range(2)
]


@pytest.fixture(scope="module", params=GAMES, ids=lambda game: "-".join(map(str, game)))
def played(request):
    """A game, its recording, and its results as played with others."""
    board, strategy, players, index = request.param
    series = make_games(board, ",".join([strategy] * players), 31)
    game = series.seated(index)
    return game, game.replay(), series.play(range(index, index + 1))


def events_of(recording, *phases):
    return recording.events[np.isin(recording.events["phase"], phases)]


def offers(events):
    """Yield seat, ticket, and whether it was kept, for each ticket offered."""
    for event in events:
        for ticket, kept in tickets_offered(event).items():
            yield int(event.seat), ticket, kept


def test_recorded_game_is_the_one_of_the_batch(played):
    _, recording, batch = played
    assert batch.games.tobytes() == recording.result.tobytes()
    assert batch.seats.tobytes() == recording.seats.tobytes()


def test_final_hands_follow_from_the_cards_of_the_events(played):
    series, recording, _ = played
    hands = np.zeros((len(series.line_up), c.KINDS), int)
    for event in recording.events:
        hands[event.seat] += cards_gained(event)
        assert (hands >= 0).all()
    assert (hands == recording.game["hands"]["cards"][: len(hands)]).all()


def test_final_scores_follow_from_the_points_of_the_events(played):
    _, recording, _ = played
    parts = sum(map(points_scored, recording.events))[: recording.seats.shape[1]]
    assert (parts == recording.seats[0]["parts"]).all()
    assert (parts.sum(axis=1) == recording.seats[0]["score"]).all()


def test_running_scores_are_the_points_scored_at_once(played):
    _, recording, _ = played
    parts = np.array([points_scored(event) for event in recording.events])
    at_once = parts[:, :, [c.POINTS_ROUTES, c.POINTS_MARKERS, c.POINTS_CAPTURES]].sum(axis=2)
    assert (np.cumsum(at_once, axis=0) == recording.events["after"]["table"]["score"]).all()
    assert (at_once == parts.sum(axis=2))[:-1].all()


def test_final_owners_turns_and_trains_follow_from_the_claims(played):
    series, recording, _ = played
    trains = np.full(len(series.line_up), series.board.rules.trains)
    claimed, owner = np.full(c.ROUTES, c.NOBODY), {}
    for event in recording.events:
        if (route := route_claimed(event)) != c.NOBODY:
            trains[event.seat] -= series.board.routes[route].length
            claimed[route], owner[route] = event.turn, int(event.seat)
    for seat, result in enumerate(recording.seats[0]):
        assert members(result["routes"]) == sorted(route for route in owner if owner[route] == seat)
    assert (trains == recording.seats[0]["trains_left"]).all()
    assert (claimed == recording.result[0]["claimed"]).all()
    assert (recording.events[-1].after.table.trains[: len(trains)] == trains).all()


def test_tickets_follow_from_the_offers(played):
    _, recording, _ = played
    for phase, field in ((c.OPENING, "offered"), (c.KEEPING, "drawn")):
        offered = list(offers(events_of(recording, phase)))
        for seat, result in enumerate(recording.seats[0]):
            assert members(result[field]) == sorted({ticket for s, ticket, _ in offered if s == seat})
    kept = [(seat, ticket) for seat, ticket, keep in offers(recording.events) if keep]
    for seat, result in enumerate(recording.seats[0]):
        assert members(result["kept"]) == sorted(ticket for s, ticket in kept if s == seat)


def test_places_follow_from_the_actions(played):
    _, recording, _ = played
    table = recording.game.table
    for seat in range(recording.seats.shape[1]):
        mine = recording.events[recording.events["seat"] == seat]
        stations = (mine["phase"] == c.TURN) & (mine["action"] >= c.STATION)
        assert members([table.stations[seat]]) == sorted((mine["action"][stations] - c.STATION) // 100)
        starts = (mine["action"][mine["phase"] == c.START] - c.CITY).tolist()
        further = (mine["phase"] == c.MARKER) & (mine["action"] != c.DECLINE)
        further = ((mine["action"][further] - c.PLACE_MARKER) // 100).tolist()
        assert members([table.markers[seat]]) == sorted(starts + further)
        tokens = [token[0] for token in map(token_taken, mine) if token]
        assert members([np.uint64(table.tokens[seat])]) == sorted(tokens)
    moves = events_of(recording, c.ALVIN)
    if len(moves):
        assert (table.alvin_city, table.alvin_holder) == (moves[-1]["action"] - c.CITY, moves[-1]["seat"])


def test_no_card_is_lost_between_events(played):
    """Cards in hands, deck, display, and those paid and turned up since the last reshuffle, are all cards."""
    series, recording, _ = played
    events = recording.events
    last = max(np.flatnonzero(events["reshuffles"]), default=None)
    gained = np.array([cards_gained(event).sum() * (event.phase != c.OPENING) for event in events])
    held = np.cumsum(gained) + sum(series.board.rules.hand[: len(series.line_up)])
    after = events["after"]["table"]
    total = held + after["deck_cards"] + after["display"].sum(axis=1)
    assert (total <= series.board.cards).all()
    if last is None and not events["refreshes"].any():
        tried = [event.phase == c.TURN and tunnel_tried(series.board, event) is not None for event in events]
        paid = np.cumsum(np.maximum(-gained, 0) + np.where(tried, after["revealed"].sum(axis=1), 0))
        returned = np.cumsum(np.where(events["phase"] == c.TUNNEL, np.maximum(gained, 0), 0))
        assert (total + paid - returned == series.board.cards).all()


def test_counts_follow_from_the_events(played):
    _, recording, _ = played
    events, seats = recording.events, recording.seats[0]
    draws = np.isin(events["phase"], (c.TURN, c.SECOND))
    for seat, result in enumerate(seats):
        mine = events[(events["seat"] == seat) & draws]
        assert result["counts"][c.BLIND] == (mine["action"] == c.DRAW_BLIND).sum()
        assert result["counts"][c.FACE_UP] == ((mine["action"] >= c.TAKE) & (mine["action"] <= c.TAKE + c.WILD)).sum()
        assert result["counts"][c.WITHDRAWN] == sum(map(is_withdrawn, events[events["seat"] == seat]))
    assert recording.result[0]["reshuffles"] == events["reshuffles"].sum()
    assert recording.result[0]["refreshes"] == events["refreshes"].sum()


def test_tunnel_asks_a_card_for_each_of_its_colour_and_each_wild_turned_up():
    series = make_games("europe", "random,random_kind,random", 8)
    events = series.seated(1).replay().events
    turned = [e for e in events if e.phase == c.TURN and tunnel_tried(series.board, e)]
    assert len(turned) > 5
    for event in turned:
        kind, table = int(event.action) // 10 % 10, event.after.table
        assert 0 < table.revealed.sum() <= 3
        assert table.extra == sum(table.revealed[sorted({kind, c.WILD})])


def test_attempt_at_a_tunnel_names_it_to_its_end():
    series = make_games("europe", "random,random_kind,random", 8)
    ends = set()
    for index in range(4):
        events = series.seated(index).replay().events
        tunnels = [tunnel_tried(series.board, event) for event in events]
        for event, before, tunnel in zip(events, [None, *tunnels], tunnels, strict=False):
            if event.phase == c.TUNNEL:
                assert tunnel is not None
                assert tunnel == before
            elif c.CLAIM <= event.action < c.STATION:
                route = series.board.routes[(event.action - c.CLAIM) // 100]
                assert tunnel == (route if route.tunnel else None)
            else:
                assert tunnel is None
            if tunnel:
                assert route_claimed(event) in (c.NOBODY, tunnel.index)
                ends.add((int(event.phase), (is_withdrawn(event), route_claimed(event) != c.NOBODY)))
            else:
                assert not is_withdrawn(event)
    claimed, withdrawn, asked = (False, True), (True, False), (False, False)
    assert set(ends) == {*product([c.TURN, c.TUNNEL], [claimed, withdrawn]), (c.TURN, asked)}


def test_simulate_adds_the_events_of_one_game():
    results = ttrsim.simulate(board="usa", players="random,random_kind", seed=3, game_index=5, record=True)
    alone = ttrsim.simulate(board="usa", players="random,random_kind", seed=3, game_index=5)
    assert results.events.dtype == EVENT
    assert results.events[-1].after.table.ending == c.ENDED
    assert alone.events is None
    assert results.seats.tobytes() == alone.seats.tobytes()


def test_simulate_records_no_more_than_one_game():
    with pytest.raises(UserError, match="games = 2: only one game can be recorded"):
        ttrsim.simulate(board="usa", players="random,random", games=2, record=True)


def test_game_with_an_illegal_action_is_recorded_up_to_it(tmp_path):
    path = tmp_path / "bad.py"
    path.write_text(
        '"""Wants nonsense on its fourth turn."""\nfrom ttrsim.kit.chance import any_kind\n\n'
        "def decide(board, table, hand, mind):\n"
        "    return 99999 if table.turn == 6 else any_kind(board, table, hand, mind)\n",
        "utf-8",
    )
    series = make_games("usa", f"{path},random", 3)
    recording = series.seated(0).replay()
    assert recording.illegal == 99999
    assert len(recording.seats) == 0
    assert set(recording.events["turn"]) == set(range(6))
    with pytest.raises(UserError, match=r"as the 1st player .*chose an illegal action"):
        ttrsim.simulate(board="usa", players=series.strategies, seed=3, record=True)


def test_events_of_the_opening_tell_the_deal():
    board = load_board("europe")
    recording = make_games("europe", "random,random,random", 4).seated(0).replay()
    opening = events_of(recording, c.OPENING)
    assert opening["seat"].tolist() == [0, 1, 2]
    for event in opening:
        assert cards_gained(event).sum() == board.rules.hand[event.seat]
        assert len(tickets_offered(event)) == board.rules.tickets.deal + 1
        assert event.before.table.display.sum() == board.rules.display
