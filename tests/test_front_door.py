"""The front door: Python gives the same numbers, to the last digit, and the same files as the commands."""

import csv
import gc
import io
import json
import subprocess
import sys
import warnings

import pandas as pd
import pytest
from conftest import SMALL_BOARD

import ttrsim
from ttrsim.progress import RunWarning
from ttrsim.report.tables import frames_json

pytestmark = pytest.mark.usefixtures("not_the_first_run")

GAMES = {"board": "usa", "players": "random,random_kind", "games": 600, "seed": 5, "threads": 1}
WORDS = ("--map", "usa", "--players", "random,random_kind", "-n", "600", "--seed", "5", "-j", "1")
TICKET = "Denver-El Paso"


@pytest.fixture
def shell(request):
    """The command line, by another name than the package."""
    return request.getfixturevalue("ttrsim")


@pytest.fixture(scope="module")
def played():
    """A run that is not kept."""
    return ttrsim.run(**GAMES)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """The same run, kept in a folder."""
    path = tmp_path_factory.mktemp("front") / "run"
    ttrsim.run(**GAMES, out=path)
    return path


@pytest.fixture(scope="module")
def board(tmp_path_factory):
    path = tmp_path_factory.mktemp("boards") / "small.toml"
    path.write_text(SMALL_BOARD, "utf-8")
    return str(path)


def files(folder):
    """Return every file of a run but the times in them."""
    paths = (path for part in ("shards", "summary", "strategies") for path in (folder / part).rglob("*.parquet"))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def rows(frame):
    """Return the rows of a frame as JSON has them."""
    return json.loads(frame.to_json(orient="records", double_precision=15))


def test_dir_is_the_front_door_and_all_of_it_is_there():
    assert sorted(dir(ttrsim)) == sorted(ttrsim.__all__)
    functions = {
        "run",
        "compare",
        "compare_balances",
        "balance",
        "tickets",
        "difficulty",
        "habits",
        "routes",
        "simulate",
        "load_board",
    }
    assert functions | {"Run"} <= set(dir(ttrsim))
    assert all(getattr(ttrsim, name) for name in dir(ttrsim))


def test_front_door_opens_without_anything_heavy():
    code = "import sys, ttrsim; dir(ttrsim); print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert {"numpy", "numba", "pandas", "click"}.isdisjoint(loaded)


def test_run_is_that_of_the_command(shell, played, tmp_path):
    told = json.loads(shell("run", *WORDS, "--json", "--quiet").out)
    assert told["digest"] == played.digest == played.outcome.digest
    assert told["strategies"] == [vars(share) for share in played.outcome.shares.estimates()]
    shell("run", *WORDS, "-o", tmp_path / "run", "--quiet")
    again = ttrsim.run(**GAMES, out=tmp_path / "again")
    assert files(again.path) == files(tmp_path / "run")
    assert len(files(again.path)) > 10


def test_run_kept_and_run_not_kept_are_the_same(played, kept):
    stored = ttrsim.Run.open(kept)
    assert (type(stored), stored.digest) == (type(played), played.digest)
    pd.testing.assert_frame_equal(stored.players, played.players)
    assert vars(stored.outcome.shares.estimates()[0]) == vars(played.outcome.shares.estimates()[0])
    assert (played.path, stored.path) == (None, kept)
    assert "600 of 600 games, random, random_kind, seed 5, not kept" in repr(played)


@pytest.mark.parametrize("close", [True, False])
def test_run_that_is_not_kept_goes_when_it_is_closed_or_forgotten(close):
    run = ttrsim.run(**{**GAMES, "games": 10})
    place = run.folder.path
    assert place.exists()
    if close:
        with run:
            pass
    else:
        del run
        gc.collect()
    assert not place.exists()


