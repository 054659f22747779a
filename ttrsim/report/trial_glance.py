"""Trials at a glance: what the changes do in a sentence, and cards for each kind of change."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from ttrsim.formatting import counted
from ttrsim.report.document import Bar, SummaryCard, at_a_glance, both_ends, effect_bars
from ttrsim.report.prose import Row, estimate, number, sentence, signed, size
from ttrsim.report.trial_answers import held_together, named, sure
from ttrsim.trials.difficulty import par_of
from ttrsim.trials.routes import own_claims
from ttrsim.words import listed

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.measurement import Trials

TITLES = {
    "swaps": "Tickets dealt",
    "forced": "Tickets held",
    "fair": "Fair values",
    "gifts": "Routes given",
    "closed": "Routes closed",
    "changed": "Routes changed",
}
"""The titles of the sections, by the name of the table, in the order of the page."""
MOST = 4
"""Cards of a page."""
ENDS = 3
"""Rows at each end that a card shows."""
EFFECTS = {
    "win_effect": ("Wins", "of 100", "extra wins per 100 games"),
    "score_effect": ("Scores", "points", "extra points"),
}
"""Effects with the title of their card, the unit in which they are formatted, and its name."""


class TrialFrame(NamedTuple):
    """A table of trials, with intervals that hold in all answers together."""

    kind: str  # of `TITLES`
    frame: "pd.DataFrame"
    section: str  # the title of the section about it
    focal: str  # the strategy of the focal seat


def freedom_of(games: int, players: int) -> int:
    """Return the degrees of freedom that errors have at least: there are 101 to 200 batches, or one for each lap."""
    return max(1, min(-(-games // players), 101) - 1)


def answers_of_trials(found: "Trials") -> list[str]:
    """Return the sentences with which the page of these trials begins."""
    trial = found.trial
    tables = [(kind, found.frames[kind]) for kind in TITLES if kind in found.frames]
    wide = held_together(tables, freedom_of(trial.schedule.games, len(trial.line_up)))
    shown = [
        TrialFrame(kind, frame, TITLES[kind], trial.line_up[0].spec)
        for (kind, _), frame in zip(tables, wide, strict=True)
    ]
    return at_a_glance(headline(trial.board.name, shown), summary_cards(shown))


def headline(board: str, shown: Sequence[TrialFrame]) -> str:
    """State what the first table shows."""
    first = shown[0]
    return f"{board}: {HEADLINES[first.kind](first)}"


def summary_cards(shown: Sequence[TrialFrame]) -> list[SummaryCard]:
    """Return the answers at a glance: several cards of a single table, fewer of each where there are several."""
    each = max(1, MOST // len(shown))
    found = [(one, card) for one in shown for card in [*CARDS[one.kind](one)][:each]]
    if len(shown) > 1:
        found = [(one, replace(card, title=f"{one.section}: {card.title.lower()}")) for one, card in found]
    return [card for _, card in found][:MOST]


def _dealt(shown: TrialFrame) -> str:
    found = _extremes(shown, "ticket")
    return f"being dealt {found}" if found else f"no ticket clearly helps or hurts {shown.focal} when dealt it"


def _given(shown: TrialFrame) -> str:
    found = _extremes(shown, "route")
    return f"owning {found}" if found else f"no route clearly helps or hurts {shown.focal} when given to it"


def _extremes(shown: TrialFrame, name: str) -> str:
    """Name what clearly brings and costs most, in wins if any does, else in points; "" if nothing does."""
    for column, (_, unit, what) in EFFECTS.items():
        best, worst = (sure(shown.frame, column, way)[:1] for way in (1, -1))
        rows = [*((row, "brings") for row in best), *((row, "costs") for row in worst)]
        if rows:
            (first, verb), *others = rows
            words = [f"{first[name]} {verb} {shown.focal} {_plain(first, column, unit)} {what}"]
            return "; ".join([*words, *(f"{row[name]} {verb} {_plain(row, column, unit)}" for row, verb in others)])
    return ""


def _plain(row: Row, column: str, unit: str) -> str:
    """Format how large an effect is, without its unit."""
    return size(row, column, unit).removesuffix(f" {unit}")


def _held(shown: TrialFrame) -> str:
    frame = _by_difficulty(shown.frame)
    if frame.empty:
        return f"how often {shown.focal} fails with the tickets it must keep is not known"
    mean, worst = frame["difficulty"].mean(), frame.iloc[0]
    if len(frame) == 1:
        return f"{shown.focal} fails with {worst['ticket']}, if it must keep it, in {_percent(mean)} of games"
    most = f"{worst['ticket']} most, {_percent(worst['difficulty'])}"
    return f"{shown.focal} fails {_percent(mean)} of the tickets it must keep, {most}"


def _by_difficulty(frame: "pd.DataFrame") -> "pd.DataFrame":
    """Return the tickets whose difficulty is known, the hardest first."""
    return frame.dropna(subset="difficulty").sort_values("difficulty", ascending=False, kind="stable")


def _percent(share: float) -> str:
    return f"{number(100 * share)} %"


def _fair(shown: TrialFrame) -> str:
    if _stay(shown.frame):
        return "the printed points of tickets stay, because none that were tried are clearly fairer"
    moved = int((shown.frame["new_points"] != shown.frame["points"]).sum())
    return f"with other points for {moved} of {counted(len(shown.frame), 'ticket')}, tickets are clearly fairer"


def _stay(frame: "pd.DataFrame") -> bool:
    """Return whether the search found no points that are clearly better than the printed ones."""
    return bool((frame["new_points"] == frame["points"]).all())


def _off(frame: "pd.DataFrame") -> "pd.DataFrame":
    """Return the tickets whose fair value clearly differs from the printed one, the farthest first."""
    off = (frame["fair_value_low"] > frame["points"]) | (frame["fair_value_high"] < frame["points"])
    far = (frame["fair_value"] - frame["points"]).abs()
    return frame.assign(_far=far)[off].sort_values("_far", ascending=False, kind="stable")


def _closed(shown: TrialFrame) -> str:
    found = [row for way in (-1, 1) for row in sure(shown.frame, "score_change", way)]
    if not found:
        return "nobody clearly scores more or less because of what was closed"
    row = max(found, key=lambda row: abs(row["score_change"]))
    verb = "costs" if row["score_change"] < 0 else "brings"
    return f"closing {row['closed']} {verb} {row['strategy']} {size(row, 'score_change', 'points')}"


def _changed(shown: TrialFrame) -> str:
    own = own_claims(shown.frame)
    row = max(own.to_dict("records"), key=lambda row: abs(row["change"]))
    often = f"{number(100 * row['after'])} times in 100 games instead of {number(100 * row['before'])}"
    return f"with {row['setting']}, {row['of']} is claimed {often}"


HEADLINES: dict[str, Callable[[TrialFrame], str]] = {
    "swaps": _dealt,
    "forced": _held,
    "fair": _fair,
    "gifts": _given,
    "closed": _closed,
    "changed": _changed,
}


def _cards_of_effects(shown: TrialFrame, one: str) -> Iterable[SummaryCard]:
    """Yield a card for the effects on wins, and one for those on the score."""
    for column, (title, unit, what) in EFFECTS.items():
        helps, hurts = (len(sure(shown.frame, column, way)) for way in (1, -1))
        words = f"{helps or 'None'} of {counted(len(shown.frame), one)} clearly {'helps' if helps == 1 else 'help'}"
        words += f"; {hurts} clearly {'hurts' if hurts == 1 else 'hurt'}." if hurts else "."
        yield SummaryCard(title, words, shown.section, _bars(shown.frame, one, column, unit), unit=what)


def _bars(frame: "pd.DataFrame", name: str, column: str, unit: str) -> list[Bar]:
    """Return bars of the largest and the smallest values."""
    rows = frame[frame[column].notna()].sort_values(column, ascending=False, kind="stable")
    return effect_bars(_ends(rows), name, column, unit)


def _ends(frame: "pd.DataFrame") -> Sequence[Row]:
    return both_ends(frame.to_dict("records"), ENDS)


def _cards_of_held(shown: TrialFrame) -> Iterable[SummaryCard]:
    frame = _by_difficulty(shown.frame)
    if frame.empty:
        return
    first, last = frame.iloc[0], frame.iloc[-1]
    words = f"{first['ticket']} fails most, {last['ticket']} least."
    if len(frame) == 1:
        words = f"{estimate(first.to_dict(), 'difficulty', 'share')} of games."
    bars = [Bar(row["ticket"], 100 * row["difficulty"], estimate(row, "difficulty", "share")) for row in _ends(frame)]
    yield SummaryCard("How often it fails", words, shown.section, bars, unit="% of games")
    if len({*frame["points"]}) > 1:
        yield _for_points(shown, frame)


def _for_points(shown: TrialFrame, frame: "pd.DataFrame") -> SummaryCard:
    """Show how much harder tickets are than their points say."""
    par = par_of(frame["points"].to_numpy(float), frame["difficulty"].to_numpy(float))
    off = frame.assign(**{f"off{end}": frame[f"difficulty{end}"] - par for end in ("", "_low", "_high")})
    found = {"harder": sure(off, "off", 1), "easier": sure(off, "off", -1)}
    words = [
        f"{row[0]['ticket']} is clearly {what}{f', as are {len(row) - 1} more' if row[1:] else ''}"
        for what, row in found.items()
        if row
    ]
    return SummaryCard(
        "For its points",
        sentence("; ".join(words) or "no ticket is clearly harder or easier than its points say"),
        shown.section,
        _bars(off, "ticket", "off", "of 100"),
        unit="fails per 100 games beyond what its points say",
    )


def _cards_of_fair(shown: TrialFrame) -> Iterable[SummaryCard]:
    frame = shown.frame
    off, known = _off(frame), frame[frame["fair_value"].notna()]
    rows = off[off["fair_value"].round() != off["points"]].head(2).to_dict("records")
    each = [f"{row['ticket']} ({number(row['fair_value'], 0)} instead of {row['points']:.0f})" for row in rows]
    are = "is" if len(off) == 1 else "are"
    words = f"{len(off) or 'none'} of {counted(len(frame), 'ticket')} {are} clearly mispriced"
    far = known.assign(**{f"off{end}": known[f"fair_value{end}"] - known["points"] for end in ("", "_low", "_high")})
    bars = _bars(far, "ticket", "off", "points")
    yield SummaryCard(
        "Points", sentence(f"{words}{f', most {listed(each)}' if each else ''}"), shown.section, bars,
        unit="points, fair less printed",
    )  # fmt: skip
    counts = {word: int((frame["verdict"] == word).sum()) for word in ("settled", "off", "undecided")}
    fair, unfair, left = counts.values()
    with_ = "the printed" if _stay(frame) else "the new"
    words = f"With {with_} points {fair or 'none'} clearly fair, {unfair} clearly not, {left} too close to call."
    yield SummaryCard(
        "Tested", words, shown.section, [Bar(word, count, str(count)) for word, count in counts.items()], unit="tickets"
    )


def _cards_of_closed(shown: TrialFrame) -> Iterable[SummaryCard]:
    most = " most" if shown.frame["closed"].nunique() > 1 else ""
    for strategy, rows in shown.frame.groupby("strategy", sort=False):
        found = [
            f"{strategy} {what}{most} by closing {found[0]['closed']} ({signed(found[0], 'score_change', 'points')})"
            for way, what in ((-1, "loses"), (1, "gains"))
            if (found := sure(rows, "score_change", way))
        ]
        words = f"{'; '.join(found) or f'{strategy} neither clearly loses nor gains'}."
        bars = _bars(rows, "closed", "score_change", "points")
        yield SummaryCard(f"Scores of {strategy}", words, shown.section, bars, unit="change in points")
    once = shown.frame.drop_duplicates("closed")
    found = [
        f"games are {what} without {named(rows_[:1], 'closed', 'turns_change', 'turns')}"
        for way, what in ((1, "longer"), (-1, "shorter"))
        if (rows_ := sure(once, "turns_change", way))
    ]
    words = sentence("; ".join(found) or "the length of games does not clearly change")
    yield SummaryCard(
        "Length of games", words, shown.section, _bars(once, "closed", "turns_change", "turns"), unit="change in turns"
    )


def _cards_of_changed(shown: TrialFrame) -> Iterable[SummaryCard]:
    """Yield a card for how often the changed routes are claimed, and one for the wins of strategies."""
    wins = shown.frame[(shown.frame["table"] == "strategies") & (shown.frame["what"] == "win_share")]
    by_strategy = wins.assign(setting=wins["of"] + ", " + wins["setting"])
    for title, rows, what in (
        ("Claims", own_claims(shown.frame), "more claims in 100 games"),
        ("Wins", by_strategy, "more wins per 100 games"),
    ):
        more, fewer = (len(sure(rows, "change", way)) for way in (1, -1))
        words = f"Clearly more in {more or 'none'} of {len(rows)}{f', fewer in {fewer}' if fewer else ''}."
        yield SummaryCard(title, words, shown.section, _bars(rows, "setting", "change", "of 100"), unit=what)


CARDS: dict[str, Callable[[TrialFrame], Iterable[SummaryCard]]] = {
    "swaps": partial(_cards_of_effects, one="ticket"),
    "forced": _cards_of_held,
    "fair": _cards_of_fair,
    "gifts": partial(_cards_of_effects, one="route"),
    "closed": _cards_of_closed,
    "changed": _cards_of_changed,
}
