"""The records of a game and of a board, each field with its shape and meaning.

A GAME holds a TABLE (what everybody sees), a HAND for each seat (what its owner sees), the DECK (what nobody sees) and
SCRATCH (working space, meaningless between calls). A strategy is given the table, its seat's hand, its MIND and a
ROOM. Sets of cities are one 64-bit word, sets of routes three, sets of tickets two: bit i is member i.
"""

import copyreg
from operator import itemgetter, methodcaller

import numpy as np

from ttrsim.core import constants as c

WORD, INT, SHORT, SMALL = np.uint64, np.int32, np.int16, np.int8
# For a city, route, seat or kind that always exists: unsigned, so that numba compiles no test for negative indices.
INDEX = np.uint8
ROUTE_SET = (c.ROUTE_WORDS,)
TICKET_SET = (c.TICKET_WORDS,)


class Quick(type):
    """A metaclass of records that find their fields several times as fast as numpy's.

    Compiled functions ask a record for its `data` at each call. numpy would first describe all fields in a text, which
    takes longer than most calls. Pickled, these records become numpy's with the same fields.
    """

    def __new__(cls, fields):
        found = {name: property(itemgetter(name)) for name in fields.fields}
        found["data"] = property(methodcaller("getfield", np.dtype((np.uint8, (fields.itemsize,)))))
        found |= {"__getattribute__": np.void.__getattribute__, "__getattr__": np.record.__getattribute__}
        found["__getitem__"] = np.void.__getitem__  # that of np.record is written in Python
        return super().__new__(cls, "record", (np.record,), found)

    def __init__(cls, fields):
        pass


def of_numpy():
    """Return the class that a record is unpickled as."""
    return np.record


copyreg.pickle(Quick, lambda _: (of_numpy, ()))


def record(*fields):
    """Return a record type whose fields are attributes, compiled and not."""
    fields = np.dtype(list(fields), align=True)
    return np.dtype((Quick(fields), fields))


