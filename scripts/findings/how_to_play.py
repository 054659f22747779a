"""Questions about how to play, most answered by restricted play: strong strategies with one habit changed."""

import numpy as np

from ttrsim.batches import jackknife
from ttrsim.core import constants as c
from ttrsim.formatting import decimal
from ttrsim.stats import strategies
from ttrsim.strategies import load_strategy
from ttrsim.words import listed

from .lab import Lab
from .played import Sentences, about_habit, by_board, changes, choose, clear_ones, habit_rows, losses, verdicts, who
from .statements import Amount, Finding, Statement, mean, own, share, span

FOCAL_GAMES, SWEEP_GAMES = 6000, 5000
"""Games of one strategy among others at a table, and with each value of a sweep."""
TEMPOS = "0,5,10,15,20,30,40,60"
"""Rounds to be left for more tickets, as planner counts them."""
LITTLE = 2
"""Wins per 100 games that are hardly worth an argument."""
BONUS_GAMES = 10_000


def among(lab: Lab, board: str, strategy: str, others: str, seats: int) -> Amount:
    """Return how often, in %, a strategy wins among others, less its fair share."""
    run = lab.run(
        "--map", board, "--players", f"{strategy},{others}", "--design", "focal", "--seats", str(seats),
        games=FOCAL_GAMES, out=f"{board}-{strategy}-{others}-{seats}",
    )  # fmt: skip
    row = strategies(run).set_index("strategy").loc[strategy].to_dict()
    return share(f"{board}, {seats} players, {strategy} among {others}", row, "win_share", run.games_played)


def racing(lab: Lab) -> Finding:
    """Ignore tickets and race?"""
    usa, europe = ([among(lab, board, "long_hauler", "planner", n) for n in range(2, 6)] for board in ("usa", "europe"))
    weak = among(lab, "usa", "long_hauler", "one_step", 2)
    fair = [100 / n for n in range(2, 6)]
    lost = all(f.high < share / 2 for f, share in zip([*usa, *europe], fair * 2, strict=True))
    rows = [
        ["", *(f"{n} players" for n in range(2, 6))],
        ["fair share", *(f"{decimal(share)} %" for share in fair)],
        ["USA", *(f"{f.words()} %" for f in usa)],
        ["Europe", *(f"{f.words()} %" for f in europe)],
    ]
    return Finding(
        "Ignore tickets and race with six-train routes?",
        Statement(
            f"No: a racer among planners wins less than half of its fair share at any table, on USA {span(usa)} %.",
            lost,
        ),
        [
            f"Against `one_step`, which thinks of one ticket at a time, the racer wins {weak.words()} % with two "
            f"players on USA{': racing beats weak players only' if weak.low > 50 else ''}.",
            "The racer is `long_hauler`: it lays the longest routes it can pay for, keeps few tickets and ends the "
            "game when ahead.",
        ],
        "One racer among copies of `planner`. A better racer than `long_hauler` may do better.",
        lab.used,
        [*usa, *europe, weak],
        rows=rows,
    )


def more_tickets(lab: Lab) -> Finding:
    """Ever draw more tickets?"""
    rows = habit_rows(lab, "never_draws_tickets")
    late = sweep(lab, 2)
    early = {value: amount for value, amount in late.items() if value in (0, 60)}
    fewest = f"{span(changes(rows), signed=True)}"
    return Finding(
        "Ever draw more tickets? Until when?",
        choose(
            rows,
            Sentences(
                costs="Yes: strong strategies that never draw tickets win clearly less.",
                gains="No: strong strategies win more often if they never draw tickets after the opening.",
                costs_some=f"Now and then: never drawing tickets brings {fewest} wins per 100 games, and clearly more "
                "nowhere.",
                gains_some="Hardly ever: never drawing tickets after the opening costs clearly nowhere, and at some "
                f"tables it brings wins: {clear_ones(rows, 'gains')}.",
                neither="It hardly matters: strong strategies that never draw tickets after the opening win as often "
                f"as those that may ({fewest} wins per 100 games).",
                mixed=f"It depends on the board and the table: never drawing tickets brings {fewest} wins per 100 "
                "games.",
            ),
        ),
        [
            *about_habit(rows),
            f"Drawing them too late costs: `planner` may draw as long as about {usual_tempo()} rounds are left; if it "
            f"draws to the end it loses {decimal(-early[0].value)} ± {decimal(early[0].half)} wins per 100 games with "
            "two players on USA.",
        ],
        who(rows),
        lab.used,
        [*changes(rows), *late.values()],
    )


