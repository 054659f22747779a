"""`ttrsim plan`, as a user meets it."""

import json
import re

import pytest

from ttrsim.cli.plan import parse_precision

pytestmark = pytest.mark.usefixtures("not_the_first_run")

USA = ("--map", "usa", "--players", "random,random_kind")
QUICK = ("plan", *USA, "--pilot", "1e3", "--seed", "3", "-j", "1")


def test_table_tells_games_and_time_of_each_question(ttrsim):
    ended = ttrsim(*QUICK, "--precision", "0.5pp", "--power", "0.8")
    lines = ended.out.splitlines()
    assert (ended.code, ended.err) == (0, "Playing 1,000 games for the estimate, with seed 3\n")
    assert lines[0] == "USA (usa): how many games give ± 0.5pp"
    assert re.fullmatch(r"Question +Games +From +To +Time +Seen, power 0.8", lines[2])
    assert re.fullmatch(r"Win share of random +[\d,]+ +[\d,]+ +[\d,]+ +\d+:\d\d +[\d,]+", lines[3])
    assert len([line for line in lines if line.startswith(("Win share", "Offer effect"))]) == 2 + 1 + 2 + 2


def test_json_from_a_stored_run_needs_no_pilot(ttrsim, tmp_path):
    ttrsim("run", *USA, "-n", 2000, "--seed", 3, "-o", tmp_path / "run", "--quiet")
    told = json.loads(ttrsim("plan", "--run", tmp_path / "run", "--precision", "2pt", "--ask", "shares", "--json").out)
    assert (told["games_looked_at"], told["outcome"], told["half_width"], told["power"]) == (2000, "score", 2.0, None)
    assert told["games_a_second"] > 0
    first, second = told["questions"]
    assert (first["question"], second["question"]) == ("Mean score of random", "Mean score of random_kind")
    assert first["fewest"] < first["games"] < first["most"]
    assert first["seconds"] == pytest.approx(first["games"] / told["games_a_second"])


def test_a_pair_or_a_ticket_is_asked_alone(ttrsim):
    pair = ttrsim(*QUICK, "--precision", "1pp", "--between", "random_kind,random").out
    assert "Win share, random_kind less random" in pair
    assert "seat" not in pair
    ticket = ttrsim(*QUICK, "--precision", "1pp", "--ticket", "Denver–El Paso").out
    assert ticket.count("Offer effect of Denver–El Paso, ") == 2
    assert "Win share" not in ticket


def test_precision_is_in_points_of_win_share_or_score():
    assert parse_precision("0.5pp") == ("win60", 0.005)
    assert parse_precision(".25pp") == ("win60", 0.0025)
    assert parse_precision("2pt") == ("score", 2.0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--precision", "0.5"), "--precision 0.5: write it as 0.5pp (wins per 100 games) or 2pt (points of score)"),
        (("--precision", "0pp"), "--precision 0pp: write it"),
        (("--precision", "60pp"), "--precision 60pp: write it"),
        (("--between", "random"), "--between random: write two strategies"),
        (("--between", "random,planner"), "no strategy 'planner' in the run; it has random, random_kind"),
        (("--ticket", "Nowhere"), "no ticket 'Nowhere' on usa"),
        (("--power", "1"), "1.0 is not in the range"),
        (("--pilot", "0"), "--pilot 0: must be from 1 to 10,000,000"),
        (("--run", "x"), "--run: decides which games are used; leave out --map"),
    ],
)
def test_wrong_usage_ends_with_2_and_one_line(ttrsim, arguments, message):
    ended = ttrsim(*QUICK, "--quiet", "--precision", "1pp", *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert len([line for line in ended.err.splitlines() if "Error: " in line and message in line]) == 1


def test_what_is_missing_is_told(ttrsim):
    assert "Missing option '--precision'" in ttrsim("plan", *USA).err
    assert "Missing option '--map' (or --run)" in ttrsim("plan", "--precision", "1pp").err


def test_what_cannot_be_told_is_a_dash(ttrsim):
    always = ("plan", "--map", "usa", "--players", "planner,random", "--pilot", "400", "--seed", "1", "-j", "1")
    told = ttrsim(*always, "--precision", "0.5pp", "--power", "0.8", "--quiet").out
    assert re.search(r"\nWin share of planner( +–){5}\n", told)
    assert "\n–: not known, because nothing varied in these games" in told
    rows = json.loads(ttrsim(*always, "--precision", "0.5pp", "--json", "--quiet").out)["questions"]
    assert {row["games"] for row in rows} == {row["seconds"] for row in rows} == {None}
