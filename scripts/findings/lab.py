"""Play the commands behind the findings with one seed, keep what they wrote in a folder, and read it."""

import hashlib
import io
import json
import re
import time
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from ttrsim.boards import board_names, load_board
from ttrsim.cli import main as ttrsim
from ttrsim.core.constants import RULES_VERSION
from ttrsim.formatting import command_line
from ttrsim.games import Results, simulate
from ttrsim.runs import Run
from ttrsim.runs.recipe import kit_sha256
from ttrsim.strategies import load_strategy, strategy_names

MADE_BY = "made_by.json"
"""The file that says which code played a folder."""

TIMES = "times.json"
"""The file with the seconds of processor time that playing each experiment took."""

BY_THE_LETTER = "rules.draw_when_dry = false"
"""The other reading of the rules: with neither deck nor discards, no face-up card may be taken either."""


@dataclass
class Lab:
    """The experiments of one seed. What was played before is read."""

    folder: Path
    seed: int
    scale: float = 1.0  # of all numbers of games, for a quick look
    letter: bool = False  # play all boards by a strict reading of the rules
    used: list[str] = field(default_factory=list)  # commands, as they are typed
    simulating: float = 0.0  # seconds of processor time since lines of Python were shown
    played: dict[str, int] = field(default_factory=dict)  # games, at least, by experiment

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        made, path = _made_by(), self.folder / MADE_BY
        if not path.exists():
            path.write_text(json.dumps(made), "utf-8")
        elif json.loads(path.read_text("utf-8")) != made:
            raise click.ClickException(f"{self.folder}: was played by other code; remove it, or give another with -o")

    def table(self, name: str, *words: str, games: float, picture: str = "") -> list[dict[str, Any]]:
        """Return the rows of a table that a command writes with --json. picture: where the reader has it drawn."""
        typed = [*self._read(words), "-n", self._games(games), "--seed", str(self.seed)]
        slug = _slug(typed)
        path = self.folder / f"{slug}.json"
        if not path.exists():
            path.write_text(self._timed(slug, *typed, "--json", "--quiet"), "utf-8")
        self.show(*typed, *(("-o", picture) if picture else ()), slug=slug)
        rows: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["tables"][name]["rows"]
        self.played[slug] = sum(row["games"] for row in rows)
        return [{column: float("nan") if value is None else value for column, value in row.items()} for row in rows]

    def run(self, *words: str, games: float, out: str) -> Run:
        """Return the run that `ttrsim run` plays. out: the folder, as the reader may call it."""
        typed = ["run", *self._read(words), "-n", self._games(games), "--seed", str(self.seed)]
        slug = _slug(typed)
        path = self.folder / slug
        self._timed(slug, *typed, "-o", str(path), "--resume", "--quiet")
        self.show(*typed, "-o", out, slug=slug)
        return self._opened(path)

    def mixed(self, board: str, games: float, seats: Sequence[int] = ()) -> dict[int, Run]:
        """Return the tables of `ttrsim balance` where all strategies meet, by number of players: all, or `seats`."""
        return self._balanced(board, games, "mixed", seats)

    def mirror(self, board: str, games: float) -> dict[int, Run]:
        """Return the tables of copies of one strategy, by the number of players, of the same command."""
        return self._balanced(board, games, "mirror")

    def _balanced(self, board: str, games: float, design: str, seats: Sequence[int] = ()) -> dict[int, Run]:
        only = ["--seats", ",".join(map(str, seats))] if seats else []
        typed = ["balance", *self._read([board]), *only, "-n", self._games(games), "--seed", str(self.seed)]
        slug = _slug(typed)
        path = self.folder / slug
        if not (path / "whole").exists():
            self._timed(slug, *typed, "-o", str(path), "--quiet")
            (path / "whole").touch()
        self.show(*typed, "-o", board.replace(":", "-"), slug=slug)
        fewest, most = load_board(board).rules.players
        numbers = seats or range(fewest, most + 1)
        return {number: self._opened(path / f"{number}-{design}") for number in numbers}

    @property
    def games(self) -> int:
        """The number of games that were played, at least."""
        return sum(self.played.values())

    def _opened(self, path: Path) -> Run:
        run = Run.open(path)
        self.played[str(path)] = run.games_played
        return run

    def simulated(self, planners: int, games: int) -> Results:
        """Return games of planners on USA, with all that is known of each."""
        (board,) = self._read(["usa"])
        self.played[f"{planners} planners, {games}"] = games
        start = time.process_time()
        results = simulate(board=board, players=["planner"] * planners, games=games, seed=self.seed)
        self.simulating += time.process_time() - start
        return results

    def show(self, *words: str, slug: str = "") -> None:
        """Add a command to those that an answer names, with the time that playing `slug` took if it is known."""
        seconds = self._times().get(slug)
        typed = command_line(["ttrsim", *words]) + (f"  # {_about(seconds)}" if seconds else "")
        self.used += [] if typed in self.used else [typed]

    def show_python(self, lines: str, games: int) -> None:
        """Add lines of Python to the commands, with the time that simulating took.

        They can name the board, the number of games and the seed in braces.
        """
        (board,) = self._read(["usa"])
        typed = lines.format(board=board, games=games, seed=self.seed).strip()
        self.used += [f"python - <<'END'  # {_about(self.simulating)}\n{typed}\nEND"]
        self.simulating = 0.0

    def _timed(self, slug: str, *words: str) -> str:
        """Call ttrsim, and keep how long it took if that is the longest so far: what was played is only read again."""
        start = time.process_time()
        printed = _call(*words)
        times = self._times()
        times[slug] = max(times.get(slug, 0.0), time.process_time() - start)
        (self.folder / TIMES).write_text(json.dumps(times, indent=1), "utf-8")
        return printed

    def _times(self) -> dict[str, float]:
        path = self.folder / TIMES
        return json.loads(path.read_text("utf-8")) if path.exists() else {}

    def _read(self, words: Sequence[str]) -> list[str]:
        """Return words of a command with each board by the reading of the rules that is played."""
        return [f"{word}[{BY_THE_LETTER}]" if self.letter and word in board_names() else word for word in words]

    def _games(self, games: float) -> str:
        return str(max(2, round(games * self.scale)))


def _about(seconds: float) -> str:
    """Return a length of time in words.

    >>> _about(3), _about(47), _about(200)
    ('a few seconds', 'about 50 s', 'about 3 min')
    """
    if seconds < 8:
        return "a few seconds"
    return f"about {max(1, round(seconds / 10)) * 10} s" if seconds < 90 else f"about {seconds / 60:.0f} min"


def _slug(words: Sequence[str]) -> str:
    plain = re.sub(r"[^\w]+", "-", "-".join(words[:3])).strip("-").lower()
    return f"{plain}-{hashlib.sha256(' '.join(words).encode()).hexdigest()[:10]}"


def _call(*words: str) -> str:
    """Call ttrsim and return what it prints."""
    with redirect_stdout(io.StringIO()) as printed:
        failed = ttrsim(words)
    if failed:
        raise click.ClickException(f"{command_line(['ttrsim', *words])}: failed")
    return printed.getvalue()


def _made_by() -> dict[str, Any]:
    """Return what decides the games besides the commands."""
    strategies = {name: load_strategy(name).content_sha256 for name in strategy_names()}
    return {"rules_version": RULES_VERSION, "kit": kit_sha256(), "strategies": strategies}