@pytest.mark.parametrize(
    ("table", "by"),
    [("strategies", None), ("strategies", "seat"), ("seats", None), ("tickets", "all"), ("scores", None)],
)
def test_statistics_are_those_of_the_command(shell, played, kept, table, by):
    words = ["--by", by] if by else []
    told = json.loads(shell("stats", kept, table, *words, "--json").out)["tables"][table]
    assert told == frames_json({table: played.stats(table, by=by)})[table]


def test_paths_are_those_of_the_command(shell, played, kept):
    told = json.loads(shell("stats", kept, "paths", "--ticket", TICKET, "--json").out)["tables"]["paths"]["rows"]
    doing = []
    frame = played.stats("paths", ticket=TICKET, progress=lambda progress: doing.append(progress.doing))
    assert told == rows(frame)
    assert doing == ["Playing games of the run again ..."]


def test_plot_is_that_of_the_command(shell, played, kept, tmp_path):
    words = ("--value", "score_effect", "--margin", "2")
    assert shell("plot", "tickets", kept, "-o", tmp_path / "a.svg", *words).code == 0
    played.plot("tickets", tmp_path / "b.svg", value="score_effect", margin=2)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    shell("plot", "seats", kept, "-o", tmp_path / "a.svg", "--margin", "3")
    played.plot("seats", tmp_path / "b.svg", margin=0.03)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert played.plot("strategies").figure


def test_report_is_that_of_the_command(shell, kept, tmp_path):
    shell("report", kept, "-o", tmp_path / "a.html", "-o", tmp_path / "a.json", "--margin", "2", "--quiet")
    found = ttrsim.Run.open(kept).report(tmp_path / "b.html", tmp_path / "b.json", margin=0.02)
    for ending in ("html", "json"):
        assert (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / f"b.{ending}").read_bytes()
    assert found.answers[0].words


def test_replay_is_that_of_the_command(shell, played, kept, tmp_path):
    told = json.loads(shell("replay", kept, "--game", "17", "--json", "--quiet").out)
    game = played.replay(17)
    assert told == json.loads(json.dumps(game.json()))
    shell("replay", kept, "--game", "17", "--html", tmp_path / "a.html", "--quiet")
    game.html(tmp_path / "b.html")
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_comparison_of_boards_is_that_of_the_command(shell, board, tmp_path):
    shared = ("--players", "random,random_kind", "-n", "600", "--seed", "3", "-j", "1", "--quiet")
    told = json.loads(shell("compare", board, "san_francisco", *shared, "--fail-on", "seat>1pp", "--json").out)
    options = {"players": "random,random_kind", "games": 600, "seed": 3, "threads": 1}
    found = ttrsim.compare(board, "san_francisco", **options, fail_on=["seat>1pp"])
    assert told["rows"] == rows(found.changes)
    assert [told["a"]["digest"], told["b"]["digest"]] == [found.a.digest, found.b.digest]
    assert [condition["result"] for condition in told["conditions"]] == [result.result for result in found.conditions]


def test_comparison_of_players_and_of_a_stored_run_is_that_of_the_command(shell, kept, tmp_path):
    told = json.loads(shell("compare", kept, "--players", "random_kind,random_kind", "-j", "1", "--json").out)
    found = ttrsim.compare(ttrsim.Run.open(kept), {"players": "random_kind,random_kind"}, threads=1)
    assert told["rows"] == rows(found.changes)
    found.report(tmp_path / "b.md")
    assert "random" in (tmp_path / "b.md").read_text("utf-8")


def test_sequential_comparison_is_that_of_the_command(shell, tmp_path):
    words = ("--players", "random,random_kind", "--players", "one_step,random_kind", "--map", "san_francisco")
    told = json.loads(
        shell(
            "compare", *words, "-n", "1200", "--seed", "1", "-j", "1", "--sprt", "one_step", "--elo1", "20", "--json"
        ).out
    )
    sides = [{"players": "random,random_kind"}, {"players": "one_step,random_kind"}]
    found = ttrsim.compare(*sides, board="san_francisco", games=1200, seed=1, threads=1, sprt="one_step", elo1=20)
    assert told["sprt"]["accepted"] == found.state.accepted == "H1"
    assert told["sprt"]["ratio"] == found.state.ratio
    assert told["rows"] == rows(found.changes)


