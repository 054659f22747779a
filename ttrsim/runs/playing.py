"""Play the games of a run, shard by shard, on the threads of this machine; make the digest of their results.

An engine is a function `engine(player, staging, gaps)` that plays the missing laps of a run and yields the record of
each shard as it is finished, in any order. It takes ranges out of the gaps and gives back the laps that it did not
play. The files of a shard are in the folder `staging`, if there is one, before its record is yielded. Closing an engine
stops the shards that are still being played.

The digest is a tree of SHA-256 hashes, with a leaf for each lap. The hash of an aligned range of laps is computed from
those of its halves. So the digest of a run does not depend on how its laps are divided into shards, and the hashes stay
valid when the run is made longer.
"""

import hashlib
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

from ttrsim.batches import Array
from ttrsim.boards import Board
from ttrsim.errors import UserError
from ttrsim.games import Games, Results, SeatedGame
from ttrsim.recording import Recording
from ttrsim.runs.laps import MOST_LAPS, Gaps, pieces, power_below, shard_sizes
from ttrsim.runs.recipe import Recipe, Sprt
from ttrsim.runs.rows import Names, RowWriter, Segment
from ttrsim.runs.stopping import by_lap
from ttrsim.runs.stored_files import PieceRecord, ShardRecord, file_record, stage
from ttrsim.runs.tally import FILE, Adder, Sizes, Tally, write_sums
from ttrsim.schedule import next_look
from ttrsim.strategies import Strategy
from ttrsim.threads import while_any


class Player:
    """Plays the games of a run. Threads may share one."""

    def __init__(self, recipe: Recipe, board: Board, strategies: Sequence[Strategy]) -> None:
        self.recipe, self.board, self.strategies = recipe, board, list(strategies)
        self.schedule = recipe.schedule
        self.games = Games(board, strategies, recipe.schedule, recipe.seed)
        self.on_games: Callable[[int], None] = lambda games: None
        """Called with the number of games just played, on the thread that played them."""

    def changed(self, **values: Any) -> "Player":
        """Return a player of the same games with other values in the recipe, such as another number of laps."""
        return Player(self.recipe.changed(**values), self.board, self.strategies)

    @property
    def record(self) -> Any:
        """The BOARD record passed to the core."""
        return self.games.record

    @cached_property
    def sizes(self) -> Sizes:
        """The lengths of the axes of the run's aggregates."""
        b, p = self.board, self.recipe
        return Sizes(len(p.line_ups), len(self.strategies), p.seats, len(b.tickets), len(b.routes), len(b.cities))

    def compile(self) -> None:
        """Compile everything before threads start, or each of them would."""
        self.games.compile()

    def play(self, laps: range, stopped: Callable[[], bool] = lambda: False) -> Results:
        """Play laps. Raises `ttrsim.games.Interrupted` as soon as `stopped()` is true."""
        return self.games.play(self.schedule.games_of(laps), stopped, self.on_games)

    def replay(self, game: int) -> tuple[SeatedGame, Recording]:
        """Play one game of the run again, and record it."""
        if not 0 <= game < self.schedule.games:
            raise UserError([f"game {game}: the run has games 0 to {self.schedule.games - 1}"])
        seated = self.games.seated(game)
        return seated, seated.replay()


SECONDS = 15.0
"""A shard does not grow if it would last longer. Each thread loses at most this much when a run is killed."""
SEGMENT_GAMES = 20_000
"""Games whose results are held in memory at a time."""
MOMENT = 0.25
"""Seconds that a shard may last in a small run, where a tenth of a thread's laps takes longer to store than to play."""
QUICK_LAPS = 256
"""Most laps of such a shard."""
MOST_SECONDS = 300.0
"""The same for shards of fewer than `fewest` laps, of which a very large run would have too many."""
MOST_GAMES = 500_000
"""Most games of a shard, as its rows are held in memory."""
PROBE_STRIDE = 7919  # a prime, so that the laps played again are spread over their shards


