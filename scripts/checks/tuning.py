"""Check that a tuning finds what is there and claims nothing that is not: `python scripts/verify.py tuning`."""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import click

import ttrsim
from ttrsim.files import data_folder
from ttrsim.tuner import Tuning

SPOILT = {"thrift": ("0.75", "4"), "alarm": ("13.5", "90"), "patience": ("6", "0")}
"""Parameters of planner: their defaults, and those of the spoilt copy."""
LEAST = 0.49
"""The win share against the original that a tuned copy must have."""
MOST_CLAIMS = 0.08
"""The share of tunings on noise that may claim a gain."""
NOISE = '''\
"""Plays at random; its parameters only choose which random numbers."""

from ttrsim.bot import any_action, below

NAME = "noise"
PARAMS = {"first": (5, 0, 10), "second": (5, 0, 10), "third": (5, 0, 10)}


def decide(board, table, hand, mind):
    """A random legal action, after as many random numbers as the parameters say."""
    skipped = mind.params["first"] * 3 + mind.params["second"] * 5 + mind.params["third"] * 7
    for _ in range(int(skipped) % 5):
        below(mind.rng, 2)
    return any_action(board, table, hand, mind)
'''


def spoilt_planner(folder: Path) -> Path:
    """Write a copy of planner in which three parameters have bad defaults."""
    text = (data_folder() / "strategies" / "planner.py").read_text("utf-8")
    for name, (good, bad) in SPOILT.items():
        before, after = (f'"{name}": ({value},' for value in (good, bad))
        assert text.count(before) == 1, before
        text = text.replace(before, after)
    path = folder / "spoilt.py"
    path.write_text(text, "utf-8")
    return path


def noise(folder: Path) -> Path:
    """Write a strategy whose parameters make no difference on average."""
    path = folder / "noise.py"
    path.write_text(NOISE, "utf-8")
    return path


def undone(folder: Path, seconds: float, seed: int) -> Tuning:
    """Tune the spoilt copy against the original."""
    bot = spoilt_planner(folder)
    return ttrsim.tune(str(bot), board="usa", seats=2, against="planner", minutes=seconds / 60, seed=seed)


@click.command()
@click.option("--seconds", default=60.0, show_default=True, help="Time to undo the handicap.")
@click.option("--runs", default=200, show_default=True, help="Tunings on noise.")
@click.option("--games", default=6000, show_default=True, help="Games of each of them.")
@click.option("--seed", default=1, show_default=True)
def tuning(seconds: float, runs: int, games: int, seed: int) -> None:
    """Let a tuning undo a planted handicap, and let many look for a gain where there is none."""
    with TemporaryDirectory() as name:
        row = (found := undone(Path(name), seconds, seed)).gains.iloc[0]
        click.echo(
            f"planner with {', '.join(SPOILT)} spoilt, tuned for {seconds:g} s ({found.games:,} games), USA, 2 players:"
        )
        click.echo(
            f"  against planner {100 * row['start']:.1f} % before, {100 * row['tuned']:.1f} % "
            f"({100 * row['tuned_low']:.1f} to {100 * row['tuned_high']:.1f}) after; at least {100 * LEAST:g} wanted"
        )
        bot = noise(Path(name))
        claims = sum(claims_gain(bot, games, seed + number) for number in range(runs))
    click.echo(
        f"{claims} of {runs} tunings of {games:,} games claim a gain on noise; at most {MOST_CLAIMS * runs:g} may"
    )
    sys.exit(bool(row["tuned"] < LEAST or claims > MOST_CLAIMS * runs))


def claims_gain(bot: Path, games: int, seed: int) -> bool:
    """Return whether a tuning on noise claims a gain."""
    found = ttrsim.tune(str(bot), board="san_francisco", seats=2, against="random", games=games, seed=seed)
    return found.verdict == "better"
