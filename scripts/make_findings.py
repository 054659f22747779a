#!/usr/bin/env python
"""Write "What millions of bot games say about Ticket to Ride" and "Settled" into `reports/`, and play their games.

`python scripts/make_findings.py` plays with two seeds, so that each answer is tested twice, and takes about ten minutes
of one core. What was played is kept in a folder, so the script can be interrupted. Every figure is computed. Where the
figures do not bear out a sentence, the page says that it is not settled, and so does this script, which then fails.
"""

from pathlib import Path

import click
from findings import how_to_play, tables, tickets
from findings.headlines import FINDINGS
from findings.lab import Lab
from findings.pages import Page, write_page
from findings.statements import Finding, again

ROOT = Path(__file__).parents[1]
SEEDS = (1, 2)
QUESTIONS = (
    how_to_play.racing,
    how_to_play.more_tickets,
    how_to_play.two_or_three,
    tickets.long_ticket,
    how_to_play.longest_path,
    how_to_play.early_or_late,
    how_to_play.wilds,
    how_to_play.blocking,
    tables.coasts,
    tickets.mispriced,
    tables.first_seat,
    tables.variants,
    tickets.europes_long,
    how_to_play.stations,
    tables.bottlenecks,
    tables.luck_or_skill,
    tables.number_of_players,
    how_to_play.fishing,
    tickets.shortest_path,
    tables.colours,
)
TITLE, SETTLED = "What millions of bot games say about Ticket to Ride", "Settled: twenty arguments about Ticket to Ride"
LEAD = (
    "ttrsim plays Ticket to Ride bot against bot, by the complete rules, and counts. These are findings from {games} "
    "games, each with its error and the commands that play its games again. Bots are not people: each finding says "
    "who played. The strongest bot, `lookahead`, is too slow for so many games: nothing here was tested among it."
)
SETTLED_LEAD = (
    "Twenty arguments that go on wherever Ticket to Ride is played. Each was put to strong bots, either with one habit "
    "changed or in a comparison that fits the question: {games} games in all. Each answer says how sure it is and for "
    "whom it holds, and was played again with other deals. The strongest bot, `lookahead`, is too slow for so many "
    "games: nothing here was tested among it."
)
LETTER_SCALE = 0.3
"""The share of the games that is also played by a strict reading of the rules."""
NOTES = (
    "± is half of a 95 % interval. A win per 100 games is one percentage point of the win share. Players who share a "
    "win count as winning equal parts of it. USA, Europe and Old West are the published boards; their rules and "
    "rulings are in `maps/`.",
    "Strictly by the rulebooks, nobody draws train cards any more once the deck and the discard pile are empty. The "
    "licensed online game still lets players take face-up cards, and so do these games. Everything was also played "
    "under the strict reading, with 30 % of the games.",
    "Made by `python scripts/make_findings.py`. The commands are typed in a shell where ttrsim is installed; with the "
    "same seed they play the same games on any machine. The times are for one core of a small cloud machine; commands "
    "without one take a second or two.",
)


@click.command()
@click.option("-o", "out", type=click.Path(path_type=Path), default=ROOT / "runs" / "findings", show_default=True, help="The folder of the games.")  # fmt: skip  # noqa: E501
@click.option("--reports", type=click.Path(path_type=Path), default=ROOT / "reports", show_default=True, help="The folder of the pages.")  # fmt: skip  # noqa: E501
@click.option("--scale", default=1.0, show_default=True, help="Play this share of all games, for a quick look.")
@click.option("--only", type=click.Choice(("findings", "settled")), help="Write one of the two pages alone.")
@click.option(
    "--seed", "seeds", multiple=True, type=int, help="Only play what is missing with this seed; write nothing."
)
def main(out: Path, reports: Path, scale: float, only: str | None, seeds: tuple[int, ...]) -> None:
    """Play what is missing, and write the pages."""
    labs = [Lab(out / str(seed), seed, scale) for seed in seeds or SEEDS]
    pages = [page for page in (("findings", FINDINGS), ("settled", QUESTIONS)) if only in (None, page[0])]
    if not seeds:
        labs.append(Lab(out / "letter", SEEDS[0], scale * LETTER_SCALE, letter=True))
    findings = {name: [[_asked(ask, lab) for ask in asked] for lab in labs] for name, asked in pages}
    if seeds:
        return
    reports.mkdir(parents=True, exist_ok=True)
    failed = []
    for name, (first, second, letter) in findings.items():
        agreed = [again(one.amounts, other.amounts) for one, other in zip(first, second, strict=True)]
        games = f"{sum(lab.games for lab in labs) / 1e6:.0f} million"
        sure = [f"{both.words} {_by_letter(*pair)}" for both, *pair in zip(agreed, first, letter, strict=True)]
        settled = name == "settled"
        page = Page(
            name, SETTLED if settled else TITLE, (SETTLED_LEAD if settled else LEAD).format(games=games), first, sure,
            settled, ("findings", TITLE) if settled else ("settled", SETTLED), NOTES,
        )  # fmt: skip
        write_page(page, reports, None if settled else reports / name)
        for finding, other, of_both in zip(first, second, agreed, strict=True):
            click.echo(f"{finding.question} {finding.statement.shown}\n  {of_both.words}")
            same = finding.statement.kind == other.statement.kind
            good = finding.statement.holds and other.statement.holds and same and of_both.within
            failed += [] if good else [finding.question]
    if failed:
        raise click.ClickException(f"not borne out, or not by another seed: {' '.join(failed)}")


def _by_letter(finding: Finding, letter: Finding) -> str:
    """State whether a finding also holds by a strict reading of the rules."""
    if not letter.statement.holds:
        return "Under the strict reading of the rules, with fewer games, it is not settled."
    if letter.statement.kind == finding.statement.kind:
        return "It also holds under the strict reading of the rules."
    return f"Under the strict reading of the rules: {letter.statement.shown[:1].lower()}{letter.statement.shown[1:]}"


def _asked(ask, lab: Lab):  # type: ignore[no-untyped-def]
    """Return the answer to a question, with the commands that it needed."""
    lab.used = []
    return ask(lab)


if __name__ == "__main__":
    main()
