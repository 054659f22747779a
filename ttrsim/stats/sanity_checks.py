"""Check whether a run can be trusted.

Checks cover what must hold exactly, what should hold up to chance, and how often the rare cases of the rules occurred.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from ttrsim.batches import Array, Estimate, ratio, sidak
from ttrsim.core.sums import WHOLE_WIN
from ttrsim.formatting import counted
from ttrsim.stats.frames import Column, Definition, build, sums
from ttrsim.stats.standings import win_shares
from ttrsim.stats.ticket_values import deal_classes, offer_effects

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.boards import Board
    from ttrsim.runs import Run

ALARM = 0.999
"""The level of checks that should hold but for chance: one sound run of a thousand is called odd."""

SANITY = Definition(
    "sanity",
    "A row is a check.",
    (
        Column("check", "key", "", "What is checked or counted.", "Check"),
        Column(
            "result",
            "number",
            "",
            "ok; wrong: something that must hold does not, so the run cannot be believed; odd: something that holds "
            "but for chance does not, as happens in one sound run of a thousand for each check; notable: worth "
            "looking into; –: cannot be checked in this run.",
            "Result",
        ),
        Column(
            "value",
            "number",
            "",
            "How many times it failed (what must hold); the largest number of standard errors from what is expected "
            "(what should hold but for chance); how often it occurred.",
            "Value",
        ),
        Column("words", "number", "", "The value in words.", "That is"),
    ),
    "",
    "",
)

Row = tuple[str, str, float, str]

RARE_CASES = {
    "shared_wins": "games won by several",
    "stalemate": "games that ended with nobody able to move",
    "overlong": "games stopped at 400 turns per player",
    "reshuffles": "times the discards became the deck",
    "refreshes": "times the display was dealt anew for too many wilds",
}


DRY_TURNS = "turns that began with neither deck nor discards"
DRY = 0.1
"""The share of dry turns above which the reading of that rule matters."""


def sanity(run: "Run") -> "pd.DataFrame":
    """Return all checks of a run."""
    seats = sums(run, "seats")
    rows = [
        _finished(run),
        _exact("win shares of a game sum to 1", _win_shares_off(run, seats)),
        _exact("parts of the score sum to it", _parts_off(seats)),
        *(_exact(f"offers of {name} tickets are complete", off) for name, off in _offers_off(run, seats)),
        *(_by_chance(f"offer effects of {name} tickets sum to 0", t, free) for name, t, free in _effect_sums(run)),
        _by_chance("both halves of the run agree", *_halves(seats)),
        *(_by_chance("one strategy under two names wins as often", t, free) for t, free in _same_strategies(run)),
        *_rare_cases(run, seats),
        _dry_turns(run),
    ]
    columns = zip(*rows, strict=True)
    return build(SANITY, dict(zip(("check", "result", "value", "words"), map(np.array, columns), strict=True)))


def dry_share(run: "Run") -> float:
    """Return the share of the turns that began with neither deck nor discards."""
    s = sums(run, "games")
    return float(s["dry_turns"].sum() / max(1, s["turns"].sum()))


def dry_words(board: "Board") -> str:
    """Say what a board allows in dry turns, and how to play the other reading of the rule."""
    face_up = board.rules.draw_when_dry
    rule, other = ("face-up cards may", "false") if face_up else ("no train cards may", "true")
    return f"in which {rule} be drawn; --set 'rules.draw_when_dry = {other}' plays the other reading of the rule"


def verdict(frame: "pd.DataFrame") -> str:
    """Summarise the checks in a line.

    >>> verdict(sanity(run))
    'Sanity: 8 checks, all ok'
    """
    bad = frame[~frame["result"].isin(["ok", "–"])]
    shown = "; ".join(f"{row.check}: {row.result} ({row.words})" for row in bad.itertuples())
    ok, untold = (int((frame["result"] == result).sum()) for result in ("ok", "–"))
    rest = f"{ok} checks ok, {untold} cannot be checked" if untold else f"{ok} checks, all ok"
    return f"Sanity: {shown or rest}"


def checks_line(*frames: "pd.DataFrame") -> str:
    """Count the checks of one run or several by their results: `115 of 116 checks ok; 1 worth a look`.

    >>> checks_line(sanity(run))
    '14 checks, all ok'
    """
    found = [result for frame in frames for result in frame["result"]]
    words = {"wrong": "wrong", "odd": "odd", "notable": "worth a look", "–": "not possible"}
    rest = [f"{found.count(result)} {word}" for result, word in words.items() if result in found]
    if not rest:
        return f"{len(found)} checks, all ok"
    return f"{found.count('ok')} of {len(found)} checks ok; {', '.join(rest)}"


def panels(runs: "Sequence[Run]") -> str:
    """Summarise the checks of several tables in a line, or what is wrong with which."""
    return panels_of([(run, sanity(run)) for run in runs])


def panels_of(frames: "Sequence[tuple[Run, pd.DataFrame]]") -> str:
    """Summarise checks that were made of several tables, as `panels`."""
    bad = [
        f"{run.board.id}, {run.recipe.seats} players, {run.recipe.design}: {verdict(frame).removeprefix('Sanity: ')}"
        for run, frame in frames
        if not frame["result"].isin(["ok", "–"]).all()
    ]
    ok, untold = (sum(int((frame["result"] == result).sum()) for _, frame in frames) for result in ("ok", "–"))
    rest = f" ok, {untold} cannot be checked" if untold else ", all ok"
    tables = counted(len(frames), "table")
    return f"Sanity: {'; '.join(bad) or f'{ok} checks of {tables}{rest}'}"


def _finished(run: "Run") -> Row:
    played, planned = int(sums(run, "games")["games"].sum()), run.recipe.schedule.games
    shown = f"{played:,} of {planned:,} games" + (
        ", as it was to stop early" if run.finished and played < planned else ""
    )
    unfinished = 0 if run.finished else planned - played
    return "nothing is unfinished", "notable" if unfinished else "ok", unfinished, shown


def _exact(check: str, off: Array) -> Row:
    wrong = int((off != 0).sum())
    return check, "wrong" if wrong else "ok", wrong, f"{off.size:,} sum{'s' * (off.size != 1)}, {wrong or 'none'} off"


def _win_shares_off(run: "Run", seats: dict[str, Array]) -> Array:
    return np.asarray(seats["win60"].sum(axis=(1, 2)) - WHOLE_WIN * sums(run, "games")["games"].sum(axis=1))


def _parts_off(seats: dict[str, Array]) -> Array:
    parts = [array for name, array in seats.items() if name.startswith("points_")]
    return np.asarray(sum(parts, np.zeros_like(seats["score"])) - seats["score"])


def _offers_off(run: "Run", seats: dict[str, Array]) -> Iterator[tuple[str, Array]]:
    """Yield, for each class of tickets, how far sums over offers are from those over seats times the tickets dealt."""
    offers = sums(run, "tickets")
    for name, (tickets, deal) in deal_classes(run.board).items():
        pairs = [("offered", "games"), ("offered_win60", "win60"), ("offered_score", "score")]
        yield name, np.array([offers[of][..., tickets].sum(axis=-1) - deal * seats[all_] for of, all_ in pairs])


def _effect_sums(run: "Run") -> Iterator[tuple[str, Array, Array | int]]:
    """Yield sums of offer effects, in standard errors."""
    for name, (tickets, deal) in deal_classes(run.board).items():
        if deal < len(tickets):
            effects = [offer_effects(run, outcome, rare=True) for outcome in ("score", "win60")]
            sums_ = [Estimate(e.value[:, tickets].sum(1), e.replicates[:, :, tickets].sum(2)) for e in effects]
            yield name, np.array([estimate.t for estimate in sums_]), sums_[0].freedom


def _halves(seats: dict[str, Array]) -> tuple[Array, Array | int]:
    """Compare win shares and scores between the first and the second half of the batches, in standard errors."""
    batches = len(seats["games"])
    if batches < 4:
        return np.array([np.nan]), 0
    games = seats["games"].sum(axis=2)
    t = []
    for outcome in ("win60", "score"):
        of = seats[outcome].sum(axis=2)
        first, second = (ratio(of[part], games[part]) for part in (slice(batches // 2), slice(batches // 2, None)))
        with np.errstate(divide="ignore", invalid="ignore"):
            t.append((first.value - second.value) / np.hypot(first.error, second.error))
    return np.array(t), batches - 2


def _same_strategies(run: "Run") -> Iterator[tuple[Array, Array | int]]:
    """Yield differences in win share of strategies that differ in name only, in standard errors, if there are any."""
    same = [(i, j) for (i, a), (j, b) in combinations(enumerate(run.recipe.strategies), 2) if _code(a) == _code(b)]
    if not same:
        return
    shares = win_shares(run)
    first, second = np.array(same).T
    apart = Estimate(
        shares.value[first] - shares.value[second], shares.replicates[:, first] - shares.replicates[:, second]
    )
    yield apart.t, apart.freedom


def _code(strategy: Any) -> tuple[str, dict[str, float]]:
    return strategy.content_sha256, strategy.params


def _by_chance(check: str, t: Array, freedom: Array | int) -> Row:
    known = np.abs(t[np.isfinite(t)])
    if not len(known) or freedom < 1:
        return check, "–", np.nan, "cannot be checked in this run"
    limit = sidak(len(known), freedom, ALARM)
    shown = f"standard errors, the most of {len(known)}; odd from {limit:.1f} on"
    return check, "ok" if known.max() <= limit else "odd", float(known.max()), shown


def _rare_cases(run: "Run", seats: dict[str, Array]) -> Iterator[Row]:
    s = sums(run, "games")
    played = int(s["games"].sum())
    counts = {words: int(s[name].sum()) for name, words in RARE_CASES.items()}
    counts["turns in which nothing was possible"] = int(seats["passes"].sum())
    counts["tunnels given up"] = int(seats["withdrawn"].sum())
    for words, count in counts.items():
        notable = words == RARE_CASES["overlong"] and count
        yield words, "notable" if notable else "ok", count, f"{_rate(100 * count / played)} in 100 games"


def _dry_turns(run: "Run") -> Row:
    share, dry = dry_share(run), int(sums(run, "games")["dry_turns"].sum())
    shown = f"{_rate(100 * share)} in 100 turns"
    if share <= DRY:
        return DRY_TURNS, "ok", dry, shown
    return DRY_TURNS, "notable", dry, f"{shown}, {dry_words(run.board)}"


def _rate(value: float) -> str:
    """Return a number to three digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
