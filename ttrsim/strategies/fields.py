"""The use a strategy makes of the records it is handed: fields that are not there, and records it must not change."""

import ast
from collections.abc import Iterator
from typing import Any

import numpy as np

from ttrsim.core.records import BOARD, GAME, HAND, MIND, ROOM, TABLE, WORK
from ttrsim.errors import did_you_mean
from ttrsim.strategies.source import Source, root

RECORDS: dict[str, np.dtype[Any]] = {"board": BOARD, "table": TABLE, "hand": HAND, "mind": MIND, "room": ROOM}
INNER = {"mind.work": WORK, "room.game": GAME}
READ_ONLY = ("board", "table", "hand")


def field_mistakes(source: Source) -> Iterator[tuple[int, str]]:
    """Mistakes in functions that answer decisions; only there the arguments are certain to be the records."""
    for function in (source.functions[name] for name in source.decisions):
        stored = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        records = {name: dtype for name, dtype in RECORDS.items() if name not in stored}
        for node in ast.walk(function):
            if isinstance(node, ast.Attribute) and _is_unknown(node, records):
                yield node.lineno, unknown_field(ast.unparse(node.value), node.attr, _dtype(node.value, records))
            elif isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
                name = root(node)
                if name in READ_ONLY and name in records:
                    yield node.lineno, f"changes {ast.unparse(node)}: {WRITING_HINT}"


WRITING_HINT = "a strategy only looks at board, table and hand; what it wants to remember goes into mind.memory"


def record_name(dtype: np.dtype[Any]) -> str:
    """What strategies call a record of this type: `table`."""
    return next((name for name, known in {**RECORDS, **INNER}.items() if known == dtype), "the record")


def unknown_field(owner: str, field: str, dtype: np.dtype[Any] | None) -> str:
    """In words: that a record has no such field, and which fields it has."""
    names = (dtype.names if dtype is not None else None) or ()
    has = f"it has {', '.join(names)}" if names else ""
    return f"{owner} has no field {field!r}{did_you_mean(field, names, has)}"


def _is_unknown(node: ast.Attribute, records: dict[str, np.dtype[Any]]) -> bool:
    dtype = _dtype(node.value, records)
    return dtype is not None and dtype.names is not None and node.attr not in dtype.names


def _dtype(node: ast.expr, records: dict[str, np.dtype[Any]]) -> np.dtype[Any] | None:
    """The type of `room.minds[0].work`, or None where the text does not show it."""
    if isinstance(node, ast.Name):
        return records.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = _dtype(node.value, records)
        known = owner is not None and owner.names is not None and node.attr in owner.names
        return owner[node.attr] if known and owner is not None else None
    if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice | ast.Tuple):
        array = _dtype(node.value, records)
        return array.base if array is not None and len(array.shape) == 1 else None
    return None
