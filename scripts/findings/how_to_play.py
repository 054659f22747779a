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
from .statements import Amount, Finding, Statement, does, does_span, mean, own, share, span

FOCAL_GAMES, SWEEP_GAMES = 6000, 5000
"""Games of one strategy among others at a table, and with each value of a sweep."""
TEMPOS = "0,5,10,15,20,30,40,60"
"""Rounds to be left for more tickets, as planner counts them."""
LITTLE = 2
"""Wins per 100 games that are hardly worth an argument."""
BONUS_GAMES = 10_000
BONUS_LINES = """
import ttrsim
from ttrsim.core.constants import POINTS_TRAIL

for n in (2, 3, 4, 5):
    played = ttrsim.simulate(board="{board}", players=["planner"] * n, games={games}, seed={seed})
    without = played.seats["score"] - played.seats["parts"][..., POINTS_TRAIL]
    beaten = without < without.max(axis=1, keepdims=True)
    print(n, (beaten & (played.seats["rank"] == 1)).any(axis=1).mean())
"""
"""The same share of decided games, for a reader to type."""


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
            "No: a racer among planners wins less than half of its fair share at every table, on USA "
            f"{decimal(usa[0].value)} % of two-player games and {decimal(usa[-1].value)} % of five-player games.",
            lost,
        ),
        [
            f"Against `one_step`, which pursues one ticket at a time, the racer wins {weak.words()} % of "
            f"two-player games on USA{': racing beats weaker players' if weak.low > 50 else ''}.",
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
    change = does_span(changes(rows))
    return Finding(
        "Should you ever draw more tickets? Until when?",
        choose(
            rows,
            Sentences(
                costs="Yes: strong strategies win clearly less often if they never draw tickets after the opening.",
                gains="No: strong strategies win more often if they never draw tickets after the opening.",
                costs_some="Now and then: never drawing tickets after the opening clearly costs wins at some tables, "
                f"and clearly brings wins at none: {clear_ones(rows, 'costs')}.",
                gains_some="Hardly ever: never drawing tickets after the opening clearly costs wins at no table, and "
                f"at some it brings wins: {clear_ones(rows, 'gains')}.",
                neither="It hardly matters: strong strategies win about as often if they never draw tickets after the "
                f"opening (this {change} wins per 100 games).",
                mixed="It depends on the strategy and the table: never drawing tickets after the opening "
                f"{change} wins per 100 games.",
            ),
        ),
        [
            *about_habit(rows),
            f"Late draws: `planner` stops drawing tickets when about {usual_tempo()} rounds are left. Drawing to the "
            f"very end {does(early[0])} wins per 100 games with two players on USA.",
        ],
        who(rows),
        lab.used,
        [*changes(rows), *late.values()],
    )


def sweep(lab: Lab, seats: int) -> dict[int, Amount]:
    """Return the change in planner's wins per 100 games if it draws tickets until so few rounds are left."""
    words = ("planner", f"tempo={TEMPOS}", "--map", "usa", "--seats", str(seats))
    rows = lab.table("sweep", "sweep", *words, games=SWEEP_GAMES)
    found = {}
    for row in rows:
        amount = own(f"tempo {row['value']:.0f}, {seats} players", row, "win_share", 100)
        if amount.error == amount.error:  # that of the start is its fair share, without error
            found[int(row["value"])] = Amount(amount.name, amount.value - 100 / seats, amount.error)
    return found


def usual_tempo() -> int:
    """Return the fewest rounds left at which planner still draws tickets."""
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
            f"Two, unless the third fits: on USA, always keeping all three {does(often)} wins per 100 games, always "
            f"keeping only two {does(seldom)} (means of {len(usa)} tables).",
            clearly and often.value < 3 * min(seldom.value, 0),
        ),
        [
            *(f"Keeping as few as allowed, {words}" for words in about_habit(few)),
            *(f"Keeping all, {words}" for words in about_habit(all_)),
        ],
        f"{who(all_)} Compared with the strategies' own choice, which asks how well the tickets fit together.",
        lab.used,
        changes([*few, *all_]),
    )


def longest_path(lab: Lab) -> Finding:
    """Is the longest-path bonus decisive?"""
    rows = habit_rows(lab, "ignores_trail")
    games = max(200, round(BONUS_GAMES * lab.scale))
    decided = [bonus_decides(lab, seats, games) for seats in range(2, 6)]
    lab.show_python(BONUS_LINES, games)
    means = by_board(rows)
    return Finding(
        "Is the longest-path bonus decisive? By player count?",
        Statement(
            f"Somewhat: without its 10 points somebody else would have won {span(decided)} of 100 games of USA. But "
            f"paying no attention to it {does(means['USA'])} wins per 100 games there and {does(means['Europe'])} on "
            "Europe.",
            all(f.high < 0 for f in means.values()) and min(f.low for f in decided) > 1,
        ),
        [
            "Games of planners on USA that the bonus decides: "
            + listed(f"{amount.words()} % with {n}" for n, amount in zip(range(2, 6), decided, strict=True))
            + " players.",
            *about_habit(rows),
        ],
        f"{who(rows)} The share of decided games assumes that all would have played the same without the bonus.",
        lab.used,
        [*decided, *changes(rows)],
    )


