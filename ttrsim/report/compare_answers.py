"""Answer the questions of a comparison's readers, from the frame of changes."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ttrsim.batches import Interval
from ttrsim.formatting import TOO_CLOSE, counted, games_more, seat_name
from ttrsim.report.answers import chance_in_tables
from ttrsim.report.prose import Row, at_most, in_pp, is_clear, number, signed, size, some
from ttrsim.stats.compare import Pair, dealt_otherwise, match_strategies
from ttrsim.stats.verdicts import verdicts
from ttrsim.words import listed

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.report.document import Section
    from ttrsim.runs import Run

ENDS = {
    "shared_wins": "games that several win",
    "stalemate": "games that end with nobody able to move",
    "overlong": "games stopped for their length",
}


def rows_of(frame: "pd.DataFrame", table: str, what: str) -> "pd.DataFrame":
    """Return the changes of one quantity that both runs have, in the frame's order."""
    return frame[(frame["table"] == table) & (frame["what"] == what) & frame["change"].notna()]


def is_sure(row: Row) -> bool:
    """Return whether it clearly changed."""
    return is_clear(row, "change")


def is_same(row: Row) -> bool:
    """Return whether it came out the same in every batch."""
    return bool(row["change"] == row["change_low"] == row["change_high"] == 0)


def alike(pair: Pair) -> bool:
    """Return whether each side has one strategy only, which fixes win shares."""
    return len(pair.a.strategies) == 1 == len(pair.b.strategies)


def what_changed(pair: Pair, frame: "pd.DataFrame", margin: float) -> str:
    """List the win shares and scores that clearly changed, the greatest changes first."""
    names = names_of(pair)
    if alike(pair):
        words = ["Everybody plays the same strategy on each side, so its win share cannot change."]
    else:
        words = [_sure_wins(names, records(frame, "win_share"), margin)]
    scores = [
        f"{names[row['of']]} {_more(row, 'points', 'more', 'less')}" for row in records(frame, "score") if is_sure(row)
    ]
    words.append(f"Mean scores: {'; '.join(scores)}." if scores else "No strategy's mean score clearly changed.")
    return " ".join([*words, *_same_strategies(pair), *_alone(pair)])


def _sure_wins(names: dict[str, str], rows: list[Row], margin: float) -> str:
    sure = [row for row in rows if is_sure(row)]
    if not sure:
        return "No strategy's win share clearly changed."
    moved = [f"{names[row['of']]} {_more(row, 'share', 'more', 'less')}" for row in sure]
    beyond = [names[row["of"]] for row in sure if row["change_low"] > margin or row["change_high"] < -margin]
    which = "all of them" if len(beyond) == len(rows) > 1 else listed(beyond or ["none"])
    clearly_beyond = f"Clearly by more than {in_pp(margin)}: {which}."
    return f"Win shares: {'; '.join(moved)}. {clearly_beyond}"


def records(frame: "pd.DataFrame", what: str, table: str = "strategies") -> list[Row]:
    """Return the rows, the greatest changes first."""
    rows = rows_of(frame, table, what)
    return [*rows.sort_values("change", key=abs, ascending=False, kind="stable").to_dict("records")]


def names_of(pair: Pair) -> dict[str, str]:
    """Map the name of each strategy in the frame to how sentences call it."""
    a, b = pair.a.strategies, pair.b.strategies
    matches = [match for match in match_strategies(a, b) if min(match[1:]) >= 0]
    return {of: a[i] if a[i] == b[j] else f"{b[j]} in place of {a[i]}" for of, i, j in matches}


def _same_strategies(pair: Pair) -> Iterator[str]:
    """Warn if strategies met other opponents than before."""
    both = [name for name in pair.a.strategies if name in pair.b.strategies]
    if both and players(pair.a) != players(pair.b):
        yield f"The opponents differ too, which alone may explain what changed for {listed(both)}."


def _alone(pair: Pair) -> Iterator[str]:
    """Name strategies that only one run has."""
    for of, i, j in match_strategies(pair.a.strategies, pair.b.strategies):
        if min(i, j) < 0:
            yield f"{of} plays only in {'A' if j < 0 else 'B'}."


def _more(row: Row, unit: str, up: str, down: str) -> str:
    """Format a change: `3.1 ± 0.4 pp more (35.2 % instead of 32.1 %)`."""
    b, a = (_value(row[run], unit) for run in "ba")
    return f"{_size(row, unit)} {up if row['change'] > 0 else down} ({b} instead of {a})"


def _size(row: Row, unit: str) -> str:
    return size(row, "change", "share difference" if unit == "share" else unit)


def _signed(row: Row, unit: str) -> str:
    return signed(row, "change", "share difference" if unit == "share" else unit)


def _value(value: float, unit: str) -> str:
    return f"{number(100 * value)} %" if unit == "share" else number(value)


