"""Kernels compiled as parts against kernels compiled by numba alone, with several versions of numba."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import click

ROOT = Path(__file__).parents[2]
GAMES = 400
PROBE = f"""
import hashlib
import numba
from ttrsim.core.jit import PARTS
from ttrsim.games import make_games
from ttrsim.strategies import strategy_names

digest = hashlib.sha256()
for board in ("usa", "europe:mega", "old_west:alvin", "san_francisco"):
    for name in strategy_names():
        games = {GAMES} if name != "lookahead" else 2
        results = make_games(board, f"{{name}},random,{{name}}", 1).play(range(games))
        digest.update(results.seats.tobytes() + results.games.tobytes())
print("parts" if PARTS else "numba alone", numba.__version__, digest.hexdigest())
"""


@click.command("compile")
@click.option("--numba", "versions", multiple=True, default=("0.61.0", "0.68.1"), show_default=True, help="A version of numba to install.")  # fmt: skip  # noqa: E501
def compiled(versions: tuple[str, ...]) -> None:
    """Play all strategies with kernels compiled as parts and by numba alone: all results must be the same bytes."""
    digests = set()
    with tempfile.TemporaryDirectory() as folder:
        for version in versions:
            python = Path(folder, version, "bin", "python")
            subprocess.run([sys.executable, "-m", "venv", python.parents[1]], check=True)
            subprocess.run([python, "-m", "pip", "install", "-q", "-e", ROOT, f"numba=={version}"], check=True)
            for parts in ("1", "0"):
                environment = {**os.environ, "TTRSIM_PARTS": parts, "TTRSIM_CACHE_DIR": folder}
                ended = subprocess.run(
                    [python, "-c", PROBE], env=environment, check=True, capture_output=True, text=True
                )
                click.echo(ended.stdout.strip())
                digests.add(ended.stdout.split()[-1])
    if len(digests) > 1:
        raise SystemExit("the results differ")
    click.echo("all results are the same")