def sweep(lab: Lab, seats: int) -> dict[int, Amount]:
    """Return what planner wins or loses if it draws tickets as long as this many rounds are left, in points."""
    words = ("planner", f"tempo={TEMPOS}", "--map", "usa", "--seats", str(seats))
    rows = lab.table("sweep", "sweep", *words, games=SWEEP_GAMES)
    found = {}
    for row in rows:
        amount = own(f"tempo {row['value']:.0f}, {seats} players", row, "win_share", 100)
        if amount.error == amount.error:  # that of the start is its fair share, without error
            found[int(row["value"])] = Amount(amount.name, amount.value - 100 / seats, amount.error)
    return found


def usual_tempo() -> int:
    """Return how many rounds planner wants to be left for more tickets."""
    (tempo,) = (param.default for param in load_strategy("planner").params if param.name == "tempo")
    return round(tempo)


def two_or_three(lab: Lab) -> Finding:
    """Keep two or three tickets at the start?"""
    few, all_ = (habit_rows(lab, f"opening_tickets={number}") for number in (1, 8))
    known, better = verdicts(all_), sum(a["win_change"] > b["win_change"] for a, b in zip(few, all_, strict=True))
    usa = [row for row in all_ if row["board"] == "USA"]
    often, seldom = (mean("", changes([row for row in of if row["board"] == "USA"])) for of in (all_, few))
    clearly = known["costs"] >= 0.8 * len(all_) and better == len(few)
    return Finding(
        "Keep two or three tickets at the start?",
        Statement(
            f"Two, unless the third fits: always keeping all three costs {decimal(-often.value)} wins per 100 games "
            f"on USA (mean of {len(usa)} tables), always keeping two {decimal(-seldom.value)}.",
            clearly and often.value < 3 * min(seldom.value, 0),
        ),
        [
            *(f"As few as allowed. {words}" for words in about_habit(few)),
            *(f"All. {words}" for words in about_habit(all_)),
        ],
        f"{who(all_)} Against the strategies' own choice, which fits the tickets to each other.",
        lab.used,
        changes([*few, *all_]),
    )


def longest_path(lab: Lab) -> Finding:
    """Is the longest-path bonus decisive?"""
    rows = habit_rows(lab, "ignores_trail")
    decided = [bonus_decides(lab, seats) for seats in range(2, 6)]
    means = by_board(rows)
    return Finding(
        "Is the longest-path bonus decisive? By player count?",
        Statement(
            f"Somewhat: without its 10 points somebody else would have won {span(decided)} of 100 games of USA. "
            f"Ignoring it brings {means['USA'].words(signed=True)} wins per 100 games there, "
            f"{means['Europe'].words(signed=True)} on Europe.",
            all(f.high < 0 for f in means.values()) and min(f.low for f in decided) > 1,
        ),
        [
            "Games of planners on USA that it decides: "
            + listed(f"{amount.words()} % with {n}" for n, amount in zip(range(2, 6), decided, strict=True))
            + " players.",
            *about_habit(rows),
        ],
        f"{who(rows)} The share of decided games takes play as it was.",
        lab.used,
        [*decided, *changes(rows)],
    )


def bonus_decides(lab: Lab, seats: int) -> Amount:
    """Return in how many of 100 games of planners others would have won without the bonus for the longest path."""
    games = max(200, round(BONUS_GAMES * lab.scale))
    played = lab.simulated(seats, games)
    score = played.seats["score"].astype(int)
    without = score - played.seats["parts"][..., c.POINTS_TRAIL]
    best = played.seats["rank"] == 1
    # It decides where a winner has fewer points without it than somebody else. Ties are as the rules break them.
    lost = (best & (without < without.max(axis=1, keepdims=True))).any(axis=1)
    batches = np.array_split(lost, 100)
    estimate = jackknife(np.divide, np.array([b.sum() for b in batches]), np.array([len(b) for b in batches]))
    return Amount(f"{seats} players, decided by the bonus", 100 * float(estimate.value), 100 * float(estimate.error))


def early_or_late(lab: Lab) -> Finding:
    """Hoard cards and claim late, or claim early?"""
    rows = habit_rows(lab, "claims_at_once")
    patient = [row for row in rows if row["strategy"] != "blocker"]
    other = [row for row in rows if row["strategy"] == "blocker"]
    known = verdicts(patient)
    return Finding(
        "Hoard cards and claim late, or claim early?",
        Statement(
            f"Gather first: planner and hoarder win {losses(patient)} fewer games in 100 if they claim whatever they "
            "can pay at once. No other habit costs them so much.",
            known["costs"] == len(patient) and _costliest(lab, patient),
        ),
        about_habit(rows),
        f"{who(rows)} `blocker`, whose plan is to take routes from others, wins {span(changes(other), signed=True)} "
        "more.",
        lab.used,
        changes(rows),
    )


