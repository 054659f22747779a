"""Make a run: begin it, or continue it if it is the one requested, play what is missing, and sum it up."""

import contextlib
import errno
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ttrsim.errors import UsageError, UserError
from ttrsim.progress import OnMessage
from ttrsim.runs.copies import remove_copies
from ttrsim.runs.laps import Gaps, Portion, around
from ttrsim.runs.playing import Engine, Player, digest_of
from ttrsim.runs.recipe import Begun, Recipe, StoredBoard, StoredStrategy, make_provenance, spec_of
from ttrsim.runs.stopping import Outcome, Shares, Watch
from ttrsim.runs.store import Folder, check_free, check_summary, has_content
from ttrsim.runs.stored_files import DamagedShard, ShardRecord, check_own, staged_path
from ttrsim.runs.summary import summarise, summary_problem

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextlib.contextmanager
def opened(folder: Folder, player: Player, *, resume: bool, report: OnMessage = lambda message: None) -> Iterator[Path]:
    """Begin a run, or continue it, with more games if the player has more; keep other processes off.

    Yields the folder that shards are written into. A run that has not finished anything is replaced by another.
    """
    with contextlib.ExitStack() as stack:
        try:
            check_free(folder, resume=resume)
            folder.path.mkdir(parents=True, exist_ok=True)
            stack.enter_context(folder.locked())
            check_free(folder, resume=resume)  # once more: another process may have had it
            check_summary(folder, player.recipe)
            staging = stack.enter_context(folder.session())
            _begin(folder, player, report)
        except (PermissionError, FileExistsError, NotADirectoryError) as e:
            raise UsageError([f"{folder.path}: cannot be written: {e.strerror}"]) from None
        except OSError as e:
            if e.errno not in FULL:
                raise
            raise UserError([f"{folder.path}: the disk is full ({e.strerror})"]) from None
        yield staging


def _begin(folder: Folder, player: Player, report: OnMessage) -> None:
    """Write the recipe of a run and its copies of board and strategies, where they are missing."""
    begun = folder.read() if folder.begun else None
    if begun and not folder.holds_results and begun.recipe != player.recipe:
        begun = None  # nothing of it is finished
        remove_copies(folder)
    if begun:
        check_same(folder, player.recipe)
    wanted = begun.recipe if begun else player.recipe
    texts = _texts(folder, wanted, player)
    recipe = wanted.of_texts(texts).changed(laps=player.recipe.laps)
    if begun is None:
        folder.write_run(Begun(recipe=recipe, provenance=make_provenance(recipe)))
    elif recipe != begun.recipe:
        provenance = begun.provenance.model_copy(update={"command": recipe.command})
        folder.write_run(Begun(recipe=recipe, provenance=provenance))
    elif problems := folder.run_problems():
        report(f"{problems[0]}; written again")
        folder.write_run(Begun(recipe=recipe, provenance=begun.provenance))
    for kept in folder.lay_out(player.board.source, texts):
        report(f"{kept}: holds what was there instead of the run's copy")


def check_same(folder: Folder, recipe: Recipe) -> None:
    """Refuse to continue a run that was begun as a different one, or with more games."""
    begun = folder.read().recipe
    if found := recipe_differences(begun, recipe):
        raise UsageError([f"{folder.path}: is a different run: {sentence}" for sentence in found])
    if recipe.laps < begun.laps:
        problem = f"has {begun.schedule.games:,} games already, more than -n {recipe.schedule.games}"
        raise UsageError([f"{folder.path}: {problem}; a run can be made longer, not shorter"])


def _texts(folder: Folder, recipe: Recipe, player: Player) -> dict[str, bytes]:
    """Return the text of each strategy by the name of its copy: that of the copy if it is sound, else the player's.

    The two differ in comments and docstrings at most. So a run keeps the text that it was begun with while it can.
    """
    texts = {}
    for stored, strategy in zip(recipe.strategies, player.strategies, strict=True):
        copy = folder.path / "strategies" / stored.copy_name
        sound = has_content(copy, stored.sha256)
        texts[stored.copy_name] = copy.read_bytes() if sound else strategy.text.encode()
    return texts


