"""Report on a run: who wins, what tickets and routes do, whether seats are fair, and how sure the answers are."""

from typing import TYPE_CHECKING

from ttrsim import plots, stats
from ttrsim.batches import level_of_each
from ttrsim.core.sums import WHOLE_WIN
from ttrsim.formatting import command_line, counted
from ttrsim.report.answers import (
    CHECKS,
    caption,
    how_sure,
    not_tested,
    over_par,
    overstated,
    seat_for_whom,
    ticket_verdicts,
    tickets_for_whom,
    verdict_words,
    warnings,
    which_routes,
    which_seat,
    which_tickets,
    who_wins,
)
from ttrsim.report.document import Answer, Figure, Report, Section, Shown, provenance
from ttrsim.report.prose import in_pp, methods
from ttrsim.stats.catalogue import STATISTICS, definition, function
from ttrsim.stats.sanity_checks import verdict
from ttrsim.stats.standings import CONVERGENCE, MARGIN, convergence
from ttrsim.stats.ticket_values import offer_effects
from ttrsim.words import listed

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
    panel, plan, sections = verdict(frames["sanity"]), run.plan, _sections(run, frames, margin)
    return Report(
        kind="run",
        title=f"{run.board.name}: {listed(run.strategies)}",
        about=[
            counted(run.games_played, "game"),
            f"{plan.seats} players",
            f"board {run.board.id}",
            f"seed {plan.seed}",
        ],
        warnings=warnings(run),
        answers=[
            Answer(
                "Who wins, and by how much?", who_wins(run, frames["strategies"], frames["strength"], frames["versus"])
            ),
            Answer("Which tickets help, and which hurt?", _which_tickets(run, frames, margin)),
            Answer("Which routes are worth taking early?", which_routes(frames["routes"])),
            Answer("Is the first seat better?", _which_seat(run, frames, margin)),
            Answer("Is this board fair?", _fair(run, frames, margin)),
            Answer("How sure are we?", how_sure(run, frames["strategies"], panel, sections)),
            Answer("What was not tested?", not_tested([run])),
        ],
        sections=sections,
        sanity=panel,
        methods=methods(METHODS),
        provenance=provenance([run]),
        commands=[plan.command],
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


def answering(run: "Run", margin: float) -> Frames:
    """Return the frames that answers in words go by, with intervals that hold in all of them together.

    Families are tickets and seats; of several strategies also their leads, and for whom tickets and seats turn around.
    """
    level = level_of_each(5 if len(run.strategies) > 1 else 2)
    return {
        "seats": stats.seats(run, margin, level),
        "tickets": stats.tickets(run, "all", level),
        "strength": stats.strength(run, level),
        "versus": stats.versus(run, level),
    }


def _which_tickets(run: "Run", frames: Frames, margin: float) -> str:
    """Name the tickets that matter, and for whom they do."""
    found = which_tickets(frames["tickets"], margin, run.games_played)
    if frames["tickets"]["win_effect_low"].isna().all():
        return found
    names = [run.board.ticket_name(ticket) for ticket in run.board.tickets]
    named = (frames["tickets"]["win_effect_low"] > 0).any()
    words = [
        found,
        tickets_for_whom(frames["tickets"], frames["tickets_by_strategy"]),
        overstated(offer_effects(run, "win60", "all").scaled(1 / WHOLE_WIN), names) if named else "",
    ]
    return " ".join(filter(None, words))


def _which_seat(run: "Run", frames: Frames, margin: float) -> str:
    """State whether seats are fair, and for whom."""
    found = which_seat(frames["seats"], margin)
    rotated = (frames["seats"]["verdict"] != "not rotated").all()
    return f"{found} {seat_for_whom(frames['seats'], run.strategies)}" if rotated else found


def _fair(run: "Run", frames: Frames, margin: float) -> str:
    """Answer whether the board is fair, as far as one run of some strategies shows."""
    seats = {verdict for verdict in frames["seats"]["verdict"] if verdict != "not rotated"}
    found = seats | set(ticket_verdicts(frames["tickets"], margin, run.games_played)[0])
    bound = f"{in_pp(margin)} of win share"
    words = {
        "imbalanced": f"Not if a fair board has no seat or ticket that makes a difference of more than {bound}.",
        "undecided": f"No seat and no ticket clearly makes a difference of more than {bound}, but some may.",
        "balanced": f"As far as these strategies show: no seat and no ticket makes a difference of more than {bound}.",
    }
    worst = next(verdict for verdict in words if verdict in found)
    parts = [over_par(frames["tickets"], margin, run.games_played)]
    if seats:
        verdict, further = (frames["seats"][name].to_numpy() for name in ("verdict", "more_games"))
        parts.append(verdict_words(verdict, further, "seat", margin))
    more = command_line(["ttrsim", "balance", run.board.id])
    return f"{words[worst]} In this run, {'; '.join(parts)}. `{more}` examines more."


def _sections(run: "Run", frames: Frames, margin: float) -> list[Section]:
    """Return figures with the tables behind them, strategies first."""
    several = len(run.strategies) > 1
    parts = [_who_wins(frames), _head_to_head(frames)] if several else []
    parts += [_scores(run, frames), _tickets(frames, margin), _routes(run, frames), _cities(run, frames)]
    return [*parts, _seats(frames, margin), _games(run, frames), *([_course(run)] if several else []), _sanity(frames)]


def _shown(name: str, title: str, frames: Frames, of: str = "") -> Shown:
    """Return a table by the name of its frame. of: the name of its definition, if that differs."""
    return Shown(name, title, definition(of or name), frames[name])


def _who_wins(frames: Frames) -> Section:
    alt = "Win share of each strategy with its interval, against the fair share"
    return Section(
        "Strategies",
        figures=[Figure(plots.strategies(frames["strategies"]), alt)],
        tables=[
            _shown("strategies", "Strategies", frames),
            _shown("strategies_by_seat", "Strategies in each seat", frames, "strategies"),
        ],
    )


def _head_to_head(frames: Frames) -> Section:
    figures = [Figure(plots.strength(frames["strength"]), "Strength of each strategy, with the ranks it can have")]
    if len(frames["versus"]):
        alt = "A square for each pair of strategies, with how often one finishes ahead of the other"
        figures.append(Figure(plots.versus(frames["versus"]), alt))
    return Section(
        "Strategies against each other",
        figures=figures,
        tables=[_shown("versus", "Head to head", frames), _shown("strength", "Strength", frames)],
    )


def _scores(run: "Run", frames: Frames) -> Section:
    return Section(
        "Scores",
        figures=[
            Figure(plots.luck(frames["luck"]), "How much of scores and wins is luck"),
            Figure(plots.parts(frames["strategies"]), "What the mean score of each strategy is made of"),
            Figure(plots.scores(run.table("scores")), "Distribution of the scores of each strategy"),
        ],
        tables=[_shown("luck", "How much is luck", frames), _shown("scores", "Scores", frames)],
    )


def _tickets(frames: Frames, margin: float) -> Section:
    each = frames["tickets_by_strategy"]
    strategies = each if each["strategy"].nunique() > 1 else None
    effects = [
        Figure(plots.tickets(frames["tickets"], **of, strategies=strategies), f"What each ticket does to the {what}")
        for what, of in (("win share", {"margin": margin}), ("score", {"value": "score_effect"}))
    ]
    return Section(
        "Tickets",
        "Being dealt a ticket is chance, so the effect of the offer is what the ticket does. Keeping and completing it "
        "are choices: those who keep a ticket win more or less for other reasons, too.",
        figures=[figure for figure in effects if frames["tickets"]["win_effect"].notna().any()],
        tables=[
            _shown("tickets", "Tickets", frames),
            _shown("tickets_by_strategy", "Tickets of each strategy", frames, "tickets"),
            _shown("pairs", "Pairs of tickets", frames),
        ],
    )


def _routes(run: "Run", frames: Frames) -> Section:
    return Section(
        "Routes",
        figures=[Figure(plots.routes(frames["routes"], run.board), "The board, with how often each route is claimed")],
        tables=[
            _shown("routes", "Routes", frames),
            _shown("routes_by_strategy", "Routes of each strategy", frames, "routes"),
        ],
    )


def _cities(run: "Run", frames: Frames) -> Section:
    return Section(
        "Cities",
        figures=[Figure(plots.cities(frames["cities"], run.board), "The board, with how many players reach each city")],
        tables=[
            _shown("cities", "Cities", frames),
            _shown("cities_by_strategy", "Cities of each strategy", frames, "cities"),
        ],
    )


def _seats(frames: Frames, margin: float) -> Section:
    figure = Figure(plots.seats(frames["seats"], margin=margin), "Win share of each seat, against the fair share")
    return Section("Seats", figures=[figure], tables=[_shown("seats", "Seats", frames)])


def _games(run: "Run", frames: Frames) -> Section:
    figure = Figure(plots.lengths(run.table("lengths")), "Distribution of the number of turns in a game")
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
            Figure(plots.convergence(frame), "Win shares with their intervals, against games played"),
            Figure(plots.precision(frame), "Width of the intervals of win shares, against games played"),
        ],
        tables=[Shown("convergence", "Win shares after more and more games", CONVERGENCE, frame)],
    )


def _sanity(frames: Frames) -> Section:
    return Section("Can it be believed?", CHECKS, tables=[_shown("sanity", "Checks", frames)])
