"""Notebooks: objects of the front door, tidy frames, and the tour, whose every cell runs."""

import ast
import importlib
import json
import re
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest
from conftest import SMALL_BOARD

import ttrsim
from ttrsim import notebook
from ttrsim.cli import output
from ttrsim.core.jit import COMPILED
from ttrsim.plots.board import RECONSTRUCTION
from ttrsim.stats.frames import Definition

pytestmark = pytest.mark.usefixtures("not_the_first_run")

ROOT = Path(__file__).parents[1]
HOSTILE = "<script>alert(1)</script>&\"'"
GAMES = {"board": "usa", "players": "random,random_kind", "games": 600, "seed": 5, "threads": 1}
TICKET = "Denver-El Paso"
PRINTED = 40
"""Rows of paths that the command prints at most."""


class Seen(HTMLParser):
    """The elements and the text of a page, but for styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements, self.words, self.last = [], [], ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.elements.append(tag)
        self.last = tag

    def handle_data(self, data):
        if self.last != "style" and data.strip():
            self.words.append(data.strip())

    @property
    def text(self):
        return " ".join(self.words)


def seen(shown):
    return Seen(shown._repr_html_())


def words(text):
    """Return the printed cells without what separates an estimate from its error, and without blanks."""
    return [word.strip("()") for word in text.split() if word not in ("±", "–")]


@pytest.fixture
def shell(request):
    return request.getfixturevalue("ttrsim")


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    path = tmp_path_factory.mktemp("notebook") / "run"
    return ttrsim.run(**GAMES, out=path)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A board whose names are markup."""
    path = tmp_path_factory.mktemp("boards") / "hostile.toml"
    text = SMALL_BOARD.replace('"Small"', json.dumps(HOSTILE)).replace('"Ayr"', json.dumps(HOSTILE))
    path.write_text(text, "utf-8")
    return ttrsim.load_board(path)


@pytest.mark.parametrize(
    ("table", "options"),
    [
        ("sanity", {}),
        ("strategies", {}),
        ("versus", {}),
        ("seats", {}),
        ("tickets", {"by": "all"}),
        ("routes", {}),
        ("scores", {}),
        ("games", {}),
        ("paths", {"ticket": TICKET}),
    ],
)
def test_tidy_frame_has_the_words_that_the_command_prints(shell, kept, table, options, monkeypatch):
    monkeypatch.setattr(output, "MAX_WIDTH", 400)
    monkeypatch.setenv("COLUMNS", "400")
    frame = ttrsim.tidy(kept.stats(table, **options))
    given = [word for name, value in options.items() for word in (f"--{name}", value)]
    printed = [words(line) for line in shell("stats", kept.path, table, *given).out.splitlines()]
    head = printed.index(words(" ".join(frame.columns)))
    rows = [words(" ".join(row)) for row in (frame.head(PRINTED) if table == "paths" else frame).to_numpy()]
    assert rows
    assert printed[head + 1 : head + 1 + len(rows)] == rows
    after = [word for line in printed[head + 1 + len(rows) :] for word in line]
    notes = words(" ".join(frame.attrs["notes"]))
    assert after[: len(notes)] == notes


def test_tidy_cell_is_an_estimate_with_half_its_interval():
    table = ttrsim.run(**GAMES).stats("strategies").head(1)
    for low, high, told in (
        (0.12, 0.14, "13.00 ± 1.00"),
        (0.125, 0.2, "13.00 (12.50 to 20.00)"),
        (float("nan"), float("nan"), "13.00"),
    ):
        row = table.assign(win_share=0.13, win_share_low=low, win_share_high=high)
        row.attrs = table.attrs
        assert ttrsim.tidy(row)["Wins, %"].tolist() == [told]


def test_tidy_frame_keeps_rows_and_their_index(kept):
    frame = kept.stats("tickets", by="all").query("points > 15")
    tidied = ttrsim.tidy(frame)
    assert tidied.index.equals(frame.index)
    assert tidied["Ticket"].tolist() == frame["ticket"].tolist()
    assert tidied["Points"].tolist() == [str(points) for points in frame["points"]]