BOARD = record(
    # Sets, made once for quick tests.
    ("taking", WORD, (c.KINDS, c.LENGTHS, c.ROUTE_WORDS)),  # routes of up to this many spaces that a colour can pay for
    ("up_to", WORD, (c.LENGTHS, c.ROUTE_WORDS)),  # routes of up to this many spaces
    ("ferries_up_to", WORD, (c.LENGTHS, c.ROUTE_WORDS)),  # routes with up to this many ferry symbols
    ("all_routes", WORD, ROUTE_SET),
    ("all_cities", WORD),
    ("at_city", WORD, (c.CITIES, c.ROUTE_WORDS)),  # routes that end in a city
    ("twins", WORD, (c.ROUTES, c.ROUTE_WORDS)),  # the other routes of the same connection
    ("route_ends", WORD, (c.ROUTES,)),  # the two cities of a route
    ("ticket_ends", WORD, (c.TICKETS,)),  # the two cities of a ticket
    # Routes, by index.
    ("route_a", INDEX, (c.ROUTES,)),  # one end
    ("route_b", INDEX, (c.ROUTES,)),  # the other end
    ("route_length", INT, (c.ROUTES,)),  # spaces
    ("route_colour", INDEX, (c.ROUTES,)),  # kind it wants, or GRAY
    ("route_ferry", INT, (c.ROUTES,)),  # wilds that must be among the payment
    ("route_tunnel", SMALL, (c.ROUTES,)),  # 1 or 0
    ("route_points", INT, (c.ROUTES,)),
    ("route_backwards", SMALL, (c.ROUTES,)),  # 1 if they take the last of equal tracks of its connection, or 0
    ("route_grade", INDEX, (c.ROUTES,)),  # index of its grade, see `grades`
    ("links", WORD, (c.CITIES, c.GRADES)),  # cities that a route of each grade leads to from a city
    # Tickets, by index; the long ones come first.
    ("ticket_points", INT, (c.TICKETS,)),
    ("ticket_start", WORD, (c.TICKETS,)),  # the end, as a set, that the published agents read first
    # Cities, by index.
    ("city_place", INDEX, (c.CITIES,)),  # its place in the alphabetical order of their names
    # How many there are.
    ("cities", INT),
    ("routes", INT),
    ("tickets", INT),  # long and regular
    ("long_tickets", INT),
    ("colours", INT),  # kinds of card without the wild
    ("longest_route", INT),  # spaces of the longest route
    (
        "turn_points",
        np.float64,
    ),  # points per turn from the routes that score fastest, as many as a player's trains allow
    ("length_points", INT, (c.LENGTHS,)),  # points of a route by its length
    ("grades", INT),  # of route: plain ones first, then tunnels and ferries; among each the longest first
    ("grade_length", INT, (c.GRADES,)),
    ("grade_hard", SMALL, (c.GRADES,)),  # 1 for tunnels and ferries, 0 for plain ones
    ("kind_cards", INT, (c.KINDS,)),  # cards of each kind
    ("cards", INT),  # all cards
    ("card_list", np.uint8, (c.DECK_CARDS,)),  # the kinds of all cards, in order
    # Rules, named as in the board file; maps/README.md explains them.
    ("trains", INT),
    ("last_round_at", INT),
    ("equal_turns", SMALL),
    ("hand", INT, (c.SEATS,)),  # by seat
    ("start_points", INT, (c.SEATS,)),  # by seat
    ("display", INT),
    ("display_wild_limit", INT),
    ("draw_when_dry", SMALL),
    ("deal", INT),
    ("keep", INT),
    ("rejected", INT),  # BOTTOM, SHUFFLED or REMOVED
    ("draw", INT),
    ("draw_keep", INT),
    ("long_deal", INT),
    ("long_keep_at_most", INT),
    ("parallel_open_from", INT),
    ("own_network", SMALL),
    ("tunnel_cards", INT),
    ("stations", INT),
    ("unused_station_points", INT),
    ("markers", INT),
    ("marker_cards", INT),
    ("markers_count_at_once", SMALL),
    ("alvin_city", INT),  # NOWHERE without him
    ("capture_points", INT),
    ("holder_points", INT),
    ("symbols", INT),  # kinds of souvenir, 0 for none
    ("fixed_stacks", INT),  # how many of them lie on fixed places
    ("fixed_places", INDEX, (c.SYMBOLS,)),  # their cities
    ("stack_height", INT, (c.SEATS + 1,)),  # by number of players
    ("placed_stacks", INT, (c.SEATS + 1,)),  # how many more are placed
    ("placed_height", INT, (c.SEATS + 1,)),
    ("placed_by", SMALL, (c.SEATS + 1, c.SYMBOLS)),  # seats in order
    ("token_points", INT, (c.SYMBOLS + 1,)),  # by number of different symbols
    ("longest_trail_bonus", INT),
    ("most_tickets_bonus", INT),
    ("tie_breaks", SMALL, (c.TIE_BREAKS,)),
    # Names, see `ttrsim.core.names`.
    ("name", WORD),  # of the board
    ("city_name", WORD, (c.CITIES,)),
)

