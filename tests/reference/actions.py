"""The codes of the actions, and what they mean: `decode(10512) == ("CLAIM", (5, 1, 2))`."""

from collections import Counter

WILD = 9

PASS = 0
DRAW_BLIND = 1
DRAW_TICKETS = 2
DECLINE = 3
TAKE = 10  # + kind
PAY = 30  # + wilds
KEEP = 100  # + set of the offered tickets, bit i for the i-th
CITY = 400  # + city
CLAIM = 10_000  # + 100 route + 10 kind + wilds
STATION = 30_000  # + 100 city + 10 kind + wilds
MARKER = 40_000  # + 100 city + 10 kind + wilds

SIMPLE = {PASS: "PASS", DRAW_BLIND: "DRAW_BLIND", DRAW_TICKETS: "DRAW_TICKETS", DECLINE: "DECLINE"}
COUNTED = {"TAKE": (TAKE, 10), "PAY": (PAY, 9), "KEEP": (KEEP, 256), "CITY": (CITY, 64)}  # first code, how many
PAID = {"CLAIM": (CLAIM, 192), "STATION": (STATION, 64), "MARKER": (MARKER, 64)}  # first code, how many places

Way = tuple[int, int]
"""A way to pay: the kind and how many wilds; (WILD, n) is n wilds and nothing else."""


def paid(first: int, place: int, way: Way) -> int:
    """Return code of an action that is paid with cards: `paid(CLAIM, 5, (1, 2)) == 10512`."""
    kind, wilds = way
    return first + 100 * place + 10 * kind + wilds


def keep(positions: tuple[int, ...]) -> int:
    """Return code that keeps the tickets at these positions of the offer: `keep((0, 2)) == 105`."""
    return KEEP + sum(1 << p for p in positions)


def decode(action: int) -> tuple[str, tuple[int, ...]]:
    """Return the word and the numbers of an action; `("KEEP", (0, 2))` lists the positions kept."""
    if action in SIMPLE:
        return SIMPLE[action], ()
    for word, (first, many) in COUNTED.items():
        if first <= action < first + many:
            number = action - first
            return word, tuple(i for i in range(8) if number & 1 << i) if word == "KEEP" else (number,)
    for word, (first, many) in PAID.items():
        if first <= action < first + 100 * many:
            place, rest = divmod(action - first, 100)
            return word, (place, *divmod(rest, 10))
    raise ValueError(f"{action} is no action")


def cards_of(way: Way, cost: int) -> Counter[int]:
    """Return the cards that a way to pay takes from the hand: `cards_of((1, 2), 3) == {1: 1, WILD: 2}`."""
    kind, wilds = way
    if kind == WILD:
        assert wilds == cost
        return Counter({WILD: cost})
    assert wilds < cost
    return +Counter({kind: cost - wilds, WILD: wilds})
