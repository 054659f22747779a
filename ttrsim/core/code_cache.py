"""The compiled code that is kept on disk, one file for each part, named by its key.

A file is written whole or not at all, so several processes may fill the folder at once. One that is damaged, or that
calls for others that are missing, is as good as absent: its function is compiled again.
"""

import contextlib
import hashlib
import pickle
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple


class Code(NamedTuple):
    """What compiling a function gave."""

    symbol: str
    """The name by which others call it."""
    returns: Any
    """The type of what it returns, as numba has it."""
    is_object: bool
    """Whether it is machine code, called by its symbol; else bitcode, which becomes part of its callers."""
    data: bytes
    calls: tuple[str, ...]
    """The keys of those it calls: of bitcode all, of machine code those that are machine code too."""
    size: int
    """The number of its own instructions, which its callers take over with bitcode."""


class CodeCache:
    """The codes of a folder, read when they are wanted."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._codes: dict[str, Code] = {}

    def get(self, key: str) -> Code | None:
        """Return the code of this key if it is there with all it calls."""
        if key not in self._codes:
            code = self._read(key)
            if code is None or any(self.get(called) is None for called in code.calls):
                return None
            self._codes[key] = code
        return self._codes[key]

    def put(self, key: str, code: Code) -> None:
        """Keep a code, on disk if that can be written."""
        self._codes[key] = code
        data = pickle.dumps(code)
        with contextlib.suppress(OSError):
            self._write(key, hashlib.sha256(data).digest() + data)

    def closure(self, keys: Iterable[str]) -> tuple[dict[str, Code], list[str]]:
        """Return all bitcode that the keys lead to, by key, and the keys of the machine code it calls."""
        bitcode: dict[str, Code] = {}
        objects: dict[str, None] = {}
        todo = list(keys)
        while todo:
            key = todo.pop()
            code = self._codes[key]
            if code.is_object:
                objects[key] = None
            elif key not in bitcode:
                bitcode[key] = code
                todo += code.calls
        return bitcode, list(objects)

    def _read(self, key: str) -> Code | None:
        try:
            data = (self.folder / key).read_bytes()
        except OSError:
            return None
        digest, data = data[:32], data[32:]
        return pickle.loads(data) if hashlib.sha256(data).digest() == digest else None

    def _write(self, key: str, data: bytes) -> None:
        with tempfile.NamedTemporaryFile(dir=self.folder, delete=False) as file:
            made = Path(file.name)
        try:
            made.write_bytes(data)
            made.replace(self.folder / key)
        except BaseException:
            made.unlink()
            raise
