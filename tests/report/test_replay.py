"""The page with a game: it shows what happened, step by step, and nothing in it is fetched or run from a name."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from conftest import TTRSIM

from ttrsim.boards import load_board
from ttrsim.core import constants as c
from ttrsim.core.apply import apply
from ttrsim.core.deal import deal
from ttrsim.core.records import GAME
from ttrsim.encode import members
from ttrsim.files import data_folder
from ttrsim.games import make_games
from ttrsim.report.prose import number
from ttrsim.report.replay import replay_page
from ttrsim.report.states import Span, changes, spans, states

GAMES = {
    "usa": ("usa", "random,random_kind", 51),
    "europe": ("europe", "random_kind,random,random", 186),
    "old_west": ("old_west:alvin", "random,random,random", 95),
    "san_francisco": ("san_francisco", "random,random_kind", 101),
}
VOID = {"meta", "input"}


@dataclass
class Node:
    """An element of a page; the text of one without a tag is itself."""

    tag: str
    attributes: dict[str, str | None]
    children: "list[Node]" = field(default_factory=list)
    text: str = ""

    def all(self):
        yield self
        for child in self.children:
            yield from child.all()

    def find(self, name, value=None):
        """Return the elements with an attribute, of a value if one is given."""
        return [n for n in self.all() if name in n.attributes and value in (None, n.attributes[name])]


class Reader(HTMLParser):
    """Reads a page into nodes, and complains of tags that are not closed."""

    def __init__(self, page):
        super().__init__()
        self.open = [Node("", {})]
        self.feed(page)
        self.close()
        assert len(self.open) == 1

    def handle_starttag(self, tag, attrs):
        node = Node(tag, dict(attrs))
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_startendtag(self, tag, attrs):
        self.open[-1].children.append(Node(tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop().tag == tag

    def handle_data(self, data):
        self.open[-1].children.append(Node("", {}, text=data))


def read(page):
    return Reader(page).open[0]


def value_at(node, step):
    """Return the number that an element with `data-values` has at a step, as it is written."""
    pairs = [pair.split(":") for pair in node.attributes["data-values"].split()]
    return [value for since, value in pairs if int(since) <= step][-1].replace("-", "−")


def there(node, step):
    """Return whether an element is shown at a step."""
    first, end = node.attributes.get("data-from", 0), node.attributes.get("data-to", 10**6)
    return int(first) <= step < int(end)


def shown(node, step):
    """Return the elements that are shown at a step, as nodes without those that are not."""
    if not there(node, step):
        return None
    if "data-values" in node.attributes:
        return Node(node.tag, node.attributes, [Node("", {}, text=value_at(node, step))])
    kept = [shown(child, step) for child in node.children]
    return Node(node.tag, node.attributes, [child for child in kept if child], node.text)


def words(node):
    """Return the words of an element as they are read out."""
    if node.attributes.get("aria-hidden"):
        return ""
    return " ".join((node.text + " ".join(words(child) for child in node.children)).split())


@pytest.fixture(scope="module", params=GAMES)
def game(request):
    """A game, its recording, and its page as text and as nodes."""
    series = make_games(*GAMES[request.param]).seated(0)
    recording = series.replay()
    page = replay_page(series, recording, 0)
    return series, recording, page, read(page)


@np.errstate(over="ignore")
def played_again(series, recording):
    """Yield GAME records after the opening and after each turn, from the actions alone."""
    game = np.zeros(1, GAME)[0]
    deal(series.record, game, np.uint64(series.seed), 0, len(series.line_up))
    last = None
    for event in recording.events:
        turn = 0 if game.table.phase in c.BEFORE_THE_FIRST_TURN else int(game.table.turn) + 1
        if last is not None and turn != last:
            yield game.copy()
        last = turn
        assert apply(series.record, game, int(event["action"]))
    yield game.copy()


def own_routes_complete(board, state, seat):
    """Return the tickets of a seat that its routes complete."""
    mine = (board.routes[r] for r, owner in enumerate(state.table.owner) if owner == seat)
    graph = nx.Graph((route.a, route.b) for route in mine)
    graph.add_nodes_from(range(len(board.cities)))
    ends = {t: (board.tickets[t].a, board.tickets[t].b) for t in members(state.hands[seat].tickets)}
    return {t for t, (a, b) in ends.items() if nx.has_path(graph, a, b)}


def completed(game, step, state, seat):
    """Return the tickets of a seat that are completed at a step, at the end by stations too."""
    series, recording, _, _ = game
    if step == len(states(recording)) - 1:
        return set(members(recording.seats[0, seat]["completed"]))
    return own_routes_complete(series.board, state, seat)


def at_cities(sets, name, cities):
    """Return pieces in words, from the sets of cities of each seat."""
    places = ("1st", "2nd", "3rd", "4th", "5th", "6th")
    return [
        f"{name} of the {places[seat]} player in {cities[city]}"
        for seat in range(len(sets))
        for city in members(sets[[seat]])
    ]


def test_states_are_those_of_the_game(game):
    series, recording, _, _ = game
    found, expected = states(recording), list(played_again(series, recording))
    assert len(found) == len(expected) + 1  # and the scored one
    for state, then in zip(found[:-2], expected[:-1], strict=True):
        assert state.table == then.table
        assert (state.hands == then.hands).all()
    before, scored, end = found[-2], found[-1], expected[-1]
    assert scored.table == end.table
    assert (scored.hands == end.hands).all()
    assert (before.table.owner == end.table.owner).all()
    at_once = [c.POINTS_ROUTES, c.POINTS_MARKERS, c.POINTS_CAPTURES]
    assert (before.table.score == end.table.parts[:, at_once].sum(axis=1)).all()


def test_page_shows_each_state(game):
    series, recording, _, page = game
    board, tickets = series.board, series.board.tickets
    names = {**{i: colour.name for i, colour in enumerate(board.colours)}, c.WILD: board.wild_name}
    articles, last = page.find("class", "seat"), len(states(recording)) - 1
    assert len(articles) == len(series.line_up)
    for step, state in enumerate(states(recording)):
        for seat, article in enumerate(articles):
            now, table, hand = shown(article, step), state.table, state.hands[seat]
            held, done = members(hand.tickets), completed(game, step, state, seat)
            lost = set(held) - done if step == last else set()
            said, cards, listed = words(now), *(now.find("class", name)[0].children for name in ("cards", "tickets"))
            assert f"{number(table.score[seat], 0)} points trains {table.trains[seat]} cards {hand.cards.sum()}" in said
            assert [words(card) for card in cards if card.tag and not words(card).endswith(" 0")] == [
                f"{names[kind]} {n}" for kind, n in enumerate(hand.cards) if n
            ]
            assert sorted(words(ticket) for ticket in listed if ticket.tag) == sorted(
                f"{board.ticket_name(t)} {'✓ completed ' * (t in done)}{'✗ failed ' * (t in lost)}{tickets[t].points}"
                for t in held
            )
            assert ("has Alvin" in said) == (table.alvin_holder == seat)
            held_tokens = {letter for i, letter in enumerate("ABCDEFGH") if table.tokens[seat] >> i & 1}
            assert set(re.findall("token ([A-H])", said)) == held_tokens


def test_board_shows_each_state(game):
    series, recording, _, page = game
    cities = [city.name for city in series.board.cities]
    passing = page.find("id", "board")[0].find("data-from")
    for step, state in enumerate(states(recording)):
        table, now = state.table, [node for node in passing if there(node, step)]
        routes = [node.attributes for node in now if "data-route" in node.attributes]
        owned = {route: seat for route, seat in enumerate(table.owner) if seat != c.NOBODY}
        assert {int(route["data-route"]): int(route["data-seat"]) for route in routes} == owned
        pieces = [words(node.children[0]) for node in now if "data-route" not in node.attributes]
        expected = at_cities(table.stations, "station", cities) + at_cities(table.markers, "marker", cities)
        stacks = [(city, table.stack_symbol[city], tokens) for city, tokens in enumerate(table.stack_tokens) if tokens]
        expected += [f"{tokens} of token {'ABCDEFGH'[symbol]} in {cities[city]}" for city, symbol, tokens in stacks]
        expected += [f"Alvin in {cities[table.alvin_city]}"] if table.alvin_city != c.NOWHERE else []
        assert sorted(pieces) == sorted(expected)


def test_games_looked_at_have_stations_markers_alvin_and_tokens():
    """Else the tests above would hold little."""
    seen = set()
    for board, players, seed in GAMES.values():
        table = make_games(board, players, seed).seated(0).replay().game.table
        seen |= {what for what in ("stations", "markers", "tokens") if table[what].any()}
        seen |= {"Alvin"} if table.alvin_holder != c.NOBODY else set()
    assert seen == {"stations", "markers", "Alvin", "tokens"}


def test_page_without_script_is_the_end_and_the_whole_transcript(game, ttrsim):
    series, recording, _, page = game
    last = len(states(recording)) - 1
    for node in page.all():
        if "data-from" in node.attributes or "data-to" in node.attributes:
            assert ("hidden" in node.attributes) == (not there(node, last))
        if "data-values" in node.attributes:
            assert words(node) == value_at(node, last)
    players = ",".join(strategy.spec for strategy in series.line_up)
    told = ttrsim("play", "--map", series.board.id, "--players", players, "--seed", series.seed).out
    said = words(page)
    turns = re.findall(r"^ {2,}\d+  \d\w\w player.*(?:\n {10,}.*)*", told, re.MULTILINE)
    assert len(turns) == last - 1
    for turn in turns:
        number, rest = turn.split(maxsplit=1)
        assert f"Turn {number}: {' '.join(rest.split())}" in said
    assert " ".join(told.strip().split("\n\n")[-1].split()) in said  # who wins
    assert ("RECONSTRUCTION" in said) == (series.board.id == "san_francisco")


def test_page_fetches_nothing_and_is_small(game):
    _, _, page, nodes = game
    assert not re.search(r"https?:|url\(|@import|\bimport\(|fetch\(|XMLHttp", page)
    for node in nodes.all():
        assert node.tag not in ("link", "img", "iframe", "object", "base")
        assert not {"src", "srcset", "xlink:href", "action"} & {*node.attributes}
        assert node.attributes.get("href", "#").startswith("#")
    assert len(page.encode()) < 1_000_000


def test_owners_can_be_told_without_colours(game):
    series, _, _, nodes = game
    marks = {f"#{n.attributes['id']}": n.attributes["d"] for n in nodes.find("class", "mark")}
    assert len(set(marks.values())) == len(series.line_up)
    assert [n.find("class", "chip")[0].children[0].attributes["href"] for n in nodes.find("class", "seat")] == [
        f"#chip{seat}" for seat in range(len(series.line_up))
    ]
    for seat in range(len(series.line_up)):
        assert nodes.find("id", f"chip{seat}")[0].find("href", f"#mark{seat}")
    for route in nodes.find("data-route"):
        used = [n.attributes["href"] for n in route.find("href")]
        length = series.board.routes[int(route.attributes["data-route"])].length
        assert used == [f"#mark{route.attributes['data-seat']}"] * length


def test_everything_to_press_has_a_name(game):
    nodes = game[3]
    pressed = [n for n in nodes.all() if n.tag in ("button", "input", "a")]
    assert len(pressed) > 6
    for node in pressed:
        assert node.attributes.get("aria-label") or words(node)


HOSTILE = "<script>alert(1)</script>"
FILE = "& 'co' onerror=alert`1`.py" if sys.platform == "win32" else "\"><img src=x onerror=alert`1`> & 'co'.py"
"""Windows has no quotation marks and no angle brackets in names of files."""


def test_hostile_names_stay_text(small_board, board_file, tmp_path):
    strategy = tmp_path / FILE
    strategy.write_text((data_folder() / "strategies" / "random.py").read_text("utf-8"), "utf-8")
    text = small_board.replace('"Ayr"', f'"{HOSTILE}"').replace('"Dax"', "'\"><svg onload=alert(2)>'")
    text = text.replace('title = "A small board"', "title = '</title></style>{{ 7 * 7 }}'")
    path = board_file(text.replace("wilds = { cards = 6 }", "wilds = { cards = 6, name = '<b>joker</b>' }"))
    series = make_games(load_board(path), f"random,{strategy}", 3).seated(0)
    page = replay_page(series, series.replay(), 0)
    nodes = read(page)
    assert [n.tag for n in nodes.all() if n.tag in ("script", "img", "b", "style")].count("script") == 1
    assert not [n for n in nodes.all() if n.tag == "img"]
    assert not [n for n in nodes.all() for name in n.attributes if name.startswith("on")]
    assert not [n for n in nodes.all() if n.tag == "b" and "data-values" not in n.attributes]
    said = words(nodes)
    assert HOSTILE in said
    assert "</title></style>{{ 7 * 7 }}" in said
    assert "onerror=alert`1`" in said


def test_game_that_a_strategy_stopped_is_shown_up_to_there(tmp_path, ttrsim):
    bot = tmp_path / "stops.py"
    bot.write_text('"""Wants nothing legal."""\n\n\ndef take_turn(board, table, hand, mind):\n    return 9\n', "utf-8")
    page = tmp_path / "game.html"
    ended = ttrsim("play", "--map", "usa", "--players", f"random,{bot}", "--seed", 1, "--html", page, "--quiet")
    assert ended.code == 1
    assert "returned the illegal action 9" in ended.err
    said = words(read(page.read_text("utf-8")))
    assert "The 2nd player (stops) stopped the game here: it wanted something illegal." in said
    assert "Turn 1:" in said
    assert "Turn 2:" not in said


def test_same_game_gives_the_same_bytes_in_another_process_and_from_a_run(tmp_path, ttrsim):
    options = ("--map", "san_francisco", "--players", "random,random_kind", "--seed", "5")
    assert ttrsim("run", *options, "-n", 4, "-o", tmp_path / "run", "--quiet").code == 0
    ended = ttrsim("replay", tmp_path / "run", "--game", 3, "--html", tmp_path / "replayed.html")
    assert (ended.code, ended.out) == (0, "")
    assert "replayed.html" in ended.err
    command = [*TTRSIM, "play", *options, "--game", "3", "--html", str(tmp_path / "played.html"), "--quiet"]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": "3"}, timeout=300)
    assert (tmp_path / "played.html").read_bytes() == (tmp_path / "replayed.html").read_bytes()


def test_missing_folder_is_told_before_the_game_is_played(tmp_path, ttrsim):
    page = Path(tmp_path) / "nowhere" / "game.html"
    ended = ttrsim("play", "--map", "usa", "--players", "random,random", "--html", page)
    assert ended.code == 2
    assert re.fullmatch(r"Error: --html .*nowhere.game\.html: there is no folder .*; make it first\n", ended.err)


def test_what_is_there_is_told_from_step_to_step_and_a_value_where_it_changes():
    assert spans([{1}, {1, 2}, {2}, {1}]) == [Span(1, 0, 2), Span(2, 1, 3), Span(1, 3, None)]
    assert changes([4, 4, 7, 7, 4]) == [(0, 4), (2, 7), (4, 4)]
