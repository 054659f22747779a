"""How scores rose in a few games of a run, which are played again for it."""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run

GAMES = 20


def race(run: "Run", games: int = GAMES) -> "pd.DataFrame":
    """Scores by round in some games, taken evenly from the run.

    A row is a seat of a game after a round: `game`, `strategy`, `seat`, `round` (each seat's turns so far) and
    `score`, without the final scoring; the last row of each has `final` set and the score that counts.
    """
    import pandas as pd

    from ttrsim.runs.read import check_replay

    check_replay(run.folder, run.plan)
    numbers = np.unique(np.linspace(0, run.games_played - 1, games).astype(int))
    return pd.concat([_of_game(run, int(number)) for number in numbers], ignore_index=True)


def _of_game(run: "Run", number: int) -> "pd.DataFrame":
    import pandas as pd

    game, recording = run.player.replay(number)
    events, players = recording.events, run.plan.seats
    rounds = events["turn"] // players
    last = np.flatnonzero(np.diff(rounds, append=rounds[-1] + 1))  # decision of each round
    names = [strategy.spec for strategy in game.line_up]
    made = []
    for seat, name in enumerate(names):
        scores = [*events["after"]["table"]["score"][last, seat], recording.seats["score"][0, seat]]
        ends = np.append(rounds[last] + 1, rounds[-1] + 1)
        final = np.arange(len(scores)) == len(last)
        made.append(
            pd.DataFrame(
                {"game": number, "strategy": name, "seat": seat, "round": ends, "score": scores, "final": final}
            )
        )
    return pd.concat(made, ignore_index=True)
