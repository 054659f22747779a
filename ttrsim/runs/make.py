"""Making a run: begin it or go on with it, play what is missing, sum it up."""

import contextlib
import errno
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ttrsim.errors import UsageError, UserError
from ttrsim.runs.differences import plan_differences
from ttrsim.runs.local import Engine
from ttrsim.runs.plan import Begun, Plan, make_provenance
from ttrsim.runs.playing import Player
from ttrsim.runs.shares import Shares
from ttrsim.runs.stopping import Watch
from ttrsim.runs.store import DamagedShard, Folder, ShardRecord, digest_of
from ttrsim.runs.summary import summarise, summary_problem

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@dataclass(frozen=True)
class Part:
    """Every `of`-th shard of a run, from the `number`-th on (counted from 1): what one of several jobs plays."""

    number: int = 1
    of: int = 1

    def shards(self, all_shards: int) -> range:
        """Their numbers."""
        return range(self.number - 1, all_shards, self.of)


@dataclass(frozen=True)
class Outcome:
    """What a run came to."""

    shares: Shares
    digest: str | None  # None as long as shards are missing
    watch: Watch  # has looked at all shards of a finished run


OnMessage = Callable[[str], None]
"""Is told what a person should know, as which shard was damaged."""


@contextlib.contextmanager
def opened(folder: Folder, player: Player, *, resume: bool) -> Iterator[None]:
    """Begin a run in an empty folder, or go on with the same one; other processes are kept off meanwhile.

    A run of which nothing is finished, as one that its bot stopped at once, gives way to another.
    """
    with contextlib.ExitStack() as stack:
        try:
            check_free(folder, resume=resume)
            folder.path.mkdir(parents=True, exist_ok=True)
            stack.enter_context(folder.locked())
            check_free(folder, resume=resume)  # once more: another process may have had it
            if folder.present():
                check_same(folder, player.plan)
                folder.lay_out(*_sources(player))  # copies may have been altered or lost meanwhile
            elif not folder.begun or plan_differences(folder.read().plan, player.plan):
                _begin(folder, player)
        except (PermissionError, FileExistsError, NotADirectoryError) as e:
            raise UsageError([f"{folder.path}: cannot be written: {e.strerror}"]) from None
        yield


def check_free(folder: Folder, *, resume: bool) -> None:
    """Refuse a folder that holds something, if it is not to go on with it."""
    lies_there = {path.name for path in folder.path.iterdir()} if folder.path.is_dir() else set()
    if resume or lies_there <= {"lock"} or (folder.begun and not folder.present()):
        return
    hint = "choose another, or go on with the run in it by --resume" if folder.begun else "choose another"
    raise UsageError([f"{folder.path}: is not empty; {hint}"])


def check_same(folder: Folder, plan: Plan) -> None:
    """Refuse to go on with a run that was begun as another."""
    if found := plan_differences(folder.read().plan, plan):
        raise UsageError([f"{folder.path}: is another run: {sentence}" for sentence in found])


def _begin(folder: Folder, player: Player) -> None:
    folder.begin(Begun(plan=player.plan, provenance=make_provenance(player.plan)), *_sources(player))


def _sources(player: Player) -> tuple[bytes, dict[str, str]]:
    """The file of the board, and those of the strategies by the names that their copies have."""
    pairs = zip(player.plan.strategies, player.strategies, strict=True)
    return player.board.source, {planned.copy_name: strategy.text for planned, strategy in pairs}


def sound_shards(folder: Folder, plan: Plan, report: OnMessage) -> list[ShardRecord]:
    """The finished shards; damaged ones are reported and removed."""
    records = []
    for number in folder.present():
        try:
            records.append(checked(folder, plan, number))
        except DamagedShard as e:
            report(f"{e}; shard {number} is removed, to be played again")
            folder.remove(number)
    return records


def checked(folder: Folder, plan: Plan, number: int) -> ShardRecord:
    """A finished shard's record, all its files hashed. Raises DamagedShard."""
    if number >= plan.schedule.shards:
        raise DamagedShard(f"{folder.shard(number)}: the run has {plan.schedule.shards} shards")
    return folder.check(number)


def carry_out(
    player: Player,
    engine: Engine,
    folder: Folder | None = None,
    *,
    part: Part | None = None,
    on_shard: Callable[[Shares], None] = lambda shares: None,
    report: OnMessage = lambda message: None,
) -> Outcome:
    """Play the shards that are missing and sum up. With a folder, within `opened`.

    on_shard: told after each shard what is known so far; report: told of damaged shards.
    """
    records = sound_shards(folder, player.plan, report) if folder else []
    watch, shares = Watch(player.plan), Shares(player.plan.names)
    _take(records, watch, shares)
    on_shard(shares)
    done = {record.shard for record in records}
    missing = [n for n in (part or Part()).shards(watch.end or player.schedule.shards) if n not in done]
    try:
        with contextlib.closing(engine(player, folder, missing)) as played:
            for record in played:
                records.append(record)
                _take([record], watch, shares)
                on_shard(shares)
                if watch.early:
                    break
        if watch.looked != watch.end:
            return Outcome(shares, None, watch)
        return Outcome(watch.shares, _finish(player, folder, records, watch.looked), watch)
    except OSError as e:
        if e.errno not in FULL or folder is None:
            raise
        told = f"{len(records)} of {player.schedule.shards} shards finished and kept"
        raise UserError([f"{folder.path}: the disk is full ({e.strerror}); {told}"]) from None


def _take(records: Sequence[ShardRecord], watch: Watch, shares: Shares) -> None:
    for record in records:
        watch.add(record)
        shares.add(record)


def _finish(player: Player, folder: Folder | None, played: Sequence[ShardRecord], end: int) -> str:
    """Sum up the shards below `end`; others, played ahead by other threads, are no part of the run."""
    records = sorted((r for r in played if r.shard < end), key=lambda r: r.shard)
    digest = digest_of([r.content_sha256 for r in records])
    if folder:
        for number in folder.present():
            if number >= end:
                folder.remove(number)
        if summary_problem(folder, player.plan, records, digest):
            summarise(player, folder, records, digest)
    return digest
