"""Names of boards and cities as numbers, so that a strategy can ask for Paris.

>>> PARIS = name_key("Paris")
>>> def choose_start(board, table, hand, mind):
...     paris = city_named(board, PARIS)
"""

import unicodedata

import numpy as np

from ttrsim.core.constants import NOWHERE
from ttrsim.core.jit import kernel


def name_key(name):
    """Return the name of a city or a board as a number, for the top of a file; accents and capitals are optional.

    Other spellings of a city, which a board's file may list, are not known. The number is the hash that Python 2.7 has
    of the name in plain capitals, so that `ttrsim.kit.dictionaries` lists cities as the published program does.
    """
    folded = unicodedata.normalize("NFKD", name.casefold().replace("ø", "o").replace("ł", "l"))
    letters = "".join(letter for letter in folded if not unicodedata.combining(letter)).strip().upper().encode()
    value = letters[0] << 7 if letters else 0
    for letter in letters:
        value = 1000003 * value % 2**64 ^ letter
    return np.uint64(value ^ len(letters))


@kernel
def is_board(board, key):
    """Return whether the board or a variant of it has the name of this `name_key`, such as "USA"."""
    return board.name == key


@kernel
def city_named(board, key):
    """Return the index of the city whose name has this `name_key`; NOWHERE if the board has none."""
    for city in range(board.cities):
        if board.city_name[city] == key:
            return np.int64(city)
    return np.int64(NOWHERE)
