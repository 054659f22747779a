"""After an examination: each thing that is off once, and for each question a command that works."""

import shlex

import pandas as pd
import pytest
from conftest import SMALL_BOARD

import ttrsim
from ttrsim.cli import cli
from ttrsim.report.remedies import remedies, to_act_on
from ttrsim.report.size_words import fair_finding, fair_words
from ttrsim.stats.balance import LIKE_PUBLISHED

pytestmark = pytest.mark.usefixtures("not_the_first_run")


def row(question, of, players, value, verdict="imbalanced", imbalance="over par"):
    numbers = {"value": value, "value_low": value - 0.01, "value_high": value + 0.01}
    names = {"question": question, "of": of, "players": players, "table": "mixed"}
    return {**names, **numbers, "verdict": verdict, "imbalance": imbalance}


def test_a_ticket_that_is_off_at_several_tables_is_listed_once_with_its_farthest_value():
    rows = [row("tickets", "A–B", players, 0.05 * players) for players in (2, 3)]
    rows += [row("tickets", "C–D", 2, -0.3), row("tickets", "E–F", 2, 0.01, "balanced")]
    first, second = to_act_on(pd.DataFrame(rows))
    assert (first["of"], first["tables"], first["value"], first["table"]) == (
        "A–B", ["2-mixed", "3-mixed"], pytest.approx(0.15), "3-mixed",
    )  # fmt: skip
    assert (second["of"], second["tables"]) == ("C–D", ["2-mixed"])


@pytest.fixture(scope="module")
def small_balance(tmp_path_factory):
    """An examination of the small board, kept in a folder."""
    folder = tmp_path_factory.mktemp("remedies")
    (folder / "small.toml").write_text(SMALL_BOARD, "utf-8")
    players, out = "random,long_route", folder / "out"
    return ttrsim.balance(board=folder / "small.toml", players=players, seats=2, games=400, seed=1, out=out)


def test_every_remedy_names_what_is_worst_and_a_command_that_is_there(small_balance):
    found = small_balance
    judged = found.sizes[(found.sizes["players"] == "all") & found.sizes["verdict"].isin(["imbalanced", "undecided"])]
    advice = remedies(found)
    assert {of["question"] for of in advice} == {*judged["question"]}
    verdicts = [of["verdict"] for of in advice]
    assert verdicts == sorted(verdicts)  # imbalanced before undecided
    for of in advice:
        assert of["worst"]
        if of["command"]:
            _, name, *words = shlex.split(of["command"])
            command = cli.get_command(None, name)
            known = {option for parameter in command.params for option in parameter.opts} | {"check"}
            assert {word for word in words if word.startswith("-")} <= known


def test_more_games_continue_those_that_were_played(small_balance):
    out = str(small_balance.runs[0].path.parent)
    commands = [shlex.split(of["command"]) for of in remedies(small_balance) if of["does"] == "more games may decide"]
    assert commands
    for command in commands:
        given = dict(zip(command[3::2], command[4::2], strict=True))
        assert given.pop("-n") != "400"
        assert given == {"--players": "random,long_route", "--seats": "2", "--seed": "1", "-o": out}


def test_the_sentence_agrees_with_the_sizes_over_all_tables():
    verdicts = {"seats": "balanced", "tickets": "undecided", "length": ""}
    sizes = pd.DataFrame([{"question": of, "players": "all", "verdict": said} for of, said in verdicts.items()])
    frame = pd.DataFrame([row("seats", "seat 0", 2, 0.01, "undecided"), row("tickets", "A–B", 2, 0.01, "undecided")])
    said = fair_words(frame, sizes, LIKE_PUBLISHED)
    assert "Too close to call: tickets. Fair overall, undecided at some tables" in said
    assert said.endswith("in single cases: seats.")
    assert fair_words(frame, sizes, LIKE_PUBLISHED, "It sets the bounds.").endswith("single cases: seats.")
    assert "Fair" not in fair_words(frame, sizes, LIKE_PUBLISHED, "It sets the bounds.")


SIZES = {"seats": "balanced", "tickets": "balanced", "strategies": "balanced"}
WHOLE = "As fair as the published boards as a whole, but "
SINGLE = [
    (SIZES, {}, [], "As fair as the published boards"),
    (SIZES, {}, [("tickets", "A–B")], f"{WHOLE}a ticket goes beyond all of theirs (A–B)"),
    (SIZES, {}, [("tickets", "A–B"), ("tickets", "C–D")], f"{WHOLE}2 tickets go beyond all of theirs (A–B and C–D)"),
    (SIZES, {}, [("seats", "seat 0")], f"{WHOLE}a seat goes beyond all of theirs (1st player)"),
    (SIZES, {}, [("strategies", "planner")], f"{WHOLE}planner leads by more than any strategy there"),
    (
        {**SIZES, "seats": "undecided"},
        {},
        [("tickets", "A–B")],
        "Nothing is clearly farther from fair than the published boards as a whole, but a ticket goes beyond all of "
        "theirs (A–B)",
    ),
    (SIZES, {"tickets": "imbalanced"}, [], "Farther from fair than the published boards in tickets with 2 players"),
    (
        {**SIZES, "seats": "imbalanced"},
        {"tickets": "imbalanced"},
        [("tickets", "A–B")],
        "Farther from fair than the published boards in seats and in tickets with 2 players",
    ),
]


@pytest.mark.parametrize(("over_all", "with_two", "cases", "said"), SINGLE)
def test_the_finding_names_no_question_that_the_sizes_call_balanced(over_all, with_two, cases, said):
    rows = [{"question": of, "players": "all", "verdict": verdict} for of, verdict in over_all.items()]
    rows += [{"question": of, "players": 2, "verdict": verdict} for of, verdict in with_two.items()]
    fine = [row(of, "x", 2, 0.01, "balanced") for of in over_all]
    frame = pd.DataFrame([*fine, *(row(question, of, 2, 0.2) for question, of in cases)])
    assert fair_finding(frame, pd.DataFrame(rows), LIKE_PUBLISHED) == said
    assert fair_words(frame, pd.DataFrame(rows), LIKE_PUBLISHED).startswith(f"{said}.")


def test_the_finding_agrees_with_the_table_of_sizes(small_balance):
    sizes = small_balance.sizes[small_balance.sizes["players"] == "all"].set_index("question")["verdict"]
    finding = fair_finding(small_balance.frame, small_balance.sizes, small_balance.bounds)
    off = [of for of in ("seats", "tickets", "strategies") if f"in {of}" in finding or f"and {of}" in finding]
    assert [sizes[of] for of in off] == ["imbalanced"] * len(off)
    assert small_balance.answers[0] == f"Small: {finding[:1].lower()}{finding[1:]}."
