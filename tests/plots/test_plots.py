"""Plots of statistics: what they say, that nothing lies on anything else, and that they are always the same."""

import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text
from runs.making import store

from plots import frames
from ttrsim import plots
from ttrsim.boards import load_board
from ttrsim.choices import TRIAL_COMMANDS
from ttrsim.plots.catalogue import PLOTS, Plot
from ttrsim.plots.over_time import moved_apart
from ttrsim.plots.rows import verdict
from ttrsim.plots.style import series_style
from ttrsim.runs import Run
from ttrsim.stats.standings import FIRST_STEP
from ttrsim.trials import FRAMES
from ttrsim.tuner import tune

DOCS = Path(__file__).parents[2] / "docs"
BOARDS = ("usa", "europe", "old_west", "san_francisco")
ABOUT = "USA · 4 players · 20,000 games · planner, one_step, planner(risk=2,greed=10), random · seed 1"
OF_TICKETS = {"tickets", "wins_and_score", "difficulty", "fair"}
ON_BOARD = {
    "routes": frames.of_routes,
    "cities": frames.of_cities,
    "gifts": frames.of_routes,
    "closed": frames.of_closed,
    "paths": frames.of_paths,
}
OTHERS = {
    "strategies": frames.of_strategies,
    "strength": frames.of_strategies,
    "versus": frames.of_pairs,
    "parts": frames.of_strategies,
    "luck": frames.of_luck,
    "seats": frames.of_seats,
    "tickets_by_players": frames.of_tickets_by_players,
    "seats_by_players": frames.of_seats_by_players,
    "pairs": frames.of_ticket_pairs,
    "scores": frames.of_scores,
    "lengths": frames.of_lengths,
    "convergence": frames.of_course,
    "precision": frames.of_course,
    "race": frames.of_race,
    "trace": frames.of_trace,
    "parameters": frames.of_parameters,
}


def drawn(kind: str, board: str = "usa", ax: Axes | None = None, **options: str) -> Axes:
    draw: Callable[..., Axes] = getattr(plots, kind)
    if kind in OTHERS:
        return draw(OTHERS[kind](), ax, about=ABOUT, **options)
    loaded = load_board(board)
    if kind in OF_TICKETS:
        return draw(frames.of_tickets(loaded), ax, about=ABOUT, **options)
    return draw(ON_BOARD[kind](loaded), loaded, ax, about=ABOUT, **options)


def written(ax: Axes) -> list[Text]:
    """Return every text of the picture that can be seen."""
    figure = ax.get_figure()
    assert isinstance(figure, Figure)
    figure.draw_without_rendering()
    (x0, x1), (y0, y1) = sorted(ax.get_xlim()), sorted(ax.get_ylim())
    ticks = [t for t in ax.get_xticklabels() if x0 <= t.get_position()[0] <= x1]
    ticks += [t for t in ax.get_yticklabels() if y0 <= t.get_position()[1] <= y1]
    key = ax.get_legend()
    texts = [*figure.texts, *ax.texts, ax.xaxis.label, ax.yaxis.label, *ticks, *(key.get_texts() if key else [])]
    return [t for t in texts if t.get_visible() and t.get_text()]


def words(ax: Axes) -> str:
    return "\n".join(t.get_text() for t in written(ax))


def test_every_kind_is_tried_here() -> None:
    assert set(PLOTS) == OF_TICKETS | set(ON_BOARD) | set(OTHERS)


@pytest.mark.parametrize("kind", [kind for kind in PLOTS if kind not in ("gifts", "closed")])
def test_the_same_data_gives_the_same_bytes(kind: str, tmp_path: Path) -> None:
    for name in ("one.svg", "two.svg"):
        plots.save(drawn(kind), tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


@pytest.mark.parametrize("ending", ["png", "pdf"])
def test_other_files_are_the_same_too(ending: str, tmp_path: Path) -> None:
    for name in ("one", "two"):
        plots.save(drawn("versus"), tmp_path / f"{name}.{ending}")
    assert (tmp_path / f"one.{ending}").read_bytes() == (tmp_path / f"two.{ending}").read_bytes()


def test_rcparams_of_the_caller_change_nothing(tmp_path: Path) -> None:
    plots.save(drawn("parts"), tmp_path / "one.svg")
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "black", "text.parse_math": False, "svg.hashsalt": "x"}):
        plots.save(drawn("parts"), tmp_path / "two.svg")
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


