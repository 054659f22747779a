"""Report on a run: who wins, what tickets and routes do, whether seats are fair, and how sure the answers are."""

from typing import TYPE_CHECKING

from ttrsim import plots, stats
from ttrsim.core.sums import WHOLE_WIN
from ttrsim.formatting import counted
from ttrsim.report.answers import (
    CHECKS,
    caption,
    caveats,
    disagreement,
    how_sure,
    not_tested,
    overstated,
    seat_for_whom,
    tickets_for_whom,
    warnings,
    which_routes,
    which_seat,
    which_tickets,
    who_wins,
)
from ttrsim.report.document import Answer, Figure, Report, Section, Shown, provenance
from ttrsim.report.glance import answering, headline, summary_cards
from ttrsim.report.prose import methods
from ttrsim.runs.copies import described
from ttrsim.stats.catalogue import STATISTICS, definition, function
from ttrsim.stats.distributions import rounds
from ttrsim.stats.sanity_checks import checks_line, verdict
from ttrsim.stats.standings import CONVERGENCE, MARGIN, convergence
from ttrsim.stats.ticket_values import offer_effects

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.runs import Run

Frames = dict[str, "pd.DataFrame"]

METHODS = (
    "games",
    "errors",
    "rare",
    "families",
    "answers",
    "offers",
    "strategies",
    "descriptions",
    "margin",
    "strength",
    "sanity",
)


def report_of_run(run: "Run", margin: float = MARGIN) -> Report:
    """Make the report of a run. margin: the largest difference in win share that does not matter."""
    frames = _frames(run, margin)
    panel, recipe, sections = verdict(frames["sanity"]), run.recipe, _sections(run, frames, margin)
    return Report(
        kind="run",
        title=headline(run, frames["strategies"]),
        about=[
            counted(run.games_played, "game"),
            f"{recipe.seats} players",
            f"board {run.board.id}",
            f"seed {recipe.seed}",
        ],
        warnings=warnings(run),
        cards=summary_cards(run, frames, margin),
        caveats=caveats([run], checks_line(frames["sanity"])),
        sections=sections,
        closing=[
            Answer("How sure are we?", how_sure(run, frames["strategies"], sections)),
            Answer("What was not tested?", not_tested([run])),
        ],
        sanity=panel,
        methods=methods(METHODS),
        provenance=provenance([run]),
        commands=[recipe.command],
        caption=caption([run.board]),
    )


def _frames(run: "Run", margin: float) -> Frames:
    others = [name for name in STATISTICS if name not in ("seats", "tickets", "strength", "versus")]
    return {name: function(name)(run) for name in others} | {
        **answering(run, margin),
        "tickets_by_strategy": stats.tickets(run),
        "routes_by_strategy": stats.routes(run, "strategy"),
        "cities_by_strategy": stats.cities(run, "strategy"),
        "strategies_by_seat": stats.strategies(run, "seat"),
    }


def _which_tickets(run: "Run", frames: Frames, margin: float) -> Answer:
    """Name the tickets that matter, say for whom they do, and where wins and the score disagree."""
    frame, question = frames["tickets"], "Which tickets help, and which hurt?"
    found = which_tickets(frame, margin, run.games_played)
    if frame["win_effect_low"].isna().all():
        return Answer(question, found)
    names = [run.board.ticket_name(ticket) for ticket in run.board.tickets]
    named = (frame["win_effect_low"] > 0).any()
    points = [
        disagreement(frame),
        tickets_for_whom(frame, frames["tickets_by_strategy"]),
        overstated(offer_effects(run, "win60", "all").scaled(1 / WHOLE_WIN), names) if named else "",
    ]
    return Answer(question, found, [*filter(None, points)])


def _which_seat(run: "Run", frames: Frames, margin: float) -> str:
    """State whether seats are fair, and for whom."""
    found = which_seat(frames["seats"], margin)
    rotated = (frames["seats"]["verdict"] != "not rotated").all()
    return f"{found} {seat_for_whom(frames['seats'], run.strategies)}" if rotated else found


def _sections(run: "Run", frames: Frames, margin: float) -> list[Section]:
    """Return figures with the tables behind them, strategies first."""
    several = len(run.strategies) > 1
    parts = [_who_wins(run, frames), _head_to_head(frames)] if several else []
    parts += [_tickets(run, frames, margin), _seats(run, frames, margin), _routes(run, frames), _cities(run, frames)]
    parts += [_scores(run, frames), _games(run, frames), *([_course(run)] if several else [])]
    return [*parts, Section("Checks", CHECKS, tables=[_shown("sanity", "Checks", frames)])]


def _shown(name: str, title: str, frames: Frames, of: str = "") -> Shown:
    """Return a table by the name of its frame. of: the name of its definition, if that differs."""
    return Shown(name, title, definition(of or name), frames[name])


