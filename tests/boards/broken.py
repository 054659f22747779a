"""Mistakes in board files: a replacement in the small board's text, and the message it must give; and near misses."""

AYR_BERN = '{ between = ["Ayr", "Bern"], length = 2, tracks = ["red", "blue"] }'
AYR_DAX = '{ between = ["Ayr", "Dax"], length = 2, tracks = ["red"] }'
SOUVENIRS = """
rules.souvenirs.points = [0, 1, 2]
rules.souvenirs.fixed = ["Ayr", "Bern"]
rules.souvenirs.players.2 = { height = 1, placed_by = [], placed_height = 1 }
rules.souvenirs.players.3 = { height = 1, placed_by = [], placed_height = 1 }

cities = ["""
ALVIN = 'rules.alvin = { city = "Dax", capture_points = 1, holder_points = 1 }\n\ncities = ['

# rule broken, what is replaced, by what, the problem
BROKEN = [
    # form
    ("bad_toml", 'name = "Small"', "name = Small", r"is not TOML: Invalid value \(at line 2, column 8\)"),
    ("key_given_twice", 'name = "Small"', 'name = "A"\nname = "B"', r"is not TOML: Cannot overwrite a value"),
    ("missing_key", "rules.trains = 10\n", "", r"rules.trains: is missing"),
    ("missing_key_of_an_entry", "length = 2, ", "", r"connections 1 \(Ayr–Bern\).length: is missing"),
    ("unknown_key", 'title = "A', 'edition = 1\ntitle = "A', r"edition: unknown key"),
    (
        "misspelt_key",
        "tunnel = true",
        "tunel = true",
        r"connections 3 \(.*\).tunel: unknown key; did you mean tunnel",
    ),
    (
        "key_of_another_table",
        "rules.trains = 10",
        'rules.colour = "red"\nrules.trains = 10',
        r"rules.colour: unknown key; maps/README.md lists the keys of this table$",
    ),
    (
        "misspelt_key_of_a_table_in_tables",
        "\n\ncities = [",
        SOUVENIRS.replace("placed_height = 1 }\n\n", "placed_height = 1, hight = 2 }\n\n"),
        r"rules.souvenirs.players.3.hight: unknown key; did you mean height\?$",
    ),
    (
        "key_of_another_table_in_a_variant",
        "rules.trains = 6",
        "rules.bend = 6",
        r"variants.quick: rules.bend: unknown key; maps",
    ),
    (
        "more_cards_than_there_is_room_for",
        "red = { cards = 12 }",
        "red = { cards = 251 }",
        r"colours.red.cards: 251: .* equal to 250$",
    ),
    (
        "more_wild_cards_than_there_is_room_for",
        "wilds = { cards = 6",
        "wilds = { cards = 2000",
        r"wilds.cards: 2000: .* equal to 250$",
    ),
    ("misspelt_rule_of_a_variant", "rules.trains = 6", "rules.train = 6", r"variants.quick: rules.train: unknown key"),
    ("unknown_format", "format = 1", "format = 2", r"format: 2: should be 1"),
    ("value_of_wrong_type", "rules.trains = 10", 'rules.trains = "ten"', r"rules.trains: 'ten': .*integer"),
    ("truth_value_for_a_number", "points = 4", "points = true", r"tickets 5 \(Bern–Dax\).points: True: .*integer"),
    ("number_out_of_range", "rules.trains = 10", "rules.trains = 0", r"rules.trains: 0: .*greater than or equal to 1"),
    ("number_too_long_to_show", "rules.trains = 10", f"rules.trains = 0x{'f' * 5000}", r"rules.trains: \(too long"),
    ("wrong_rule_of_a_variant", "rules.trains = 6", "rules.trains = -6", r"variants.quick: rules.trains: -6: "),
    ("unknown_choice", "draw = 2 }", 'draw = 2, rejected = "eaten" }', r"rules.tickets.rejected: 'eaten': .*'bottom'"),
    ("unknown_status", 'title = "A', 'status = "rumour"\ntitle = "A', r"status: 'rumour': .*'reconstruction'"),
    (
        "name_with_a_tab",
        'name = "Small"',
        r'name = "Sm\tall"',
        r"name: 'Sm\\tall': should be one line of text without tabs",
    ),
    # cities
    (
        "duplicate_city",
        "cities = [",
        'cities = [\n  { name = "AYR", x = 5, y = 5 },',
        r"cities: 'ayr': two cities have this name",
    ),
    ("alias_of_another_city", "Cordova", "bern", r"cities: alias 'bern': it is also a name of another city"),
    ("missing_position", '"Bern", x = 90, y = 10', '"Bern", x = 90', r"cities 2 \(Bern\).y: is missing"),
    ("equal_positions", '"Bern", x = 90', '"Bern", x = 10', r"cities: Ayr and Bern: both at x = 10, y = 10"),
    ("position_outside", '"Bern", x = 90', '"Bern", x = 190', r"cities: Bern: x = 190, y = 10 is outside .* 100 × 100"),
    (
        "position_below",
        '"Bern", x = 90, y = 10',
        '"Bern", x = 90, y = 110',
        r"cities: Bern: x = 90, y = 110 is outside",
    ),
    ("position_not_a_number", '"Bern", x = 90', '"Bern", x = nan', r"cities 2 \(Bern\).x: nan: .*finite"),
    # routes
    (
        "unknown_city",
        AYR_DAX,
        AYR_DAX.replace("Dax", "Dox"),
        r"connections 4 \(Ayr–Dox\): 'Dox': no such city; did you mean Dax",
    ),
    (
        "unknown_colour",
        '["gray"]',
        '["grey"]',
        r"connections 2 \(Bern–Córdoba\): colour 'grey': unknown; known are blue",
    ),
    (
        "route_to_itself",
        AYR_DAX,
        AYR_DAX.replace("Dax", "Ayr"),
        r"connections 4 \(Ayr–Ayr\): a route from a city to its",
    ),
    ("length_without_score", "length = 3", "length = 4", r"connections 2 \(Bern–Córdoba\): length 4 scores nothing"),
    ("length_beyond_capacity", "length = 3", "length = 10", r"connections 2 \(Bern–Córdoba\).length: 10: .*equal to 8"),
    ("ferry_beyond_length", "ferry = 1", "ferry = 4", r"connections 2 \(Bern–Córdoba\): ferry = 4: .* length of 3"),
    (
        "ferry_beyond_wilds",
        "wilds = { cards = 6 }",
        "wilds = { cards = 0 }",
        r"connections 2 .*: ferry = 1: the deck has no wild cards",
    ),
    (
        "ferry_and_tunnel",
        "ferry = 1",
        "ferry = 1, tunnel = true",
        r"connections 2 \(Bern–Córdoba\): both ferry and tunn",
    ),
    (
        "parallel_routes_of_unequal_length",
        AYR_DAX,
        AYR_DAX + ",\n" + AYR_DAX.replace("length = 2", "length = 3"),
        r"connections 5 \(Ayr–Dax\): parallel routes of unequal length \(2 and 3, see entry 4\)",
    ),
    (
        "connection_given_twice",
        AYR_DAX,
        f"{AYR_DAX},\n{AYR_DAX}",
        r"connections 5 \(Ayr–Dax\): already listed as entry 4",
    ),
    (
        "connection_without_tracks",
        '["red", "blue"]',
        "[]",
        r"connections 1 \(Ayr–Bern\).tracks: \[\]: .*at least 1 item",
    ),
    (
        "score_of_an_impossible_length",
        "{ 1 = 1,",
        "{ 1 = 1, 12 = 9,",
        r"rules.route_points: '12': a length is a whole nu",
    ),
    # tickets
    (
        "ticket_to_itself",
        'Ayr", "Bern"], points',
        'Ayr", "Ayr"], points',
        r"tickets 1 \(Ayr–Ayr\): a ticket between a c",
    ),
    (
        "ticket_to_nowhere",
        'Dax"], points = 4',
        'Dix"], points = 4',
        r"tickets 5 \(Bern–Dix\): 'Dix': no such city; did you mean Dax",
    ),
    (
        "ticket_repeated_in_a_deck",
        "tickets = [\n",
        'tickets = [\n  { between = ["Dax", "Bern"], points = 9, decks = ["base"] },\n',
        r"tickets 6 \(Bern–Dax\): repeated in the deck 'base', where it is already entry 1",
    ),
    (
        "deck_named_twice",
        '["base", "short"]',
        '["base", "base"]',
        r"tickets 6 \(Córdoba–Dax\): deck 'base' is named twice",
    ),
    ("no_points", "points = 4", "points = 0", r"tickets 5 \(Bern–Dax\).points: 0: .*greater than or equal to 1"),
    (
        "negative_points",
        "points = 4",
        "points = -4",
        r"tickets 5 \(Bern–Dax\).points: -4: .*greater than or equal to 1",
    ),
    (
        "deck_too_small_for_the_deal",
        "deal = 2",
        "deal = 3",
        r"rules.tickets: deck 'base' has 6 .* 3 to each of 3 players",
    ),
    (
        "unknown_deck",
        'deck = "base"',
        'deck = "bass"',
        r"rules.tickets: deck 'bass': no ticket is in it; decks are base,",
    ),
    (
        "keep_beyond_the_deal",
        "keep = 1",
        "keep = 3",
        r"rules.tickets: keep = 3: only 2 of the tickets dealt may be kept",
    ),
    (
        "keep_beyond_the_deal_and_the_long_ones_that_may_be_kept",
        "keep = 1, draw = 2 }",
        'keep = 4, draw = 2 }\nrules.long_tickets = { deck = "short", deal = 2, keep_at_most = 1 }',
        r"rules.tickets: keep = 4: only 3 of the tickets dealt may be kept",
    ),
    (
        "keep_beyond_the_draw",
        "draw = 2 }",
        "draw = 2, draw_keep = 3 }",
        r"rules.tickets: draw_keep = 3: more than the 2",
    ),
    (
        "long_deck_is_the_regular_one",
        "rules.route_points",
        'rules.long_tickets = { deck = "base", deal = 1, keep_at_most = 1 }\nrules.route_points',
        r"rules.long_tickets: deck 'base' is also the deck of the regular tickets",
    ),
    (
        "more_tickets_dealt_than_there_is_room_for",
        "deal = 2, keep",
        "deal = 9, keep",
        r"rules.tickets: 9 tickets dealt to a player: there is room for 8",
    ),
    # cards and colours
    (
        "too_few_cards_for_hands_and_display",
        "rules.hand = 4",
        "rules.hand = 9",
        r"colours: 30 cards, too few for 3 opening hands of 9 and a display of 5 \(32\)",
    ),
    (
        "too_few_cards_for_unequal_hands",
        "rules.hand = 4",
        "rules.hand = [8, 9, 9]",
        r"colours: 30 cards, too few for 3 opening hands of \[8, 9, 9\] and a display of 5 \(31\)",
    ),
    (
        "hands_for_fewer_seats_than_players",
        "rules.hand = 4",
        "rules.hand = [4, 5]",
        r"rules.hand: \[4, 5\]: 2 numbers for up to 3 players; give one for each seat",
    ),
    (
        "negative_points_of_a_seat",
        "rules.hand = 4",
        "rules.start_points = [0, -1, 0]",
        r"rules.start_points 2: -1: should be greater than or equal to 0",
    ),
    (
        "hand_that_is_no_number",
        "rules.hand = 4",
        "rules.hand = true",
        r"rules.hand: True: should be a valid integer",
    ),
    (
        "display_of_too_few_for_its_limit",
        "wild_limit = 3",
        "wild_limit = 6",
        r"rules.display_wild_limit: 6: .*display's 5",
    ),
    (
        "gray_as_a_card_colour",
        "colours.blue",
        "colours.gray = { cards = 1 }\ncolours.blue",
        r"colours: 'gray': gray is no",
    ),
    (
        "paint_that_is_none",
        "colours.red = {",
        'colours.red = { paint = "red",',
        r"colours.red.paint: 'red': should be # and six hexadecimal digits, such as #5b6b7a$",
    ),
    (
        "letter_of_two",
        "colours.red = {",
        'colours.red = { letter = "RD",',
        r"colours.red.letter: 'RD': should be one visible character$",
    ),
    (
        "letter_that_cannot_be_seen",
        "colours.red = {",
        'colours.red = { letter = " ",',
        r"colours.red.letter: ' ': should be one visible char",
    ),
    (
        "letter_of_another_colour",
        "colours.red = {",
        'colours.red = { letter = "B",',
        r"colours: blue, red: all have the letter 'B', .*; give each its own$",
    ),
    (
        "letter_that_another_colour_has_by_its_name",
        "colours.blue",
        "colours.rust = { cards = 1 }\ncolours.blue",
        r"colours: red, rust: all have the letter 'R'",
    ),
    (
        "broken_name_of_a_colour",
        "colours.blue",
        'colours."sea " = { cards = 1 }\ncolours.blue',
        r"colours: 'sea ': should be one line of text",
    ),
    ("colour_without_cards", "red = { cards = 12 }", "red = { cards = 0 }", r"colours.red.cards: 0: .*equal to 1"),
    # players, network, souvenirs
    (
        "players_in_wrong_order",
        "players = [2, 3]",
        "players = [3, 2]",
        r"rules.players: \[3, 2\]: give the fewest first",
    ),
    (
        "network_without_markers",
        "rules.hand",
        "rules.own_network = true\nrules.hand",
        r"rules.own_network: needs rules.mark",
    ),
    ("alvin_without_markers", "cities = [", ALVIN, r"rules.alvin: needs rules.markers"),
    (
        "alvin_in_an_unknown_city",
        "cities = [",
        "rules.markers = { each = 1, cards = 1 }\n" + ALVIN.replace("Dax", "Dox"),
        r"rules.alvin: city 'Dox': no such city; did you mean Dax",
    ),
    (
        "souvenirs_in_an_unknown_city",
        "cities = [",
        SOUVENIRS.replace("Bern", "Barn"),
        r"rules.souvenirs: fixed 'Barn': no s",
    ),
    (
        "two_stacks_in_a_city",
        "cities = [",
        SOUVENIRS.replace("Bern", "Ayr"),
        r"rules.souvenirs: fixed 'Ayr' is named twice",
    ),
    (
        "souvenirs_of_a_player_count_missing",
        "cities = [",
        SOUVENIRS.replace("players.3", "players.2x"),
        r"rules.souvenirs.players: no entry for 3 players",
    ),
    (
        "souvenirs_of_too_many_players",
        "cities = [",
        SOUVENIRS.replace(
            "\n\ncities", "\nrules.souvenirs.players.4 = { height = 1, placed_by = [], placed_height = 1 }\n\ncities"
        ),
        r"rules.souvenirs.players.4: the board is for 2 to 3 players",
    ),
    (
        "souvenirs_of_no_seat",
        "cities = [",
        SOUVENIRS.replace("_by = []", "_by = [2]", 1),
        r"rules.souvenirs.players.2: placed_by = \[2\]: s",
    ),
    (
        "more_stacks_than_symbols",
        "cities = [",
        SOUVENIRS.replace("[0, 1, 2]", "[0, 1]"),
        r"rules.souvenirs.players.2: 2 stacks, but points",
    ),
    (
        "more_stacks_than_cities",
        "cities = [",
        SOUVENIRS.replace("[0, 1, 2]", "[0, 1, 2, 3, 4, 5]").replace("_by = []", "_by = [0, 1, 0]", 1),
        r"rules.souvenirs.players.2: 5 stacks on 4 cities",
    ),
    (
        "more_players_than_start_cities",
        "rules.players = [2, 3]",
        "rules.markers = { each = 1, cards = 1 }\nrules.players = [2, 4]",
        r"rules.markers: 4 cities are too few for 4 start cities",
    ),
]

