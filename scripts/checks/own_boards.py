"""Boards drawn by rule, for checks that must hold on boards that nobody tuned for."""

import random
from itertools import combinations
from math import cos, dist, pi, sin
from pathlib import Path

import networkx as nx

TICKETS = 20
HEAD = """format = 1
name = "{name}"
title = "{name}, a board drawn by rule"
picture = {{ width = 1000, height = 1000 }}
wilds = {{ cards = 14, name = "wild" }}
rules.players = [2, 4]
rules.trains = 35
rules.tickets = {{ deck = "base", deal = 3, keep = 2, draw = 3 }}
rules.route_points = {{ 1 = 1, 2 = 2, 3 = 4, 4 = 7 }}
rules.longest_trail_bonus = 8
"""
COLOURS = ("red", "blue", "green", "yellow", "black", "white")

Coordinates = list[tuple[float, float]]
Pairs = list[tuple[int, int]]


def grid() -> tuple[Coordinates, Pairs]:
    """Return four rows of five cities, each joined to its neighbours, and every second square to its opposite
    corner.
    """
    places = [(150.0 + 175 * column, 150.0 + 230 * row) for row in range(4) for column in range(5)]
    near = [(a, a + 1) for a in range(20) if a % 5 < 4] + [(a, a + 5) for a in range(15)]
    return places, near + [(a, a + 6) for a in range(15) if a % 5 < 4 and a % 2 == 0]


def wheel() -> tuple[Coordinates, Pairs]:
    """Return a hub, a ring of eight cities and one of sixteen around it."""
    inner, outer = range(1, 9), range(9, 25)
    places = [(500.0, 500.0)]
    places += [(500 + 200 * cos(i * pi / 4), 500 + 200 * sin(i * pi / 4)) for i in range(8)]
    places += [(500 + 420 * cos(i * pi / 8), 500 + 420 * sin(i * pi / 8)) for i in range(16)]
    pairs = [(0, a) for a in inner if a % 2] + [(1 + i, 1 + (i + 1) % 8) for i in range(8)]
    pairs += [(9 + i, 9 + (i + 1) % 16) for i in range(16)] + [(1 + i, 9 + 2 * i) for i in range(8)]
    return places, pairs + [(1 + i, outer[2 * i + 1]) for i in range(0, 8, 2)]


LAYOUTS = {"grid": grid, "wheel": wheel}


def write_board(name: str, folder: Path) -> Path:
    """Write a board: lengths, colours and tickets drawn at random, the same ones every time.

    A ticket is worth the trains of its shortest path on the grid, and its length on paper on the wheel.
    """
    dice = random.Random(name)
    places, pairs = LAYOUTS[name]()
    names = [f"{'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[i]}ville" for i in range(len(places))]
    network = nx.Graph()
    for a, b in pairs:
        network.add_edge(a, b, length=max(1, min(4, round(dist(places[a], places[b]) / 90) + dice.choice((-1, 0, 1)))))
    trains = dict(nx.all_pairs_dijkstra_path_length(network, weight="length"))
    far = [pair for pair in combinations(range(len(places)), 2) if trains[pair[0]][pair[1]] >= 4]
    paper = {(a, b): round(dist(places[a], places[b]) / 60) for a, b in far}
    entries = {
        "cities": [f'{{ name = "{n}", x = {x:.0f}, y = {y:.0f} }}' for n, (x, y) in zip(names, places, strict=True)],
        "connections": [
            f'{{ between = ["{names[a]}", "{names[b]}"], length = {edge["length"]}, tracks = [{_tracks(dice)}] }}'
            for a, b, edge in network.edges(data=True)
        ],
        "tickets": [
            f'{{ between = ["{names[a]}", "{names[b]}"], points = '
            f'{trains[a][b] if name == "grid" else paper[a, b]}, decks = ["base"] }}'
            for a, b in dice.sample(far, TICKETS)
        ],
    }
    text = HEAD.format(name=name.capitalize()) + "".join(f"colours.{colour} = {{ cards = 12 }}\n" for colour in COLOURS)
    for what, rows in entries.items():
        text += f"\n{what} = [\n" + "".join(f"  {row},\n" for row in rows) + "]\n"
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return path


def _tracks(dice: random.Random) -> str:
    """Return one track, or three times in ten a gray one beside it."""
    tracks = [dice.choice((*COLOURS, "gray")), *["gray"] * (dice.random() < 0.3)]
    return ", ".join(f'"{track}"' for track in tracks)