def test_balance_is_that_of_the_command(shell, board, tmp_path):
    words = (
        "--players",
        "random,long_route",
        "-n",
        "300",
        "--seed",
        "5",
        "-j",
        "1",
        "--quiet",
        "--margin",
        "tickets=2",
    )
    told = json.loads(shell("balance", board, *words, "--json").out)
    options = {"players": "random,long_route", "games": 300, "seed": 5, "threads": 1}
    found = ttrsim.balance(board=board, **options, margin={"tickets": 0.02}, out=tmp_path / "kept")
    assert told["rows"] == rows(found.frame)
    assert (told["verdict"], told["sanity"]) == (found.verdict, found.sanity)
    assert told["bounds"] == {name: "published" if bound is None else bound for name, bound in found.bounds.items()}
    assert [table["digest"] for table in told["tables"]] == [run.digest for run in found.runs]
    shell("report", tmp_path / "kept", "-o", tmp_path / "a.md", "--quiet")
    ttrsim.balance(board=board, **options, out=tmp_path / "kept").report(tmp_path / "b.md")  # by the usual bounds
    assert (tmp_path / "a.md").read_bytes() == (tmp_path / "b.md").read_bytes()


def test_balance_until_decided_is_that_of_the_command(shell, board):
    words = ("--players", "random,long_route", "--seats", "2", "-n", "200", "--seed", "5", "-j", "1", "--quiet")
    told = json.loads(shell("balance", board, *words, "--until-decided", "--budget", "1e3", "--json").out)
    options = {"players": "random,long_route", "seats": 2, "games": 200, "seed": 5, "threads": 1}
    found = ttrsim.balance(board=board, **options, until_decided=True, budget=1e3)
    assert told["rows"] == rows(found.frame)
    assert (told["ended"], len(told["looks"])) == (found.decided.reason, len(found.decided.looks))


@pytest.mark.parametrize("way", [{}, {"force": True}, {"fair": True, "rounds": 1}])
def test_tickets_are_those_of_the_command(shell, tmp_path, way):
    flags = [word for name, value in way.items() for word in ([f"--{name}"] if value is True else [f"--{name}", value])]
    given = ("--map", "usa", "--players", "planner,random", "-n", "40", "--seed", "2", "-j", "1", "--ticket", TICKET)
    told = shell("tickets", *given, *flags, "--json", "--quiet").out
    options = {"board": "usa", "players": "planner,random", "games": 40, "seed": 2, "threads": 1}
    found = ttrsim.tickets(**options, tickets=[TICKET], **way)
    assert json.loads(told) == found.json()
    found.save(tmp_path / "trials.json")
    assert (tmp_path / "trials.json").read_text("utf-8") == told
    assert len(found.frame) == 1


@pytest.mark.parametrize("seats", ["two", 2.5, [2, None]])
@pytest.mark.parametrize("asked", [ttrsim.balance, ttrsim.difficulty, ttrsim.habits, ttrsim.improve])
def test_what_is_no_number_of_players_is_refused(asked, seats):
    with pytest.raises(ttrsim.UserError, match=r"`seats` .*: must be numbers of players, for example 4 or"):
        asked(board="usa", seats=seats, games=2, seed=1)


@pytest.mark.parametrize(("bad", "problem"), [({"step": 0}, "in steps of 0"), ({"rounds": 0}, "rounds = 0: must be")])
def test_a_search_with_a_step_or_rounds_of_0_is_refused(bad, problem):
    with pytest.raises(ttrsim.UserError, match=problem):
        ttrsim.tickets(board="usa", players="random,random", games=2, seed=1, fair=True, **bad)


