"""Hash what code does: the hash is the same for texts that differ only in comments, docstrings and layout.

A run records this hash of its strategies and of the kit, so it can continue after a comment was changed. The hash is
the same on all versions of Python, whose own `ast.dump` is not: it shows fields that only some versions have.
"""

import ast
import hashlib
from collections.abc import Iterator
from typing import Any

SILENT = frozenset({"kind", "type_comment", "type_ignores"})
"""Fields of nodes that change nothing when the code runs: the u of `u"text"`, and comments about types."""


def content_sha256(tree: ast.AST) -> str:
    """Return the SHA-256 of a syntax tree without docstrings and line numbers.

    >>> content_sha256(ast.parse("x = 0x10  # a comment")) == content_sha256(ast.parse("x = (16)"))
    True
    """
    return hashlib.sha256("\n".join(_words(tree)).encode()).hexdigest()


def _words(tree: ast.AST) -> Iterator[str]:
    """Yield the tree as words, none of which has a line break.

    A recursive function would fail at code that is nested as deeply as the parser allows.
    """
    todo: list[Any] = [tree]
    while todo:
        part = todo.pop()
        if isinstance(part, ast.AST):
            todo += [")", *reversed(_fields(part)), f"{type(part).__name__}("]
        elif isinstance(part, list):
            todo += ["]", *reversed([_part(value) for value in part]), "["]
        else:
            yield part


def _fields(node: ast.AST) -> list[Any]:
    """Return the names and values of the fields of a node.

    Empty ones are left out, or a field that is new in a version of Python would change all hashes there.
    """
    words: list[Any] = []
    for name in sorted(node._fields):
        value = getattr(node, name, None)
        if isinstance(value, list):
            value = _joined(value) if isinstance(node, ast.JoinedStr) else [v for v in value if not _is_note(v)]
        if value not in (None, []) and name not in SILENT:
            words += [f"{name}=", _part(value)]
    return words


def _part(value: Any) -> Any:
    """Return what is neither a node nor a list of them as a word, which does not depend on the version of Unicode."""
    if isinstance(value, ast.AST | list):
        return value
    return hex(value) if type(value) is int else ascii(value)  # hex, for Python refuses to write very large ints


def _is_note(value: Any) -> bool:
    """Return whether it is a statement that is nothing but a text: a docstring, or a note below a constant."""
    return isinstance(value, ast.Expr) and isinstance(value.value, ast.Constant) and isinstance(value.value.value, str)


def _joined(values: list[ast.expr]) -> list[ast.expr]:
    """Return the parts of an f-string with neighbouring texts put together, which versions of Python divide otherwise.

    Python 3.12 has a new parser of f-strings. Where it understands one otherwise than 3.11, hashes differ as well.
    """
    parts: list[ast.expr] = []
    for value in values:
        if isinstance(value, ast.Constant) and parts and isinstance(parts[-1], ast.Constant):
            parts[-1] = ast.Constant(str(parts[-1].value) + str(value.value))
        elif not (isinstance(value, ast.Constant) and value.value == ""):
            parts.append(value)
    return parts