def bonus_decides(lab: Lab, seats: int, games: int) -> Amount:
    """Return in how many of 100 games of planners others would have won without the bonus for the longest path."""
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
            f"Gather first: claiming a route as soon as they can pay for one costs planner and hoarder "
            f"{losses(patient)} wins per 100 games, more than any other habit. For blocker, whose plan is to take "
            f"routes from others, it hardly matters ({span(changes(other), signed=True)}).",
            known["costs"] == len(patient)
            and _costliest(lab, patient)
            and abs(mean("", changes(other)).value) < LITTLE,
        ),
        about_habit(rows),
        who(rows),
        lab.used,
        changes(rows),
    )


def _costliest(lab: Lab, rows: list[dict[str, object]]) -> bool:
    """Return whether on each board no other habit costs any of these strategies as much on average."""
    styles = {row["strategy"] for row in rows}
    found: dict[tuple[str, str], dict[str, list[float]]] = {}
    for row in habit_rows(lab):
        if row["strategy"] in styles:
            found.setdefault((row["board"], row["strategy"]), {}).setdefault(row["habit"], []).append(row["win_change"])
    means = [{habit: float(np.mean(of)) for habit, of in habits.items()} for habits in found.values()]
    return all(of["claims_at_once"] == min(of.values()) for of in means)


def wilds(lab: Lab) -> Finding:
    """Is a face-up locomotive ever right? Blind or face up?"""
    rows, blind = habit_rows(lab, "never_takes_wilds"), habit_rows(lab, "draws_blind")
    never, always = ([f"{does(amount)} on {board}" for board, amount in by_board(of).items()] for of in (rows, blind))
    return Finding(
        "Is a face-up locomotive ever right? Blind or face up?",
        Statement(
            f"Rarely worth an argument: never taking a face-up locomotive {listed(never)}, in wins per 100 games; "
            f"always drawing blind {listed(always)}.",
            all(f.low > -LITTLE and f.high < LITTLE for f in by_board(rows).values()),
        ),
        [
            *(f"Never taking one, {words}" for words in about_habit(rows)),
            *(f"Always drawing blind, {words}" for words in about_habit(blind)),
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
            "Hardly, as these bots do it: ignoring what rivals want changes the wins of planner and hoarder by "
            f"{patient.words(signed=True)} per 100 games on average, and those of blocker, which blocks most, by "
            f"{blocker.words(signed=True)}.",
            patient.low > -LITTLE and patient.high < LITTLE and blocker.low > 0,
        ),
        about_habit(rows),
        f"{who(rows)} `blocker` takes short routes that a rival needs; planner and hoarder only claim sooner what "
        "they want anyway.",
        lab.used,
        changes(rows),
    )


def stations(lab: Lab) -> Finding:
    """Stations: spend them or keep four points each?"""
    rows = [row for row in habit_rows(lab, "never_builds_stations") if row["board"] == "Europe"]
    change = f"{does_span(changes(rows))} wins per 100 games"
    return Finding(
        "Stations: spend them, or keep four points each?",
        choose(
            rows,
            Sentences(
                costs=f"Spend one when a ticket hangs on it: never building a station {change}.",
                gains=f"Keep them: never building a station {change}.",
                costs_some=f"Nearly always keep them: a station seldom helps, as never building one {change}.",
                gains_some=f"Keep them: never building a station {change}, and clearly costs wins at no table.",
                neither=f"It hardly matters: never building a station {change}, which may be chance.",
                mixed=f"It depends on the strategy: never building a station {change}.",
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
        "Does it pay to fish for tickets on one network?",
        Statement(
            "No: a strategy that keeps drawing tickets as long as its plan leaves trains to spare wins "
            f"{span(fishers)} % among planners, less than its fair share at every table.",
            all(f.high < share for f, share in zip(fishers, fair, strict=True)),
        ),
        [
            f"`planner` itself, with four players, stops drawing tickets when about {usual_tempo()} rounds are left. "
            "With another number of rounds its wins per 100 games change as follows: "
            + listed(f"{amount.words(signed=True)} with {value}" for value, amount in hungry.items())
            + ".",
        ],
        "`destination_hungry` is modelled on a published agent and is weaker than planner in other ways, too. In "
        "the test with planner only the time of drawing tickets differs.",
        lab.used,
        [*fishers, *hungry.values()],
        rows=rows,
    )
