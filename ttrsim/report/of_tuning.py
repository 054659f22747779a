"""Report on a tuning: what was gained on fresh deals, which parameters matter, and how the search went."""

from typing import TYPE_CHECKING

from ttrsim import plots
from ttrsim.boards.rules_in_words import status_words
from ttrsim.formatting import command_line, counted
from ttrsim.report.answers import BOTS_ONLY, caption
from ttrsim.report.document import Answer, Figure, Report, Section, Shown
from ttrsim.report.tuning_glance import tuning_cards
from ttrsim.tuning.frames import GAINS, PARAMETERS, elsewhere_words, finding, parameters_words
from ttrsim.tuning.inputs import against_words

if TYPE_CHECKING:
    from ttrsim.tuner import Tuning

METHODS = [
    (
        "Search",
        "CMA-ES: each generation tries candidates around a mean, on the same deals, which no other generation plays, "
        "and moves the mean towards those that won most. Its result is the average of the last means, not the "
        "luckiest candidate.",
    ),
    (
        "Test",
        "The tuned parameters and the start play the same deals, none of which the search saw, in every seat against "
        "every combination of the opponents. Opponents do not change with the strategy; where the strategy is among "
        "them, it is the strategy as it started.",
    ),
    (
        "Worth of a parameter",
        "Further deals are played with each parameter alone put back to its start. Parameters can replace or need each "
        "other, so what each is worth alone need not add up to the gain.",
    ),
    (
        "Errors",
        "From batches of whole blocks, by leaving out one after the other (the jackknife). ± is half of a 95 % "
        "interval by Student's t. Those of parameters hold at once for all (max-t).",
    ),
]


SANITY = "All gains are measured on deals that the search did not see"


def report_of_tuning(found: "Tuning") -> Report:
    """Make the report of a tuning."""
    state, recipe = found.state, found.state.recipe
    boards = [match.board for match in state.matches]
    at = "; ".join(match.title for match in state.matches)
    about = f"{at} · against {against_words(state.matches[0].against)} · {found.games:,} games · seed {recipe.seed}"
    return Report(
        kind="tuning",
        title=finding(state),
        about=[f"{found.start.spec} at {about}"],
        warnings=list(dict.fromkeys(f"{b.name}: {status}." for b in boards if (status := status_words(b)))),
        cards=tuning_cards(found),
        caveats=[*filter(None, [found.changed]), BOTS_ONLY, f"{SANITY}."],
        sections=_sections(found, about),
        closing=[Answer("How sure are we?", _sure(found))],
        sanity=SANITY,
        methods=METHODS,
        provenance=[
            ("ttrsim", f"{recipe.ttrsim}, rules version {recipe.rules_version}"),
            *((f"Board {table.map}", f"SHA-256 {table.sha256}") for table in recipe.tables),
            (f"Strategy {found.start.spec}", f"content SHA-256 {recipe.strategy.content_sha256}"),
        ],
        commands=[found.command],
        caption=caption(boards),
    )


def _use(found: "Tuning") -> str:
    """Return the line to use."""
    if found.verdict != "better":
        return f"Keep {found.start.spec}: nothing clearly better was found."
    if found.changed:
        return f"The result was {found.strategy.spec}; the strategy has changed since, so tune it again."
    return f"Play it with `{command_line(['--players', found.strategy.spec])}`."


def _sure(found: "Tuning") -> str:
    """Say on how many games the answer rests."""
    games = found.gains[found.gains["searched"] == "yes"]["games"].min()
    stages = found.state.recipe.stages
    return (
        f"The test played {int(games):,} games with each of the two at each table, on deals the search did not see. "
        f"The search had {counted(stages.generations, 'generation')} of {stages.candidates} candidates with "
        f"{stages.games:,} games each per table. Another seed finds other values that are about as good; a longer "
        "search may find better ones."
    )


def _sections(found: "Tuning", about: str) -> list[Section]:
    gain = f"{finding(found.state)}. {elsewhere_words(found.gains)}"
    use = f"{_use(found)} {parameters_words(found.parameters, found.verdict)}"
    return [
        Section(
            "Gains",
            "At the tables searched, and at neighbouring ones, which the search did not play: a strategy tuned at one "
            "table may lose at others.",
            answer=Answer("Is there a gain, and does it hold elsewhere?", gain),
            tables=[Shown("gains", "Gains on fresh deals", GAINS, found.gains)],
        ),
        Section(
            "Parameters",
            answer=Answer("How is it used, and what matters?", use),
            figures=[
                Figure(
                    lambda: plots.parameters(found.parameters, about=about),
                    "Start and result of each parameter in its bounds",
                )
            ],
            tables=[Shown("parameters", "Parameters", PARAMETERS, found.parameters)],
        ),
        Section(
            "Search",
            figures=[
                Figure(lambda: plots.trace(found.trace, about=about), "Gain of the mean, generation by generation")
            ],
        ),
    ]
