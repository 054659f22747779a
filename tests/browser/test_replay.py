"""The page of a game in a browser: every step agrees with the game's JSON, whichever way the reader gets there."""

import contextlib
import io
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from browser.window import NARROW, Window
from ttrsim.cli import main
from ttrsim.files import data_folder

GAMES = {
    "usa": ("usa", "random,random_kind", 51),
    "europe": ("europe", "random_kind,random,random", 186),
    "old_west": ("old_west:alvin", "random,random,random", 95),
    "san_francisco": ("san_francisco", "random,random_kind", 101),
}


class Played(NamedTuple):
    """A game as a page, and the JSON of `ttrsim play --json`."""

    page: Path
    told: dict[str, Any]

    @property
    def last(self) -> int:
        """The step of the final scoring."""
        return self.told["events"][-1]["turn"] + 1


class Seen(NamedTuple):
    """The state of a game at a step."""

    step: int
    scores: list[int]  # by seat
    trains: list[int]  # by seat
    cards: list[int]  # by seat, in the hand
    tickets: list[int]  # by seat, kept
    claims: set[tuple[str, int]]  # route and its seat


def play(folder: Path, board: str, players: str, seed: int) -> Played:
    page, told = folder / "game.html", io.StringIO()
    options = ["--map", board, "--players", players, "--seed", str(seed), "--html", str(page), "--json", "--quiet"]
    with contextlib.redirect_stdout(told):
        assert main(["play", *options]) == 0
    return Played(page, json.loads(told.getvalue()))


