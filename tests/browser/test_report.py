"""The page of a report in a browser: it sorts, folds and prints, and all of it can be read, however it is looked at."""

import json
import math
from pathlib import Path

import pytest
from runs.making import store

from browser.window import NARROW, Window
from ttrsim.batches import LEVEL
from ttrsim.examination import Balance
from ttrsim.report.of_balance import report_of_balance
from ttrsim.report.of_run import report_of_run
from ttrsim.report.page import report_page
from ttrsim.stats.balance import BOUNDS, balance

LOOKS = {
    "light": {},
    "dark": {"dark": True},
    "narrow": {"width": NARROW, "height": 844},
    "on paper": {"printed": True, "dark": True},
}
OPEN_ALL = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"


@pytest.fixture(scope="module")
def examination(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a run on a reconstructed board."""
    folder = tmp_path_factory.mktemp("balance")
    shared = {"board": "san_francisco", "players": "random,random_kind", "games": 200, "seats": 2, "record": ()}
    runs = [store(folder / design, design=design, **shared) for design in ("mirror", "mixed")]
    path = folder / "balance.html"
    path.write_text(report_page(report_of_balance(Balance(runs, balance(runs), BOUNDS, LEVEL))), "utf-8")
    return path


@pytest.mark.parametrize("which", ["page", "examination"])
def test_all_text_is_legible_and_nothing_sticks_out(window: Window, request: pytest.FixtureRequest, which: str) -> None:
    path = request.getfixturevalue(which)
    window.open(path)
    window.run(OPEN_ALL)
    for how, look in LOOKS.items():
        window.look(**look)
        check_legible(window, how)
    window.open(path, scripts=False, dark=True)
    check_legible(window, "without scripts")


def check_legible(window: Window, how: str) -> None:
    """Check contrasts, and that the page is no wider than the window."""
    texts = window.texts()
    assert len(texts) > 150, how
    assert [text for text in texts if text["contrast"] < text["needed"]] == [], how
    assert window.overflow() == 0, how


def test_answers_at_a_glance_fit_the_first_screen_in_few_words(window: Window, page: Path) -> None:
    window.open(page)
    shown = "header, .card > h2, .card > p, .card figcaption, .caveat"
    assert window.run("return document.querySelector('nav').getBoundingClientRect().top") < 900
    assert len(window.see(".card")) == 4
    assert len(" ".join(window.see(shown)).split()) <= 120


def test_every_card_leads_to_a_section(window: Window, page: Path) -> None:
    window.open(page)
    links = window.run("return [...document.querySelectorAll('.card h2 a')].map((one) => one.getAttribute('href'))")
    assert len(links) == 4
    assert all(window.run("return document.querySelector(arguments[0]) !== null", link) for link in links)


def test_a_link_into_what_is_folded_unfolds_it(window: Window, page: Path) -> None:
    window.open(page)
    assert window.run("return document.querySelector('#columns').open") is False
    window.run("document.querySelector('#section1 details').open = true")
    window.find("#section1 details a").click()
    window.wait(lambda: window.run("return document.querySelector('#columns').open"))


def column(window: Window, title: str, name: str) -> list[str]:
    """Return the cells of a column of the table with that title."""
    return window.run(
        """const [title, name] = arguments;
        const table = [...document.querySelectorAll("details")]
          .find((one) => one.querySelector("summary").textContent.startsWith(title)).querySelector("table");
        const place = [...table.tHead.rows[0].cells].findIndex((cell) => cell.textContent === name);
        return [...table.tBodies[0].rows].map((row) => row.cells[place].textContent);""",
        title,
        name,
    )


def click(window: Window, title: str, name: str) -> None:
    window.run(
        """const [title, name] = arguments;
        [...document.querySelectorAll("details")]
          .find((one) => one.querySelector("summary").textContent.startsWith(title)).querySelectorAll("th button")
          .forEach((button) => { if (button.textContent === name) button.click(); });""",
        title,
        name,
    )


def numbers(cells: list[str]) -> list[float]:
    return [math.nan if cell == "–" else float(cell.replace("−", "-")) for cell in cells]


def test_a_click_on_a_head_sorts_by_that_column_and_again_the_other_way(window: Window, page: Path) -> None:
    window.open(page)
    window.run(OPEN_ALL)
    before = numbers(column(window, "Tickets:", "Points"))
    click(window, "Tickets:", "Points")
    assert numbers(column(window, "Tickets:", "Points")) == sorted(before, reverse=True)
    click(window, "Tickets:", "Points")
    assert numbers(column(window, "Tickets:", "Points")) == sorted(before)
    names = column(window, "Tickets:", "Ticket")
    click(window, "Tickets:", "Ticket")
    assert column(window, "Tickets:", "Ticket")[0] == min(names)
    assert window.run("return document.querySelectorAll('[aria-sort]').length") == 1


def test_what_has_no_value_comes_last_either_way(window: Window, page: Path) -> None:
    window.open(page)
    window.run(OPEN_ALL)
    for _ in range(2):
        click(window, "Tickets:", "Turns")
        values = numbers(column(window, "Tickets:", "Turns"))
        known = [value for value in values if value == value]
        assert 0 < len(known) < len(values)
        assert values[: len(known)] == known


def test_contents_lead_to_their_sections(window: Window, page: Path) -> None:
    window.open(page)
    links = window.run("return [...document.querySelectorAll('nav a')].map((one) => one.getAttribute('href'))")
    assert len(links) > 8
    for link in links:
        window.run("document.querySelector(arguments[0]).click()", f"nav a[href='{link}']")
        assert window.run("return document.querySelector(':target').id") == link[1:]


def test_paper_has_all_tables(window: Window, page: Path, tmp_path: Path) -> None:
    window.open(page)
    assert window.run("return document.querySelectorAll('details:not([open])').length") > 5
    window.pdf(tmp_path / "report.pdf")
    assert window.run("return document.querySelectorAll('details:not([open])').length") == 0


def test_without_scripts_answers_and_tables_are_there(window: Window, page: Path) -> None:
    window.open(page, scripts=False)
    assert "Who wins, and by how much?" in window.see("h2")
    assert window.see("th button") == []
    window.find("details summary").click()
    assert len(window.see("details[open] td")) > 10


def test_names_that_are_markup_run_nothing(window: Window, small_board: str, tmp_path: Path) -> None:
    hostile = "<script>self.ran=1</script><img src=x onerror='self.ran=2'>"
    text = small_board.replace('"Ayr"', json.dumps(hostile)).replace('"Small"', json.dumps(hostile))
    (tmp_path / "my.toml").write_text(text, "utf-8")
    run = store(tmp_path / "run", board=str(tmp_path / "my.toml"), players="random,random_kind", games=60, record=())
    (tmp_path / "page.html").write_text(report_page(report_of_run(run)), "utf-8")
    window.open(tmp_path / "page.html")
    window.run(OPEN_ALL)
    assert window.run("return self.ran") is None
    assert hostile in window.see("h1")[0]
    assert any(hostile in cell for cell in window.see("td"))
