"""Answer the questions of a report's readers, from frames of statistics."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ttrsim.batches import LEVEL, Array, Estimate, luck_of_first
from ttrsim.boards.rules_in_words import status_words
from ttrsim.formatting import TOO_CLOSE, counted, games_more, seat_name, settled_by
from ttrsim.report.prose import NAMED, Row, at_most, estimate, in_pp, number, sentence, signed, size, some
from ttrsim.report.tables import ends_of
from ttrsim.stats.frames import block_games, interval_of
from ttrsim.stats.sanity_checks import DRY, dry_share
from ttrsim.stats.verdicts import enough_for_half, verdicts
from ttrsim.words import listed

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.boards import Board
    from ttrsim.report.document import Section
    from ttrsim.runs import Run

CHECKS = "What must hold in every run, what should hold apart from chance, and how often rare cases of the rules occur."
"""The text above the tables of sanity checks."""


BOTS_ONLY = "Bots played, not people."
"""The caveat at the head of a page."""


def warnings(*runs: "Run") -> list[str]:
    """Return the warnings about runs that a reader must see first."""
    return list(dict.fromkeys(warning for run in runs for warning in _warnings(run)))


def caveats(runs: "Sequence[Run]", checks: str) -> list[str]:
    """Return the lines beneath the cards: who played, where cards run out, and the checks."""
    return [BOTS_ONLY, *_dry_deck(runs), f"{checks}."]


def _dry_deck(runs: "Sequence[Run]") -> list[str]:
    """State where cards run out often enough for the reading of that rule to matter."""
    driest = _driest(runs)
    if not driest:
        return []
    board = f" on {driest.board.name}" if len({run.board.id for run in runs}) > 1 else ""
    where = f"{driest.recipe.seats} players{board}"
    return [f"Cards run out: in {100 * dry_share(driest):.0f} % of turns with {where}."]


def _driest(runs: "Sequence[Run]") -> "Run | None":
    """Return the run with the largest share of dry turns, if that is large enough to matter."""
    driest = max(runs, key=dry_share, default=None)
    return driest if driest and dry_share(driest) > DRY else None


def _other_reading(runs: "Sequence[Run]") -> str:
    """Say how the other reading of the rule for dry turns is played, where that may matter; "" where it does not."""
    driest = _driest(runs)
    if not driest:
        return ""
    often = sum(dry_share(run) > DRY for run in runs)
    also = f" (and in more than {100 * DRY:.0f} % at {counted(often - 1, 'other table')})" if often > 1 else ""
    where = f"on {driest.board.name} with {driest.recipe.seats} players"
    face_up = driest.board.rules.draw_when_dry
    rule, reading = ("may be taken then", "strict") if face_up else ("may not be taken then", "other")
    return (
        f" The {reading} reading of the rule for when cards run out: in {100 * dry_share(driest):.0f} % of the turns "
        f"{where} there was neither deck nor discards{also}. Face-up cards {rule}; the {reading} reading is played "
        f"with `--set 'rules.draw_when_dry = {str(not face_up).lower()}'`."
    )


def _warnings(run: "Run") -> list[str]:
    status = status_words(run.board)
    found = [f"{run.board.name}: {status}."] if status else []
    if not run.finished and run.games_played == run.recipe.schedule.games:
        found.append("All games are played, but the run's summary is missing or damaged; ttrsim run --resume makes it.")
    elif not run.finished:
        found.append(
            f"The run is not finished: {run.games_played:,} of {run.recipe.schedule.games:,} games were played."
        )
    elif run.recipe.stop and run.games_played < run.recipe.schedule.games:
        found.append(f"The run stopped as chosen by {run.recipe.stop}. {run.recipe.stop.caution}")
    if run.recipe.rotate == "none" and len(run.strategies) > 1:
        found.append("Strategies kept their seats, so effects of the strategy and of the seat cannot be told apart.")
    return found


def caption(boards: "Iterable[Board]") -> str:
    """Return the caption that every figure needs: which boards are reconstructions."""
    names = dict.fromkeys(board.name for board in boards if status_words(board))
    return f"{listed(names)}: a reconstruction" if names else ""


def who_wins(run: "Run", strategies: "pd.DataFrame", strength: "pd.DataFrame", versus: "pd.DataFrame") -> str:
    """Name the best strategy, its lead, and the others."""
    best, *others = strategies.to_dict("records")
    if not others:
        score = estimate(best, "score", "points")
        return f"Everybody plays {best['strategy']}, so nobody plays better. The mean score is {score}."
    share, fair = estimate(best, "win_share", "share"), number(100 / run.recipe.seats)
    words = [
        f"{best['strategy']} wins {share} of its games; with {run.recipe.seats} players {fair} % would be fair.",
        _lead(best["strategy"], others[0], strength, versus),
    ]
    if others[1:]:
        rest = [f"{row['strategy']} {estimate(row, 'win_share', 'share')}" for row in others[1:]]
        words.append(f"{'Then comes' if len(rest) == 1 else 'Then come'} {listed(rest)}.")
    return " ".join(filter(None, words))


def _lead(best: str, second: Row, strength: "pd.DataFrame", versus: "pd.DataFrame") -> str:
    words = f"Next is {second['strategy']} with {estimate(second, 'win_share', 'share')}"
    met = versus[(versus["strategy"] == best) & (versus["other"] == second["strategy"])]
    if not len(met):
        return f"{words}; they never met."
    apart = estimate(met.iloc[0].to_dict(), "win_share_difference", "share difference")
    ranks = strength.set_index("strategy")
    if ranks["rank_low"][second["strategy"]] > ranks["rank"][best]:
        return f"{words}: clearly behind, by {apart}."
    return f"{words}; which of the two is better is too close to call (the difference is {apart})."


def which_tickets(frame: "pd.DataFrame", margin: float, games: int) -> str:
    """Name the tickets that help and hurt most, and count those that matter."""
    if frame["win_effect_low"].isna().all():
        return "These games do not show it: no ticket changes how often anybody wins, or there are too few games."
    ordered = frame.sort_values("win_effect", ascending=False, kind="stable").to_dict("records")
    help_ = [row for row in ordered if row["win_effect_low"] > 0]
    hurt = [row for row in reversed(ordered) if row["win_effect_high"] < 0]
    words = []
    for rows, what in ((help_, "Most help"), (hurt, "Most harm")):
        if rows:
            effects = [f"{row['ticket']} ({signed(row, 'win_effect', 'of 100')})" for row in rows]
            words.append(f"{what}: {some(effects)}.")
    if words:
        words.append("These are extra wins per 100 games when offered the ticket at the start.")
    else:
        words.append("No ticket clearly helps or hurts.")
    return " ".join([*words, sentence(over_par(frame, margin, games))])


def ticket_verdicts(frame: "pd.DataFrame", margin: float, games: int) -> tuple[Array, Array]:
    """Return the verdict on each ticket's effect, and how many more games undecided ones need."""
    return verdicts(interval_of(frame, "win_effect"), margin, games)