def test_frame_that_cannot_be_tidied_says_why(kept):
    with pytest.raises(ttrsim.UserError, match="none of statistics"):
        ttrsim.tidy(pd.DataFrame({"a": [1]}))
    with pytest.raises(ttrsim.UserError, match="win_share_low is missing; choose columns after"):
        ttrsim.tidy(kept.stats("strategies")[["strategy", "win_share"]])


def test_every_kind_of_frame_can_be_tidied(kept):
    from ttrsim import stats
    from ttrsim.stats.several_runs import across
    from ttrsim.stats.standings import convergence

    frames = [kept.stats(table) for table in stats.__all__ if table != "payoffs"]
    frames += [across([kept]), convergence(kept)]
    assert all(len(ttrsim.tidy(frame).columns) > 1 for frame in frames)


def test_every_definition_of_a_frame_is_known_by_its_name():
    package, known = Path(ttrsim.__file__).parent, notebook._definitions()
    for file in package.rglob("*.py"):
        if " = Definition(" in file.read_text("utf-8"):
            module = importlib.import_module(".".join(file.relative_to(package.parent).with_suffix("").parts))
            for name, value in vars(module).items():
                if isinstance(value, Definition):
                    assert known.get(value.name) is value, f"{module.__name__}.{name}"


def test_run_shows_board_games_who_wins_and_what_can_be_asked(kept):
    shown = seen(kept)
    wins = ttrsim.tidy(kept.stats("strategies")).set_index("Strategy")["Wins, %"]
    for words in ("USA (usa)", "600 games, 2 players, seed 5", str(kept.path), "tickets, pairs, routes", "replay(0)"):
        assert words in shown.text
    for strategy in ("random", "random_kind"):
        assert shown.words[shown.words.index(strategy) + 1] == wins[strategy]
    assert "table" in shown.elements


def test_unfinished_run_shows_what_is_known(tmp_path):
    part = ttrsim.run(**{**GAMES, "games": 400}, out=tmp_path / "part", portion="1/2")
    assert "200 of 400 games" in seen(part).text
    for shard in (tmp_path / "part" / "shards").iterdir():
        for file in shard.glob("*"):
            file.unlink()
        shard.rmdir()
    assert "no batch is finished yet" in seen(ttrsim.Run.open(tmp_path / "part")).text


def test_run_of_an_old_folder_shows_its_games(tmp_path):
    with zipfile.ZipFile(ROOT / "tests" / "golden" / "run_of_format_1.zip") as stored:
        stored.extractall(tmp_path)
    text = seen(ttrsim.Run.open(tmp_path)).text
    assert "60 games, 2 players, seed 5" in text
    assert "95.00" in text
    assert RECONSTRUCTION in text


def test_board_shows_its_map_in_the_colours_of_the_page(kept):
    shown, page = seen(kept.board), kept.board._repr_html_()
    assert "36 cities, 100 routes, 30 tickets, for 2 to 5 players" in shown.text
    assert all(city.name in shown.text for city in kept.board.cities)
    assert "var(--map)" in page
    assert "prefers-color-scheme: dark" in page
    assert repr(kept.board) == "<Board usa: USA, 36 cities, 100 routes, 30 tickets, 2 to 5 players>"


def test_pictures_on_one_page_do_not_share_names(kept):
    shown = (kept.board, ttrsim.load_board("europe"), kept.replay(3), kept.replay(4))
    names = [set(re.findall(r' id="([^"]*)"', one._repr_html_())) for one in shown]
    assert all(names)
    assert len(set.union(*names)) == sum(map(len, names))


def test_game_shows_who_got_how_many_points_and_the_board_at_the_end(kept):
    game = kept.replay(17)
    scores = kept.players.query("game == 17").sort_values("seat")
    told = ", ".join(f"{row.strategy} {str(row.score).replace('-', '−')}" for row in scores.itertuples())
    turns = kept.games.query("game == 17")["turns"].item()
    assert f"Game 17: {told}; {turns} turns" in seen(game).text
    assert repr(game) == f"<Game 17: {told}; {turns} turns>"
    assert "svg" in seen(game).elements