TABLE = record(
    ("open", WORD, ROUTE_SET),  # routes nobody owns and that are not closed
    ("owned", WORD, (c.SEATS, c.ROUTE_WORDS)),  # routes of each seat
    ("barred", WORD, (c.SEATS, c.ROUTE_WORDS)),  # routes a seat may not claim even if open: the twins of its own
    ("reach", WORD, (c.SEATS, c.ROUTE_WORDS)),  # own_network boards: routes that touch the seat's network
    ("network", WORD, (c.SEATS,)),  # cities its routes touch, and its start city
    ("stations", WORD, (c.SEATS,)),  # cities with a station of the seat
    ("markers", WORD, (c.SEATS,)),  # cities with a marker of the seat
    ("stacks", WORD),  # cities with souvenir tokens left
    ("face_up", WORD),  # set of the kinds that lie face up; none in a dry turn if `draw_when_dry` forbids to take them
    ("phase", INT),  # which decision is wanted
    ("seat", INDEX),  # whose decision it is
    ("players", INT),
    ("turn", INT),  # turns ended, of all seats
    ("dry_turns", INT),  # turns, of all seats, that began with neither deck nor discards
    ("passes_in_a_row", INT),
    ("turns_to_go", INT),  # in the last round: turns left, of all seats; else NOBODY
    ("ender", INT),  # the seat that started the last round, or NOBODY
    ("ending", INT),  # RUNNING, ENDED, STALEMATE or OVERLONG
    ("display", INT, (c.KINDS,)),  # cards face up, by kind
    ("display_cards", INT),
    ("discards", INT, (c.KINDS,)),  # by kind
    ("discard_cards", INT),
    ("deck_cards", INT),
    ("tickets_left", INT),  # in the ticket deck
    ("reshuffles", INT),
    ("refreshes", INT),  # displays discarded because of too many wilds
    ("trains", INT, (c.SEATS,)),  # left
    ("score", INT, (c.SEATS,)),  # so far; at the end all of it
    ("hand_cards", INT, (c.SEATS,)),
    ("kept_tickets", INT, (c.SEATS,)),  # how many each seat holds
    ("known", INT, (c.SEATS, c.KINDS)),  # cards a seat certainly holds, because everybody has seen them
    ("owner", SMALL, (c.ROUTES,)),  # the seat that owns a route, or NOBODY
    ("claimed", INT, (c.ROUTES,)),  # the turn (counted over all seats, from 0) in which it was claimed
    ("stations_left", INT, (c.SEATS,)),
    ("markers_left", INT, (c.SEATS,)),
    ("alvin_city", INT),  # or NOWHERE
    ("alvin_holder", INT),  # or NOBODY
    ("stack_symbol", SMALL, (c.CITIES,)),  # of the tokens there
    ("stack_tokens", SMALL, (c.CITIES,)),  # how many are left
    ("placed", INT),  # stacks placed by players so far
    ("tokens", INT, (c.SEATS,)),  # set of symbols: bit i for symbol i
    # The claim being made, or the last one made.
    ("route", INT),  # NOBODY before the first
    ("laid_kind", INDEX),  # kind of the payment
    ("laid_wilds", INT),  # wilds in it
    ("revealed", INT, (c.KINDS,)),  # cards turned up at the last tunnel
    ("extra", INT),  # how many more cards that tunnel asks for
    # What happened so far, for statistics.
    ("parts", INT, (c.SEATS, c.PARTS)),  # points, by what they are for
    ("counts", INT, (c.SEATS, c.COUNTS)),  # by what is counted
)

HAND = record(
    ("tickets", WORD, TICKET_SET),  # kept
    ("dealt", WORD, TICKET_SET),  # offered at the opening
    ("drawn", WORD, TICKET_SET),  # offered later
    ("cards", INT, (c.KINDS,)),  # by kind
    ("seat", INDEX),  # whose hand it is
    ("offer", INT, (c.OFFER,)),  # tickets to choose from, in OPENING and KEEPING
    ("offered", INT),  # how many
    ("keep_least", INT),  # how many must be kept
    ("must_keep", WORD),  # set of those of the opening offer that must be among them
    ("overruled", INT),  # how often the seat left out one of those, which was then kept all the same
)

DECK = record(
    ("key", WORD),  # of the block: keys all random streams
    ("cards", np.uint8, (c.DECK_CARDS,)),  # kinds; the top is cards[deck_cards - 1]
    ("tickets", INT, (c.TICKETS,)),  # a ring buffer: the deck begins at ticket_top and wraps around
    ("ticket_top", INT),  # index of the top ticket
    ("rejects", INT, (c.SEATS * c.OFFER,)),  # opening tickets to be shuffled together
    ("rejected", INT),  # how many
)