def over_par(frame: "pd.DataFrame", margin: float, games: int) -> str:
    """State how many tickets change the win share by more than the margin."""
    return verdict_words(*ticket_verdicts(frame, margin, games), "ticket", margin)


def verdict_words(verdict: Array, more: Array, what: str, margin: float) -> str:
    """Count verdicts and say what matters: `2 of 30 tickets clearly matter, by more than 1 pp of win share; …`."""
    left = int((verdict == "undecided").sum())
    found = count_verdicts(verdict, what, f", by more than {in_pp(margin)} of win share")
    return f"{found}{games_wanted(more, left)}"


def count_verdicts(verdict: Array, what: str, how: str = "") -> str:
    """Count verdicts: `23 of 30 tickets clearly matter; 7 are too close to call`. how: what it is to matter."""
    off, settled, left = (int((verdict == word).sum()) for word in ("imbalanced", "balanced", "undecided"))
    first = f"{off or 'None'} of {counted(len(verdict), what)} clearly {'matters' if off == 1 else 'matter'}{how}"
    rest = [f"{settled} clearly {'does' if settled == 1 else 'do'} not"] if settled else []
    if left:
        rest.append(f"{left} {'is' if left == 1 else 'are'} too close to call")
    return "; ".join([first, *rest])


def games_wanted(more: Array, undecided: int, of: str = "") -> str:
    """State how many more games would settle half of them; nothing where that is unknown.

    more: games that each thing needs, NaN for those that need none; of: of what the games are, such as `with each`.
    """
    enough = enough_for_half(more)
    if enough > TOO_CLOSE:
        return ""
    words = settled_by(enough, "half of those" if undecided > 1 else "it", of)
    return f" ({words})" if words else ""