def play_shard(
    player: Player,
    laps: range,
    staging: Path | None = None,
    stopped: Callable[[], bool] = lambda: False,
    fewest: int = 1,
    share: int = MOST_LAPS,
) -> ShardRecord:
    """Play a shard that begins with these laps and, if there is a folder, write its files.

    laps: an aligned range. The shard has all of them or, if that would take too long, a half, a quarter, and so on, but
    not fewer than `fewest` unless these take minutes; it has more than `share` only if they take a moment. staging: the
    folder for the files until the caller publishes the shard. Raises `ttrsim.games.Interrupted` as soon as `stopped()`
    is true.
    """
    shard = _Shard(player, laps.start, rows=staging is not None)
    begun, size = time.monotonic(), _first_size(player, laps)
    while True:
        shard.go_on(laps.start + size, stopped)
        if size == len(laps) or _is_enough(2 * size, player, 2 * (time.monotonic() - begun), fewest, share):
            return shard.finish(staging)
        size *= 2


def _is_enough(size: int, player: Player, seconds: float, fewest: int, share: int) -> bool:
    """Return whether a shard should not grow to `size` laps, which would take about `seconds` in all."""
    if size * player.schedule.lap_games > MOST_GAMES:
        return True
    return seconds > (MOMENT if size > share else SECONDS if size > fewest else MOST_SECONDS)


