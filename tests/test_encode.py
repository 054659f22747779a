"""The board as the core reads it."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest

from ttrsim.boards import load_board
from ttrsim.encode import encode_board

NOT_READ = {"players", "tickets.deck", "long_tickets.deck"}
"""Limits used up before: how many may sit down, and which tickets are in play."""


def changes(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield rules with one of their values changed, once for each, and the name of that."""
    if name in NOT_READ:
        return
    if is_dataclass(value):
        for field in fields(value):
            part = f"{name}.{field.name}" if name else field.name
            yield from ((n, replace(value, **{field.name: v})) for n, v in changes(getattr(value, field.name), part))
    elif isinstance(value, dict):
        for key in value:
            yield from ((n, value | {key: v}) for n, v in changes(value[key], f"{name}.{key}"))
    elif isinstance(value, tuple) and set(value) == {0}:
        yield name, (*value[1:], 1)
    elif isinstance(value, tuple):
        yield name, value[::-1] if value[::-1] != value else value[1:]
    elif isinstance(value, bool):
        yield name, not value
    elif isinstance(value, int):
        yield name, value + 1
    elif isinstance(value, str):
        yield name, "bottom" if value == "removed" else "removed"


@pytest.mark.parametrize("name", ["usa", "europe", "old_west:alvin", "san_francisco"])
def test_every_value_of_the_rules_reaches_the_core(name):
    """Every field is used by at least one of these boards."""
    board = load_board(name)
    as_it_is = encode_board(board).tobytes()
    others = {of: encode_board(replace(board, rules=rules)).tobytes() for of, rules in changes(board.rules)}
    assert len(others) > 15
    assert [of for of, other in others.items() if other == as_it_is] == []