def what_did_not(pair: Pair, frame: "pd.DataFrame", margin: float) -> str:
    """List the strategies whose win share or score stayed the same, and the undecided ones."""
    names = names_of(pair)
    words = [] if alike(pair) else [*_win_shares_left(pair, names, records(frame, "win_share"), margin)]
    scores = [row for row in records(frame, "score") if not is_sure(row)]
    if same := [names[row["of"]] for row in scores if is_same(row)]:
        words.append(f"The mean score of {listed(same)} came out the same on both sides.")
    if left := [f"{names[row['of']]} ({_signed(row, 'points')})" for row in scores if not is_same(row)]:
        words.append(f"The mean score of {listed(left)} is too close to call.")
    if not words:
        return "Nothing: everything above clearly changed."
    return f"{' '.join(words)} Seeing no change does not prove that there is none."


def _win_shares_left(pair: Pair, names: dict[str, str], rows: list[Row], margin: float) -> Iterator[str]:
    """Describe the win shares that did not clearly change."""
    unsure = [row for row in rows if not is_sure(row)]
    ends = Interval(*(np.array([row[f"change{end}"] for row in unsure], float) for end in ("", "_low", "_high")))
    verdict, more = verdicts(ends, margin, min(pair.a.games_played, pair.b.games_played))
    if same := [names[row["of"]] for row in unsure if is_same(row)]:
        yield f"The win share of {listed(same)} came out the same on both sides."
    wide = ends.low < ends.high
    stayed = (verdict == "balanced") & wide
    if stayed.any():
        kept = [names[row["of"]] for row, stays in zip(unsure, stayed, strict=True) if stays]
        yield f"The win share of {listed(kept)} changed by less than {in_pp(margin)}, if at all."
    left = [row for row, stays in zip(unsure, stayed, strict=True) if not stays and not is_same(row)]
    if left:
        most = np.nanmax(more) if np.isfinite(more).any() else np.nan
        wanted = f"; {games_more(most, 'of each')} would show whether by more than {in_pp(margin)}"
        names_left = listed(f"{names[row['of']]} ({_signed(row, 'share')})" for row in left)
        yield f"The win share of {names_left} is too close to call{wanted if most <= TOO_CLOSE else ''}."


def which_tickets_changed(pair: Pair, frame: "pd.DataFrame") -> str:
    """Name the tickets that became better or worse to be offered."""
    words = []
    for what, unit, of in (("win_effect", "share", "win share"), ("score_effect", "points", "score")):
        rows = sorted(records(frame, what, "tickets"), key=lambda row: -row["change"])
        gained, lost = ([row for row in rows if is_sure(row) and way * row["change"] > 0] for way in (1, -1))
        for found, word in ((gained, "gained"), (lost[::-1], "lost")):
            if found:
                names = some([f"{row['of']} ({_signed(row, unit)})" for row in found])
                words.append(f"On the {of} {word}: {names}.")
        if rows and not gained and not lost:
            words.append(f"The effect on the {of} clearly changed for none of {counted(len(rows), 'ticket')}.")
    if not words:
        return "Unknown: the boards have no ticket in common."
    words += [f"{counted(len(names), 'ticket')} only in {run}." for run, names in _tickets_alone(pair) if names]
    return " ".join(["This is about the effect of being offered a ticket at the start.", *words])


def _tickets_alone(pair: Pair) -> list[tuple[str, set[str]]]:
    a, b = ({run.board.ticket_name(ticket) for ticket in run.board.tickets} for run in (pair.a, pair.b))
    return [("A", a - b), ("B", b - a)]


def first_seat(frame: "pd.DataFrame", margin: float, *, rotated: bool) -> str:
    """State whether playing first became better."""
    if not rotated:
        return "Unknown: strategies did not sit in all seats equally often."
    first, *others = rows_of(frame, "seats", "win_share").to_dict("records")
    words = [f"The first seat wins {_value(first['b'], 'share')} of games in B and {_value(first['a'], 'share')} in A:"]
    if is_sure(first):
        words.append(f"it is clearly {'better' if first['change'] > 0 else 'worse'}, by {_size(first, 'share')}.")
    elif is_same(first):
        words.append("that came out the same.")
    elif -margin <= first["change_low"] < first["change_high"] <= margin:
        words.append(f"that is no change of more than {in_pp(margin)} ({_signed(first, 'share')}).")
    else:
        words.append(f"whether that is better or worse is too close to call ({_signed(first, 'share')}).")
    moved = [f"the {seat_name(int(row['of']))} ({_signed(row, 'share')})" for row in others if is_sure(row)]
    if moved:
        words.append(f"Other seats that clearly changed: {listed(moved)}.")
    return " ".join(words)


def games_changed(frame: "pd.DataFrame") -> str:
    """State whether games became longer or closer, or end differently."""
    (length,), (lead,) = (rows_of(frame, "games", what).to_dict("records") for what in ("turns", "margin"))
    return " ".join([_length(length), _lead(lead), *_ends(frame)])