def _costliest(lab: Lab, rows: list[dict[str, object]]) -> bool:
    """Return whether no other habit costs these strategies as much on average."""
    styles = {row["strategy"] for row in rows}
    means = {
        habit: mean("", changes([row for row in habit_rows(lab, habit) if row["strategy"] in styles])).value
        for habit in ("claims_at_once", "opening_tickets=8", "draws_blind", "never_takes_wilds", "ignores_rivals")
    }
    return min(means, key=lambda habit: means[habit]) == "claims_at_once"


def wilds(lab: Lab) -> Finding:
    """Is a face-up locomotive ever right? Blind or face up?"""
    rows, blind = habit_rows(lab, "never_takes_wilds"), habit_rows(lab, "draws_blind")
    never, always = (
        [f"{amount.words(signed=True)} on {board}" for board, amount in by_board(of).items()] for of in (rows, blind)
    )
    return Finding(
        "Is a face-up locomotive ever right? Blind or face up?",
        Statement(
            f"Rarely worth an argument: never taking a face-up locomotive brings {listed(never)} wins per 100 games, "
            f"always drawing blind {listed(always)}.",
            all(f.low > -LITTLE and f.high < LITTLE for f in by_board(rows).values()),
        ),
        [
            *(f"Never takes one. {words}" for words in about_habit(rows)),
            *(f"Draws blind. {words}" for words in about_habit(blind)),
        ],
        who(rows),
        lab.used,
        changes([*rows, *blind]),
    )


def blocking(lab: Lab) -> Finding:
    """Is blocking worth a turn?"""
    rows = habit_rows(lab, "ignores_rivals")
    patient, blocker = (
        mean("", changes([row for row in rows if (row["strategy"] == "blocker") == blocks])) for blocks in (False, True)
    )
    return Finding(
        "Is blocking worth a turn?",
        Statement(
            "Not as these bots do it: ignoring what rivals want brings planner and hoarder "
            f"{patient.words(signed=True)} wins per 100 games on average, and blocker, which blocks most, "
            f"{blocker.words(signed=True)}.",
            patient.low > -LITTLE and patient.high < LITTLE and blocker.low > 0,
        ),
        about_habit(rows),
        f"{who(rows)} `blocker` takes short routes that a rival needs; planner and hoarder only claim earlier what "
        "they want anyway.",
        lab.used,
        changes(rows),
    )


def stations(lab: Lab) -> Finding:
    """Stations: spend them or keep four points each?"""
    rows = [row for row in habit_rows(lab, "never_builds_stations") if row["board"] == "Europe"]
    spread = f"{span(changes(rows), signed=True)} wins per 100 games"
    return Finding(
        "Stations: spend them, or keep four points each?",
        choose(
            rows,
            Sentences(
                costs="Spend one when a ticket hangs on it: strategies that never build a station win less "
                f"({spread}).",
                gains=f"Keep them: strategies that never build a station win more ({spread}).",
                costs_some=f"Nearly always keep them: never building a station brings {spread}, so a station helps "
                "now and then, and seldom.",
                gains_some=f"Keep them: never building a station brings {spread}, and clearly fewer nowhere.",
                neither=f"It hardly matters: strategies that never build one win about as often ({spread}).",
                mixed=f"It depends on the strategy: never building a station brings {spread}.",
            ),
        ),
        about_habit(rows),
        f"{who(rows)} All of them build a station late, and only where it completes a ticket worth more than it costs.",
        lab.used,
        changes(rows),
    )


def fishing(lab: Lab) -> Finding:
    """Fish for tickets on one fixed network?"""
    fishers = [among(lab, "usa", "destination_hungry", "planner", n) for n in range(2, 6)]
    fair = [100 / n for n in range(2, 6)]
    hungry = sweep(lab, 4)
    rows = [
        ["", *(f"{n} players" for n in range(2, 6))],
        ["fair share", *(f"{decimal(share)} %" for share in fair)],
        ["destination_hungry", *(f"{f.words()} %" for f in fishers)],
    ]
    return Finding(
        "Fish for tickets on one network?",
        Statement(
            f"No: a strategy that goes on drawing tickets while its network is small wins {span(fishers)} % among "
            "planners, less than its fair share at every table.",
            all(f.high < share for f, share in zip(fishers, fair, strict=True)),
        ),
        [
            "And `planner` itself, with four players, if it draws tickets as long as about this many rounds are left, "
            f"against {usual_tempo()}: "
            + listed(f"{value}: {amount.words(signed=True)}" for value, amount in hungry.items())
            + " wins per 100 games.",
        ],
        "`destination_hungry` is an agent after a published one, weaker than planner in other ways, too; the second "
        "figure changes nothing but when tickets are drawn.",
        lab.used,
        [*fishers, *hungry.values()],
        rows=rows,
    )