@pytest.mark.parametrize(("kind", "board"), [*product(sorted(OF_TICKETS), BOARDS), *product(OTHERS, ["usa"])])
def test_no_text_lies_on_another_or_beyond_the_edge(kind: str, board: str) -> None:
    texts = [t for t in written(drawn(kind, board)) if t.get_rotation() % 90 == 0]  # boxes of slanted names overlap
    boxes = [(t.get_text(), Text.get_window_extent(t)) for t in texts]  # without the line from a name to its mark
    assert [(a, b) for (a, one), (b, two) in combinations(boxes, 2) if one.padded(-1.5).overlaps(two)] == []
    width, height = texts[0].get_figure(root=True).bbox.size
    assert [a for a, box in boxes if box.x0 < 0 or box.y0 < 0 or box.x1 > width or box.y1 > height] == []


@pytest.mark.parametrize("kind", sorted(OF_TICKETS | set(OTHERS)))
def test_axes_and_title_say_what_and_how_many_games(kind: str) -> None:
    ax = drawn(kind)
    assert ax.get_xlabel()
    assert ax.get_ylabel() or len(ax.get_yticklabels()) == len(ax.get_yticks())
    assert "20,000 games" in words(ax)


@pytest.mark.parametrize("kind", ON_BOARD)
def test_a_board_says_what_is_shown_and_of_how_many_games(kind: str) -> None:
    said = words(drawn(kind))
    assert "20,000 games" in said
    assert "USA" in said
    assert "Ticket to Ride (2004)" not in said


@pytest.mark.parametrize("kind", [*OTHERS, "tickets", "routes"])
def test_axes_given_are_drawn_on_and_returned(kind: str) -> None:
    figure = Figure((9, 9))
    ax = figure.add_subplot()
    assert drawn(kind, ax=ax) is ax
    assert figure.axes[0] is ax
    assert "20,000 games" in words(ax) + ax.get_title(loc="left")


def test_tickets_are_sorted_and_told_with_their_value() -> None:
    frame = frames.of_tickets(load_board("europe"))
    labels = [t.get_text() for t in plots.tickets(frame).get_yticklabels()]
    best = frame.loc[frame["win_effect"].idxmax()]
    assert labels[0].startswith(best["ticket"])
    assert labels[0].endswith(str(best["points"]))
    assert sum("(long)" in label for label in labels) == (frame["deck"] == "long").sum() > 0


def test_tickets_of_several_strategies_are_refused() -> None:
    frame = frames.of_tickets(load_board("usa"))
    both = pd.concat([frame.assign(strategy=name) for name in ("planner", "random")])
    with pytest.raises(ValueError, match="these rows are of planner, random; choose those of one"):
        plots.tickets(both)


def test_a_ticket_without_fair_value_says_why() -> None:
    assert words(drawn("fair")).count("fails too often") == 1


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [(0.02, 0.03, "above"), (-0.03, -0.02, "below"), (-0.01, 0.005, "within"), (0.005, 0.02, "undecided")],
)
def test_the_mark_of_a_row_tells_how_its_interval_lies_to_the_margin(low: float, high: float, word: str) -> None:
    assert verdict(low, high, 0, 0.01) == word
    assert verdict(0.25 + low, 0.25 + high, 0.25, 0.01) == word


def test_a_row_without_interval_is_undecided() -> None:
    assert verdict(np.nan, np.nan, 0, 0.01) == "undecided"


def test_twenty_strategies_look_different() -> None:
    assert len({(of["color"], of["marker"], str(of["linestyle"])) for of in map(series_style, range(20))}) == 20


def test_where_no_strength_is_known_that_is_said() -> None:
    frame = frames.of_strategies()
    frame[["strength", "strength_low", "strength_high"]] = np.nan
    assert "no strengths: some never finished before others" in words(plots.strength(frame))


def test_where_no_interval_is_known_that_is_said() -> None:
    frame = frames.of_course()
    frame[["win_share_low", "win_share_high"]] = np.nan
    assert "nothing is known: too few wins" in words(plots.precision(frame))


def test_names_are_moved_apart_as_little_as_can_be() -> None:
    np.testing.assert_allclose(moved_apart(np.array([0.0, 0.0, 10.0]), 2), [-1, 1, 10])
    crowd = np.sort(np.random.default_rng(1).uniform(0, 20, 9))
    moved = moved_apart(crowd, 3)
    assert (np.diff(moved) > 3 - 1e-9).all()
    assert moved.mean() == pytest.approx(crowd.mean())