def which_routes(frame: "pd.DataFrame") -> str:
    """Name the routes that are taken first; a run cannot say what that is worth."""
    if frame["taken"].isna().all():
        return "No route was claimed."
    rows = frame.sort_values("taken", ascending=False, kind="stable").head(NAMED).to_dict("records")
    names = [
        f"{row['route']} (claimed in {estimate(row, 'claim_rate', 'share')} of games, in turn "
        f"{estimate(row, 'turn', '')} on average)"
        for row in rows
    ]
    return (
        f"Claimed early, and often: {listed(names)}. This is what these strategies "
        "do, not what a route is worth; `ttrsim routes` measures that, by closing routes and by giving them away."
    )


def which_seat(frame: "pd.DataFrame", margin: float) -> str:
    """State whether seats are fair."""
    rows = frame.to_dict("records")
    if (frame["verdict"] == "not rotated").any():
        return "Unknown: strategies did not sit in all seats equally often."
    off = [row for row in rows if row["verdict"] == "imbalanced"]
    way = "less" if rows[0]["advantage"] < 0 else "more"
    words = f"The {seat_name(0)} wins {size(rows[0], 'advantage', 'share difference')} {way} than a fair share. "
    if off:
        seats = [f"the {seat_name(row['seat'])} by {signed(row, 'advantage', 'share difference')}" for row in off]
        return f"{words}Clearly off by more than {in_pp(margin)}: {listed(seats)}."
    if (frame["verdict"] == "balanced").all():
        return f"{words}No seat is off by {in_pp(margin)} or more, so the seats are balanced."
    close = f"{words}Whether any seat is off by more than {in_pp(margin)} is too close to call"
    more = frame["more_games"].max()
    return f"{close}; {games_more(more)} would settle it." if more <= TOO_CLOSE else f"{close}."


def disagreement(frame: "pd.DataFrame") -> str:
    """State how far effects of tickets on wins and on the score agree, and where they do not; "" if none is clear."""
    known = frame[frame[["win_effect_low", "score_effect_low"]].notna().all(axis=1)]
    score, wins = known["score_effect"].to_numpy(float), 100 * known["win_effect"].to_numpy(float)
    if not ((known["win_effect_low"] > 0) | (known["win_effect_high"] < 0)).any() or not score.any():
        return ""
    slope = float((score * wins).sum() / (score**2).sum())
    words = f"A point of score goes with {number(slope)} extra wins per 100 games"
    above, below = (known[known[f"{name}_low"] > 0].index for name in ("win_effect", "score_effect"))
    less_wins, less_score = (known[known[f"{name}_high"] < 0].index for name in ("win_effect", "score_effect"))
    against = known.loc[above.intersection(less_score).union(below.intersection(less_wins))].to_dict("records")
    if against:
        names = [
            f"{row['ticket']} ({signed(row, 'score_effect', 'points')}, {signed(row, 'win_effect', 'of 100')} wins)"
            for row in against
        ]
        return f"{words}, but not with {some(names)}: only the highest score wins, so points in lost games are in vain."
    far = np.abs(wins - slope * score)
    row = known.iloc[int(far.argmax())].to_dict()
    both = f"{signed(row, 'score_effect', 'points')} and {signed(row, 'win_effect', 'of 100')} wins"
    return f"{words}; {row['ticket']} is farthest from that, with {both}. Only the highest score wins."


def how_sure(run: "Run", strategies: "pd.DataFrame", sections: "Sequence[Section]") -> str:
    """Describe what the errors are based on, how large they are, and how many intervals of tables miss the truth."""
    seatings = block_games(run)
    blocks = run.games_played // seatings
    known = known_to(strategies)
    narrower = "Four times the games would make them half as wide. " if known else ""
    return (
        f"{counted(run.games_played, 'game')} are {counted(blocks, 'deal')}, "
        f"each played {f'in {seatings} seatings' if seatings > 1 else 'once'}. {known}{narrower}"
        "Each interval holds in 95 of 100 such runs; where a table says that intervals hold at once, all of them do in "
        f"95 of 100. {chance_in_tables(sections).strip()}"
    )


def chance_in_tables(sections: "Sequence[Section]", level: float = LEVEL) -> str:
    """Say how many intervals in the tables hold each on its own, and about how many miss the truth."""
    count = 0
    for table in (table for section in sections for table in section.tables):
        of = table.definition
        shown = [column.name for column in of.columns if column.head.endswith("±") and column.name not in of.at_once]
        count += int(sum(table.frame[f"{name}_low"].notna().sum() for name in shown if name in table.frame))
    tables_do_not = (
        f"; the tables do not: of their {counted(count, 'interval')} that each hold on their own, about {missing:,} "
        "miss the truth by chance"
        if (missing := round((1 - level) * count))
        else ""
    )
    return f"The answers above hold together in 95 of 100 runs{tables_do_not}. "