def sound_shards(folder: Folder, recipe: Recipe, report: OnMessage) -> list[ShardRecord]:
    """Return the records of the finished shards, in order; report and remove damaged ones.

    Nothing is removed if others put files into any of them. Shards beyond the run's last lap were not written by
    it; they are left alone and do not count.
    """
    records, damaged = [], []
    for laps in folder.present():
        if laps.stop > recipe.laps:
            report(f"{folder.shard(laps)}: the run has {recipe.laps} laps; left as it is")
            continue
        try:
            records.append(checked(folder, recipe, laps))
        except DamagedShard as e:
            check_own(folder.shard(laps))
            damaged.append((laps, e))
    for laps, problem in damaged:
        report(f"{problem}; shard {laps.start}-{laps.stop - 1} is removed, to be played again")
        folder.remove(laps)
    return records


def checked(folder: Folder, recipe: Recipe, laps: range) -> ShardRecord:
    """Return a finished shard's record after checking all its files.

    Raises DamagedShard, and UserError if the shard belongs to another run.
    """
    record = folder.check(laps)
    check_run(folder, recipe, record)
    return record


def check_run(folder: Folder, recipe: Recipe, record: ShardRecord) -> None:
    """Refuse a shard of another run; it is not removed, as whoever copied it there may want it back."""
    if record.run != recipe.identity:
        problem = "is a shard of a different run (seed, board, strategies or rules differ); move it elsewhere"
        raise UserError([f"{folder.shard(record.range)}: {problem}"])


def carry_out(
    player: Player,
    engine: Engine,
    folder: Folder | None = None,
    staging: Path | None = None,
    *,
    portion: Portion | None = None,
    on_shard: Callable[[Shares], None] = lambda shares: None,
    report: OnMessage = lambda message: None,
) -> Outcome:
    """Play the missing shards and sum up. With a folder, call it within `opened`, which yields `staging`.

    on_shard: called with the sums so far after each shard; report: called with messages about damaged shards.
    """
    records = sound_shards(folder, player.recipe, report) if folder else []
    progress = _Progress(player.recipe, records)
    on_shard(progress.shares)
    laps = (portion or Portion()).laps(progress.watch.end or player.recipe.laps)
    gaps = Gaps(laps, [record.range for record in records])
    try:
        with contextlib.closing(engine(player, staging, gaps)) as played:
            for record in played:
                if folder and staging:
                    folder.publish(staging, record)
                progress.add(record)
                on_shard(progress.shares)
                if progress.watch.early:
                    break
        return _finish(player, folder, progress, report)
    except OSError as e:
        if e.errno not in FULL or folder is None:
            raise
        kept = f"{progress.shares.games:,} games finished and kept"
        raise UserError([f"{folder.path}: the disk is full ({e.strerror}); {kept}"]) from None


@dataclass
class _Progress:
    """The finished shards of a run, and their sums."""

    recipe: Recipe
    records: list[ShardRecord]
    watch: Watch = field(init=False)
    shares: Shares = field(init=False)

    def __post_init__(self) -> None:
        self.watch, self.shares = Watch(self.recipe), Shares(self.recipe)
        for record in self.records:
            self._take(record)

    def add(self, record: ShardRecord) -> None:
        """Take a shard that was just finished."""
        self.records.append(record)
        self._take(record)

    def _take(self, record: ShardRecord) -> None:
        self.watch.add(record)
        self.shares.add(record)


def _finish(player: Player, folder: Folder | None, progress: _Progress, report: OnMessage) -> Outcome:
    """Sum up the run if all of it is played, and remove shards beyond its end, which were played ahead."""
    watch, recipe = progress.watch, player.recipe
    if watch.looked != watch.end:
        missing = (watch.end or recipe.laps) - sum(record.laps for record in progress.records)
        return Outcome(progress.shares, None, watch, missing)
    records = sorted((r for r in progress.records if r.first_lap < watch.looked), key=lambda r: r.first_lap)
    digest = digest_of(records)
    if folder:
        folder.remove_covered()
        for laps in folder.present():
            if watch.looked <= laps.start < recipe.laps:
                folder.remove(laps)
        if summary_problem(folder, recipe, records, digest):
            _warn_of_summary(folder, records, report)
            summarise(player, folder, records, digest)
    return Outcome(watch.shares, digest, watch)


