"""Playing the tables of an examination: once, or on and on until its verdicts are decided."""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ttrsim.cli.keeping import check_all, kept_in, play_into
from ttrsim.cli.output import note
from ttrsim.cli.progress import doing
from ttrsim.errors import UsageError
from ttrsim.numerals import counted

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run
    from ttrsim.runs.playing import Player
    from ttrsim.stats.deciding import Decided, Look

UNDECIDED = {
    "seats": ("seat",),
    "tickets": ("ticket",),
    "strategies": ("lead of a strategy", "leads of strategies"),
    "cities": ("city", "cities"),
    "routes": ("route",),
    "games": ("end of games", "ends of games"),
}
"""What a verdict of each question is about, and several of them."""


@dataclass
class Examined:
    """An examination: its runs, and what they say."""

    runs: "list[Run]"
    frame: "pd.DataFrame"
    level: float  # of the intervals
    decided: "Decided | None" = None  # with --until-decided


def table_name(player: "Player") -> str:
    """Return what the folder of a table is called, as `2-mirror`."""
    return f"{player.plan.seats}-{player.plan.design}"


@contextlib.contextmanager
def examined(
    players: "Sequence[Player]",
    out: Path | None,
    threads: int,
    bounds: dict[str, float],
    budget: int | None,
    about_seed: str | None,
    *,
    quiet: bool,
) -> "Iterator[Examined]":
    """Play the tables in folders of `out`, or of a temporary one, and judge them.

    budget: games in all, to go on until all is decided; about_seed: a sentence about the seed.
    """
    from ttrsim.batches import LEVEL
    from ttrsim.cli.compiling import compile_first
    from ttrsim.stats.balance import balance as judge
    from ttrsim.stats.deciding import OWN_NAMES

    tables = {table_name(player): player for player in players}
    looks = begun_looks(out, tables, budget)
    tables = {name: with_laps(player, looks[-1].laps[name]) for name, player in tables.items()}
    if out:
        check_all(out, tables, OWN_NAMES)
    with kept_in(out) as folder:
        compile_first([strategy for player in players for strategy in player.strategies], quiet=quiet)
        if about_seed and not quiet:
            note(about_seed)
        play = Tables(folder, tables, threads, quiet=quiet)
        if budget is None:
            runs = play(looks[-1].laps)
            with doing("Judging the board ...", quiet=quiet):
                frame = judge(runs, bounds)
            yield Examined(runs, frame, LEVEL)
        else:
            yield until_decided(play, looks, bounds, budget)


def begun_looks(out: Path | None, tables: "Mapping[str, Player]", budget: int | None) -> "list[Look]":
    """Return the looks begun in a folder, or the first one. budget: as of `examined`."""
    from ttrsim.stats.deciding import FILE, Look, games_of, read_looks

    first = Look(laps={name: player.plan.laps for name, player in tables.items()}, wanted={})
    begun = read_looks(out) if out else []
    if begun and budget is None:
        raise UsageError([f"{out}: was played with --until-decided ({FILE}); give that, too, or choose another -o"])
    if begun and begun[0].laps != first.laps:
        told = f"{out}: its first look was at other tables, or at another number of games"
        raise UsageError([f"{told}; give the same -n, --seats and --players, or choose another -o"])
    games = games_of(first.laps, {name: player.schedule.lap_games for name, player in tables.items()})
    if budget is not None and games > budget:
        told = f"the first look alone takes {games:,} games at {counted(len(tables), 'table')}"
        raise UsageError([f"--budget {budget}: {told}; give a smaller -n, or a larger --budget"])
    return begun or [first]


def with_laps(player: "Player", laps: int) -> "Player":
    """Return what plays the same run with another number of laps."""
    from ttrsim.runs.playing import Player

    return Player(player.plan.changed(laps=laps), player.board, player.strategies)


class Tables:
    """Plays the tables of an examination, as far as they are not played yet."""

    def __init__(self, folder: Path, tables: "Mapping[str, Player]", threads: int, *, quiet: bool) -> None:
        from ttrsim.runs.local import local_engine

        self.folder, self.players, self.quiet = folder, tables, quiet
        self.engine = local_engine(threads)
        self.runs: dict[str, Run] = {}

    def __call__(self, laps: "Mapping[str, int]") -> "list[Run]":
        """Return the runs of all tables, each with the laps given."""
        for number, (name, player) in enumerate(self.players.items(), 1):
            if name not in self.runs or self.runs[name].plan.laps != laps[name]:
                longer = with_laps(player, laps[name])
                told = f"{longer.plan.seats} players, {longer.plan.design}, {counted(longer.schedule.games, 'game')}"
                self.note(f"Table {number} of {len(self.players)}: {told}")
                self.runs[name] = play_into(self.folder / name, longer, self.engine, quiet=self.quiet)
        return [self.runs[name] for name in self.players]

    def note(self, message: str) -> None:
        """Print a message, unless --quiet was given."""
        if not self.quiet:
            note(message)


def until_decided(tables: Tables, looks: "Sequence[Look]", bounds: dict[str, float], budget: int) -> Examined:
    """Play on at the tables of open verdicts, as `ttrsim.stats.deciding` has it."""
    from ttrsim.stats import deciding
    from ttrsim.stats.balance import balance as judge

    runs: list[Run] = []

    def look(now: "Look") -> "pd.DataFrame":
        runs[:] = tables(now.laps)
        with doing("Judging the board ...", quiet=tables.quiet):
            return judge(runs, bounds, deciding.LOOK_LEVEL)

    def keep(made: "Sequence[Look]") -> None:
        deciding.write_looks(tables.folder, made)
        wanted = f", for {wanted_words(made[-1].wanted)}" if made[-1].wanted else ""
        tables.note(f"Look {len(made)} of at most {deciding.LOOKS}{wanted}")

    lap_games = {name: player.schedule.lap_games for name, player in tables.players.items()}
    decided = deciding.decide(looks, lap_games, budget, look, keep)
    return Examined(runs, decided.frame, deciding.LOOK_LEVEL, decided)


def wanted_words(wanted: "Mapping[str, Mapping[str, int]]") -> str:
    """Return what was undecided, as `2-mixed (3 tickets), 3-mixed (1 seat, 1 ticket)`."""
    told = []
    for name, counts in wanted.items():
        of = ", ".join(counted(number, *UNDECIDED[question]) for question, number in counts.items())
        told.append(f"{name} ({of})")
    return ", ".join(told)