# what is replaced, by what: each goes as far as it may
JUST_GOOD = {
    "cards_that_all_are_dealt": ("rules.hand = 4\nrules.display = 5", "rules.hand = 8\nrules.display = 6"),
    "unequal_hands_of_all_cards": ("rules.hand = 4", "rules.hand = [8, 8, 9, 99]"),
    "wild_limit_of_the_whole_display": ("wild_limit = 3", "wild_limit = 5"),
    "position_on_the_edge": ('"Bern", x = 90, y = 10', '"Bern", x = 100, y = 100'),
    "ferry_of_its_whole_length": ("ferry = 1", "ferry = 3"),
    "as_many_wilds_as_a_ferry_takes": ("wilds = { cards = 6 }", "wilds = { cards = 1 }"),
    "all_tickets_dealt_kept": ("keep = 1", "keep = 2"),
    "all_tickets_drawn_kept": ("draw = 2 }", "draw = 2, draw_keep = 2 }"),
    "one_number_of_players": ("players = [2, 3]", "players = [2, 2]"),
    "a_start_city_each_and_one_more": ("rules.hand", "rules.markers = { each = 1, cards = 1 }\nrules.hand"),
    "as_many_stacks_as_symbols": ("cities = [", SOUVENIRS),
    "as_many_stacks_as_cities": (
        "cities = [",
        SOUVENIRS.replace("[0, 1, 2]", "[0, 1, 2, 3, 4]").replace("_by = []", "_by = [0, 1]", 1),
    ),
}