def test_difficulty_is_that_of_the_command(shell, tmp_path):
    words = ("--players", "planner,random", "--seats", "2,4", "-n", "30", "--seed", "2", "-j", "1", "--quiet")
    told = json.loads(shell("difficulty", "usa", *words, "-o", tmp_path / "a.svg", "--json").out)
    options = {"board": "usa", "players": "planner,random", "seats": (4, 2), "games": 30, "seed": 2, "threads": 1}
    found = ttrsim.difficulty(**options)
    assert told == found.json()
    assert (told["players"], told["seats"], set(told["tables"])) == (["planner", "random"], [2, 4], {"difficulty"})
    found.plot(tmp_path / "b.svg")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    tables = found.frame.groupby(["players", "strategy"], sort=False)
    assert [*tables.groups] == [(2, "planner"), (2, "random"), (4, "planner"), (4, "random")]
    assert set(tables.size()) == {30}
    alone = ttrsim.difficulty(**{**options, "seats": 4, "players": "random"}, tickets=[TICKET]).frame
    same = found.frame[(found.frame["strategy"] == "random") & (found.frame["ticket"] == alone["ticket"][0])]
    pd.testing.assert_frame_equal(alone, same[same["players"] == 4].reset_index(drop=True))


def test_difficulty_that_cannot_be_measured_is_refused_in_words(tmp_path):
    usual = {"board": "san_francisco", "players": "random", "games": 4, "seats": 2, "seed": 1}
    for options, problem in (
        ({"seats": 6}, "san_francisco is for 2 to 4 players, not 6"),
        ({"tickets": ["Atlantis"]}, "no ticket 'Atlantis'"),
        ({"games": 0.5}, "`games` 0.5: must be a whole number"),
    ):
        with pytest.raises(ttrsim.UserError, match=problem):
            ttrsim.difficulty(**{**usual, **options})
    found = ttrsim.difficulty(**usual)
    with pytest.raises(ttrsim.UserError, match="`strategy` planner: did not play; there are random"):
        found.plot(strategy="planner")
    with pytest.raises(ttrsim.UserError, match=r"a picture's name ends in \.png"):
        found.plot(tmp_path / "x.bmp")


def test_routes_are_those_of_the_command(shell):
    given = (
        "--map",
        "usa",
        "--players",
        "planner,random",
        "-n",
        "40",
        "--seed",
        "2",
        "-j",
        "1",
        "--close",
        "Denver-Omaha",
    )
    told = list(csv.DictReader(io.StringIO(shell("routes", *given, "--csv", "--quiet").out)))
    options = {"board": "usa", "players": "planner,random", "games": 40, "seed": 2, "threads": 1}
    found = ttrsim.routes(**options, close=["Denver-Omaha"]).frame
    assert told == list(csv.DictReader(io.StringIO(found.to_csv(index=False))))
    assert set(ttrsim.routes(**{**options, "games": 4}, top=1).frames) == {"closed", "gifts"}


def test_progress_counts_games_to_the_last_and_tells_win_shares():
    seen, told = [], []
    ttrsim.run(**{**GAMES, "seed": None}, progress=seen.append, message=told.append)
    assert (seen[0].games, seen[-1].games, {progress.of for progress in seen}) == (0, 600, {600})
    assert [progress.games for progress in seen] == sorted(progress.games for progress in seen)
    assert [share.strategy for share in seen[-1].shares] == ["random", "random_kind"]
    assert told[0].startswith("Seed ")


def test_ctrl_c_keeps_what_is_finished_and_the_same_call_goes_on(played, tmp_path):
    def interrupt(progress):
        if progress.shares:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ttrsim.run(**GAMES, out=tmp_path / "run", progress=interrupt)
    begun = ttrsim.Run.open(tmp_path / "run")
    assert 0 < begun.outcome.shares.games < 600
    assert (begun.finished, begun.outcome.digest) == (False, None)
    assert ttrsim.run(out=tmp_path / "run", resume=True).digest == played.digest