@pytest.fixture(scope="module", params=GAMES)
def game(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    return play(tmp_path_factory.mktemp(request.param), *GAMES[request.param])


def told_at(game: Played, step: int) -> Seen:
    """Return what the JSON says is visible at a step."""
    events = [event for event in game.told["events"] if event["turn"] <= step]
    then, result = events[-1]["then"], game.told["result"]
    scores = [seat["score"] for seat in result] if step == game.last else then["scores"]
    cards, tickets = ([0] * len(result) for _ in range(2))
    for event in events:
        cards[event["seat"]] += sum(event.get("cards", {}).values())
        tickets[event["seat"]] += sum(ticket["kept"] for ticket in event.get("offer", []))
    claims = {(event["route"], event["seat"]) for event in events if "route" in event}
    return Seen(step, scores, then["trains"], cards, tickets, claims)


SEE = """
const seen = (selector, within = document) => [...within.querySelectorAll(selector)]
  .filter((one) => one.checkVisibility() && one.getClientRects().length);
const numbers = (selector) => seen(selector).map((one) => Number(one.textContent.replace("−", "-")));
return {
  step: Number(document.querySelector("#slider").value),
  scores: numbers(".score b"),
  trains: numbers(".seat:not(.common) .counts span:nth-child(1) b"),
  cards: numbers(".seat:not(.common) .counts span:nth-child(2) b"),
  tickets: seen(".tickets").map((list) => seen("li", list).length),
  claims: seen("#board .own").map((one) => [one.querySelector("title").textContent, Number(one.dataset.seat)]),
  free: seen("#board .free").map((one) => one.closest(".track").querySelector("title").textContent),
}
"""


def step_of(window: Window) -> int:
    return window.run(SEE)["step"]


def seen_in(window: Window, routes: set[str]) -> Seen:
    """Return what is visible on the page."""
    seen = window.run(SEE)
    free = seen.pop("free")
    claims = {(next(route for route in routes if title.startswith(f"{route}, ")), s) for title, s in seen["claims"]}
    assert len(claims) == len(seen["claims"])
    assert len(free) == window.run("return document.querySelectorAll('#board .track').length") - len(claims)
    assert not {title.rpartition("; of the ")[0] for title, _ in seen["claims"]} & {*free}
    return Seen(**{**seen, "claims": claims})


def agree(window: Window, game: Played, step: int) -> None:
    routes = {event["route"] for event in game.told["events"] if "route" in event}
    assert seen_in(window, routes) == told_at(game, step)


def slide(window: Window, step: int) -> None:
    """Move the slider to a step, as dragging it does."""
    window.run("slider.value = arguments[0]; slider.dispatchEvent(new Event('input'))", step)


def test_slider_shows_every_step_as_the_game_went(window: Window, game: Played) -> None:
    window.open(game.page)
    agree(window, game, 0)
    for step in range(game.last, -1, -7):
        slide(window, step)
        agree(window, game, step)
    assert len({tuple(told_at(game, step).scores) for step in range(game.last)}) > 10


def test_a_click_in_the_middle_of_the_slider_goes_to_the_middle_of_the_game(window: Window, game: Played) -> None:
    window.open(game.page)
    window.find("#slider").click()
    step = step_of(window)
    assert abs(step - game.last / 2) < 0.05 * game.last
    agree(window, game, step)


def test_keys_go_through_the_game(window: Window, game: Played) -> None:
    window.open(game.page)
    keys = [("\ue010", game.last), ("\ue012", game.last - 1), ("\ue014", game.last), ("\ue014", game.last)]
    keys += [("\ue011", 0), ("\ue012", 0), ("\ue014", 1), ("\ue014", 2)]  # End, left, right; Home
    for key, step in keys:
        window.press(key)
        agree(window, game, step)
        assert window.run("return location.hash") == f"#step{step}"


def test_keys_work_the_same_with_the_focus_on_the_slider(window: Window, game: Played) -> None:
    window.open(game.page)
    window.run("slider.focus()")
    for key, step in (("\ue014", 1), ("\ue014", 2), ("\ue010", game.last), ("\ue012", game.last - 1), ("\ue011", 0)):
        window.press(key)
        agree(window, game, step)


def test_buttons_go_through_the_game(window: Window, game: Played) -> None:
    window.open(game.page)
    for what, step in (("last", game.last), ("back", game.last - 1), ("on", game.last), ("first", 0), ("on", 1)):
        window.find(f"[data-go={what}]").click()
        agree(window, game, step)


def test_links_to_steps_go_there(window: Window, game: Played) -> None:
    window.open(game.page, "#step12")
    agree(window, game, 12)
    window.run("location.hash = '#step5'")
    window.wait(lambda: step_of(window) == 5)
    agree(window, game, 5)
    window.open(game.page, f"#step{game.last + 100}")
    agree(window, game, game.last)
    window.open(game.page, "#nowhere")
    agree(window, game, 0)


def test_a_click_on_a_move_goes_to_it_and_marks_it(window: Window, game: Played) -> None:
    window.open(game.page)
    for step in (3, 17, game.last):
        window.find(f"#move{step} a").click()
        agree(window, game, step)
        [marked] = window.see("[aria-current]")
        assert marked.startswith("Final scoring:" if step == game.last else f"Turn {step}:")
        assert window.see("#now") == [marked]


@pytest.fixture
def quick(window: Window) -> Iterator[None]:
    """The page plays ten turns a second, not one."""
    script = "{ const { setInterval } = self; self.setInterval = (act, wait) => setInterval(act, wait / 10) }"
    added = window.send("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"]
    yield
    window.send("Page.removeScriptToEvaluateOnNewDocument", identifier=added)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("how", ["the button", "the space bar"])
def test_play_goes_on_by_itself_until_paused(window: Window, game: Played, how: str) -> None:
    def press() -> None:
        window.find("#play").click() if how == "the button" else window.press(" ")

    window.open(game.page, "#step3")
    assert window.see("#play") == ["Play"]
    press()
    assert window.see("#play") == ["Pause"]
    window.wait(lambda: step_of(window) >= 5)
    press()
    assert window.see("#play") == ["Play"]
    step = step_of(window)
    time.sleep(0.3)  # three turns, if it went on
    agree(window, game, step)


@pytest.mark.usefixtures("quick")
def test_play_stops_at_the_end(window: Window, game: Played) -> None:
    window.open(game.page, f"#step{game.last - 2}")
    window.press(" ")
    window.wait(lambda: window.see("#play") == ["Play"])
    agree(window, game, game.last)


def test_play_at_the_end_begins_anew_until_the_slider_is_taken(window: Window, game: Played) -> None:
    window.open(game.page, f"#step{game.last}")
    window.press(" ")
    assert window.see("#play") == ["Pause"]
    assert step_of(window) < game.last / 2
    slide(window, game.last - 2)
    assert window.see("#play") == ["Play"]
    agree(window, game, game.last - 2)


def test_a_click_on_the_race_of_scores_goes_to_that_turn(window: Window, game: Played) -> None:
    window.open(game.page)
    window.run("""const race = document.querySelector(".race svg"), box = race.getBoundingClientRect();
      const scale = box.width / race.viewBox.baseVal.width, half = Number(race.dataset.across) / 2;
      const clientX = box.left + scale * (Number(race.dataset.left) + half);
      race.dispatchEvent(new MouseEvent("click", { clientX, clientY: box.top + 9, bubbles: true }));""")
    step = step_of(window)
    assert abs(step - game.last / 2) <= 1
    agree(window, game, step)
    reached = (
        "const [a, b] = ['past', 'future'].map((id) => document.getElementById(id).getAttribute('width')); return a / b"
    )
    assert 0.4 < window.run(reached) < 0.7


def test_without_scripts_the_end_is_read(window: Window, game: Played) -> None:
    window.open(game.page, scripts=False)
    assert not window.see("#controls")
    assert "With JavaScript this page shows every turn." in " ".join(window.see("noscript"))
    agree(window, game, game.last)
    moves = window.see(".moves li")
    assert len(moves) == game.last + 1
    for event in game.told["events"]:
        if event["turn"] and event["decision"] == "turn" and "kind" not in event:  # draws are told two together
            assert event["words"].split(";")[0] in moves[event["turn"]]


LOOKS = {
    "light": {},
    "dark": {"dark": True},
    "narrow": {"width": NARROW, "height": 844},
    "dark and narrow": {"dark": True, "width": NARROW, "height": 844},
    "on paper": {"printed": True, "dark": True},
    "without scripts": {"scripts": False, "dark": True},
}


@pytest.mark.parametrize("how", LOOKS)
def test_all_text_is_legible_and_nothing_sticks_out(window: Window, game: Played, how: str) -> None:
    window.open(game.page, "#step30", **LOOKS[how])
    texts = window.texts()
    assert len(texts) > 150
    assert [text for text in texts if text["contrast"] < text["needed"]] == []
    assert window.overflow() == 0


def brightness(window: Window) -> float:
    """Return the luminance of the page's background, from 0 to 1."""
    colour = window.run("return getComputedStyle(document.body).backgroundColor")
    return sum(int(part) for part in colour.removeprefix("rgb(").removesuffix(")").split(",")) / 765


def test_page_is_dark_where_the_reader_wants_it_but_never_on_paper(window: Window, game: Played) -> None:
    window.open(game.page)
    assert brightness(window) > 0.9
    window.open(game.page, dark=True)
    assert brightness(window) < 0.2
    window.open(game.page, dark=True, printed=True)
    assert brightness(window) == 1
    assert not window.see("#controls, noscript")
    assert len(window.see(".moves li")) == game.last + 1


def test_in_a_narrow_window_the_board_can_be_made_larger(window: Window, game: Played) -> None:
    window.open(game.page, width=NARROW, height=844)
    before = window.find("#board").size
    window.find("#zoom").click()
    assert window.find("#board").size["width"] > 2 * before["width"]
    assert window.overflow() == 0  # the board is scrolled in its place
    window.find("#zoom").click()
    assert window.find("#board").size == before


SCRIPT, IMAGE = "<script>self.ran = 1</script>", "\"><img src=x onerror='self.ran=2'>"


def test_names_that_are_markup_are_shown_as_they_are_and_run_nothing(window: Window, small_board: str, tmp_path: Path) -> None:  # fmt: skip  # noqa: E501
    strategy = tmp_path / "\"><img src=x onerror=self.ran=3> & 'co'.py"
    strategy.write_text((data_folder() / "strategies" / "random.py").read_text("utf-8"), "utf-8")
    text = small_board.replace('"Ayr"', json.dumps(SCRIPT)).replace('"Dax"', json.dumps(IMAGE))
    text = text.replace('name = "Small"', "name = '</title></style></script><script>self.ran = 4</script>'")
    text = text.replace("wilds = { cards = 6 }", "wilds = { cards = 6, name = '<b onclick=self.ran=5>wild</b>' }")
    (tmp_path / "my.toml").write_text(text, "utf-8")
    game = play(tmp_path, str(tmp_path / "my.toml"), f"random,{strategy}", 3)
    window.open(game.page)
    for step in range(game.last + 1):
        slide(window, step)
        agree(window, game, step)
    assert window.run("return self.ran") is None
    assert window.run("return document.querySelectorAll('script').length") == 1
    assert not window.run("return document.querySelector('img, [onerror], [onclick]')")
    assert "</title></style></script><script>self.ran = 4</script>" in window.see("h1")[0]
    assert window.driver.title.startswith("</title></style></script><script>self.ran = 4</script>: ")
    labels = window.see("#board text")
    said = " ".join(window.see("main"))
    for name in (SCRIPT, IMAGE):
        assert name.replace(" ", "") in "".join(labels).replace(" ", "")
        assert name in said
    assert strategy.stem in said
    assert "<b onclick=self.ran=5>wild</b>" in said
