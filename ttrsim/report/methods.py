"""Paragraphs about how the numbers of reports are made."""

METHODS = {
    "games": (
        "Games",
        "Bots play complete games by all rules of the board. Every deal is played once for each seating that the run "
        "has (a block); where strategies change seats, all have the same luck with cards and seats. The same seed "
        "gives the same games.",
    ),
    "errors": (
        "Errors",
        "The games of a block depend on each other and blocks do not, so every error comes from 200 batches of whole "
        "blocks, by leaving out one after the other (the jackknife). ± is half of a 95 % interval by Student's t.",
    ),
    "rare": (
        "Rare events",
        "A share of fewer than 10 events, or of fewer than 10 failures, has no interval (–): batches without any would "
        "make it seem too small.",
    ),
    "exact": (
        "Rare events",
        "Where an outcome is too rare for that, or never varies, the interval is the exact one of Clopper and Pearson, "
        "a block, whose games share a deal, counting as one chance.",
    ),
    "families": (
        "Many intervals at once",
        "Where one looks at a whole family, as all tickets or all seats, intervals are so much wider that in 95 of "
        "100 runs all of them hold (max-t, with the correlation that the batches show).",
    ),
    "looks": (
        "Looks",
        "Games were played on at the tables of undecided verdicts, with at most five looks at them. The error is "
        "divided among the looks: intervals of verdicts, seats and tickets are of 99 % and not of 95 %, so that those "
        "of all looks hold in 95 of 100 examinations.",
    ),
    "offers": (
        "Offer effects",
        "A ticket's effect is what comes of those who were offered it at the opening less what comes of those who were "
        "not, within strategy and seat. The offer is chance, so nothing but the ticket can be the cause. The effects "
        "of all tickets of a deck sum to 0: what counts is being better than the others.",
    ),
    "descriptions": (
        "Description only",
        "Keeping a ticket, claiming a route and coming to a city are choices. How those win who chose it does not say "
        "what choosing it does; such columns are marked.",
    ),
    "margin": (
        "Verdicts",
        "What matters was settled before: a point of a hundred of win share, unless said otherwise. A verdict is "
        "balanced if the whole interval lies within that margin, imbalanced if all of it lies outside, else undecided.",
    ),
    "strength": (
        "Strength",
        "A Bradley–Terry fit to who finishes before whom, as a second scale. Ranges of ranks follow from the "
        "simultaneous intervals of all differences of win shares.",
    ),
    "sanity": (
        "Sanity",
        "Sums that must agree are compared to the last digit; what holds but for chance is called odd where one sound "
        "run of a thousand would be so far off.",
    ),
    "designs": (
        "Tables",
        "At mirror tables everybody plays the same strategy, each strategy in turn; at mixed tables all compositions "
        "of the strategies are played evenly, each in all its seatings: one of unlike strategies has more of them and "
        "counts for more, so shares of runs with different `--rotate` are not comparable.",
    ),
    "trials": (
        "Trials",
        "The same deals are played as they are and with one change, with the same luck of all else. So what differs is "
        "what the change does, and small effects show.",
    ),
    "pairs": (
        "Two runs",
        "Runs with the same blocks are compared batch by batch, so luck that both had cancels out. Runs with other "
        "blocks are compared as having nothing in common.",
    ),
}
"""Titles and paragraphs by what they are about."""


def methods(names: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return the paragraphs with these names."""
    return [METHODS[name] for name in names]
