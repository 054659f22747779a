"""After an examination: each thing that is off once, and for each question a command that works."""

import shlex

import pandas as pd
import pytest
from conftest import SMALL_BOARD

import ttrsim
from ttrsim.cli import cli
from ttrsim.report.remedies import remedies, to_act_on

pytestmark = pytest.mark.usefixtures("not_the_first_run")


def row(question, of, players, value, verdict="imbalanced", finding="over par"):
    numbers = {"value": value, "value_low": value - 0.01, "value_high": value + 0.01}
    names = {"question": question, "of": of, "players": players, "table": "mixed"}
    return {**names, **numbers, "verdict": verdict, "finding": finding}


def test_a_ticket_that_is_off_at_several_tables_is_listed_once_with_its_farthest_value():
    rows = [row("tickets", "A–B", players, 0.05 * players) for players in (2, 3)]
    rows += [row("tickets", "C–D", 2, -0.3), row("tickets", "E–F", 2, 0.01, "balanced")]
    first, second = to_act_on(pd.DataFrame(rows))
    assert (first["of"], first["tables"], first["value"], first["table"]) == (
        "A–B", ["2-mixed", "3-mixed"], pytest.approx(0.15), "3-mixed",
    )  # fmt: skip
    assert (second["of"], second["tables"]) == ("C–D", ["2-mixed"])


def test_every_remedy_names_what_is_worst_and_a_command_that_is_there(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(SMALL_BOARD, "utf-8")
    found = ttrsim.balance(board=path, players="random,long_route", seats=2, games=400, seed=1)
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
