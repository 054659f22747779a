"""The digest of results: a tree of SHA-256 hashes, with a leaf for each lap.

The hash of an aligned range of laps is computed from those of its halves. So the digest of a run does not depend on how
its laps are divided into shards, and the hashes stay valid when the run is made longer.
"""

import hashlib
from collections.abc import Iterable

from ttrsim.games import Results
from ttrsim.runs.stored_files import ShardRecord

LEAF, NODE = b"\0", b"\1"
"""Prefixes of what is hashed, so that no leaf has the hash of a node."""


def lap_hashes(results: Results, lap_games: int) -> list[bytes]:
    """Return the hash of each lap of results, which consist of whole laps."""
    games = memoryview(results.games.data).cast("B")
    seats = memoryview(results.seats.reshape(-1).data).cast("B")
    laps = len(results.games) // lap_games
    game_bytes, seat_bytes = len(games) // laps, len(seats) // laps
    hashes = []
    for lap in range(laps):
        one = hashlib.sha256(LEAF)
        one.update(games[lap * game_bytes : (lap + 1) * game_bytes])
        one.update(seats[lap * seat_bytes : (lap + 1) * seat_bytes])
        hashes.append(one.digest())
    return hashes


def joined_hash(left: bytes, right: bytes) -> bytes:
    """Return the hash of two neighbouring ranges taken together."""
    return hashlib.sha256(NODE + left + right).digest()


class Tree:
    """The hash of consecutive laps, built up from aligned ranges."""

    def __init__(self, first: int = 0) -> None:
        self._next = first
        self._nodes: list[tuple[int, bytes]] = []  # (laps, hash), from the first lap on

    def add(self, laps: int, node: bytes) -> None:
        """Add the next aligned range, which has `laps` laps and the hash `node`."""
        self._next += laps
        while self._nodes and self._nodes[-1][0] == laps and self._next % (2 * laps) == 0:
            _, left = self._nodes.pop()
            laps, node = 2 * laps, joined_hash(left, node)
        self._nodes.append((laps, node))

    def add_laps(self, hashes: Iterable[bytes]) -> None:
        """Add laps by their hashes."""
        for node in hashes:
            self.add(1, node)

    def hexdigest(self) -> str:
        """Return the hash of all laps added."""
        whole = b""
        for _, node in reversed(self._nodes):
            whole = joined_hash(node, whole) if whole else node
        return whole.hex()


def digest_of(records: Iterable[ShardRecord]) -> str:
    """Return the digest of a run from the records of all its shards, in order."""
    tree, laps = Tree(), 0
    for record in records:
        tree.add(record.laps, bytes.fromhex(record.content_sha256))
        laps += record.laps
    return hashlib.sha256(f"{laps} {tree.hexdigest()}".encode()).hexdigest()
