"""Catalogue of the plots of `ttrsim plot`: what each shows, the module that draws it, and what it is drawn from.

The command and its help, `run.plot`, `ttrsim.plots` and the table in docs/plots.md are built from it. Nothing heavy is
imported here, so that help is quick.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Plot:
    """A plot. The function that draws it has the plot's name."""

    shows: str  # for help
    module: str  # of `ttrsim.plots`
    statistic: str = ""  # the function that makes its data from a run
    table: str = ""  # or the table of a run that it shows
    trials: str = ""  # or the table of trials that it shows
    tuning: str = ""  # or the frame of a tuning
    values: tuple[str, ...] = ()  # columns that it can show, the default first
    on_board: bool = False
    by_strategy: bool = False  # can show one strategy alone
    by_ticket: bool = False  # shows one ticket
    has_margin: bool = False
    of_several: bool = False  # of several runs together
    replays: bool = False  # may have to replay games of the run
    takes_games: bool = False  # replays as many as are wanted
    needs: str = ""  # why a run may have no data for it

    @property
    def of_run(self) -> bool:
        """Return whether it can be drawn from a run."""
        return bool(self.statistic or self.table)


PLOTS = {
    "tickets": Plot(
        "what being offered each ticket does",
        module="ticket_values",
        statistic="ttrsim.stats:tickets",
        trials="swaps",
        values=("win_effect", "score_effect"),
        by_strategy=True,
        has_margin=True,
    ),
    "tickets_by_players": Plot(
        "what being offered each ticket does, with each number of players",
        module="by_players",
        statistic="ttrsim.stats.several_runs:tickets_by_players",
        of_several=True,
    ),
    "pairs": Plot(
        "which two tickets fit together, and which clash",
        module="ticket_pairs",
        statistic="ttrsim.stats:pairs",
        values=("win_synergy", "score_synergy"),
        needs="two tickets that were offered together",
    ),
    "wins_and_score": Plot(
        "what being offered each ticket does to wins, against what it does to the score",
        module="ticket_values",
        statistic="ttrsim.stats:tickets",
        by_strategy=True,
    ),
    "difficulty": Plot(
        "how often each ticket fails, against its printed value",
        module="ticket_values",
        trials="forced",
    ),
    "fair": Plot(
        "the value of each ticket, and the value it should have",
        module="ticket_values",
        trials="fair",
    ),
    "routes": Plot(
        "how often, or when, each route is claimed, on the board",
        module="routes_cities",
        statistic="ttrsim.stats:routes",
        values=("claim_rate", "turn", "taken"),
        on_board=True,
        by_strategy=True,
    ),
    "cities": Plot(
        "how many players reach each city, or when, on the board",
        module="routes_cities",
        statistic="ttrsim.stats:cities",
        values=("visitors", "turn", "taken"),
        on_board=True,
        by_strategy=True,
    ),
    "gifts": Plot(
        "what owning each route from the start is worth, on the board",
        module="routes_cities",
        trials="gifts",
        values=("score_effect", "win_effect", "completed_effect"),
        on_board=True,
    ),
    "closed": Plot(
        "what closing each route or city changes for a strategy, on the board",
        module="routes_cities",
        trials="closed",
        values=("score_change", "win_change", "completed_change", "turns_change"),
        on_board=True,
        by_strategy=True,
    ),
    "paths": Plot(
        "the routes by which a ticket is completed, on the board",
        module="routes_cities",
        statistic="ttrsim.stats.paths:paths",
        on_board=True,
        by_strategy=True,
        by_ticket=True,
        replays=True,
    ),
    "strategies": Plot(
        "the share of games that each strategy wins",
        module="standings",
        statistic="ttrsim.stats:strategies",
    ),
    "strength": Plot(
        "how strong each strategy is, and which ranks it can have",
        module="standings",
        statistic="ttrsim.stats:strength",
    ),
    "versus": Plot(
        "how often each strategy finishes ahead of every other",
        module="standings",
        statistic="ttrsim.stats:versus",
        needs="two strategies that meet",
    ),
    "scores": Plot(
        "how scores are distributed, and which of them win",
        module="distributions",
        table="scores",
    ),
    "parts": Plot(
        "what the mean score of each strategy is made of",
        module="standings",
        statistic="ttrsim.stats:strategies",
    ),
    "luck": Plot(
        "how much of scores and wins is strategy, seat, deal and the rest",
        module="standings",
        statistic="ttrsim.stats:luck",
    ),
    "seats": Plot(
        "the win share of each seat",
        module="rows",
        statistic="ttrsim.stats:seats",
        has_margin=True,
    ),
    "seats_by_players": Plot(
        "what each seat does to winning, with each number of players, on one board or several",
        module="by_players",
        statistic="ttrsim.stats.several_runs:seats_by_players",
        of_several=True,
    ),
    "lengths": Plot(
        "how many rounds games take",
        module="distributions",
        statistic="ttrsim.stats.distributions:rounds",
    ),
    "convergence": Plot(
        "win shares and their intervals after more and more games",
        module="over_time",
        statistic="ttrsim.stats.standings:convergence",
        needs="at least 5 finished batches; play more games",
    ),
    "precision": Plot(
        "how narrow those intervals are after more and more games",
        module="over_time",
        statistic="ttrsim.stats.standings:convergence",
        needs="at least 5 finished batches; play more games",
    ),
    "race": Plot(
        "how scores rise round by round, in games that are played again",
        module="over_time",
        statistic="ttrsim.stats.distributions:race",
        replays=True,
        takes_games=True,
    ),
    "trace": Plot(
        "how a search for parameters went, generation by generation",
        module="tuning",
        tuning="trace",
    ),
    "parameters": Plot(
        "where in its bounds each tuned parameter ended, and what it is worth",
        module="tuning",
        tuning="parameters",
    ),
}
