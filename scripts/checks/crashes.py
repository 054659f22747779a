"""Runs that are killed, damaged and disturbed, by real processes: `python scripts/verify.py crashes`."""

import contextlib
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import click
from runs.making import outcome

from ttrsim.compiling import compile_first
from ttrsim.formatting import clock
from ttrsim.runs.run import new_player
from ttrsim.runs.store import Folder

from .belongings import Belongings
from .children import BROKEN, Child, Cluster, command, ended, fork, result_of

PLAYERS = "random,random_kind"
GAMES, MORE_GAMES = 10_000, 20_000
"""The games of a run, and of one that was extended."""
WORKERS = 2
KILLS = {
    "while beginning": 4,
    "while playing": 8,
    "while extending": 8,
    "while summing up": 4,
    "Dask: driver": 3,
    "Dask: worker": 3,
    "Dask: scheduler": 2,
}
"""The processes that are killed, and when, with how often of all."""
KILLS_BETWEEN = 6
"""The number of kills after which comes one of the other disturbances."""
LOST = ("Error: the connection to the Dask scheduler was lost", "no Dask scheduler answers there")
"""The messages of a driver whose scheduler was killed, after it was connected or before."""
MOST_REFUSALS = 20
"""The most times that a command may name files that are to be moved elsewhere."""
FILES = (
    "run.json",
    "run-copy.json",
    "shards/*/done.json",
    "shards/*/sums.bin",
    "shards/*/*.parquet",
    "summary/summary.json",
    "summary/sums.bin",
    "summary/*.parquet",
    "board.toml",
    "strategies/*.py",
)
"""Every kind of file of a run."""
DELETED = ("", "/shards", "/shards/*", "/unfinished", "/summary")
"""Folders that are deleted while a run is played."""
OWN = {*(file.partition("/")[0] for file in FILES), "lock", "board.toml.altered"}
"""The files that may lie in the folder of a finished run whose copy of the board was once altered."""
MOUNTS = sys.platform == "linux" and os.geteuid() == 0
"""True if file systems can be mounted here: full ones, and read-only ones."""


@click.command()
@click.option("--kills", default=200, show_default=True, help="Kills in all.")
@click.option("--minutes", default=60.0, show_default=True, help="After so long nothing more is begun.")
@click.option("--seed", default=1, show_default=True)
def crashes(kills: int, minutes: float, seed: int) -> None:
    """Kill, damage and disturb runs at random moments, and see whether each comes to the same results all the same."""
    campaign, started = Campaign(seed), time.monotonic()
    with campaign.prepared():
        while campaign.kills < kills and time.monotonic() - started < 60 * minutes:
            campaign.go_on()
            if sys.stderr.isatty():
                click.echo(f"\r{campaign.kills} of {kills} kills ", err=True, nl=False)
    campaign.tell()
    wrong = len(campaign.wrong)
    click.echo(f"\n{campaign.kills} kills and {campaign.disturbances} other disturbances in {clock(time.monotonic() - started)}: {wrong} wrong results, {len(campaign.lost)} lost files.")  # fmt: skip  # noqa: E501
    sys.exit(bool(wrong or campaign.lost) or campaign.kills < kills)


