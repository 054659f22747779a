"""Names of boards and cities as numbers, so that a strategy may ask for Paris.

>>> PARIS = name_key("Paris")
>>> def choose_start(board, table, hand, mind):
...     paris = city_named(board, PARIS)
"""

import hashlib
import unicodedata

import numpy as np

from ttrsim.core.constants import NOWHERE
from ttrsim.core.jit import kernel


def name_key(name):
    """The name of a city or a board as a number, made at the top of a strategy's file; accents and capitals optional.

    Other spellings of a city, which a board's file may list, are not known.
    """
    folded = unicodedata.normalize("NFKD", name.casefold().replace("ø", "o").replace("ł", "l"))
    letters = "".join(letter for letter in folded if not unicodedata.combining(letter)).strip()
    return np.uint64(int.from_bytes(hashlib.blake2b(letters.encode(), digest_size=8).digest(), "little"))


@kernel
def is_board(board, key):
    """Whether the board has the name of this `name_key`, such as "USA"; its variants have it, too."""
    return board.name == key


@kernel
def city_named(board, key):
    """Index of the city whose name has this `name_key`; NOWHERE if the board has none."""
    for city in range(board.cities):
        if board.city_name[city] == key:
            return np.int64(city)
    return np.int64(NOWHERE)
