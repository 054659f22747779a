"""Every number with a meaning of its own: capacities, phases, action codes, purposes of random streams."""

import numpy as np

RULES_VERSION = 3  # raised whenever a change makes the same seed give different games

# Capacities of the records.
CITIES = 64
ROUTES = 192
TICKETS = 128
SEATS = 6
KINDS = 10
LENGTHS = 9  # a route's length is below this
ROUTE_WORDS = 3  # 64-bit words that hold a set of routes
TICKET_WORDS = 2
DECK_CARDS = 256
OFFER = 8  # tickets one can be offered at a time
SYMBOLS = 8
STATIONS = 4
LOANS = CITIES  # groups of cities a station can lead to
EDGES = ROUTES + CITIES  # of a trail search: routes, and a branch in place of each tree that hangs on a city
MEMORY = 64  # whole numbers that a strategy may keep during a game
INTEGERS = 512  # further ones, cleared only for strategies that use them
FLOATS = 1024  # and numbers with a fraction, for them too
PARAMS = 32  # numbers that a strategy's play depends on: its own parameters, then switches
OWN_PARAMS = 24  # parameters of its own that a strategy may have
GRADES = 2 * LENGTHS  # a route's grade is its length and whether it is hard, that is a tunnel or a ferry
PAIRS = 1024  # of tickets whose trees are kept from game to game, a power of two
WAVES = 256  # of a search for paths, one per price; a path that costs nearly as much is not found

# Switches: places of `mind.params` at which helpers of the kit look whether a habit is changed; 0 leaves it as it is.
NEVER_DRAWS_TICKETS, OPENING_TICKETS, NEVER_TAKES_WILDS, DRAWS_BLIND = range(OWN_PARAMS, OWN_PARAMS + 4)
CLAIMS_AT_ONCE, IGNORES_RIVALS, IGNORES_TRAIL, NEVER_BUILDS_STATIONS = range(OWN_PARAMS + 4, PARAMS)

# Card kinds: 0 … 8 are the board's colours.
WILD = 9
GRAY = 9  # as the colour of a route: it takes any colour
NOBODY = -1  # no seat; likewise no route, ticket, edge or kind where one could stand
NOWHERE = -1  # no city; as the price of a path: there is none

# Phases: the decision that is wanted next.
OPENING, START, STACK, TURN, SECOND, TUNNEL, ALVIN, MARKER, TOKEN, KEEPING, OVER = range(11)
BEFORE_THE_FIRST_TURN = (OPENING, START, STACK)

# Actions. One that carries a value is written `base + value`.
PASS = 0
DRAW_BLIND = 1
DRAW_TICKETS = 2
DECLINE = 3
TAKE = 10  # + kind
PAY = 30  # + wilds
KEEP = 100  # + set of offered tickets
CITY = 400  # + city
CLAIM = 10_000  # + 100·route + 10·kind + wilds
STATION = 30_000  # + 100·city + 10·kind + wilds
PLACE_MARKER = 40_000  # + 100·city + 10·kind + wilds
ACTIONS_END = 50_000
MOST_ACTIONS = 20_000  # more than there can be legal actions in any decision

NO_PAYMENT = -1  # as the wilds of a tunnel's extra payment: the player withdraws

TURN_LIMIT = 400  # turns of each player after which a game is stopped as overlong

# Where dealt tickets go that are not kept.
BOTTOM, SHUFFLED, REMOVED = range(3)

# Tie-breaks, in the order a board lists them.
MOST_TICKETS, FEWEST_STATIONS, HOLDS_TRAIL = range(1, 4)  # 0: none
TIE_BREAKS = 3  # how many a board can list

# How a game ended.
RUNNING, ENDED, STALEMATE, OVERLONG = range(4)

# What points are for: columns of `parts`.
POINTS_ROUTES, POINTS_MARKERS, POINTS_WON, POINTS_LOST, POINTS_TRAIL, POINTS_MOST_TICKETS = range(6)
POINTS_STATIONS, POINTS_CAPTURES, POINTS_ALVIN, POINTS_TOKENS, POINTS_START = range(6, 11)
PARTS = 11

# What is counted for each seat: columns of `counts`.
TURNS, BLIND, FACE_UP, WILDS_TAKEN, TICKET_DRAWS, CLAIMS, WITHDRAWN, PASSES = range(8)
COUNTS = 8

# Purposes of random streams.
CARDS_STREAM, TICKETS_STREAM, RESHUFFLE_STREAM, REJECTS_STREAM, STRATEGY_STREAM = range(5)

NO_BITS = np.uint64(0)
ONE_BIT = np.uint64(1)
