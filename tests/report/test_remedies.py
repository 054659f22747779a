"""After an examination: each thing that is off once, and for each question a command that works."""

import shlex

import pandas as pd
import pytest
from conftest import SMALL_BOARD

import ttrsim
from ttrsim.cli import cli
from ttrsim.report.remedies import remedies, to_act_on
from ttrsim.report.size_words import fair_words
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
    assert "Too close to call: tickets. Fair over all tables, but too close to call at a single one" in said
    assert said.endswith("in a single case: seats.")
