"""Switches: each keeps a strategy from what its name says, in games on Europe against `one_step`."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ttrsim.boards import load_board
from ttrsim.core import constants as c
from ttrsim.core.jit import COMPILED
from ttrsim.encode import members
from ttrsim.games import make_games
from ttrsim.strategies import load_strategy
from ttrsim.strategies.source import SWITCHES, StrategyError, param_places, read_source

EUROPE = load_board("europe")
STYLES = ("planner", "hoarder", "blocker", "long_hauler")
needs_speed = pytest.mark.skipif(not COMPILED, reason="uncompiled games are too slow to play so many")


def styles_with(switch: str) -> list[str]:
    return [style for style in STYLES if switch in [p.name for p in load_strategy(style).params if p.switch]]


@cache
def played(strategy: str) -> tuple[Any, Any]:
    """Return GAME_RESULT of games in which the deck never ran out, and SEAT_RESULT of the strategy in them."""
    found = make_games(EUROPE, f"{strategy},one_step", 8).play(range(200))
    assert (found.games["dry_turns"] == 0).all()
    return found.games, found.seats[found.seats["strategy"] == 0]


def counted(what: int) -> Callable[[Any, Any], Any]:
    return lambda games, seats: seats["counts"][:, what]


def shown_taken(games: Any, seats: Any) -> Any:
    return seats["counts"][:, [c.FACE_UP, c.WILDS_TAKEN]].sum(axis=1)


def stations_built(games: Any, seats: Any) -> Any:
    kept = seats["parts"][:, c.POINTS_STATIONS] // EUROPE.rules.stations.unused_points
    return EUROPE.rules.stations.each - kept


@needs_speed
@pytest.mark.parametrize(
    ("switch", "many"),
    [
        ("never_draws_tickets", counted(c.TICKET_DRAWS)),
        ("never_takes_wilds", counted(c.WILDS_TAKEN)),
        ("draws_blind", shown_taken),
        ("never_builds_stations", stations_built),
    ],
)
def test_a_strategy_never_does_what_its_switch_keeps_it_from(switch, many):
    for style in styles_with(switch):
        assert many(*played(f"{style}({switch}=1)")).sum() == 0
        assert many(*played(style)).sum() > 0


@needs_speed
def test_at_the_opening_a_strategy_keeps_as_many_tickets_as_its_switch_says_or_the_nearest_allowed():
    for style in styles_with("opening_tickets"):
        for wanted, kept in ((1, 2), (3, 3), (8, 4)):
            _, seats = played(f"{style}(opening_tickets={wanted})")
            assert (np.bitwise_count(seats["kept"] & seats["offered"]).sum(axis=1) == kept).all()


@needs_speed
def test_a_strategy_that_claims_at_once_claims_earlier():
    def mean_turn(games: Any, seats: Any) -> float:
        claimed = [game["claimed"][members(seat["routes"])] for game, seat in zip(games, seats, strict=True)]
        return float(np.mean([turns.mean() for turns in claimed]))

    for style in styles_with("claims_at_once"):
        assert mean_turn(*played(f"{style}(claims_at_once=1)")) < mean_turn(*played(style)) - 1


@needs_speed
@pytest.mark.parametrize(("style", "other"), [("planner", "nerve=1"), ("blocker", "harm=0")])
def test_to_a_strategy_that_ignores_rivals_it_is_all_one_how_much_they_want_a_route(style, other):
    def games_with(settings: str) -> bytes:
        return bytes(played(f"{style}({settings})")[0].tobytes())

    assert games_with("ignores_rivals=1") == games_with(f"ignores_rivals=1, {other}")
    assert games_with("ignores_rivals=0") != games_with(other)


@needs_speed
def test_the_longest_path_of_a_strategy_that_ignores_it_is_shorter():
    for style in styles_with("ignores_trail"):
        assert played(f"{style}(ignores_trail=1)")[1]["trail"].mean() < played(style)[1]["trail"].mean() - 0.1


@pytest.mark.parametrize(
    ("written", "wrong"),
    [
        ('("claims_at_once", "claim_at_once")', "SWITCHES has 'claim_at_once', which is no switch; did you mean"),
        ('"claims"', "SWITCHES has 'claims', which is no switch; did you mean claims_at_once?"),
        ('("draws_blind", "draws_blind")', "SWITCHES has draws_blind: that name is used twice"),
        ('["ignores_trail"]', "SWITCHES has ignores_trail: that name is used twice"),
    ],
)
def test_a_file_that_lists_a_switch_wrongly_is_refused_with_its_line(written, wrong):
    text = f'PARAMS = {{"ignores_trail": (0, 0, 1)}}\nSWITCHES = {written}\n'
    with pytest.raises(StrategyError) as refused:
        read_source(Path("mine.py"), text)
    assert refused.value.problems[0].startswith(f"mine.py, line 2: {wrong}")


def test_there_is_room_for_all_parameters_and_all_switches():
    own = ", ".join(f'"p{i}": ({i}, 0, 99)' for i in range(c.OWN_PARAMS))
    params = read_source(Path("mine.py"), f"PARAMS = {{{own}}}\nSWITCHES = {tuple(SWITCHES)}\n").params
    assert sorted(param_places(params)) == list(range(c.PARAMS))
    with pytest.raises(StrategyError, match=f"{c.OWN_PARAMS + 1} parameters; there is room for {c.OWN_PARAMS}"):
        read_source(Path("mine.py"), f'PARAMS = {{{own}, "more": (0, 0, 1)}}\n')
