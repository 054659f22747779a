"""A board that is fair by its making: each ticket has an arm of its own, and all arms are alike.

On boards whose cities look alike but share routes, strategies prefer those listed first, which is unfair to the others.
"""

from math import cos, pi, sin

ARMS = 12
HEAD = """format = 1
name = "Star"
title = "Star, a board on which all tickets are alike"
picture = { width = 1000, height = 1000 }
wilds = { cards = 14, name = "wild" }
rules.players = [2, 3]
rules.trains = 20
rules.equal_turns = true
rules.tickets = { deck = "base", deal = 3, keep = 2, draw = 3 }
rules.route_points = { 1 = 1, 2 = 2, 3 = 4, 4 = 7 }
rules.parallel_open_from = 2
"""
COLOURS = ("red", "blue", "green", "yellow", "black", "white")


def star(points: int = 6) -> str:
    """Return the text of the board: a hub, twelve arms of two connections, and a ticket along the outer one of each."""
    text = HEAD + "".join(f"colours.{colour} = {{ cards = 12 }}\n" for colour in COLOURS)
    cities, connections, tickets = ['{ name = "Hub", x = 500, y = 500 }'], [], []
    for arm, letter in enumerate("ABCDEFGHIJKL"):
        angle = 2 * pi * arm / ARMS
        for name, far in ((f"{letter}ton", 220), (f"{letter}ville", 440)):
            cities.append(f'{{ name = "{name}", x = {500 + far * cos(angle):.0f}, y = {500 + far * sin(angle):.0f} }}')
        for a, b, length in (("Hub", f"{letter}ton", 3), (f"{letter}ton", f"{letter}ville", 3)):
            connections.append(f'{{ between = ["{a}", "{b}"], length = {length}, tracks = ["gray", "gray", "gray"] }}')
        tickets.append(f'{{ between = ["{letter}ton", "{letter}ville"], points = {points}, decks = ["base"] }}')
    for what, rows in (("cities", cities), ("connections", connections), ("tickets", tickets)):
        text += f"\n{what} = [\n" + "".join(f"  {row},\n" for row in rows) + "]\n"
    return text