def test_comparison_shows_both_sides_and_what_changed_of_who_wins(hostile):
    options = {"players": "random,random_kind", "games": 600, "seed": 3, "threads": 1}
    found = ttrsim.compare("san_francisco", hostile, **options, fail_on=["seat>1pp"])
    shown = seen(found)
    change = ttrsim.tidy(found.table("strategies").query("what == 'win_share'"))["Change"].iloc[0]
    for words in ("A: San Francisco", f"B: {HOSTILE}", "600 games", "seat>1pp", change, RECONSTRUCTION):
        assert words in shown.text
    assert "script" not in shown.elements
    assert repr(found).endswith(f"{len(found.changes)} changes>")


def test_balance_shows_the_verdict_and_sizes_beside_those_of_the_published_boards(hostile):
    found = ttrsim.balance(board=hostile, players="random,long_route", games=300, seats=2, seed=5, threads=1)
    shown = seen(found)
    for words in (f"{HOSTILE} ({hostile.id}): {found.verdict}", found.sanity, "Old West", "Size"):
        assert words in shown.text
    assert "script" not in shown.elements
    assert repr(found) == f"<Balance of {hostile.id}: {found.verdict}, {len(found.frame)} verdicts>"


def test_trials_show_each_frame():
    options = {"board": "usa", "players": "random,random_kind", "games": 60, "seed": 1, "threads": 1}
    found = ttrsim.routes(**options, close=["Denver-Omaha"], gift=["Denver-Omaha"])
    shown = seen(found)
    for words in ("Closed", "Gifts", "Denver–Omaha", ttrsim.tidy(found.frames["gifts"])["Extra points"].iloc[0]):
        assert words in shown.text
    assert repr(found) == "<Trials on usa: closed (2 rows), gifts (1 rows), seed 1>"


def test_difficulty_shows_its_answers_and_its_table():
    options = {"board": "usa", "players": "random,one_step", "games": 20, "seed": 1, "threads": 1}
    found = ttrsim.difficulty(**options, seats=2)
    shown = seen(found)
    for words in ("With 2 players one_step fails ", "random, one_step", ttrsim.tidy(found.frame)["Fails, %"].iloc[0]):
        assert words in shown.text
    assert repr(found) == "<Difficulty on usa: difficulty (60 rows), seed 1>"


def test_long_tables_say_how_many_rows_there_are():
    found = ttrsim.tickets(board="usa", players="random,random_kind", games=20, seed=1, threads=1)
    shown = seen(found)
    assert f"The first 12 of {len(found.frame)} rows." in shown.text
    assert shown.elements.count("tr") == 1 + 12


def test_names_are_text_wherever_they_come_from(hostile):
    run = ttrsim.run(board=hostile, players="random,random_kind", games=60, seed=1, threads=1)
    for shown in (hostile, run, run.replay(0)):
        page = seen(shown)
        assert "script" not in page.elements
        assert HOSTILE in page.text


@pytest.mark.skipif(not COMPILED, reason="plain Python plays too slowly for so many games")
def test_every_cell_of_the_tour_runs_and_shows_something(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    notebook = json.loads((ROOT / "docs" / "tour.ipynb").read_text("utf-8"))
    names: dict[str, object] = {}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 5
    for cell in cells:
        assert cell["outputs"] == []
        *first, last = ast.parse(re.sub(r"games=\d+", "games=200", "".join(cell["source"]))).body
        exec(compile(ast.Module(first, []), "tour", "exec"), names)
        assert isinstance(last, ast.Expr), "a cell ends with what it shows"
        shown = eval(compile(ast.Expression(last.value), "tour", "eval"), names)
        assert [form for form in ("html", "png") if hasattr(shown, f"_repr_{form}_")] or isinstance(shown, pd.Series)
        for form in ("html", "png"):
            assert getattr(shown, f"_repr_{form}_", lambda: "nothing to try")()