def _first_size(player: Player, laps: range) -> int:
    """Return how many laps to play before looking at the clock."""
    return min(len(laps), power_below(max(1, player.games.call_games // player.schedule.lap_games)))


class _Shard:
    """The part of a shard that has been played."""

    def __init__(self, player: Player, first: int, *, rows: bool) -> None:
        self.player, self.recipe = player, player.recipe
        self.first = self.end = first
        self.tree = Tree(first)
        self.hashes: list[bytes] = []  # of each lap
        self.pieces: list[PieceRecord] = []
        self.batch_laps = self.recipe.batch_laps_at(first)
        self.tally = Tally(player.sizes, self.batch_laps)
        self.adder = Adder(player.record, self.tally)
        self.names = names_of(player)
        self.writers = [RowWriter(table) for table in self.recipe.record] if rows else []

    def go_on(self, end: int, stopped: Callable[[], bool]) -> None:
        """Play the laps before `end`, as many at a time as fit into memory."""
        most = max(1, SEGMENT_GAMES // self.player.schedule.lap_games)
        for laps in pieces(range(self.end, end), power_below(most)):
            results = self.player.play(laps, stopped)
            blocks, _ = self.player.schedule.where(results.games["index"])
            self._add_up(laps, results, blocks)
            segment = Segment(results, blocks, blocks % len(self.recipe.line_ups), self.names)
            for writer in self.writers:
                writer.add(segment)
            hashes = lap_hashes(results, self.player.schedule.lap_games)
            self.tree.add_laps(hashes)
            self.hashes += hashes
        self.end = end

    def _add_up(self, laps: range, results: Results, blocks: Array) -> None:
        """Add results to the sums of their batches. Playing batches one by one would take longer if they are small."""
        lap_games = self.player.schedule.lap_games
        for batch in pieces(laps, self.batch_laps):
            games = slice((batch.start - laps.start) * lap_games, (batch.stop - laps.start) * lap_games)
            of_batch = Results(results.games[games], results.seats[games])
            self.adder.add(batch.start, of_batch, blocks[games])
            self._add_piece(batch, of_batch)

    def _add_piece(self, laps: range, results: Results) -> None:
        """Add results to the sums of their batch."""
        piece = _piece(self.recipe, laps, results)
        if self.pieces and self.pieces[-1].first_lap // self.batch_laps == laps.start // self.batch_laps:
            piece = self.pieces.pop().joined(piece)
        self.pieces.append(piece)

    def finish(self, staging: Path | None) -> ShardRecord:
        """Return the record of the shard, and write its files if there is a folder."""
        laps = range(self.first, self.end)
        contents: dict[str, Any] = {}
        if staging:
            contents = {f"{writer.table}.parquet": writer.finish() for writer in self.writers}
            contents[FILE] = write_sums(self.tally)
        record = ShardRecord(
            run=self.recipe.identity,
            first_lap=laps.start,
            laps=len(laps),
            batch_laps=self.batch_laps,
            content_sha256=self.tree.hexdigest(),
            probe_lap=(probe := probe_lap(laps)),
            probe_sha256=self.hashes[probe - laps.start].hex(),
            pieces=tuple(self.pieces),
            files={name: file_record(content) for name, content in contents.items()},
        )
        if staging:
            stage(staging, record, contents)
        return record


def _piece(recipe: Recipe, laps: range, results: Results) -> PieceRecord:
    strategies = results.seats["strategy"].reshape(-1)
    won = results.win60.reshape(-1)
    scores = results.seats["score"].reshape(-1)
    sums = [
        np.bincount(strategies, weights, len(recipe.strategies)).astype(np.int64)
        for weights in (None, won, scores.astype(np.int64))
    ]
    difference = None
    if isinstance(recipe.stop, Sprt):
        of_laps = by_lap(recipe, recipe.stop, results)
        difference = int(of_laps.sum()), int((of_laps**2).sum())
    seats, win60, score = (tuple(column.tolist()) for column in sums)
    return PieceRecord(
        first_lap=laps.start, laps=len(laps), seats=seats, win60=win60, score=score, difference=difference
    )


def names_of(player: Player) -> Names:
    """Return the names that the numbers in a run's results stand for."""
    board, recipe = player.board, player.recipe
    return Names(
        line_ups=recipe.line_up_names,
        strategies=recipe.names,
        tickets=[board.ticket_name(t) for t in board.tickets],
        routes=[board.route_name(r) for r in board.routes],
        cities=[city.name for city in board.cities],
    )


def probe_lap(laps: range) -> int:
    """Return the lap of a shard that is played again to verify it."""
    return laps[laps.start // len(laps) * PROBE_STRIDE % len(laps)]


def replay_hash(player: Player, laps: range) -> str:
    """Return the hash of aligned laps, played again."""
    tree, most = Tree(laps.start), max(1, SEGMENT_GAMES // player.schedule.lap_games)
    for part in pieces(laps, most):
        tree.add_laps(lap_hashes(player.play(part), player.schedule.lap_games))
    return tree.hexdigest()


def aggregate_bytes(recipe: Recipe) -> float:
    """Estimate the size of the sums of a run, in its shards and in the summary."""
    s, strategies = recipe.schedule, len(recipe.strategies)
    of_batch = strategies * recipe.seats * 130 + 100  # numbers, on a board like USA
    of_group = strategies * 900 + 1700
    return 2.5 * s.batches * (of_batch + of_group / 2)


Engine = Callable[[Player, Path | None, Gaps], Generator[ShardRecord, None, None]]


def local_engine(threads: int) -> Engine:
    """Return an engine that plays on `threads` threads."""
    return partial(_play, threads)


def _play(threads: int, player: Player, staging: Path | None, gaps: Gaps) -> Generator[ShardRecord, None, None]:
    player.compile()
    fewest, share = shard_sizes(player.recipe.laps, threads)

    def work(laps: range, stopped: Callable[[], bool]) -> tuple[range, ShardRecord]:
        return laps, play_shard(player, laps, staging, stopped, fewest, share)

    for laps, record in while_any(threads, work, lambda: take(player.recipe, gaps, max(share, QUICK_LAPS))):
        gaps.give_back(range(record.range.stop, laps.stop))
        yield record


def take(recipe: Recipe, gaps: Gaps, most: int) -> range | None:
    """Take the next range to play out of the gaps; return None if nothing is left.

    A run that may stop early ends at a look, so none of its shards reaches beyond the next look.
    """
    if not gaps:
        return None
    if recipe.stop:
        most = min(most, next_look(gaps.first) - gaps.first)
    return gaps.take(most)


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
