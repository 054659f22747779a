"""Play a run that is never stored, for searches that play thousands of short ones: only its sums are kept."""

from collections.abc import Callable
from contextlib import closing
from functools import cached_property

from ttrsim.games import SHARD_GAMES, Results
from ttrsim.runs.laps import pieces, power_below
from ttrsim.runs.playing import Player
from ttrsim.runs.read import Run
from ttrsim.runs.tally import Adder, Tally
from ttrsim.schedule import Schedule
from ttrsim.threads import on_threads


class RunInMemory(Run):
    """The sums of a finished run, as `ttrsim.stats` reads them; it has neither a folder nor rows nor a digest."""

    def __init__(self, player: Player, tally: Tally) -> None:
        self.recipe, self.player, self.board = player.recipe, player, player.board
        self.strategies = player.recipe.names
        self._sums = tally

    def __repr__(self) -> str:
        return f"<Run of {self.board.id} in memory: {self.games_played:,} games, seed {self.recipe.seed}>"

    @property
    def finished(self) -> bool:
        """True: it is made from games that were all played."""
        return True

    @property
    def digest(self) -> None:
        """None: games are added up and not hashed."""
        return

    @cached_property
    def schedule(self) -> Schedule:
        """The numbering and division of the games."""
        return self.recipe.schedule

    @cached_property
    def batches(self) -> list[int]:
        """The numbers of its batches."""
        return list(range(self.schedule.batches))

    @property
    def tally(self) -> Tally:
        """The sums of all games."""
        return self._sums


def play_in_memory(player: Player, threads: int, on_games: Callable[[int], None] = lambda games: None) -> RunInMemory:
    """Play all games of a player and return their sums. on_games: called with the number of games just played."""
    player.compile()
    schedule, batch = player.schedule, player.schedule.batch_laps
    most = power_below(max(1, SHARD_GAMES // schedule.lap_games))
    total = Tally(player.sizes, batch)

    def work(laps: range, stopped: Callable[[], bool]) -> tuple[int, Tally]:
        results = player.play(laps, stopped)
        tally = Tally(player.sizes, batch)
        blocks, _ = schedule.where(results.games["index"])
        adder = Adder(player.record, tally)
        for piece in pieces(laps, batch):
            start = (piece.start - laps.start) * schedule.lap_games
            part = slice(start, start + len(piece) * schedule.lap_games)
            adder.add(piece.start, Results(results.games[part], results.seats[part]), blocks[part])
        return len(results.games), tally

    with closing(on_threads(threads, work, pieces(range(player.recipe.laps), most))) as parts:
        for games, part in parts:
            total.add(part)
            on_games(games)
    return RunInMemory(player, total)