def _length(row: Row) -> str:
    if is_sure(row):
        return f"Games are clearly {_more(row, 'turns', 'longer', 'shorter')}, counting the turns of all seats."
    if is_same(row):
        return "Games came out equally long on both sides."
    return f"Whether games are longer or shorter is too close to call ({_signed(row, 'turns')})."


def _lead(row: Row) -> str:
    if is_sure(row):
        closer = "less close" if row["change"] > 0 else "closer"
        return f"Games are clearly {closer}: the winner leads the second by {_more(row, 'points', 'more', 'less')}."
    if is_same(row):
        return "They came out equally close."
    return f"Whether they are closer or less close is too close to call (the winner's lead: {_signed(row, 'points')})."


def _ends(frame: "pd.DataFrame") -> Iterator[str]:
    """Name the kinds of ending that clearly became more or less frequent."""
    for what, of in ENDS.items():
        for row in rows_of(frame, "games", what).to_dict("records"):
            if is_sure(row):
                yield f"There are clearly {'more' if row['change'] > 0 else 'fewer'} {of} ({_signed(row, 'share')})."


def how_paired(pair: Pair) -> str:
    """State whether luck cancels between the runs, and why."""
    if pair.unpaired:
        return (
            f"The runs are not paired: {pair.unpaired}. So their errors are combined as those of independent runs, "
            "and only larger changes show."
        )
    if otherwise := dealt_otherwise(pair.a, pair.b):
        return (
            f"Both played blocks of the same numbers, but the boards deal other {' and other '.join(otherwise)}: so "
            "pairing does not help here, and errors are about those of independent runs."
        )
    return "The runs are paired: both played the same deals, so shared luck cancels and small changes show."


def how_sure(pair: Pair, frame: "pd.DataFrame", panels: tuple[str, ...], sections: "Sequence[Section]") -> str:
    """Describe what the errors are based on, how large they are, and whether the runs are sound."""
    rows = rows_of(frame, "strategies", "win_share")
    half = ((rows["change_high"] - rows["change_low"]) / 2).max()
    known = f"Changes of win shares are precise to ± {at_most(100 * half)} pp or better. " if half > 0 else ""
    games = " and ".join(
        f"{counted(run.games_played, 'game')} of {name}" for name, run in zip("AB", _runs(pair), strict=True)
    )
    return (
        f"{how_paired(pair)} {known}These are {games}. The intervals of one kind of change hold at once for all "
        f"strategies, all seats or all tickets. {chance_in_tables(sections)}{panels[0]}. {panels[1]}."
    )


def differences(pair: Pair) -> str:
    """List what differs between the two runs, as far as their files say."""
    a, b = (run.recipe for run in _runs(pair))
    found = [
        f"{what} (A: {_short(one)}; B: {_short(other)})"
        for what, one, other in (
            ("the board", a.board.id, b.board.id),
            ("who sits together", players(pair.a), players(pair.b)),
            ("which line-ups meet", a.design, b.design),
            ("how seats are rotated", a.rotate, b.rotate),
            ("the seed", str(a.seed), str(b.seed)),
            ("the number of games", f"{pair.a.games_played:,}", f"{pair.b.games_played:,}"),
            ("the version of the rules", str(a.rules_version), str(b.rules_version)),
        )
        if one != other
    ]
    if a.board.sha256 != b.board.sha256 and a.board.id == b.board.id:
        found.append("the file of the board")
    found += _repriced(pair) + _edited(pair)
    if not found:
        return "Nothing: A and B are the same games."
    return f"They differ in {listed(found)}. All else is the same."


def players(run: "Run") -> str:
    """Return the one line-up, or all strategies."""
    return " | ".join(run.recipe.line_up_names) if run.recipe.design == "fixed" else ", ".join(run.strategies)


def _short(text: str) -> str:
    return text if len(text) <= 120 else f"{text[:119]}…"


def _repriced(pair: Pair) -> list[str]:
    """List tickets that have different values on the two boards."""
    a, b = ({run.board.ticket_name(t): t.points for t in run.board.tickets} for run in _runs(pair))
    moved = [f"{name} {a[name]} → {b[name]}" for name in a if name in b and a[name] != b[name]]
    return [f"the values of tickets ({some(moved)})"] if moved else []


def _edited(pair: Pair) -> list[str]:
    """List strategies that have the same name but differ."""
    a, b = ({s.name: (s.content_sha256, s.params) for s in run.recipe.strategies} for run in _runs(pair))
    edited = [name for name in a if name in b and a[name] != b[name]]
    found = [f"what {listed(edited)} does"] if edited else []
    if pair.a.recipe.kit_sha256 != pair.b.recipe.kit_sha256:
        found.append("the helpers of strategies")
    return found


def _runs(pair: Pair) -> tuple["Run", "Run"]:
    return pair.a, pair.b
