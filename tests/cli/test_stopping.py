"""`ttrsim run --until-ci` and `--sprt`, as a user meets them."""

import json
import re

import pytest

from ttrsim.runs.recipe import make_recipe
from ttrsim.runs.stopping import make_sprt, parse_pair

pytestmark = pytest.mark.usefixtures("not_the_first_run")

RUN = ("run", "--map", "usa", "--players", "random,random_kind", "--seed", "5", "-j", "1", "-n", "2e4")


def test_summary_tells_that_and_where_the_run_stopped(ttrsim, tmp_path):
    ended = ttrsim(*RUN, "--until-ci", "0.3pp", "-o", tmp_path / "run", "--record", "none")
    assert "Stops after 20,000 games, or earlier by --until-ci 0.3pp, checked regularly\n" in ended.err
    assert re.search(r"\nStopped after \d,\d{3} of 20,000 games, because of --until-ci 0.3pp\.\n", ended.out)
    widths = [float(width) for width in re.findall(r"\d+\.\d+ +(\d\.\d+) +−?\d", ended.out)]
    assert len(widths) == 2
    assert max(widths) <= 0.3
    assert ttrsim("run", "--resume", "-o", tmp_path / "run", "--quiet").out == ended.out
    verified = ttrsim("verify", tmp_path / "run")
    assert verified.code == 0
    told = r"\d,\d{3} games, after which --until-ci 0.3pp ended the run, in \d+ shards: undamaged\n"
    assert re.match(told, verified.out)
    assert ended.out.splitlines()[-1] == verified.out.splitlines()[-1]
    assert ended.out.splitlines()[-1].startswith("Digest ")


def test_json_tells_the_sequential_test(ttrsim):
    told = json.loads(ttrsim(*RUN, "--sprt", "random_kind,random", "--elo1", "1", "--json", "--quiet").out)
    test = told["sprt"]
    assert (told["stopped_early"], told["planned_laps"], test["accepted"]) == (True, 10_000, "H0")
    assert 0 < told["laps"] < 10_000
    assert told["games"] == 2 * told["laps"]
    assert test["ratio"] <= test["low"] == pytest.approx(-2.9444, abs=1e-4)
    assert test["blocks"] == told["games"] / 2
    words = ttrsim(*RUN, "--sprt", "random,random_kind", "--quiet").out
    assert re.search(r"random against random_kind: accepted H1, normalised Elo 2 rather than 0 \(log-like", words)
    assert "Stopping this way pulls win shares towards what was accepted" in words
    open_ = ttrsim(*RUN, "-n", "200", "--sprt", "random,random_kind", "--elo1", "0.01", "--quiet").out
    assert "random against random_kind: undecided" in open_
    assert "Stopped" not in open_


def test_resume_with_another_question_is_refused(ttrsim, tmp_path):
    ttrsim(*RUN, "-n", 2000, "--until-ci", "9pp", "-o", tmp_path / "run", "--quiet")
    refused = ttrsim(*RUN, "-n", 2000, "--until-ci", "8pp", "-o", tmp_path / "run", "--resume", "--quiet")
    assert refused.code == 2
    assert "is a different run: stopping was --until-ci 9pp, not --until-ci 8pp" in refused.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--until-ci", "3"), "--until-ci 3: write it as 0.5pp"),
        (("--until-ci", "0pp"), "--until-ci 0pp: write it as 0.5pp"),
        (("--until-ci", "1pp", "--sprt", "random,random_kind"), "a run stops for one reason"),
        (("--elo1", "3"), "--elo1: needs --sprt"),
        (("--sprt", "random"), "--sprt random: write two strategies"),
        (("--sprt", "random,planner"), "no strategy 'planner' in the run; it has random, random_kind"),
        (("--sprt", "random,random"), "needs two different strategies"),
        (("--sprt", "random,random_kind", "--elo0", "5"), "--sprt: elo0 5: must be less than elo1, which is 2"),
        (("--sprt", "random,random_kind", "--alpha", "0.7"), "--alpha 0.7: input should be less than 0.5"),
        (("--sprt", "random,random_kind", "--elo1", "nan"), "--elo1 nan: input should be a finite number"),
        (
            ("--until-ci", "1pp", "--portion", "1/2", "-o", "x"),
            "--portion 1/2: one portion alone cannot decide when",
        ),
    ],
)
def test_wrong_usage_ends_with_2_and_one_line(ttrsim, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    ended = ttrsim(*RUN, *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert len([line for line in ended.err.splitlines() if "Error: " in line and message in line]) == 1
    assert not list(tmp_path.iterdir())


ONE_SIDED = ("run", "--map", "usa", "--players", "planner,random", "--seed", "1", "-j", "1", "-n", "2000", "--quiet")


def test_a_difference_without_any_variation_is_beyond_measure(ttrsim):
    told = " ".join(ttrsim(*ONE_SIDED, "--sprt", "planner,random").out.split())
    assert "planner against random: accepted H1" in told
    assert "blocks, which all had the same result, so normalised Elo is ∞)" in told
    test = json.loads(ttrsim(*ONE_SIDED, "--sprt", "planner,random", "--json").out)["sprt"]
    assert (test["accepted"], test["normalised_elo"]) == ("H1", None)


def test_what_was_not_reached_is_told_with_how_much_more_it_takes(ttrsim):
    wide = ttrsim(*RUN, "-n", "2000", "--until-ci", "0.1pp", "--quiet").out
    widths = [float(width) for width in re.findall(r"\d+\.\d+ +(\d\.\d+) +−?\d", wide)]
    (more,) = re.findall(
        r"\n± 0.1 was not reached after all 2,000 games; it would take about ([\d,]+) more games\.\n", wide
    )
    assert int(more.replace(",", "")) == pytest.approx(2000 * ((max(widths) / 0.1) ** 2 - 1), rel=0.1)
    told = json.loads(ttrsim(*RUN, "-n", "2000", "--until-ci", "0.1pp", "--quiet", "--json").out)
    assert (told["answered"], f"{told['games_more']:,}") == (False, more)
    reached = json.loads(ttrsim(*RUN, "-n", "2000", "--until-ci", "9pp", "--quiet", "--json").out)
    assert (reached["answered"], reached["games_more"]) == (True, None)
    undecided = ttrsim(*RUN, "-n", "200", "--sprt", "random,random_kind", "--elo1", "0.01", "--quiet").out
    assert re.search(
        r"\nNot decided after all 200 games; at this rate it would take about [\d,]+ more games\.\n", undecided
    )


@pytest.mark.parametrize("spelling", ["planner(share=2)", "planner(share=2.0)", " planner( share = 2.00 ) "])
def test_a_strategy_of_the_test_may_be_spelt_in_any_way(spelling):
    test = make_sprt(parse_pair("--sprt", f"{spelling},planner"), {})
    recipe = make_recipe(board="usa", players="planner(share=2.0),planner", games=100, seed=1, stop=test)[0]
    assert recipe.names == ["planner(share=2)", "planner"]
    assert recipe.stop.first == "planner(share=2)"