SCRATCH = record(
    ("stream", WORD, (4,)),  # a random stream, used for one shuffle
    ("links", WORD, (c.CITIES,)),  # cities one route away
    ("groups", WORD, (c.CITIES,)),  # cities connected with each other
    # The best use of stations: one level for each station that can borrow a route.
    ("level_groups", WORD, (c.STATIONS + 1, c.CITIES)),  # groups with the loans of the levels before
    ("done", WORD, TICKET_SET),  # tickets that the groups being looked at complete
    ("best_done", WORD, TICKET_SET),  # tickets that the best groups complete
    ("bound_groups", WORD, (c.CITIES,)),  # groups with all loans still possible
    ("loans", WORD, (c.STATIONS, c.LOANS)),  # city pairs that each could connect
    ("level_size", INT, (c.STATIONS + 1,)),  # how many groups
    ("loan_count", INT, (c.STATIONS,)),
    ("next_loan", INT, (c.STATIONS,)),
    # The longest trail, see `trail`.
    ("degree", INT, (c.CITIES,)),  # edges left at a city
    ("only_edge", INT, (c.CITIES,)),  # exclusive or of the numbers of those edges: where one is left, its number
    ("branch", INT, (c.CITIES, 2)),  # lengths of the two longest branches that hang on a city
    ("tip", INT, (c.CITIES, 2)),  # the neighbouring cities where these branches begin
    ("stop_way", INT, (c.CITIES,)),  # on a cycle: how far along it each city with a branch lies
    ("stop_branch", INT, (c.CITIES,)),  # and the length of the longest branch there
    ("order", INT, (c.CITIES,)),  # in which the cities of a core were found, or NOBODY
    ("low", INT, (c.CITIES,)),  # the earliest city that an edge of its subtree leads to
    ("path", INT, (c.CITIES,)),  # cities from the start to where the search is
    ("way_in", INT, (c.CITIES,)),  # the edge by which a city was found
    ("way_on", INT, (c.CITIES,)),  # its next edge to follow
    ("block", WORD, (c.CITIES,)),  # the cities of each block
    ("block_root", INT, (c.CITIES,)),  # the city at its bridge
    ("block_beyond", INT, (c.CITIES,)),  # the city at the bridge's other end, or NOBODY
    ("block_bridge", INT, (c.CITIES,)),  # length of the bridge
    ("edge_a", INDEX, (c.EDGES,)),
    ("edge_b", INDEX, (c.EDGES,)),
    ("edge_length", INT, (c.EDGES,)),
    ("edge_next", INT, (c.EDGES, 2)),  # the next edge at each end's city
    ("first_edge", INT, (c.CITIES,)),  # the first edge at a city
    ("edge_state", INT, (c.EDGES,)),  # FREE, GONE or KEPT
    ("level_city", INT, (c.EDGES,)),  # the odd city each level of the search decides on
    ("level_choice", INT, (c.EDGES,)),  # what it tries now
    ("level_lost", INT, (c.EDGES,)),  # length of the edges lost before it
    ("level_alive", WORD, (c.EDGES,)),  # cities that are still in play
    ("level_odd", WORD, (c.EDGES,)),  # those of them with an odd number of edges
    ("level_ends", WORD, (c.EDGES,)),  # those of them chosen as ends
    # Results of the scoring.
    ("completed", WORD, (c.SEATS, c.TICKET_WORDS)),  # tickets completed
    ("completed_count", INT, (c.SEATS,)),
    ("trail", INT, (c.SEATS,)),  # length of the longest trail
)

INTERVENTION = record(
    ("closed", WORD, ROUTE_SET),  # routes that nobody can claim
    ("gift", WORD, ROUTE_SET),  # routes that the focal seat owns from the start: no cards, no trains, no points
    ("place", INT),  # of the focal seat's strategy in the line-up, or NOBODY
    ("slot", INT),  # an index of that seat's opening offer, or NOBODY
    ("ticket", INT),  # the ticket to offer in that slot, or NOBODY for the one dealt
    ("forced", SMALL),  # 1 if the ticket in the slot must be kept
)
"""Changes of a game after the deal, see `ttrsim.core.deal`."""

GAME = record(("table", TABLE), ("hands", HAND, (c.SEATS,)), ("deck", DECK), ("scratch", SCRATCH))