def test_the_greatest_changes_are_those_of_what_was_closed() -> None:
    usa = load_board("usa")
    said = words(plots.closed(frames.of_closed(usa), usa))
    assert "-1.0" in said
    assert said.count("extra points") == 2  # a scale for routes and one for the city


def test_the_most_usual_path_is_told_with_its_share() -> None:
    said = words(drawn("paths")).replace("\n", " ")
    assert "500 seats completed it by their own routes, by 2 different paths" in said
    assert "7 trains, 80.0 % (95 %: 76.5 to 83.5)" in said
    assert "10 more needed a station" in said


def test_routes_on_hardly_any_path_are_pale() -> None:
    usa = load_board("usa")
    found = frames.of_paths(usa)
    seldom = found.routes.assign(share=np.where(np.arange(len(found.routes)) == 40, 0.8, 0.019))
    printed = [t.get_text() for t in plots.paths(replace(found, routes=seldom), usa).texts]
    assert printed.count("80") == 1
    assert "2" not in printed


def test_where_nobody_completed_the_ticket_that_is_said() -> None:
    usa = load_board("usa")
    found = frames.of_paths(usa)
    none = replace(found, seats=0, paths=found.paths[:0], routes=found.routes.assign(share=np.nan))
    assert "In the first 2,000 games, played again, no seat completed it" in words(plots.paths(none, usa))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    path = tmp_path_factory.mktemp("plots") / "run"
    return store(path, board="san_francisco", players="random,random_kind", games=240, record=())


