"""Say what a designer would act on after an examination, and with which commands."""

import re
from typing import TYPE_CHECKING, Any

from ttrsim.choices import BALANCE_PLAYERS
from ttrsim.formatting import command_line, seat_name
from ttrsim.report.prose import Row, estimate
from ttrsim.report.size_words import WHAT
from ttrsim.runs.recipe import show_home
from ttrsim.stats.effects import PLACES
from ttrsim.stats.sizes import ALL
from ttrsim.words import listed

if TYPE_CHECKING:
    import pandas as pd

    from ttrsim.examination import Balance
    from ttrsim.runs import Run

GOALS = {"seats": "seats", "tickets": "tickets", "cities": "routes", "routes": "routes"}
"""The goal of `ttrsim improve` for each question."""
ENOUGH_GAMES = 10**6
"""The most games at a table that are advised to decide what is not."""


def to_act_on(frame: "pd.DataFrame") -> list[dict[str, Any]]:
    """Return what is clearly beyond the bounds, each seat, ticket and so on once, what is off at most tables first.

    frame: all verdicts. Each has the tables at which it is off, and the value farthest from fair there.
    """
    found = []
    off = frame[frame["verdict"] == "imbalanced"]
    for (question, of), rows in off.groupby(["question", "of"], sort=False):
        far = rows["value"].abs().to_numpy()
        worst = rows.iloc[int(far.argmin() if question in PLACES else far.argmax())]
        found.append(
            {
                "question": question,
                "of": of,
                "imbalance": listed(dict.fromkeys(rows["imbalance"])),
                "tables": [f"{row['players']}-{row['table']}" for row in rows.to_dict("records")],
                "value": float(worst["value"]),
                "value_low": float(worst["value_low"]),
                "value_high": float(worst["value_high"]),
                "table": f"{worst['players']}-{worst['table']}",
            }
        )
    order = {question: place for place, question in enumerate(frame["question"].unique())}
    return sorted(found, key=lambda row: (order[row["question"]], -len(row["tables"]), -abs(row["value"])))


def remedies(found: "Balance") -> list[dict[str, str]]:
    """Return, for each question that is off or undecided, what is worst and a command that helps, the worst first."""
    sizes = found.sizes[found.sizes["players"] == ALL].to_dict("records")
    judged = [row for row in sizes if row["verdict"] in ("imbalanced", "undecided")]
    judged.sort(key=lambda row: (row["verdict"] != "imbalanced", -_beyond(row)))
    return [_remedy(found, row) for row in judged]


def _beyond(row: Row) -> float:
    """Return how many times the bound a size is."""
    return float(row["size"] / row["bound"]) if row["bound"] else float(row["size"])


def _remedy(found: "Balance", row: Row) -> dict[str, str]:
    question, board = str(row["question"]), show_home(found.runs[0].recipe.board.id)
    value = estimate(row, "worst", "share") if row["worst"] == row["worst"] else ""
    of = re.sub(r"^seat (\d)$", lambda seat: seat_name(int(seat[1])), str(row["worst_of"]))
    worst = f"{of} ({value})" if of else ""
    return {"question": question, "what": WHAT[question], "verdict": row["verdict"], "worst": worst} | _command(
        found, row, question, board
    )


def _seats(found: "Balance") -> list[str]:
    """Return the option for the numbers of players that were examined, if there are others."""
    fewest, most = found.runs[0].board.rules.players
    played = sorted({run.recipe.seats for run in found.runs})
    return [] if played == [*range(fewest, most + 1)] else ["--seats", ",".join(map(str, played))]


def _players(run: "Run") -> str:
    """Return the strategies as users write them, with the values that are not those of their files."""
    specs = []
    for stored, strategy in zip(run.recipe.players, run.player.strategies, strict=True):
        usual = {param.name: param.default for param in strategy.params}
        changed = [f"{name}={value:g}" for name, value in stored.params.items() if value != usual.get(name)]
        specs.append(stored.source + (f"({', '.join(changed)})" if changed else ""))
    return ",".join(specs)


def _same_games(found: "Balance") -> list[str]:
    """Return the options with which more games continue those that were played, judged by the same bounds."""
    run = found.runs[0]
    players = _players(run)
    words = [] if players == BALANCE_PLAYERS else ["--players", players]
    words += [*_seats(found), "--seed", str(run.recipe.seed)]
    set_ = [f"{question}={100 * bound:g}" for question, bound in found.bounds.items() if bound is not None]
    words += [word for bound in set_ for word in ("--margin", bound)]
    kept = "" if found.looks or run.path is None else str(run.path.parent)  # looks have a budget instead
    return [*words, *(["-o", kept] if kept else [])]


def _command(found: "Balance", row: Row, question: str, board: str) -> dict[str, str]:
    """Return the command, and what it does."""
    if row["verdict"] == "undecided":
        more = row["more_games"]
        games = max(run.games_played for run in found.runs)
        if not more <= ENOUGH_GAMES * len(found.runs):
            return {"command": "", "does": "too close to call"}
        wanted = max(2 * games, round(games + more / len(found.runs)))
        words = ["ttrsim", "balance", board, *_same_games(found), "-n", str(wanted)]
        return {"command": command_line(words), "does": "more games may decide"}
    if question in GOALS:
        words = ["ttrsim", "improve", board, *_seats(found), "--goal", GOALS[question], "-o", "better.toml"]
        return {"command": command_line(words), "does": "searches for a few changes"}
    if question == "strategies":
        return {"command": "", "does": "may be the better bot, not the board; judge with others by --players"}
    return {"command": command_line(["ttrsim", "maps", "check", board]), "does": "may tell why games stall"}