def known_to(frame: "pd.DataFrame") -> str:
    """State how precise the win shares of a frame are, if any has an interval."""
    half = ((frame["win_share_high"] - frame["win_share_low"]) / 2).max()
    return f"Win shares are precise to ± {at_most(100 * half)} pp or better. " if half == half else ""


def not_tested(runs: "Sequence[Run]") -> str:
    """Describe what the games of runs cannot show."""
    names = list(dict.fromkeys(name for run in runs for name in run.strategies))
    same = len({run.board.id for run in runs}) == 1
    words = untested(names, sorted({run.recipe.seats for run in runs}), runs[0].board if same else None)
    return f"{words}{_other_reading(runs)}"


def untested(strategies: Sequence[str], sizes: Sequence[int], board: "Board | None") -> str:
    """Describe what games of these strategies cannot show. sizes: numbers of players; board: if there is only one."""
    fewest, most = board.rules.players if board else (0, -1)
    others = [str(size) for size in range(fewest, most + 1) if size not in sizes]
    tables = f"tables of {listed(others, 'or')} players; " if others else ""
    return (
        f"People, and strategies other than {listed(strategies)}: what a ticket, a route or a seat is worth depends on "
        f"who plays. {tables[:1].upper()}{tables[1:]}{'o' if tables else 'O'}ther boards and variants. These "
        "strategies do not talk, bear no grudges, and learn nothing from one game for the next."
    )


OVERSTATED = 0.1
"""The part of the largest effect that must be chance for a page to mention it."""


def overstated(effects: Estimate, names: Sequence[str]) -> str:
    """Say by how much the largest effect is likely overstated, if that matters. effects: on win shares, (tickets,)."""
    known = np.isfinite(effects.error)
    if not known.any():
        return ""
    top = int(np.argmax(np.where(known, effects.value, -np.inf)))
    value, chance = 100 * effects.value[top], 100 * luck_of_first(effects)
    if value <= 0 or chance < OVERSTATED * value:
        return ""
    return (
        f"Whatever comes first in a ranking was also lucky: of the {number(value)} pp of {names[top]}, about "
        f"{number(chance)} pp are likely chance."
    )


def tickets_for_whom(tickets: "pd.DataFrame", by_strategy: "pd.DataFrame") -> str:
    """State for whom the effects of tickets hold. tickets: over all strategies."""
    names = list(by_strategy["strategy"].unique())
    if len(names) == 1:
        return f"All of this holds for {names[0]} against copies of itself."
    most = tickets.iloc[int(tickets["win_effect"].abs().argmax())].to_dict()
    own = by_strategy[by_strategy["ticket"] == most["ticket"]].sort_values("win_effect").to_dict("records")
    ends = [f"{signed(row, 'win_effect', 'share difference')} for {row['strategy']}" for row in (own[0], own[-1])]
    words = [
        f"Effects are means over {listed(names)}, and depend on who plays: {most['ticket']} from {ends[0]} to {ends[1]}"
        f"{_for_a_new_one(most, 'win_effect')}."
    ]
    turns = [str(name) for name in tickets[tickets["win_effect_sign"] != ""]["ticket"]]
    if turns:
        helps = "helps one strategy and hurts" if len(turns) == 1 else "help one strategy and hurt"
        words.append(f"{some(turns)} clearly {helps} another.")
    return " ".join(words)


def seat_for_whom(seats: "pd.DataFrame", strategies: Sequence[str]) -> str:
    """State for whom the advantage of the first seat holds."""
    if len(strategies) == 1:
        return f"This holds for {strategies[0]} against copies of itself."
    first = seats.iloc[0].to_dict()
    depends = "; it clearly helps one of them and hurts another" if first["advantage_sign"] else ""
    return f"This is the mean over {listed(strategies)}{depends}{_for_a_new_one(first, 'advantage')}."


def _for_a_new_one(row: Row, column: str) -> str:
    """State what to expect of a strategy that was not tested, where that is known."""
    new = ends_of(row, f"{column}_new", "share difference")
    return f"; for a strategy that was not tested expect {new.replace('…', 'to')} pp" if new != "–" else ""
