"""Everything that a strategy needs from ttrsim, and the only module of it that a strategy should import.

>>> from ttrsim.bot import PASS, best_draw, claim_planned, default_take_turn, keep_plan

A name listed here keeps its arguments and its meaning as long as VERSION stays the same. `ttrsim.core` and
`ttrsim.kit`, which define all of it, may change at any time. docs/bot.md is this page in words; the comments below are
its headings.
"""

# ruff: noqa: F401
# isort: off

# Actions
from ttrsim.core.constants import PASS, DRAW_BLIND, DRAW_TICKETS, DECLINE
from ttrsim.kit.actions import take, keep, claim, pay, station, marker, choose_city
from ttrsim.core.constants import TAKE, KEEP, CLAIM, PAY, STATION, PLACE_MARKER, CITY

# Kinds of card, seats and places
from ttrsim.core.constants import WILD, GRAY, NOBODY, NOWHERE

# The board's name, and cities by theirs
from ttrsim.core.names import name_key, is_board, city_named

# Phases: the decision that is wanted, in `table.phase`
from ttrsim.core.constants import OPENING, START, STACK, TURN, SECOND, TUNNEL, ALVIN, MARKER, TOKEN, KEEPING, OVER

# How many there can be
from ttrsim.core.constants import CITIES, ROUTES, TICKETS, SEATS, KINDS, LENGTHS, OFFER, MOST_ACTIONS
from ttrsim.core.constants import ROUTE_WORDS, TICKET_WORDS, MEMORY, INTEGERS, FLOATS

# Columns of `table.parts` and `table.counts`, and values of `table.ending`
from ttrsim.core.constants import POINTS_ROUTES, POINTS_MARKERS, POINTS_WON, POINTS_LOST, POINTS_TRAIL
from ttrsim.core.constants import POINTS_MOST_TICKETS, POINTS_STATIONS, POINTS_CAPTURES, POINTS_ALVIN, POINTS_TOKENS
from ttrsim.core.constants import POINTS_START
from ttrsim.core.constants import TURNS, BLIND, FACE_UP, WILDS_TAKEN, TICKET_DRAWS, CLAIMS, WITHDRAWN, PASSES
from ttrsim.core.constants import RUNNING, ENDED, STALEMATE, OVERLONG

# Sets of cities, one 64-bit word
from ttrsim.core.constants import NO_BITS, ONE_BIT
from ttrsim.core.sets import bit, holds, next_bit
from ttrsim.core.jit import count, lowest, nth

# Sets of routes and of tickets, several words
from ttrsim.core.sets import contains, size_of, next_member, add, remove

# Groups of connected cities
from ttrsim.core.network import join, connects, group_of

# Chance
from ttrsim.core.streams import below, next_word, shuffle

# What may be done
from ttrsim.core.legal import is_legal, list_actions, claimable_word, city_choices, station_sites, station_cost
from ttrsim.core.legal import extra_wilds, keeps_wrong_number
from ttrsim.core.cards import can_draw
from ttrsim.kit.actions import can_claim, claimable
from ttrsim.kit.chance import any_action, any_kind

# The defaults: what answers a decision that the file leaves out
from ttrsim.kit.defaults import default_answer
from ttrsim.kit.defaults import keep_opening as default_keep_opening, keep_drawn as default_keep_drawn
from ttrsim.kit.defaults import take_turn as default_take_turn, second_card as default_second_card
from ttrsim.kit.defaults import pay_tunnel as default_pay_tunnel, choose_start as default_choose_start
from ttrsim.kit.defaults import place_stack as default_place_stack, place_marker as default_place_marker
from ttrsim.kit.defaults import move_alvin as default_move_alvin, choose_token as default_choose_token
from ttrsim.kit.defaults import last_turn, anything, THRIFT, HASTE

# Plans for the tickets held
from ttrsim.kit.plans import keep_plan, claim_planned, claim_contested, claim_sparing

# What tickets are worth
from ttrsim.kit.tickets import choose_tickets, choose_for_bonus, tickets_value, price_turns
from ttrsim.kit.trees import plan_tree, ticket_price

# Paths
from ttrsim.kit.paths import set_prices, set_route_prices, path_price, find_path, connected, trains_for, points_for
from ttrsim.kit.paths import usable_word, length_word, spread, MOST_PRICE
from ttrsim.kit.fewest import passable, path_to_finish, missing_route

# Plans through many cities
from ttrsim.kit.two_sides import in_graph, measure_distances, plan_through, NO_PLAN, WILD_NEEDS

# Cards and payments
from ttrsim.kit.hands import count_needs, best_claim, best_draw, kinds_for, needed_card_shown, unseen

# Routes beside the plan
from ttrsim.kit.fillers import best_filler, spare_claim, draw_for_both, draw_beside, need_for, collects

# The end of the game
from ttrsim.kit.endgame import finish, end_if_ahead, closing_claim, last_claim
from ttrsim.kit.game_clock import rounds_left, lead, contest

# One route at a time
from ttrsim.kit.target import outdated, forget, note_kept, aim_at_ticket, aim_at_longest, claim_or_draw, draw_for_target

# Plain habits
from ttrsim.kit.keeping import keep_first, keep_lowest, keep_best_ratio, subsets, in_order_dealt
from ttrsim.kit.habits import draw_blind, most_held, held_most, CLAIM_ORDER
from ttrsim.kit.habits import payable_routes, longest_of, first_of_length, any_track, claim_with, claim_in_order

# Tunnels, stations, markers, Alvin and tokens
from ttrsim.kit.special_rules import just_withdrew, would_lay_out_again, cheapest_extra, useful_station
from ttrsim.kit.special_rules import start_on_plan, start_for_points, paying_marker, marker_for_points, stack_on_way
from ttrsim.kit.special_rules import quietest, busiest, richest, points_at, rarest_token

# What to remember
from ttrsim.kit.habits import claimed_since, remember, remembered_word

# Imagined games
from ttrsim.kit.imagine import imagine, play_out, play_out_by

# isort: on

VERSION = 2
"""Raised when a name is removed or its arguments or meaning change; a name that is added leaves it as it is."""
