"""Points of tickets: those that are off get others, within what may be printed."""

import numpy as np
import pytest

import ttrsim
from ttrsim.boards.analysis import cheapest_trains
from ttrsim.improving.changes import Locks
from ttrsim.improving.points import TicketPoints
from ttrsim.improving.stored import Tickets

OFF = {3: 4, 7: -3, 12: 3, 20: -4}
"""Tickets of USA, and how many points too many each is worth."""
SLOPE, ROUNDS = 0.01, 4


@pytest.fixture(scope="module")
def usa():
    return ttrsim.load_board("usa")


def repriced(usa, number, **bounds):
    """Return the points of the tickets that get others after some rounds, by ticket."""
    tickets, rounds = TicketPoints.of(usa, Locks(**bounds)), []
    printed = [ticket.points for ticket in usa.tickets]
    too_many, new = np.zeros(len(printed)), {}
    too_many[[*OFF]] = [*OFF.values()]
    places = {f"ticket {usa.ticket_name(ticket)}": ticket.index for ticket in usa.tickets}
    for _ in range(ROUNDS):
        points = np.array([new.get(ticket, points) for ticket, points in enumerate(printed)])
        effect = SLOPE * (too_many + points - printed)
        error, slope = np.full(len(points), 0.001), np.full(len(points), SLOPE)
        of = {"points": points, "effect": effect, "error": error, "slope": slope}
        rounds.append(Tickets(**{name: array.tolist() for name, array in of.items()}))
        changes = tickets.changes(rounds, tickets.farthest(rounds, number))
        new = {places[change.place]: int(change.setting.rpartition("=")[2]) for change in changes}
    return new


def test_tickets_that_are_off_get_the_points_that_they_are_worth(usa):
    assert repriced(usa, len(OFF)) == {ticket: usa.tickets[ticket].points - by for ticket, by in OFF.items()}


def test_those_farthest_off_are_changed(usa):
    assert set(repriced(usa, 2)) == {ticket for ticket, by in OFF.items() if abs(by) == 4}


def test_points_stay_near_those_that_as_many_trains_usually_bring(usa):
    trains = np.array(cheapest_trains(usa))
    rate = np.median([ticket.points for ticket in usa.tickets] / trains)
    free, bound = repriced(usa, len(OFF)), repriced(usa, len(OFF), stretch=1.1)
    assert free != bound
    for ticket, points in bound.items():
        least, most = sorted(
            (usa.tickets[ticket].points, rate * trains[ticket] * (1.1 if OFF[ticket] < 0 else 1 / 1.1))
        )
        assert least <= points <= most
