"""Compare two runs, or two boards, line-ups or versions of a bot on the same deals: `ttrsim.compare`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ttrsim.boards import Board
from ttrsim.boards.reading import UnknownBoard, locate_board
from ttrsim.compiling import compile_first, cores
from ttrsim.errors import UsageError
from ttrsim.progress import Listener, OnMessage, OnProgress
from ttrsim.runs.arguments import NEEDED, Players, check_all, chosen, out_folder, seed_for, whole
from ttrsim.runs.lockstep import play_in_step
from ttrsim.runs.playing import Engine, Player, local_engine
from ttrsim.runs.read import Run
from ttrsim.runs.recipe import InStep, Sprt
from ttrsim.runs.run import counting, new_player, place_for, play
from ttrsim.runs.stopping import HYPOTHESES, SprtState, make_sprt
from ttrsim.runs.store import Folder
from ttrsim.schedule import Design, Rotate
from ttrsim.stats.compare import Pair, changes, match_strategies, sequential, tested, wins_by_batch
from ttrsim.stats.deciding import read_tables
from ttrsim.stats.fairness import fairness, tables_of_both
from ttrsim.stats.verdicts import ConditionResult, check_condition, read_condition

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.examination import Balance
    from ttrsim.report.document import Report

GAMES = 100_000
"""Games on each side by default."""
SIDES = ("a", "b")
"""The folders of the two runs, within that of a comparison."""

Side = Run | str | Path | Board | Mapping[str, Any]
"""A run, its folder, a board, or the `board` and `players` of a run that is going to be played."""


@dataclass
class Comparison:
    """The changes from run A to run B."""

    pair: Pair
    changes: "pd.DataFrame"
    test: Sprt | None = None  # whether a strategy wins more in B
    state: SprtState | None = None  # of that test
    conditions: Sequence[ConditionResult] = ()  # on the conditions of `fail_on`

    def __repr__(self) -> str:
        a, b = (f"{run.board.id} ({', '.join(run.strategies)})" for run in (self.a, self.b))
        return f"<Comparison of {a} with {b}: {len(self.changes)} changes>"

    def _repr_html_(self) -> str:
        from ttrsim.notebook import comparison_html

        return comparison_html(self)

    @property
    def a(self) -> Run:
        """The first run."""
        return self.pair.a

    @property
    def b(self) -> Run:
        """The second run."""
        return self.pair.b

    @cached_property
    def answers(self) -> list[str]:
        """Return the sentences that begin the page: what changed and what did not."""
        from ttrsim.report.compare_glance import answers_of_compare

        return answers_of_compare(self.pair)

    def table(self, name: str) -> "pd.DataFrame":
        """Return the changes of strategies, seats, games or tickets."""
        return self.changes[self.changes["table"] == name]

    def report(self, *paths: str | Path, margin: float = 0.01) -> "Report":
        """Make a report of the comparison, and write it to .html, .md or .json files."""
        from ttrsim.report.of_compare import report_of_compare
        from ttrsim.report.page import write_all

        return write_all(paths, lambda: report_of_compare(self.a, self.b, margin))


def compare(
    a: Side,
    b: Side,
    *,
    board: str | Path | Board | None = None,
    players: Players | None = None,
    games: float | None = None,
    seed: int | None = None,
    design: Design | None = None,
    seats: int | None = None,
    rotate: Rotate | None = None,
    sprt: str | None = None,
    elo0: float | None = None,
    elo1: float | None = None,
    alpha: float | None = None,
    beta: float | None = None,
    fail_on: Sequence[str] = (),
    out: str | Path | None = None,
    threads: int | None = None,
    progress: OnProgress | None = None,
    message: OnMessage | None = None,
) -> Comparison:
    """Compare B with A, playing any side that is not stored, with the same deals on both sides.

    Each side is a run, its folder, a board, or a dictionary with the `board` and the `players` of a run. Give once what
    both sides share; if one side is stored, everything else is taken from it.

    games: on each side, by default 100,000; sprt: test batch by batch whether this strategy wins more in B, and stop
    once that is known; fail_on: conditions such as `seat>1pp`, for `conditions`; out: a folder for both runs, `a` and
    `b`; runs already begun there are continued.

    >>> compare("usa", "usa:mega", players="random,random_kind", games=2000, seed=1).table("seats")
    >>> compare({"players": "random,one_step"}, {"players": "random,planner"}, board="usa", games=200).changes
    """
    conditions = [read_condition(text) for text in fail_on]
    hypotheses = chosen(dict(zip(HYPOTHESES, (elo0, elo1, alpha, beta), strict=True)))
    if hypotheses and sprt is None:
        raise UsageError([f"`{next(iter(hypotheses))}`: needs `sprt`"])
    number = None if games is None else whole("games", games)
    shared = chosen({"board": board, "players": players, "games": number, "design": design, "seats": seats})
    shared |= chosen({"rotate": rotate, "seed": seed})
    folder = None if out is None else out_folder(out).path
    seed, about_seed = seed_for(seed, [folder / side for side in SIDES] if folder else [], folder)
    sides = _sides((_side(a), _side(b)), shared, seed)
    if folder and not any(isinstance(side, Player) for side in sides):
        raise UsageError([f"`out` {folder}: both sides are stored already"])
    test = None if sprt is None else _test(sprt, hypotheses, [side.recipe.names for side in sides])
    listener = Listener(progress, message)
    first, second = _played(sides, folder, test, local_engine(threads or cores()), listener, about_seed)
    listener.doing("Comparing the runs ...")
    pair = Pair.of(first, second)
    frame = changes(pair)
    state = _look(pair, test) if test else None
    return Comparison(pair, frame, test, state, [check_condition(c, frame, first.games_played) for c in conditions])


@dataclass
class BalanceComparison:
    """The changes of distance from fair between examinations A and B."""

    a: list[Run]
    b: list[Run]
    frame: "pd.DataFrame"  # sizes, and every seat, ticket, strategy, city and connection

    def __repr__(self) -> str:
        return f"<BalanceComparison of {self.a[0].board.id} with {self.b[0].board.id}>"

    @cached_property
    def answers(self) -> list[str]:
        """Return the sentences that begin the page: in what B is nearer to fair, and in what farther."""
        from ttrsim.report.balance_glance import answers_of_fairness

        return answers_of_fairness(self.a, self.b)

    @property
    def unpaired(self) -> list[str]:
        """Return why tables could not be paired, which makes errors larger."""
        return list(dict.fromkeys(pair.unpaired for pair in tables_of_both(self.a, self.b) if pair.unpaired))

    def report(self, *paths: str | Path) -> "Report":
        """Make a report of the comparison, and write it to .html, .md or .json files."""
        from ttrsim.report.of_fairness import report_of_fairness
        from ttrsim.report.page import write_all

        return write_all(paths, lambda: report_of_fairness(self))


def compare_balances(a: "Balance | str | Path", b: "Balance | str | Path") -> BalanceComparison:
    """Compare two examinations by how far from fair they are: results of `ttrsim.balance`, or their folders.

    >>> compare_balances("before", "after").answers
    """
    one, other = (read_tables(Path(side)) if isinstance(side, str | Path) else side.runs for side in (a, b))
    return BalanceComparison(one, other, fairness(one, other))


def is_run(side: str | Path) -> bool:
    """Return whether a name is the folder of a run rather than a board."""
    return str(side) != "" and Folder(side).begun


def _side(side: Side) -> Run | dict[str, Any]:
    """Return a side as a run, or as the options that set it apart."""
    if isinstance(side, Run):
        return side
    if isinstance(side, Mapping):
        return dict(side)
    if isinstance(side, Board):
        return {"board": side}
    if is_run(side):
        return Run.open(side)
    check_board(str(side))
    return {"board": str(side)}


def check_board(name: str) -> None:
    """Refuse a name that is neither a board nor, as was checked before, the folder of a run."""
    try:
        locate_board(name)
    except UnknownBoard as e:
        problem = f"{name or repr(name)}: is not the folder of a run, and there is {e.problems[0]}"
        raise UsageError([problem]) from None


def _sides(sides: Sequence[Run | dict[str, Any]], shared: Mapping[str, Any], seed: int) -> list[Run | Player]:
    """Return stored runs, and players for the others. seed: for both sides if neither is stored."""
    stored = [side for side in sides if isinstance(side, Run)]
    flags = [f"`{name}`" for name in shared]
    if len(stored) == 2:
        if flags:
            one, other = (run.folder.path for run in stored)
            raise UsageError([f"{flags[0]}: the two sides are {one} and {other}; leave out the rest"])
        return [*stored]
    if stored:
        (run,) = stored
        if flags:
            raise UsageError(
                [f"{flags[0]}: is the same as in {run.folder.path}; give only a different board or players"]
            )
        same = {**run.recipe.options, "stop": None}
        return [side if isinstance(side, Run) else _in_laps([{**same, **side}], run.recipe.laps)[0] for side in sides]
    options = [{"games": GAMES, **shared, "seed": seed, **side} for side in sides if not isinstance(side, Run)]
    for name in ("board", "players"):
        if not all(name in side for side in options):
            raise UsageError([f"Missing option '{NEEDED[name]}'."])
    return [*_in_laps(options)]


def _in_laps(options: Sequence[dict[str, Any]], laps: int | None = None) -> list[Player]:
    """Return players with equal laps, so that batches are the same blocks, and at least the games asked for."""
    made = [new_player(**{**side, "record": ()}) for side in options]
    if len(made) == 2 and made[0].recipe == made[1].recipe:
        raise UsageError(["nothing differs: both sides are the same games"])
    most = laps or max(player.recipe.laps for player in made)
    return [player.changed(laps=most) for player in made]


def _test(name: str, hypotheses: Mapping[str, float], names: Sequence[Sequence[str]]) -> Sprt:
    """Return the sequential test: whether a strategy of B wins more than the one of A that it is compared with."""
    both = [(names[0][i], names[1][j]) for _, i, j in match_strategies(*names) if i >= 0 and j >= 0]
    pair = next((pair for pair in both if name in pair), None)
    if pair is None:
        compared = ", ".join(a if a == b else f"{a} → {b}" for a, b in both)
        raise UsageError([f"`sprt` {name}: does not play on both sides; those compared are {compared or 'none'}"])
    return make_sprt((pair[1], pair[0]), hypotheses)


def _played(
    sides: Sequence[Run | Player],
    out: Path | None,
    test: Sprt | None,
    engine: Engine,
    listener: Listener,
    about_seed: Sequence[str],
) -> list[Run]:
    """Return both runs, playing those that are not stored into the folders `a` and `b` of `out` or a temporary one.

    With a test, and nothing stored, they are played only until the test is decided.
    """
    players = [side for side in sides if isinstance(side, Player)]
    together = test if len(players) == 2 else None
    if together:
        sides = players = [player.changed(stop=InStep()) for player in players]
    if out:
        check_all(out, {name: side for name, side in zip(SIDES, sides, strict=True) if isinstance(side, Player)})
    compile_first([strategy for player in players for strategy in player.strategies], listener)
    for sentence in about_seed if len(players) == 2 else ():
        listener.message(sentence)
    place, home = place_for(out)
    folders = [Folder(place / name) for name in SIDES]
    if together and not _play_in_step(players, folders, together, engine, listener):
        return [Run(folder, player, home=home) for folder, player in zip(folders, players, strict=True)]
    return [
        side if isinstance(side, Run) else play(side, folder, engine, listener, home=home)
        for side, folder in zip(sides, folders, strict=True)
    ]


def _play_in_step(
    players: Sequence[Player], folders: Sequence[Folder], test: Sprt, engine: Engine, listener: Listener
) -> bool:
    """Play both until the test is decided. Return whether they were played to the end, or else left unfinished."""
    numbers = [player.recipe.names.index(name) for player, name in zip(players, (test.second, test.first), strict=True)]

    def answered(a: Any, b: Any) -> bool:
        return tested(test, a, b).accepted is not None

    with counting(players[1], listener) as update:
        laps = play_in_step(players, folders, engine, numbers, answered, update, listener.warn)
    return laps == players[0].recipe.laps


def _look(pair: Pair, test: Sprt) -> SprtState:
    """Return the state of the sequential test after the batches of both runs."""
    if pair.unpaired:
        raise UsageError([f"`sprt`: needs the same blocks on both sides, but {pair.unpaired}"])
    looked = isinstance(pair.a.recipe.stop, InStep) and isinstance(pair.b.recipe.stop, InStep)
    return (tested if looked else sequential)(
        test, wins_by_batch(pair.a, test.second), wins_by_batch(pair.b, test.first)
    )