def _who_wins(run: "Run", frames: Frames) -> Section:
    words = who_wins(run, frames["strategies"], frames["strength"], frames["versus"])
    alt = "Win share of each strategy with its interval, against the fair share"
    return Section(
        "Strategies",
        answer=Answer("Who wins, and by how much?", words),
        terms=[*described(run.folder, run.recipe).items()],
        figures=[Figure(lambda: plots.strategies(frames["strategies"]), alt)],
        tables=[
            _shown("strategies", "Strategies", frames),
            _shown("strategies_by_seat", "Strategies in each seat", frames, "strategies"),
        ],
    )


def _head_to_head(frames: Frames) -> Section:
    figures = [
        Figure(lambda: plots.strength(frames["strength"]), "Strength of each strategy, with the ranks it can have")
    ]
    if len(frames["versus"]):
        alt = "A square for each pair of strategies, with how often one finishes ahead of the other"
        figures.append(Figure(lambda: plots.versus(frames["versus"]), alt))
    return Section(
        "Strategies against each other",
        figures=figures,
        tables=[_shown("versus", "Head to head", frames), _shown("strength", "Strength", frames)],
    )


def _scores(run: "Run", frames: Frames) -> Section:
    return Section(
        "Scores",
        figures=[
            Figure(lambda: plots.luck(frames["luck"]), "How much of scores and wins is luck"),
            Figure(lambda: plots.parts(frames["strategies"]), "What the mean score of each strategy is made of"),
            Figure(lambda: plots.scores(run.table("scores")), "Distribution of the scores of each strategy"),
        ],
        tables=[_shown("luck", "How much is luck", frames), _shown("scores", "Scores", frames)],
    )


def _tickets(run: "Run", frames: Frames, margin: float) -> Section:
    frame, each = frames["tickets"], frames["tickets_by_strategy"]
    strategies = each if each["strategy"].nunique() > 1 else None
    figures = []
    if frame["win_effect"].notna().any():
        wins = "What being offered each ticket does to wins"
        figures = [Figure(lambda: plots.tickets(frame, margin=margin, strategies=strategies), wins)]
        if frame["score_effect"].notna().any():
            alt = "A point for each ticket, with its effects on wins and on the score"
            figures.append(Figure(lambda: plots.wins_and_score(frame), alt))
    return Section(
        "Tickets",
        "Being dealt a ticket is chance, so the effect of the offer is what the ticket does. Keeping and completing it "
        "are choices: those who keep a ticket win more or less for other reasons, too.",
        answer=_which_tickets(run, frames, margin),
        figures=figures,
        tables=[
            _shown("tickets", "Tickets", frames),
            _shown("tickets_by_strategy", "Tickets of each strategy", frames, "tickets"),
            _shown("pairs", "Pairs of tickets", frames),
        ],
    )


def _routes(run: "Run", frames: Frames) -> Section:
    return Section(
        "Routes",
        answer=Answer("Which routes are taken early?", which_routes(frames["routes"])),
        figures=[
            Figure(lambda: plots.routes(frames["routes"], run.board), "The board, with how often each route is claimed")
        ],
        tables=[
            _shown("routes", "Routes", frames),
            _shown("routes_by_strategy", "Routes of each strategy", frames, "routes"),
        ],
    )


def _cities(run: "Run", frames: Frames) -> Section:
    return Section(
        "Cities",
        figures=[
            Figure(
                lambda: plots.cities(frames["cities"], run.board), "The board, with how many players reach each city"
            )
        ],
        tables=[
            _shown("cities", "Cities", frames),
            _shown("cities_by_strategy", "Cities of each strategy", frames, "cities"),
        ],
    )


def _seats(run: "Run", frames: Frames, margin: float) -> Section:
    answer = Answer("Is the first seat better?", _which_seat(run, frames, margin))
    figure = Figure(
        lambda: plots.seats(frames["seats"], margin=margin), "Win share of each seat, against the fair share"
    )
    return Section("Seats", answer=answer, figures=[figure], tables=[_shown("seats", "Seats", frames)])


def _games(run: "Run", frames: Frames) -> Section:
    figure = Figure(lambda: plots.lengths(rounds(run)), "Distribution of the number of rounds in a game")
    return Section("Games", figures=[figure], tables=[_shown("games", "Games", frames)])


def _course(run: "Run") -> Section:
    """Return the section on how precision grows with more and more games."""
    frame = convergence(run)
    if frame.empty:
        return Section(
            "Precision", f"{counted(len(run.batches), 'batch', 'batches')} are too few to show how precision grows."
        )
    return Section(
        "Precision",
        figures=[
            Figure(lambda: plots.convergence(frame), "Win shares with their intervals, against games played"),
            Figure(lambda: plots.precision(frame), "Width of the intervals of win shares, against games played"),
        ],
        tables=[Shown("convergence", "Win shares after more and more games", CONVERGENCE, frame)],
    )