def _warn_of_summary(folder: Folder, records: Sequence[ShardRecord], report: OnMessage) -> None:
    """Report that a summary about to be replaced has other results."""
    if before := folder.read_summary():
        first = [record for record in records if record.range.stop <= before.laps]
        if sum(record.laps for record in first) == before.laps and digest_of(first) != before.digest:
            change = f"had the digest {before.digest}, and the shards have {digest_of(first)}: something was altered"
            report(f"{folder.summary}: {change}; it is made again from the shards")


def take_shards(target: Folder, staging: Path, player: Player, portions: Sequence[Folder], report: OnMessage) -> None:
    """Copy from the portions every shard that the target, which is locked, lacks or has damaged."""
    here = {record.range for record in sound_shards(target, player.recipe, report)}
    for portion in portions:
        check_same(portion, player.recipe)
        for laps in portion.present():
            if any(wider in here for wider in around(laps)):
                continue
            try:
                record = checked(portion, player.recipe, laps)
            except DamagedShard as e:
                raise UserError([f"{e}; play that portion again with --resume"]) from None
            shutil.copytree(portion.shard(laps), staged_path(staging, record))
            target.publish(staging, record)
            here.add(laps)


MOST_LISTED = 3
"""Most players whose differences are listed."""


def recipe_differences(begun: Recipe, wanted: Recipe) -> list[str]:
    """List the differences between a run that was begun and another, in a sentence each."""
    found = []
    for what, was, now in [
        ("rules version", begun.rules_version, wanted.rules_version),
        ("design", begun.design, wanted.design),
        ("number of seats", begun.seats, wanted.seats),
        ("rotation", begun.rotate, wanted.rotate),
        ("seed", begun.seed, wanted.seed),
        ("tables recorded", ",".join(begun.record) or "none", ",".join(wanted.record) or "none"),
        ("stopping", begun.stop or "at the last game", wanted.stop or "at the last game"),
    ]:
        if was != now:
            found.append(f"{what} was {was}, not {now}")
    found += _board_difference(begun.board, wanted.board)
    found += _strategy_differences(begun, wanted)
    if begun.kit_sha256 != wanted.kit_sha256:
        found.append("the helpers of strategies (ttrsim.bot) have changed")
    if not found and begun.identity != wanted.identity:
        found.append("the recipe differs")
    return found


def _board_difference(begun: StoredBoard, wanted: StoredBoard) -> list[str]:
    """Compare two boards by the content of their files, wherever these are."""
    if (begun.sha256, begun.variant) == (wanted.sha256, wanted.variant):
        return []
    if begun.id != wanted.id:
        return [f"board was {begun.id}, not {wanted.id}"]
    return [f"the file of board {begun.id} has changed (SHA-256 was {begun.sha256[:12]}…)"]


def _strategy_differences(begun: Recipe, wanted: Recipe) -> list[str]:
    was, now = begun.players, wanted.players
    if len(was) != len(now):
        names, others = (Counter(map(spec_of, players)) for players in (was, now))
        gone, new = (", ".join((a - b).elements()) for a, b in ((names, others), (others, names)))
        changes = ["without " + gone] * bool(gone) + ["with " + new] * bool(new)
        return [f"there were {len(was)} players, not {len(now)}, {' and '.join(changes)}"]
    found = [
        f"player {n} was {_spec_but(a, b)}, not {_spec_but(b, a)}"
        for n, (a, b) in enumerate(zip(was, now, strict=True), 1)
        if a.name != b.name or a.params != b.params or (a.content_sha256 != b.content_sha256 and a.source != b.source)
    ]
    if found:
        return found[:MOST_LISTED] + [f"{len(found) - MOST_LISTED} more players differ"] * (len(found) > MOST_LISTED)
    pairs = zip(begun.strategies, wanted.strategies, strict=True)
    return [f"the code of strategy {a.source} has changed" for a, b in pairs if a.content_sha256 != b.content_sha256]


def _spec_but(strategy: StoredStrategy, other: StoredStrategy) -> str:
    """Return a strategy as users write it, without the parameters that it shares with the other."""
    if strategy.source != other.source:
        return strategy.source
    params = {name: value for name, value in strategy.params.items() if other.params.get(name) != value}
    return spec_of(strategy.model_copy(update={"params": params}))