WORK = record(
    # What holds until the table changes, see `ttrsim.kit.paths`.
    ("fresh", SMALL),  # 1 when a game begins: nothing below is valid yet
    ("usable", WORD, ROUTE_SET),  # routes the seat may still claim that the links take account of
    ("links", WORD, (c.CITIES, c.GRADES)),  # cities that a usable route of each grade leads to from a city
    ("own", WORD, ROUTE_SET),  # the seat's routes that the groups take account of
    ("groups", WORD, (c.CITIES,)),  # cities that its routes connect
    ("group_count", INT),
    ("plan", WORD, ROUTE_SET),  # routes that the seat means to claim, see `ttrsim.kit.plans`
    ("failures", INT),  # how often it had withdrawn from a tunnel when `just_withdrew` was last asked
    ("planned_for", INT),  # how many tickets it held when it made the plan
    ("priced", WORD, TICKET_SET),  # tickets whose price and path below are valid, see `ttrsim.kit.trees`
    ("ticket_price", INT, (c.TICKETS,)),
    ("ticket_path", WORD, (c.TICKETS, c.ROUTE_WORDS)),  # routes that would complete each by itself
    ("untouched", SMALL),  # 1 while the links and groups are those of a board where nobody has any route
    # What tickets cost on such a board, for any game on it, see `ttrsim.kit.first_trees`.
    ("pair", INT, (c.PAIRS,)),  # which tickets, as one number; 0 for none
    ("pair_price", INT, (c.PAIRS,)),
    ("pair_tree", WORD, (c.PAIRS, c.ROUTE_WORDS)),  # routes that complete them
    ("rounds_at", INT),  # the turn for which `rounds` holds, see `ttrsim.kit.game_clock`
    ("rounds", np.float64),  # turns that each player probably has left
    # A search for a path.
    ("price", INT, (c.GRADES,)),  # what a route of a grade costs in it, at least 1
    ("own_prices", SMALL),  # 1 while each route has a price of its own instead, which `set_route_prices` gave it
    ("route_price", INT, (c.ROUTES,)),  # these prices
    ("least_price", INT),  # the lowest of these
    ("most_price", INT),  # the highest
    ("wave", WORD, (c.WAVES,)),  # cities first reached at a price
    ("farthest", INT),  # the highest price in a search that reached no target
    ("path", WORD, ROUTE_SET),  # the routes found
    # A search for a path of the fewest routes, see `ttrsim.kit.fewest`.
    ("near_routes", WORD, ROUTE_SET),  # routes that the next field takes account of
    ("near", WORD, (c.CITIES,)),  # cities that one of these routes leads to from a city
    ("seen", WORD, (2,)),  # cities seen by each side of the search, from the start and from the goal
    ("found", SHORT, (2, c.CITIES)),  # the same in the order of being found
    ("came_from", SHORT, (2, c.CITIES)),  # the city from which each was found, or NOBODY
    ("way", SHORT, (c.CITIES,)),  # the cities of the path, in order
    # A plan through many cities, see `ttrsim.kit.two_sides`.
    ("distance", SHORT, (c.CITIES, c.CITIES)),  # trains from a city to all others, or NOWHERE
    ("side", SHORT, (2, c.CITIES)),  # the cities of each side, in the order of joining
    ("side_size", INT, (2,)),
    ("entered", WORD, (c.CITIES,)),  # cities to which a connection is planned that stands at this one
    ("needs", INT, (c.KINDS + 1,)),  # trains by colour, gray ones at GRAY, then the wilds of ferries
    ("plan_points", INT),  # points of the routes planned
    # A search for a tree.
    ("order", INT, (c.TICKETS,)),  # tickets to complete, cheapest first
    ("merged", WORD, (c.CITIES,)),  # groups of cities that the seat's routes and the tree connect
    ("merged_count", INT),
    ("tree", WORD, ROUTE_SET),  # routes to claim, as grown last
    ("best_tree", WORD, ROUTE_SET),  # the first of the two that `plan_tree` compares
    # Cards for a set of routes, see `ttrsim.kit.hands`.
    ("wanted", INT, (c.KINDS,)),  # cards that routes payable in one colour alone take; as a wild: that ferries take
    ("need", INT, (c.KINDS,)),  # cards missing
    ("spare", INT, (c.KINDS,)),  # cards in hand that the routes do not take
    # The set of routes whose cards were counted last, and what holds of it while the same twins are usable.
    ("listed", SMALL),  # 1 if what follows is valid
    ("counted", WORD, ROUTE_SET),  # the routes
    ("beside", WORD, ROUTE_SET),  # their twins
    ("beside_usable", WORD, ROUTE_SET),  # those of them that the seat may still claim
    ("counted_trains", INT),  # trains that the routes take
    ("fixed", INT, (c.KINDS,)),  # as `wanted`
    ("flexible_kinds", INT, (c.ROUTES,)),  # of each route that several colours can pay for: those, as bits of a number
    ("flexible_cards", INT, (c.ROUTES,)),  # and how many cards of one of them
    ("flexible_count", INT),
    ("left_over", INT, (c.KINDS,)),  # cards in hand less those counted so far, see `KIND_BITS` of `ttrsim.kit.hands`
    # A choice of fillers, see `ttrsim.kit.fillers`.
    ("left", WORD, ROUTE_SET),  # routes still to be looked at
    ("edge_of", WORD),  # the network that `edge` was made for
    ("edge", WORD, ROUTE_SET),  # routes with just one end in that network
)