class Campaign:
    """The counts of damages to runs, and of their results."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.done: Counter[str] = Counter()
        self.next_disturbance = KILLS_BETWEEN  # kills until it comes
        self.completed = self.left = 0  # runs that came to their end, files left in their folders
        self.wrong: list[str] = []
        self.lost: list[str] = []
        self.cluster: Cluster | None = None
        self.disturb = [self.fill_disk, self.forbid_writing, self.delete_folders, self.begin_twice, self.flip_bits]

    @property
    def kills(self) -> int:
        """The number of processes that were killed."""
        return sum(self.done[kind] for kind in KILLS)

    @property
    def disturbances(self) -> int:
        """The number of other damages."""
        return sum(self.done.values()) - self.kills

    @contextlib.contextmanager
    def prepared(self) -> Iterator[None]:
        """Make the runs that are not disturbed."""
        player = new_player(board="usa", players=PLAYERS, games=GAMES, seed=1)
        compile_first(player.strategies)
        player.compile()
        import distributed.cli.dask_worker  # noqa: F401 - so that none of the processes needs seconds for it

        import ttrsim.runs.cluster
        import ttrsim.runs.summary  # noqa: F401

        with tempfile.TemporaryDirectory() as scratch:
            self.scratch = Path(scratch)
            self.small, self.large = self.scratch / "small", self.scratch / "large"
            begun = time.monotonic()
            for path, games in ((self.small, GAMES), (self.large, MORE_GAMES)):
                made = ended(words(path, games))
                if made.code:
                    raise RuntimeError(made.said)
            self.seconds = (time.monotonic() - begun) / (GAMES + MORE_GAMES) * MORE_GAMES
            self.outcome = result_of(lambda: outcome(self.large))
            try:
                yield
            finally:
                if self.cluster:
                    self.cluster.end()

    def go_on(self) -> None:
        """Do what was done least of all it should be; now and then a disturbance other than a kill."""
        if self.kills >= self.next_disturbance:
            self.next_disturbance = self.kills + KILLS_BETWEEN
            what, (act, *rest) = "", self.disturb
            self.disturb = [*rest, act]
        else:
            what = min(KILLS, key=lambda kind: (self.done[kind] + 1) / KILLS[kind])
            act = self.kill_on_cluster if what.startswith("Dask") else self.kill
        path = Path(tempfile.mkdtemp(dir=self.scratch)) / "run"
        belongings = Belongings(path, self.dice)
        wrong = len(self.wrong)
        name = what or act.__name__.replace("_", " ")
        try:
            act(path, belongings, what)
        except Exception as e:  # whatever it is, this run did not come to what it should
            self.wrong.append(f"{name}: {''.join(traceback.format_exception(e))}")
        for told in self.wrong[wrong:]:
            click.echo(told, err=True)
        self.left += len(belongings.files)
        self.lost += [f"{name}: {file}" for file in belongings.lost()]
        shutil.rmtree(path.parent)

    def moment(self, kept: int = 0) -> float:
        """Return how long to wait until something happens: at any time while a run is made, or what is left of it."""
        left = max(0.2, 1 - kept / finished(self.large))
        return self.dice.uniform(0, 1.2 * self.seconds * left)

    def kill(self, path: Path, belongings: Belongings, kind: str) -> None:
        """Kill the command, up to ten times, if it does not end before."""
        share = {"while beginning": 0.25, "while summing up": 0.5}.get(kind, 1.0)
        if kind == "while extending":
            shutil.copytree(self.small, path)
        if kind == "while summing up":
            shutil.copytree(self.large, path)
            shutil.rmtree(path / "summary")
        for _ in range(self.dice.randint(2, 10)):
            kept = finished(path)
            child = command(words(path))
            wait = share * self.moment(0 if share < 1 else kept)
            time.sleep(wait / 2)
            belongings.leave()
            time.sleep(wait / 2)
            killed = child.kill()
            self.done[kind] += killed
            self.look_at(child, kind, kept, path)
            if not killed and not belongings.take_away(child.said):
                break
        self.complete(path, belongings, kind)

    def kill_on_cluster(self, path: Path, belongings: Belongings, kind: str) -> None:
        """Kill drivers, workers or the scheduler."""
        if self.cluster is None or not self.cluster.scheduler.running:
            self.cluster = Cluster(WORKERS)
        if self.dice.random() < 0.5:
            shutil.copytree(self.small, path)
        engine = ["--engine", "dask", "--scheduler", self.cluster.address]
        for _ in range(self.dice.randint(1, 4) if kind == "Dask: driver" else 1):
            kept = finished(path)
            driver = command(words(path) + engine)
            self._strike(self.cluster, driver, kind, belongings)
            driver.wait()
            self.look_at(driver, kind, kept, path)
            if driver.code and driver.code > 0 and not belongings.take_away(driver.said):
                connected, before = (told in driver.said for told in LOST)
                if kind != "Dask: scheduler" or not (before or (connected and "continue with: ttrsim" in driver.said)):
                    self.wrong.append(f"{kind}: its driver ended with {driver.code}: {driver.said}")
        if kind == "Dask: scheduler":
            self.cluster.end()
            engine = []
        self.complete(path, belongings, kind, engine)

    def _strike(self, cluster: Cluster, driver: Child, kind: str, belongings: Belongings) -> None:
        """Kill a part of a cluster while its driver runs; workers one after the other."""
        victims: dict[str, Callable[[], bool]] = {
            "Dask: driver": driver.kill,
            "Dask: worker": lambda: cluster.kill_worker(self.dice.randrange(WORKERS)),
            "Dask: scheduler": cluster.scheduler.kill,
        }
        for _ in range(self.dice.randint(1, 3) if kind == "Dask: worker" else 1):
            time.sleep(self.moment())
            belongings.leave()
            if driver.running and victims[kind]():
                self.done[kind] += 1

    def fill_disk(self, path: Path, belongings: Belongings, what: str) -> None:
        """Let the disk be full, or files be limited where no disk can be made."""
        self.done["full disk"] += 1
        if not MOUNTS:
            child = fork(lambda: limited(words(path), self.dice.randrange(1, 20_000)))
            child.wait()
            self.look_at(child, "full disk", 0, path)
            self.complete(path, belongings, "full disk")
            return
        whole = sum(file.stat().st_size for file in self.large.rglob("*"))
        with mounted(path.parent, int(whole * self.dice.uniform(0.02, 1))) as remount:
            child = ended(words(path))
            if child.code and "full" not in child.said:
                self.wrong.append(f"full disk: it said {child.said}")
            self.look_at(child, "full disk", 0, path)
            remount(f"size={10 * whole}")
            belongings.leave()
            self.complete(path, belongings, "full disk")
            self.lost += [f"full disk: {file}" for file in belongings.lost()]
            belongings.files.clear()

    def forbid_writing(self, path: Path, belongings: Belongings, what: str) -> None:
        """Let nothing be written to the folder of an unfinished run."""
        self.done["read-only folder"] += 1
        with mounted(path.parent, 10**8) if MOUNTS else contextlib.nullcontext() as remount:
            shutil.copytree(self.small, path)
            remount("ro") if remount else path.chmod(0o555)
            child = ended(words(path))
            remount("rw") if remount else path.chmod(0o755)
            if not child.code:
                self.wrong.append(f"read-only folder: it said {child.said}")
            self.look_at(child, "read-only folder", finished(self.small), path)
            self.complete(path, belongings, "read-only folder")

    def delete_folders(self, path: Path, belongings: Belongings, what: str) -> None:
        """Delete each kind of folder of a run while it is played."""
        for name in DELETED:
            kind = f"deleted RUN{name}"
            self.done[kind] += 1
            if self.dice.random() < 0.5:
                shutil.copytree(self.small, path)
            child = command(words(path))
            time.sleep(self.moment())
            if victims := sorted(path.parent.glob(path.name + name)):
                shutil.rmtree(self.dice.choice(victims), ignore_errors=True)
            child.wait()
            self.look_at(child, kind, 0, path)
            self.complete(path, belongings, kind)
            shutil.rmtree(path)

    def begin_twice(self, path: Path, belongings: Belongings, what: str) -> None:
        """Start a second process, or a third one, on the same folder."""
        self.done["two processes"] += 1
        children = [command(words(path))]
        for _ in range(self.dice.randint(1, 2)):
            time.sleep(self.moment() / 2)
            children.append(command(words(path)))
        for child in children:
            if child.wait() and "another process is working on this run" not in child.said:
                self.wrong.append(f"two processes: one said {child.said}")
            self.look_at(child, "two processes", 0, path)
        self.complete(path, belongings, "two processes")

    def flip_bits(self, path: Path, belongings: Belongings, what: str) -> None:
        """Flip a bit of a file of each kind, one after the other."""
        shutil.copytree(self.large, path)
        for pattern in FILES:
            kind = f"flipped bit in {pattern}"
            self.done[kind] += 1
            belongings.leave()
            name = flip(self.dice.choice(sorted({*path.glob(pattern)} - {*belongings.files})), self.dice)
            if not ended(["verify", path, "--sample", "0", "--quiet"]).code:
                self.wrong.append(f"{kind}: not noticed in {name}")
            self.complete(path, belongings, kind)

    def look_at(self, child: Child, kind: str, kept: int, path: Path) -> None:
        """Note what a process must not do: break off with a traceback, or lose what was finished."""
        if child.code == BROKEN or "Traceback" in child.said:
            self.wrong.append(f"{kind}: {child.said}")
        if kept and finished(path) < kept:
            self.wrong.append(f"{kind}: {kept} laps were finished, and then {finished(path)}")
        if kind in KILLS and "to be played again" in child.said:
            self.wrong.append(f"{kind}: {child.said}")

    def complete(self, path: Path, belongings: Belongings, kind: str, more: list[str] | None = None) -> None:
        """Go on with a run to its end, and compare what it comes to."""
        for _ in range(MOST_REFUSALS):
            self.lost += [f"{kind}: {file}" for file in belongings.lost()]
            child = ended(words(path) + (more or []))
            self.look_at(child, kind, 0, path)
            if not child.code:
                break
            if not belongings.take_away(child.said):
                self.wrong.append(f"{kind}: it does not go on: {child.said}")
                return
        digest = self.outcome["digest"].decode()
        if f'"digest": "{digest}"' not in child.said or result_of(lambda: outcome(path)) != self.outcome:
            self.wrong.append(f"{kind}: other results: {child.said}")
        users = {file.relative_to(path).parts[0] for file in belongings.files}
        if left := {entry.name for entry in path.iterdir()} - OWN - users:
            self.wrong.append(f"{kind}: left behind: {', '.join(sorted(left))}")
        self.completed += 1

    def tell(self) -> None:
        """Print what was done, and what went wrong."""
        for kind in sorted(self.done, key=lambda kind: (kind not in KILLS, *([] if kind in KILLS else [kind]))):
            click.echo(f"{'killed ' if kind in KILLS else ''}{kind:40} {self.done[kind]:5}")
        click.echo(f"\n{self.completed} runs went on to their end; {self.left} files of a user lay in their folders.")
        for told in (*self.wrong, *(f"lost: {file}" for file in self.lost)):
            click.echo(f"\n{told.strip()}")


def words(path: Path, games: int = MORE_GAMES) -> list[object]:
    """Return the command that begins a run or continues it."""
    options = ["--map", "usa", "--players", PLAYERS, "-n", games, "--seed", 5, "--record", "games,players"]
    return ["run", "--resume", *options, "-o", path, "--quiet", "--json"]


def finished(path: Path) -> int:
    """Return how many laps of a run are stored."""
    return sum(map(len, Folder(path).present()))


def limited(arguments: list[object], most: int) -> int:
    """Run a command that can write no file of more bytes."""
    from ttrsim.cli import main

    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    return main([*map(str, arguments)])


@contextlib.contextmanager
def mounted(path: Path, size: int) -> Iterator[Callable[[str], None]]:
    """Mount a file system of this many bytes in memory; yields a function that remounts it with other options."""

    def mount(*options: str) -> None:
        subprocess.run(["mount", *options, str(path)], check=True)

    mount("-t", "tmpfs", "-o", f"size={size}", "ttrsim")
    try:
        yield lambda option: mount("-o", f"remount,{option}")
    finally:
        subprocess.run(["umount", str(path)], check=True)


def flip(path: Path, dice: random.Random) -> str:
    """Flip one bit of a file, and return where."""
    content = bytearray(path.read_bytes())
    place, bit = dice.randrange(len(content)), dice.randrange(8)
    content[place] ^= 1 << bit
    path.write_bytes(content)
    return f"{re.sub('.*/run/', '', str(path))}, byte {place}, bit {bit}"
