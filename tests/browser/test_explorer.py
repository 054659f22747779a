"""The page to explore a board: what is clicked is shown with the numbers that the statistics have."""

from pathlib import Path

import pytest

import ttrsim
from browser.window import NARROW, Window
from ttrsim.errors import UsageError
from ttrsim.runs import Run

TICKET, OTHER = "Boston–Miami", "Dallas–New York"


@pytest.fixture(scope="module")
def runs() -> list[Run]:
    """Two numbers of players, of which the second has a strategy more."""
    players = ("planner,one_step", "planner,one_step,random")
    return [ttrsim.run(board="usa", players=names, games=600, seed=1) for names in players]


@pytest.fixture(scope="module")
def page(runs: list[Run], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("explorer") / "usa.html"
    ttrsim.explore(runs, path)
    return path


def press(window: Window, words: str) -> None:
    """Press the row of the list that begins with these words."""
    window.run(
        "[...document.querySelectorAll('#list .row')].find((r) => r.textContent.startsWith(arguments[0])).click()",
        words,
    )


def detail(window: Window) -> str:
    return " ".join(window.see("#detail"))


def signed(value: float) -> str:
    return f"{value:+.1f}".replace("-", "−")


def test_a_ticket_is_shown_with_its_offer_effect_and_ways(window: Window, page: Path, runs: list[Run]) -> None:
    window.open(page)
    press(window, TICKET)
    frame = runs[0].stats("tickets", by="all").set_index("ticket")
    wins, score = (signed(frame.loc[TICKET, name] * by) for name, by in (("win_effect", 100), ("score_effect", 1)))
    assert f"Offered at the start: {wins} ±" in detail(window)
    assert f"wins per 100 games, {score} ±" in detail(window)
    most = runs[0].stats("paths", ticket=TICKET).iloc[0]
    assert most["path"].split(" – ")[1] in detail(window)
    widths = window.run(
        "return [...document.querySelectorAll('.ink')].map((line) => parseFloat(line.style.strokeWidth))"
    )
    assert 0 < sum(width > 0 for width in widths) < len(runs[0].board.routes)


def test_strategy_and_number_of_players_can_be_chosen(window: Window, page: Path, runs: list[Run]) -> None:
    window.open(page, "#players=3&strategy=random")
    press(window, TICKET)
    frame = runs[1].stats("tickets").set_index(["strategy", "ticket"])
    assert f"wins per 100 games, {signed(frame.loc[('random', TICKET), 'score_effect'])} ±" in detail(window)
    window.run("document.querySelector('[name=players]').click()")  # two players: random is not among them
    assert "random did not play with 2 players" in detail(window)


def test_two_tickets_show_what_is_known_of_them_together(window: Window, page: Path, runs: list[Run]) -> None:
    window.open(page)
    press(window, TICKET)
    press(window, OTHER)
    frame = runs[0].stats("pairs")
    row = frame[(frame["ticket"] == TICKET) & (frame["other"] == OTHER)].iloc[0]
    assert f"wins per 100 games and {signed(row['score_effect'])} " in detail(window)
    assert "Tested was being offered these tickets, not keeping them" in detail(window)


def test_a_route_and_a_city_are_chosen_on_the_map(window: Window, page: Path, runs: list[Run]) -> None:
    window.open(page)
    window.run("document.querySelector('.route .touch').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    first = runs[0].stats("routes").set_index("route").loc[runs[0].board.route_name(runs[0].board.routes[0])]
    assert f"Claimed in {100 * first['claim_rate']:.0f} % of games" in detail(window)
    window.run("document.querySelector('.city .touch').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
    assert detail(window).count(runs[0].board.cities[0].name) > 0
    assert "build there" in detail(window)


def test_all_of_it_can_be_reached_by_keyboard(window: Window, page: Path, runs: list[Run]) -> None:
    window.open(page)
    window.run("document.querySelector('#tab-tickets').focus()")
    window.press("\ue014")  # right arrow
    assert window.see("[aria-selected=true]") == ["Routes"]
    window.press("\ue004", "\ue007")  # tab, enter
    assert "Claimed in" in detail(window)
    assert window.run("return document.activeElement.className") == "row"


def test_the_address_holds_what_is_chosen(window: Window, page: Path) -> None:
    window.open(page)
    press(window, TICKET)
    press(window, OTHER)
    shown, address = detail(window), window.run("return location.hash")
    window.open(page, address)
    assert detail(window) == shown
    window.open(page, "#players=99&tickets=7777.x&route=-1&strategy=nobody")
    assert "Which tickets help with 2 players?" in detail(window)


@pytest.mark.parametrize("dark", [False, True])
def test_everything_can_be_read(window: Window, page: Path, dark: bool) -> None:
    window.open(page, "#tickets=0.1", dark=dark)
    assert [text for text in window.texts() if text["contrast"] < text["needed"]] == []


@pytest.mark.parametrize("width", [360, NARROW, 1400])
def test_nothing_is_wider_than_the_window(window: Window, page: Path, width: int) -> None:
    for chosen in ("", "#tickets=0", "#tickets=0.1.2", "#route=3", "#city=5"):
        window.open(page, chosen, width=width)
        assert window.overflow() <= 0


def test_the_page_is_small_and_names_cannot_end_its_data(page: Path) -> None:
    text = page.read_text("utf-8")
    assert len(text) < 3_000_000
    data = text.split('id="data">')[1].split("</script>")[0]
    assert "<" not in data


def test_a_page_is_about_one_board_and_ends_in_html(runs: list[Run], tmp_path: Path) -> None:
    other = ttrsim.run(board="san_francisco", players="random,random", games=200, seed=1)
    with pytest.raises(UsageError, match="a single board"):
        ttrsim.explore([*runs, other], tmp_path / "x.html")
    with pytest.raises(UsageError, match=r"ends in \.html"):
        ttrsim.explore(runs, tmp_path / "x.png")
    with pytest.raises(UsageError, match="needs the folder of a run"):
        ttrsim.explore(tmp_path, tmp_path / "x.html")