def test_run_grows_and_stops_as_with_the_command(tmp_path):
    options = {**GAMES, "record": "none"}
    short = ttrsim.run(**{**options, "games": 100}, out=tmp_path / "run")
    longer = ttrsim.run(out=tmp_path / "run", resume=True, games=600)
    assert (short.recipe.seed, longer.games_played) == (5, 600)
    stopped = ttrsim.run(**{**options, "games": 1e4}, until_ci=0.02)
    assert stopped.outcome.watch.early
    assert max(share.half_width for share in stopped.outcome.shares.estimates()) <= 0.02
    tested = ttrsim.run(**{**options, "games": 1e4}, sprt=("random", "random_kind"), elo1=50)
    assert tested.outcome.watch.sprt.accepted == "H1"
    assert tested.outcome.answered


def test_parts_are_those_of_the_command(played, tmp_path):
    for number in (1, 2):
        ttrsim.run(**GAMES, out=tmp_path / str(number), portion=f"{number}/2")
    with pytest.raises(ttrsim.UserError, match="3/2: write it as 3/100"):
        ttrsim.run(**GAMES, out=tmp_path / "3", portion="3/2")
    missing = ttrsim.Run.open(tmp_path / "1").outcome.missing * 2
    assert missing + ttrsim.Run.open(tmp_path / "1").outcome.shares.games == 600


def test_damage_is_a_warning(tmp_path):
    ttrsim.run(**GAMES, out=tmp_path / "run")
    (tmp_path / "run" / "run-copy.json").unlink()
    with pytest.warns(RunWarning, match=r"run-copy\.json: is missing; written again"):
        ttrsim.run(out=tmp_path / "run", resume=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RunWarning)
        ttrsim.run(out=tmp_path / "run", resume=True)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"board": "usa", "games": 10}, "Missing option '--players'"),
        ({**GAMES, "games": 10.5}, "`games` 10.5: must be a whole number"),
        ({**GAMES, "out": ""}, "-o: is empty; name a folder"),
        ({**GAMES, "resume": True}, "--resume: needs -o"),
        ({**GAMES, "record": "game"}, "`record`: no table 'game'"),
        ({**GAMES, "engine": "dask"}, "`engine` dask: needs `out`"),
        ({**GAMES, "engine": "ray"}, "`engine` ray: must be threads or dask"),
        ({**GAMES, "until_ci": 3}, "`until_ci` 3: must be above 0"),
        ({**GAMES, "elo1": 3}, "`elo1`: needs `sprt`"),
    ],
)
def test_what_cannot_be_played_is_refused_in_words(options, problem):
    with pytest.raises(ttrsim.UserError, match=problem):
        ttrsim.run(**options)


def test_what_cannot_be_asked_is_refused_in_words(played, tmp_path):
    with pytest.raises(ttrsim.UserError, match="no table 'ticket'; tables are sanity, strategies"):
        played.stats("ticket")
    with pytest.raises(ttrsim.UserError, match="no plot 'ticket'; plots are tickets, "):
        played.plot("ticket")
    with pytest.raises(ttrsim.UserError, match=r"a picture's name ends in \.png"):
        played.plot("tickets", tmp_path / "tickets.bmp")
    with pytest.raises(ttrsim.UserError, match=r"a report's name ends in \.html"):
        played.report(tmp_path / "report.pdf")
    with pytest.raises(ttrsim.UserError, match="margin seat = 2"):
        ttrsim.balance(board="usa", margin={"seat": 2})


def test_boards_and_strategies_may_be_objects(played):
    usa, planner = ttrsim.load_board("usa"), ttrsim.load_strategy("random")
    assert ttrsim.run(**{**GAMES, "board": usa, "players": [planner, "random_kind"]}).digest == played.digest
