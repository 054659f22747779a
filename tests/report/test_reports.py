"""Reports of runs: their words agree with the frames, and in all forms there is the same."""

import json
import os
import re
from collections.abc import Sequence
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from runs.making import store

from ttrsim import stats
from ttrsim.batches import LEVEL
from ttrsim.examination import Balance
from ttrsim.formatting import decimal
from ttrsim.report.document import report_json
from ttrsim.report.of_balance import answering, report_of_balance
from ttrsim.report.of_run import report_of_run
from ttrsim.report.of_runs import report_of_runs
from ttrsim.report.page import _prose as report_page_prose
from ttrsim.report.page import report_markdown, report_page
from ttrsim.runs import Run
from ttrsim.stats.balance import LIKE_PUBLISHED, balance
from ttrsim.stats.deciding import LOOK_LEVEL, Look
from ttrsim.stats.sizes import overall
from ttrsim.stats.standings import differences_at_once

GOLDEN = Path(__file__).parents[1] / "golden" / "report.md"
LARGEST = 3_000_000
"""Bytes that a page may have."""
VOID = {"meta", "br", "hr", "img", "input", "link"}


class Page(HTMLParser):
    """The parts of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def all(self, tag):
        """Return the attributes of all elements of that name."""
        return [attributes for name, attributes in self.tags if name == tag]


def examined(runs: list[Run], looks: Sequence[Look] = ()) -> Balance:
    level = LOOK_LEVEL if looks else LEVEL
    return Balance(runs, balance(runs, LIKE_PUBLISHED, level), LIKE_PUBLISHED, level, looks=looks)


@pytest.fixture(scope="module")
def reports(run, tables):
    """One of each kind."""
    return {
        "run": report_of_run(run),
        "balance": report_of_balance(examined(tables)),
        "runs": report_of_runs([run, *tables], 0.01),
    }


@pytest.fixture(scope="module", params=["run", "balance", "runs"])
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def report(reports, kind):
    return reports[kind]


@pytest.fixture(scope="module")
def pages(reports):
    """All of them as pages, each written once."""
    return {kind: report_page(report) for kind, report in reports.items()}


@pytest.fixture(scope="module")
def page(pages, kind):
    return pages[kind]


def answer(report, question):
    (found,) = (answer for answer in report.answers if answer.question.startswith(question))
    return " ".join([found.words, *found.points])


def test_the_report_of_a_small_run_is_the_golden_one(reports):
    """After a change that is meant to change it, REGENERATE_GOLDEN=1 writes it anew."""
    told = report_markdown(replace(reports["run"], provenance=[], commands=[]))
    if "REGENERATE_GOLDEN" in os.environ:
        GOLDEN.write_text(told, "utf-8")
        pytest.skip(f"wrote {GOLDEN.name}")
    assert told == GOLDEN.read_text("utf-8")


def test_the_same_run_makes_the_same_page(run, reports, pages):
    again = report_of_run(run)
    assert report_page(again) == pages["run"]
    assert json.dumps(report_json(again)) == json.dumps(report_json(reports["run"]))


def test_every_column_of_a_table_is_explained_on_the_page(page):
    page = Page(page)
    heads, places = page.all("th"), {f"#{attributes.get('id')}" for _, attributes in page.tags}
    assert len(heads) > 20
    assert all(head["title"] for head in heads)
    assert {link["href"] for link in page.all("a")} <= places
    assert "`" not in "".join(str(head["title"]) for head in heads)


def test_what_is_said_of_columns_calls_them_as_the_table_does(report):
    names = {column for table in report.tables for column in table.frame.columns if "_" in column}
    told = [note for table in report.tables for note in table.grid.notes]
    told += [meaning for table in report.tables for meaning in table.grid.meanings]
    told += [kind.row for kind in report.explained]
    assert [text for text in told if "`by=" in text or any(f"`{name}`" in text for name in names)] == []


def test_a_number_keeps_to_its_interval_and_unit():
    told = report_page_prose("1.5 ± 0.4 pp, 0.1 [0.0 to 0.4] % in `run a 1 %`")
    assert told.replace("\N{NO-BREAK SPACE}", "_") == "1.5_±_0.4_pp, 0.1 [0.0_to_0.4]_% in <code>run a 1 %</code>"


def test_a_page_needs_nothing_but_itself_and_fits(page):
    text, page = page, Page(page)
    assert len(text.encode()) < LARGEST
    assert page.open == []
    fetched = [v for _, attributes in page.tags for k, v in attributes.items() if k in ("src", "href", "xlink:href")]
    assert all(address.startswith("#") for address in fetched)
    assert "url(http" not in text
    assert len(page.all("script")) == 1


def test_what_a_page_refers_to_is_there_once(page):
    ids = re.findall(r'\bid="([^"]*)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', page)) <= set(ids)


def test_every_figure_has_words_and_a_table(report, page):
    assert sum(len(section.figures) for section in report.sections) >= 2
    for section in report.sections:
        assert all(figure.alt for figure in section.figures)
        assert section.tables or not section.figures
    drawn = [attributes for attributes in Page(page).all("svg") if attributes.get("role") == "img"]
    assert all(attributes["aria-label"] for attributes in drawn)
    figures = sum(len(section.figures) for section in report.sections)
    assert [sum(layout in one["class"].split() for one in drawn) for layout in ("roomy", "narrow")] == [
        figures,
        figures,
    ]


def test_json_has_every_row_of_every_table(report):
    told = json.loads(json.dumps(report_json(report), allow_nan=False))
    assert [len(table["rows"]) for table in told["tables"].values()] == [len(table.frame) for table in report.tables]
    assert len(told["tables"]) == len(report.tables)
    for table in report.tables:
        assert all(row.keys() == set(table.frame.columns) for row in told["tables"][table.name]["rows"])


def test_rows_of_markdown_have_as_many_cells_as_their_head(report):
    lengths = set()
    for line in [*report_markdown(report).splitlines(), ""]:
        if line.startswith("|"):
            lengths.add(len(re.findall(r"(?<!\\)\|", line)))
        else:
            assert len(lengths) <= 1
            lengths.clear()


def test_reconstructed_boards_say_so(reports, pages):
    for kind in ("balance", "runs"):
        assert any("San Francisco: a RECONSTRUCTION" in warning for warning in reports[kind].warnings)
        told = pages[kind].count("San Francisco: a reconstruction")
        assert told >= sum(len(s.figures) for s in reports[kind].sections if not s.title.startswith("usa"))
    assert reports["run"].warnings == []
    assert "reconstruction" not in pages["run"]


def test_the_best_strategy_is_named_first_with_its_share(run, reports):
    best = stats.strategies(run).iloc[0]
    assert answer(reports["run"], "Who wins").startswith(f"{best['strategy']} wins {100 * best['win_share']:.1f} ± ")


def test_only_sure_tickets_are_to_be_wanted_or_feared(run, reports):
    frame, words = stats.tickets(run, "all"), answer(reports["run"], "Which tickets")
    for row in frame.to_dict("records"):
        sure = row["win_effect_low"] > 0 or row["win_effect_high"] < 0
        assert sure or f"{row['ticket']} (" not in words


def test_too_few_games_tell_no_winner(tmp_path):
    run = store(tmp_path / "run", board="usa", players="random,random_kind", games=8, seed=1, record=())
    report = report_of_run(run)
    assert "which of the two is better is too close to call" in answer(report, "Who wins")
    assert "clearly" not in answer(report, "Is the first seat better?")


def test_an_examination_tells_the_verdict_of_its_frame(tables, reports):
    frame, _ = answering(tables, LIKE_PUBLISHED)
    found = examined(tables)
    words = answer(reports["balance"], "Is this board fair?")
    begin = {"imbalanced": "Farther from fair", "undecided": "Nothing is clearly farther", "balanced": "As fair as"}
    assert words.startswith(begin[overall(found.frame, found.sizes, LIKE_PUBLISHED)])
    assert found.answers == [
        f"{reports['balance'].title}.",
        *(f"{card.title}: {card.words}" for card in reports["balance"].cards),
    ]
    of_tickets = frame[frame["question"] == "tickets"]
    sure = (of_tickets["value_low"] > 0) | (of_tickets["value_high"] < 0)
    assert answer(reports["balance"], "Which tickets").count("±") == len(
        of_tickets[sure].groupby(["players", of_tickets["value"] > 0])
    )


def test_the_head_of_an_examination_takes_few_words_and_names_what_is_farthest(tables, reports):
    report, frame = reports["balance"], examined(tables).frame
    cards = [f"{card.title} {card.words} {card.unit}" for card in report.cards]
    assert 40 < len(" ".join([report.title, *report.about, *cards, *report.caveats]).split()) <= 120
    for place, question in ((0, "seats"), (1, "tickets")):
        rows = frame[(frame["question"] == question) & frame["value_low"].notna()]
        far = rows.loc[rows["value"].abs().idxmax()]
        name = f"{int(far['of'][-1]) + 1}" if question == "seats" else far["of"]
        assert f"Farthest: {name}" in report.cards[place].words
        assert f"{far['players']} players, {decimal(100 * far['value'])}" in report.cards[place].words.replace("+", "")


def test_other_bots_than_those_of_the_published_boards_are_no_warning(reports):
    assert not any("other bots" in warning for warning in reports["balance"].warnings)
    assert "were measured with other bots" in answer(reports["balance"], "Is this board fair?")


def test_answers_of_an_examination_hold_together_and_verdicts_each_on_its_own(tables, reports):
    frame, level = answering(tables, LIKE_PUBLISHED)
    families = 4 + 2 * 3 + 1  # seats; tickets, leads and signs; ends of games
    assert level == pytest.approx(1 - 0.05 / families)
    shown = {table.name: table.frame for table in reports["balance"].tables}
    for question in ("seats", "tickets", "routes"):
        narrow, wide = (
            (rows["value_high"] - rows["value_low"]).dropna().to_numpy()
            for rows in (shown[question], frame[frame["question"] == question])
        )
        assert (wide >= narrow).all()
        assert (wide > narrow).any()


def test_of_how_games_end_the_table_is_told_that_leaves_room_for_most(tables, reports):
    frame, _ = answering(tables, LIKE_PUBLISHED)
    highest = 100 * frame[frame["question"] == "games"].groupby("of", sort=False)["value_high"].max()
    told = re.findall(r"to ([\d.]+)\] %", answer(reports["balance"], "How do games end"))
    assert [float(high) for high in told] == pytest.approx(highest.tolist(), abs=0.051)


def test_the_points_of_an_answer_are_told_in_every_form(reports, pages):
    report = reports["balance"]
    points = [point for answer in report.answers for point in answer.points]
    page, markdown = pages["balance"].replace("\N{NO-BREAK SPACE}", " "), report_markdown(report).replace("\\", "")
    assert [point for told in report_json(report)["answers"] for point in told["points"]] == points
    assert len(points) >= 3
    for point in points:
        assert f"<li>{point}</li>" in page
        assert f"\n* {point}\n" in markdown


def test_of_many_tables_the_ends_are_told_with_their_intervals(run, tables, monkeypatch):
    monkeypatch.setattr("ttrsim.report.of_runs.LISTED", 2)
    report = report_of_runs([run, *tables], 0.01)
    best = [stats.strategies(each).iloc[0] for each in (run, *tables)]
    ends = [min(best, key=lambda row: row["score"]), max(best, key=lambda row: row["score"])]
    told = [f"{row['score']:.1f} ± {(row['score_high'] - row['score_low']) / 2:.1f} points" for row in ends]
    assert re.findall(r"[-\d.]+ ± [\d.]+ points", answer(report, "What scores").replace("−", "-")) == told
    best_two = [run.strategies.index(name) for name in stats.strategies(run)["strategy"][:2]]
    apart = differences_at_once(run, 1 - 0.05 / (2 * 5))  # leads and seats at five tables
    lead, _, high = (100 * end[*best_two] for end in apart)
    met = f"{lead:.1f} ± {high - lead:.1f} pp (usa, 3 players)"
    assert met in answer(report, "Where does which one win")
    assert "mirror" not in answer(report, "Where does which one win")
    assert answer(report, "Is the first seat").partition("(")[0].count(" ± ") == 1


def test_names_are_text_and_never_markup(tmp_path, small_board):
    """A board may hold anything in its names; a page shows it and does not run it."""
    hostile = '<script>alert(1)</script>"><img src=x onerror=alert(1)>'
    board = tmp_path / "hostile.toml"
    board.write_text(small_board.replace('"Ayr"', f"'{hostile}'").replace('"Small"', f"'{hostile}'"), "utf-8")
    run = store(tmp_path / "run", board=str(board), players="random,random_kind", games=40, record=())
    report = report_of_run(run)
    page = Page(report_page(report))
    assert len(page.all("script")) == 1
    assert page.all("img") == []
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)
    assert "<script>" not in report_markdown(report).replace("\\<", "")
    assert hostile in json.dumps(report_json(report), ensure_ascii=False).replace('\\"', '"')


def test_examination_that_went_on_until_decided_has_wider_intervals_and_says_why(tables, reports):
    looks = [Look(laps={"2-mirror": 1}, wanted={})] * 2
    once, often = reports["balance"], report_of_balance(examined(tables, looks))
    widths = [
        [
            shown.frame["value_high"] - shown.frame["value_low"]
            for section in report.sections
            for shown in section.tables
            if "value" in shown.frame
        ]
        for report in (once, often)
    ]
    assert len(widths[0]) == len(widths[1]) == 6
    assert all((wide >= narrow).all() and (wide > narrow).any() for narrow, wide in zip(*widths, strict=True))
    assert "with 2 looks." in next(a.words for a in often.answers if a.question == "How sure are we?")
    assert [title for title, _ in often.methods if (title, _) not in once.methods] == ["Looks"]
