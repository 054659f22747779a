"""`ttrsim tickets` and `ttrsim routes`."""

import csv
import io
import json

import pytest

from ttrsim import tickets, trials

GAMES = ("--map", "usa", "--players", "random,random_kind", "-n", "200", "--seed", "3", "-j", "1")
TICKETS = ("--ticket", "denver-el paso", "--ticket", "New York–Seattle")


@pytest.fixture(scope="module")
def trial():
    return trials.make_trial(board="usa", players="random,random_kind", games=200, seed=3)


CLOSED_AND_GIVEN = ("Routes closed", "Routes given")


@pytest.mark.parametrize(
    ("options", "title"), [((), "Tickets dealt"), (("--force",), "Tickets held"), (("--fair",), "Fair values")]
)
def test_tickets_are_printed_with_what_was_played(ttrsim, options, title):
    ended = ttrsim("tickets", *GAMES, *TICKETS, *options, "--quiet")
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
    assert lines[0] == "USA (usa), 200 games with each change and without, seed 3"
    assert lines[1] == "Focal seat: random, against random_kind"
    assert lines[2].startswith("USA: ")
    table = lines.index(title)
    assert sorted(line.split("  ")[0] for line in lines[table + 2 : table + 4]) == [
        "Denver–El Paso",
        "New York–Seattle",
    ]
    assert "nan" not in ended.out
    if title == "Fair values":
        assert "too close to call." in " ".join(lines[2:table])
        assert lines[lines.index("Search") + 2].split()[:2] == ["round", "1"]
        assert "The printed points stay" in ended.out  # who plays at random completes neither


def test_fair_values_are_those_of_the_library(ttrsim):
    """All options together; the JSON also has what the search played."""
    options = {"objective": "win", "also": ["one_step,planner,planner"], "least": 2, "most": 30, "step": 2}
    words = "--objective win --also one_step,planner,planner --min 2 --max 30 --step 2 --free-level --rounds 2"
    common = ("--map", "san_francisco", "--players", "planner,planner", "-n", 60, "--seed", 1)
    ended = json.loads(ttrsim("tickets", *common, "--fair", *words.split(), "--json", "--quiet").out)
    found = tickets(board="san_francisco", players="planner,planner", games=60, seed=1, fair=True, rounds=2, free_level=True, **options)  # fmt: skip  # noqa: E501
    assert ended["tables"]["fair"]["rows"] == found.json()["tables"]["fair"]["rows"]
    assert ended["searched"] == found.searched
    assert ended["searched"][0]["played"] == "round 1"
    assert (ended["objective"], ended["least"], ended["also"]) == ("win", 2, ["one_step,planner,planner"])
    assert list(ended["strategies"]) == ["planner", "one_step"]
    assert [table.seed for table in found.tables] == [1, 2]  # so each table has deals of its own


def test_routes_are_closed_and_given(ttrsim):
    ended = ttrsim("routes", *GAMES, "--close", "denver", "--gift", "Denver-Omaha", "--top", 1)
    assert ended.code == 0
    assert [line for line in ended.out.splitlines() if line in CLOSED_AND_GIVEN] == [*CLOSED_AND_GIVEN]
    tables = ended.out[ended.out.index(f"\n{CLOSED_AND_GIVEN[0]}\n") :]
    assert tables.count("New York–Pittsburgh") == 3  # closed for two strategies, and given
    assert tables.count("Denver–Omaha") == 1


def test_changed_routes_are_printed_with_who_wins_and_what_else_clearly_changes(ttrsim):
    changes = ("--change", "drop route Denver-Omaha", "--change", "route Denver-Phoenix bend = 0.2")
    ended = ttrsim("routes", *GAMES, *changes, "--quiet")
    assert (ended.code, ended.err) == (0, "")
    assert "drop route Denver-Omaha: Denver–Omaha is claimed 0.0 times in 100 games" in ended.out
    assert "Nothing else clearly changes." in ended.out
    assert [line.split()[0] for line in ended.out.splitlines() if "win share, %" in line] == [*["random", "random_kind", "1st", "2nd"] * 2]  # fmt: skip  # noqa: E501
    found = list(csv.DictReader(io.StringIO(ttrsim("routes", *GAMES, *changes, "--csv").out)))
    told = json.loads(ttrsim("routes", *GAMES, *changes, "--json").out)["tables"]["changed"]["rows"]
    assert len(found) == len(told)
    assert {row["setting"] for row in told} == {*changes[1::2]}


def test_without_a_name_the_busiest_connections_are_tried(ttrsim, trial):
    told = json.loads(ttrsim("routes", *GAMES, "--json").out)
    assert {row["closed"] for row in told["tables"]["closed"]["rows"]} == set(trials.busiest(trial.board, 5))
    assert len(told["tables"]["gifts"]["rows"]) == 5


def test_json_and_csv_hold_the_whole_frame(ttrsim, trial):
    frame = trials.forced(trial, ["Denver–El Paso", "New York–Seattle"])
    told = json.loads(ttrsim("tickets", *GAMES, *TICKETS, "--force", "--json").out)
    assert (told["board"], told["seed"], told["games"], told["players"]) == ("usa", 3, 200, ["random", "random_kind"])
    assert [row["ticket"] for row in told["tables"]["forced"]["rows"]] == frame["ticket"].tolist()
    assert set(told["tables"]["forced"]["columns"]) <= set(frame.columns)
    rows = list(csv.DictReader(io.StringIO(ttrsim("tickets", *GAMES, *TICKETS, "--force", "--csv").out)))
    assert [float(row["difficulty"]) for row in rows] == pytest.approx(frame["difficulty"].tolist())


def test_a_seed_that_was_drawn_is_told(ttrsim):
    few = [word for word in GAMES if word not in ("--seed", "3")]
    assert "--seed" in ttrsim("tickets", *few, *TICKETS).err
    assert ttrsim("tickets", *few, *TICKETS, "--quiet").err == ""


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("tickets", *GAMES, "--ticket", "Denver-Pitsburgh"), "did you mean Denver–Pittsburgh"),
        (("tickets", *GAMES, "--force", "--fair"), "--force and --fair exclude each other"),
        (("tickets", *GAMES, "--rounds", 2), "--rounds: only --fair searches for values"),
        (("tickets", *GAMES, "--fair", "--step", 0), "points from 1 to 1000 in steps of 0: least and most must be"),
        (("tickets", *GAMES, "--json", "--csv"), "--json and --csv exclude each other"),
        (("routes", *GAMES, "--close", "Atlantis"), "no route, connection or city 'Atlantis'"),
        (("routes", *GAMES, "--csv"), "--csv: changed and closed routes, and gifts, are tables of their own"),
        (("routes", *GAMES, "--change", "rules.trains = 5"), "--change 'rules.trains = 5': is no change of a route"),
        (("tickets", "--map", "usa", "--players", "random", "-n", "10"), "usa is for 2 to 5 players, not 1"),
    ],
)
def test_mistakes_are_told_in_a_line(ttrsim, arguments, told):
    ended = ttrsim(*arguments)
    assert ended.code == 2
    assert told in ended.err
    assert ended.out == ""
