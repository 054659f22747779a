"""`scripts/make_findings.py`: sentences that the amounts do not bear out, or another seed does not, are called so."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))

import make_findings
from findings import how_to_play, tables, tickets
from findings.lab import MADE_BY, TIMES, Lab
from findings.statements import Amount, Finding, Statement, again, does, does_span, mean, span

from ttrsim.boards import load_board
from ttrsim.plots.tuning import habits as draw_habits
from ttrsim.restricted import habits

pytestmark = pytest.mark.usefixtures("not_the_first_run")


def amounts(*values: float) -> list[Amount]:
    return [Amount(f"figure {n}", value, 1.0) for n, value in enumerate(values)]


def test_two_seeds_agree_within_the_99_percent_interval_of_their_difference():
    """For one figure the limit is 2.6 standard errors of the difference, the root of 2 here."""
    assert again(amounts(0), amounts(3.6)).within
    assert not again(amounts(0), amounts(3.8)).within
    assert again(amounts(0, 0, 0, 0), amounts(3.8, 0, 0, 0)).within  # of four figures one may be farther off
    assert "OUTSIDE" in again(amounts(0), amounts(9)).words


def test_amounts_without_an_error_are_left_out_of_the_comparison():
    known = Amount("known", 0, 1)
    nothing = Amount("nothing", 0, float("nan"))
    assert again([nothing, known], [replace(nothing, value=9), known]).amounts == 1


def test_a_mean_of_unrelated_amounts_is_more_precise_than_each():
    assert mean("", amounts(1, 2, 3, 6)) == Amount("", 3, 0.5)


def test_spans_name_the_smallest_and_the_largest():
    assert span(amounts(2.04, -1, 0.5), signed=True) == "−1.0 to +2.0"
    assert span(amounts(2.04, 1.96)) == "2.0"


def test_amounts_have_the_verb_of_their_sign():
    assert does(Amount("", -0.94, 0.1)) == "costs 0.9 ± 0.2"
    assert does_span(amounts(-0.94, -0.2)) == "costs 0.2 to 0.9"
    assert does_span(amounts(10, 15), 0) == "brings 10 to 15"
    assert does_span(amounts(-1, 2)) == "changes −1.0 to +2.0"


def test_a_claim_that_does_not_hold_is_shown_as_not_settled():
    assert Statement("No: racing loses.", holds=True).short == "No"
    unsettled = Statement("No: racing loses.", holds=False)
    assert (unsettled.shown, unsettled.short) == ("Not settled by these games: no: racing loses.", "Not settled")


def test_a_lab_plays_once_and_then_reads_what_it_kept(tmp_path):
    words = ("habits", "usa", "--habit", "claims_at_once", "--players", "planner", "--seats", "2")
    (row,) = Lab(tmp_path, 1).table("habits", *words, games=40)
    assert row["habit"] == "claims_at_once"
    (kept,) = tmp_path.glob("habits-*.json")
    kept.write_text(json.dumps({"tables": {"habits": {"rows": [{"games": 7, "win_change": None}]}}}), "utf-8")
    lab = Lab(tmp_path, 1)
    (row,) = lab.table("habits", *words, games=40)
    assert row["win_change"] != row["win_change"]  # not a number
    assert [command.partition("  # ")[0] for command in lab.used] == [f"ttrsim {' '.join(words)} -n 40 --seed 1"]
    assert lab.games == row["games"] == 7


def test_commands_name_the_time_of_playing_and_not_of_reading_again(tmp_path):
    words = ("--map", "usa", "--players", "random,random")
    Lab(tmp_path, 1).run(*words, games=20, out="first")
    times = json.loads((tmp_path / TIMES).read_text("utf-8"))
    (tmp_path / TIMES).write_text(json.dumps(dict.fromkeys(times, 200.0)), "utf-8")
    lab = Lab(tmp_path, 1)
    lab.run(*words, games=20, out="first")
    assert lab.used == ["ttrsim run --map usa --players random,random -n 20 --seed 1 -o first  # about 3 min"]


def test_a_lab_refuses_what_other_code_played(tmp_path):
    Lab(tmp_path, 1)
    made = json.loads((tmp_path / MADE_BY).read_text("utf-8"))
    (tmp_path / MADE_BY).write_text(json.dumps(made | {"kit": "another"}), "utf-8")
    with pytest.raises(click.ClickException, match="was played by other code"):
        Lab(tmp_path, 1)


def test_questions_are_answered_from_the_games_of_their_commands(tmp_path):
    lab = Lab(tmp_path, 1, scale=0.01)
    coasts = tables.coasts(lab)
    assert [amount.name for amount in coasts.amounts] == ["west coast", "east coast", "trunk lines"]
    assert coasts.commands[0].startswith("ttrsim routes --map usa ")


@pytest.mark.parametrize(
    ("ask", "lines"),
    [
        (lambda lab, n: how_to_play.bonus_decides(lab, n, 300), how_to_play.BONUS_LINES),
        (lambda lab, n: tickets.without_long(lab, n, 300, *long_tickets()), tickets.OFFER_LINES),
    ],
    ids=["bonus", "offer"],
)
def test_lines_of_python_print_the_figures_of_their_answer(tmp_path, capsys, ask, lines):
    lab = Lab(tmp_path, 1)
    lab.show_python(lines, 300)
    (typed,) = lab.used
    exec("\n".join(typed.split("\n")[1:-1]), {})
    printed = dict(line.split() for line in capsys.readouterr().out.splitlines())
    assert ask(lab, 2).value == pytest.approx(100 * float(printed["2"]))


def long_tickets():
    board = load_board("usa")
    return board, [n for n, ticket in enumerate(board.tickets) if ticket.points >= tickets.LONG]


def answer(holds: bool, value: float, picture: bool = False) -> Finding:
    found = habits(board="usa", habits="draws_blind", players="planner", seats=2, games=20, seed=1) if picture else None
    return Finding(
        "Draw blind?", Statement("No: it costs wins.", holds), ["A point."], "With `planner`.", ["ttrsim habits usa"],
        [Amount("a figure", value, 1.0)], draw_habits(found.frame) if found else None, "What drawing blind costs",
        [["", "wins"], ["planner", "−3.0 ± 1.0"]],
    )  # fmt: skip


def made(monkeypatch, tmp_path, name, asked, *words):
    monkeypatch.setattr(make_findings, name, (asked,))
    only = {"FINDINGS": "findings", "QUESTIONS": "settled"}[name]
    folders = ("-o", str(tmp_path / "games"), "--reports", str(tmp_path))
    return CliRunner().invoke(make_findings.main, [*folders, "--only", only, *words]), tmp_path / only


def test_pages_have_the_claim_the_picture_in_both_widths_and_the_second_seed(monkeypatch, tmp_path):
    ended, page = made(monkeypatch, tmp_path, "FINDINGS", lambda lab: answer(True, 0, picture=True))
    assert ended.exit_code == 0, ended.output
    html, markdown = (page.with_suffix(ending).read_text("utf-8") for ending in (".html", ".md"))
    assert html.count("<svg") == 2
    assert (page / "1.svg").read_text("utf-8").startswith("<?xml")
    for text in (html, markdown):
        assert "No: it costs wins." in text
        assert "Played again with another seed" in text
    assert "![What drawing blind costs](findings/1.svg)" in markdown
    assert "| planner | −3.0 ± 1.0 |" in markdown
    assert '<td data-column="wins">' in html  # for narrow windows, where the cells stand below each other
    assert "https://" not in html.replace("http://www.w3.org", "")


@pytest.mark.parametrize(
    "asked",
    [lambda lab: answer(False, 0), lambda lab: answer(True, 9 * lab.seed)],
    ids=["not borne out", "not at another seed"],
)
def test_what_is_not_settled_makes_the_script_fail_but_the_page_says_so(monkeypatch, tmp_path, asked):
    ended, page = made(monkeypatch, tmp_path, "QUESTIONS", asked)
    assert ended.exit_code == 1
    assert "not borne out, or not by another seed: Draw blind?" in ended.output
    text = page.with_suffix(".html").read_text("utf-8")
    assert "Not settled by these games" in text or "OUTSIDE" in text


def test_all_twenty_questions_are_asked():
    assert len(set(make_findings.QUESTIONS)) == 20
