"""`ttrsim difficulty`."""

import csv
import io

import pytest

import ttrsim
from ttrsim.cli.trials import print_difficulty

GAMES = ("--players", "random,one_step", "-n", "60", "--seed", "3", "-j", "1")


@pytest.fixture(scope="module")
def found():
    return ttrsim.difficulty(board="usa", seats=(2, 3), players="random,one_step", games=60, seed=3, threads=1)


@pytest.fixture
def printed(found, capsys):
    """Print difficulty and return the lines, of which some are answers."""

    def lines(*, wide):
        print_difficulty(found, wide=wide)
        return capsys.readouterr().out.splitlines()

    return lines


@pytest.mark.usefixtures("not_the_first_run")
def test_answers_come_first_then_the_hardest_and_easiest_tickets_of_the_strategy_that_fails_least(printed, found):
    lines = printed(wide=False)
    assert lines[0] == "USA (usa), 60 games with each ticket at each table, seed 3"
    assert lines[1].startswith("one_step, which fails least, fails ")
    assert any(line.startswith("With 2 players one_step fails ") for line in lines[:5])
    place = lines.index("How often tickets fail, % (one_step)")
    assert lines[place + 1].split() == ["Ticket", "Points", "2", "players", "3", "players"]
    of_best = found.frame[found.frame["strategy"] == "one_step"]
    hardest = [*of_best.groupby("ticket")["difficulty"].mean().sort_values(ascending=False, kind="stable").index]
    rows = lines[place + 2 : lines.index("", place)]
    assert [next(name for name in hardest if row.startswith(f"{name} ")) for row in rows] == hardest[:10] + hardest[
        -10:
    ]
    verdicts = of_best[of_best["ticket"].isin([*hardest[:10], *hardest[-10:]])]["verdict"]
    signs = "".join(rows)
    assert (signs.count("▲"), signs.count("▼")) == ((verdicts == "harder").sum(), (verdicts == "easier").sum())
    assert "▲" in signs
    assert max(map(len, lines)) <= 100


@pytest.mark.usefixtures("not_the_first_run")
def test_wide_has_all_tickets_with_what_they_take(printed):
    lines = printed(wide=True)
    titles = ("how often it fails", "what it takes and brings, against the average ticket")
    places = [lines.index(f"{players} players, one_step: {title}") for players in (2, 3) for title in titles]
    assert all(lines[place + 1].startswith("Ticket ") for place in places)
    assert sum(line.startswith("New York–Seattle ") for line in lines[places[0] : places[1]]) == 1
    assert max(map(len, lines)) <= 100
    assert "nan" not in "".join(lines)


@pytest.mark.usefixtures("not_the_first_run")
def test_csv_has_all_columns_of_the_tickets_asked_for(ttrsim, tmp_path):
    words = ("--seats", "2", *GAMES, "--ticket", "denver-el paso", "-o", tmp_path / "x.png", "--csv")
    ended = ttrsim("difficulty", "usa", *words)
    rows = list(csv.DictReader(io.StringIO(ended.out)))
    assert [(row["strategy"], row["ticket"]) for row in rows] == [
        ("random", "Denver–El Paso"),
        ("one_step", "Denver–El Paso"),
    ]
    assert {"par", "win_effect_low", "extra_trains", "blocked", "blocked_by"} <= rows[0].keys()
    assert "Table 2 of 2: 2 players, one_step" in ended.err
    assert (tmp_path / "x.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--seats", "two"), "--seats two: write the numbers of players as 2,4"),
        (("--seats", "6"), "usa is for 2 to 5 players, not 6"),
        (("--ticket", "Denver-Pitsburgh"), "did you mean Denver–Pittsburgh"),
        (("-o", "x.bmp"), "-o x.bmp: a picture's name ends in .png"),
        (("--json", "--csv"), "--json and --csv exclude each other"),
        (("-n", "0"), "-n 0: must be from 1 to"),
    ],
)
def test_mistakes_are_refused_in_a_line_before_anything_is_played(ttrsim, words, problem):
    ended = ttrsim("difficulty", "usa", *words)
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert problem in ended.err