MIND = record(
    ("rng", WORD, (4,)),  # the seat's own random stream
    (
        "params",
        np.float64,
        (c.PARAMS,),
    ),  # of its strategy: those of the file's PARAMS in their order, then the switches
    ("memory", np.int64, (c.MEMORY,)),  # whatever the strategy writes there; zeros when a game begins
    ("work", WORK),  # working space of the kit
    # Further room, as for the layers of a small network; zeros when a game begins, for strategies that name it.
    ("integers", np.int64, (c.INTEGERS,)),
    ("floats", np.float64, (c.FLOATS,)),
)

ROOM = record(
    # Games that a seat's strategy imagines, see `ttrsim.kit.imagine`; what lies there means nothing between decisions.
    ("game", GAME),
    ("minds", MIND, (c.SEATS,)),
    # What a strategy of a user's own is shown, as copies, see `ttrsim.core.guard`.
    ("board", BOARD),  # the same for all decisions
    ("table", TABLE),
    ("hand", HAND),
)


def row(*fields):
    """Return a record type without padding, so that equal rows are equal bytes."""
    return np.dtype((np.record, list(fields)))


SEAT_RESULT = row(
    ("offered", WORD, TICKET_SET),  # tickets offered at the opening
    ("drawn", WORD, TICKET_SET),  # tickets offered later
    ("kept", WORD, TICKET_SET),
    ("completed", WORD, TICKET_SET),
    ("routes", WORD, ROUTE_SET),  # owned at the end
    ("strategy", SHORT),  # its place in the line-up
    ("score", INT),
    ("rank", SHORT),  # after tie-breaks, 1 the best; shared
    ("parts", INT, (c.PARTS,)),  # points, by what they are for
    ("counts", SHORT, (c.COUNTS,)),  # by what is counted
    ("trail", SHORT),  # trains of the longest trail
    ("trains_left", SHORT),
    ("overruled", SHORT),  # how often it left out a ticket that it had to keep
)

GAME_RESULT = row(
    ("index", np.int64),  # of the game in its run
    ("claimed", SHORT, (c.ROUTES,)),  # the turn in which each route was claimed, or NOBODY
    ("turns", SHORT),  # of all seats
    ("winners", SHORT),  # how many share the win
    ("ender", SHORT),  # the seat that started the last round, or NOBODY
    ("ending", SHORT),  # ENDED, STALEMATE or OVERLONG
    ("reshuffles", SHORT),
    ("refreshes", SHORT),
    ("dry_turns", SHORT),  # turns, of all seats, that began with neither deck nor discards
)