def whole(name: str, frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with all columns of its table, for files that lack some are refused."""
    filled: dict[str, object] = {}
    for column in FRAMES[name][0].columns:
        filled[column.name] = "x" if column.kind == "key" and column.name != "players" else 2
        if column.has_interval:
            filled |= {f"{column.name}_low": 1.0, f"{column.name}_high": 3.0}
    return frame.assign(**{column: value for column, value in filled.items() if column not in frame})


@pytest.fixture(scope="module")
def trials(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return what `ttrsim tickets --json` and `ttrsim routes --json` write, all tables together."""
    board = load_board("san_francisco")
    tables: dict[str, pd.DataFrame] = {
        **dict.fromkeys(("swaps", "forced", "fair"), frames.of_tickets(board)),
        "gifts": frames.of_routes(board).head(3),
        "closed": frames.of_closed(board),
    }
    rows = {name: {"rows": json.loads(whole(name, frame).to_json(orient="records"))} for name, frame in tables.items()}
    about = {"board": "san_francisco", "seed": 1, "games": 4000, "players": ["planner", "random"]}
    path = tmp_path_factory.mktemp("trials") / "trials.json"
    path.write_text(json.dumps({**about, "tables": rows}), "utf-8")
    return path


@pytest.fixture(scope="module")
def tuned(tmp_path_factory):
    """The folder of a tuning."""
    path = tmp_path_factory.mktemp("tuned") / "tuned"
    tune("planner", board="san_francisco", seats=2, params="tempo", games=4000, seed=1, out=path)
    return path


@pytest.mark.usefixtures("not_the_first_run")
@pytest.mark.parametrize("kind", PLOTS)
def test_every_kind_is_drawn_on_the_command_line(kind, run, trials, tuned, ttrsim, tmp_path):
    plot = PLOTS[kind]
    for source, there in ((run.folder.path, plot.of_run), (trials, plot.trials), (tuned, plot.tuning)):
        if not there:
            continue
        ticket = ["--ticket", "alcatraz-mission"] if PLOTS[kind].by_ticket else []
        ended = ttrsim("plot", kind, source, *ticket, "-o", tmp_path / "x.svg")
        assert (ended.code, ended.out, ended.err) == (0, "", f"Drew {kind} to {tmp_path / 'x.svg'}\n")
        texts = " ".join(re.findall(r"<text [^>]*>([^<]*)</text>", (tmp_path / "x.svg").read_text("utf-8")))
        games = {run.folder.path: "240 games", trials: "4,000 games with each change", tuned: "2 players"}
        assert games[source] in texts
        assert "reconstruction" in texts


@pytest.mark.parametrize(
    ("arguments", "texts"),
    [
        (
            ["tickets", "--value", "score_effect", "--margin", "2"],
            ["extra points when offered", "The band, 2 on both sides"],
        ),
        (["tickets", "--strategy", "random"], ["only random"]),
        (["routes", "--value", "turn", "--strategy", "random"], ["mean turn of the claim", "only random"]),
        (["cities", "--value", "taken"], ["share of a game for which a seat has a route there"]),
        (["seats", "--margin", "0.5"], ["The band: 0.5 on both sides"]),
        (["race", "--games", "9"], ["9 games of the run, played again"]),
    ],
)
def test_values_strategy_and_margin_can_be_chosen(arguments, texts, run, ttrsim, tmp_path):
    assert ttrsim("plot", *arguments[:1], run.folder.path, *arguments[1:], "-o", tmp_path / "x.svg").code == 0
    said = (tmp_path / "x.svg").read_text("utf-8")
    assert [text for text in texts if text not in said] == []


REFUSED = {
    ("pie", "RUN", "-o", "x.svg"): "'pie' is not one of",
    ("seats", "RUN", "-o", "x.gif"): "-o x.gif: a picture's name ends in .png, .svg, .pdf",
    ("seats", "RUN", "-o", "no/x.svg"): "-o no/x.svg: there is no folder 'no'; make it first",
    ("seats", "nothing", "-o", "x.svg"): "nothing: there is no such file or folder",
    ("seats", "TRIALS", "-o", "x.svg"): "seats is drawn from the folder of a run",
    ("difficulty", "RUN", "-o", "x.svg"): "`ttrsim tickets --force ... --json > FILE`",
    ("difficulty", "README.md", "-o", "x.svg"): "difficulty is drawn from what `ttrsim tickets --force",
    ("seats", ".", "-o", "x.svg"): "run.json",
    ("seats", "RUN", "--value", "turn", "-o", "x.svg"): "seats has no value 'turn'; it has none to choose from",
    ("routes", "RUN", "--value", "win_share", "-o", "x.svg"): "it can show claim_rate, turn or taken",
    (
        "seats",
        "RUN",
        "--strategy",
        "random",
        "-o",
        "x.svg",
    ): "tickets, wins_and_score, routes, cities, closed and paths can show one strategy",
    ("tickets", "RUN", "--strategy", "planer", "-o", "x.svg"): "has no strategy planer; it has random, random_kind",
    ("routes", "RUN", "--margin", "2", "-o", "x.svg"): "tickets and seats have one",
    ("seats", "RUN", "--games", "9", "-o", "x.svg"): "seats plays no games again, but --games 9 was given; race does",
    ("race", "RUN", "--games", "0", "-o", "x.svg"): "--games 0: must be at least 1",
}


@pytest.mark.parametrize("arguments", REFUSED, ids=" ".join)
def test_what_cannot_be_drawn_is_refused_in_a_line(arguments, run, trials, ttrsim, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("README.md").write_text("# no JSON", "utf-8")
    ended = ttrsim("plot", *({"RUN": run.folder.path, "TRIALS": trials}.get(a, a) for a in arguments))
    assert (ended.code, ended.out) == (2, "")
    assert REFUSED[arguments] in ended.err.replace("\\", "/")
    assert not list(tmp_path.glob("x.*"))
    if arguments[0] != "pie":
        assert ended.err.count("\n") == 1


def test_tables_that_a_file_does_not_have_are_named(trials, ttrsim, tmp_path):
    told = json.loads(trials.read_text("utf-8"))
    (tmp_path / "less.json").write_text(json.dumps(told | {"tables": {"gifts": told["tables"]["gifts"]}}), "utf-8")
    ended = ttrsim("plot", "closed", tmp_path / "less.json", "-o", tmp_path / "x.svg")
    assert ended.code == 2
    assert "has gifts but not closed, which `ttrsim routes --close ... --json > FILE` writes" in ended.err


def test_a_single_strategy_has_nobody_to_finish_before(ttrsim, tmp_path):
    alone = store(tmp_path / "run", games=6, players="random,random", record=())
    ended = ttrsim("plot", "versus", alone.folder.path, "-o", tmp_path / "x.svg")
    assert ended.code == 2
    assert "versus needs two strategies that meet" in ended.err


@pytest.mark.parametrize("kind", ["convergence", "precision"])
def test_a_course_of_one_step_is_drawn_without_a_warning(kind: str) -> None:
    frame = frames.of_course()
    assert getattr(plots, kind)(frame[frame["games"] == frame["games"].min()]).has_data()


def test_a_run_of_few_batches_has_no_course(ttrsim, tmp_path):
    few = store(tmp_path / "run", games=6, record=())
    ended = ttrsim("plot", "convergence", few.folder.path, "-o", tmp_path / "x.svg")
    assert ended.code == 2
    assert f"convergence needs at least {FIRST_STEP} finished batches; play more games" in ended.err


def drawn_from(plot: Plot) -> str:
    """Say what the command draws a plot from."""
    of_run = "RUN and `--ticket`" if plot.by_ticket else "RUN…" if plot.of_several else "RUN" if plot.of_run else ""
    of_trials = f"`{TRIAL_COMMANDS[plot.trials]} … --json`" if plot.trials else ""
    of_tuning = "`ttrsim tune … -o`" if plot.tuning else ""
    return " or ".join(filter(None, (of_run, of_trials, of_tuning)))


def frame_of(plot: Plot) -> str:
    """Say which frame the function of a plot takes."""
    table = f'`run.table("{plot.table}")`' if plot.table else ""
    by = ", ticket" if plot.by_ticket else ', by="all"' if plot.by_strategy else ""
    runs = "runs" if plot.of_several else "run"
    statistic = f"`{plot.statistic.removeprefix('ttrsim.').replace(':', '.')}({runs}{by})`" if plot.statistic else ""
    others = (f"`trials.{plot.trials}`" if plot.trials else "", f"`tuning.{plot.tuning}`" if plot.tuning else "")
    return " or ".join(filter(None, (table, statistic, *others)))


def test_docs_list_every_plot() -> None:
    """REGENERATE_GOLDEN=1 writes the table from the catalogue."""
    rows = [
        (f"`{name}`", plot.shows, drawn_from(plot), ", ".join(f"`{v}`" for v in plot.values), frame_of(plot))
        for name, plot in PLOTS.items()
    ]
    head = ["| PLOT | what it shows | drawn from | `--value` | frame in Python |", "|---|---|---|---|---|"]
    lines = ["<!-- plots -->", *head, *(f"| {' | '.join(row)} |" for row in rows), "<!-- end -->"]
    part, page = "\n".join(lines), DOCS / "plots.md"
    if os.environ.get("REGENERATE_GOLDEN"):
        marked = re.compile("<!-- plots -->.*?<!-- end -->", re.DOTALL)
        page.write_text(marked.sub(lambda _: part, page.read_text("utf-8")), "utf-8")
    assert part in page.read_text("utf-8")


def test_help_lists_every_plot(ttrsim):
    shown = ttrsim("plot", "--help").out
    for name, plot in PLOTS.items():
        assert re.search(rf"^ +{name} +{re.escape(plot.shows)}", shown, re.MULTILINE)


@pytest.mark.parametrize(("kind", "value"), [(kind, value) for kind in PLOTS for value in PLOTS[kind].values[1:]])
def test_every_value_of_the_catalogue_can_be_drawn(kind: str, value: str) -> None:
    assert drawn(kind, value=value).has_data()


def test_nothing_is_drawn_through_pyplot() -> None:
    for path in Path(plots.__file__).parent.glob("*.py"):
        assert "matplotlib.pyplot" not in path.read_text("utf-8")


def test_tickets_have_a_mark_for_each_strategy_in_their_row() -> None:
    frame = frames.of_tickets(load_board("usa"))
    each = pd.concat([frame.assign(strategy=name, win_effect=place / 100) for place, name in enumerate(("b", "a"))])
    ax = plots.tickets(frame, strategies=each.sample(frac=1, random_state=1).sort_values("strategy", ascending=False))
    marks = {line.get_label(): line for line in ax.lines if line.get_label() in ("a", "b")}
    assert [len(marks[name].get_ydata()) for name in "ab"] == [len(frame)] * 2
    assert [set(np.asarray(marks[name].get_xdata()).round(9)) for name in "ba"] == [{0.0}, {1.0}]
    assert marks["a"].get_marker() != marks["b"].get_marker()
    key = ax.get_legend()
    assert key is not None
    assert {"a", "b"} <= {text.get_text() for text in key.get_texts()}
