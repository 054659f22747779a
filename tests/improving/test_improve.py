"""`ttrsim.improve`: planted faults are found, a fair board stays as it is, locks hold, and a search can go on."""

import json
import re
import shutil

import pytest

import ttrsim
from ttrsim.errors import Unfinished, UserError
from ttrsim.improving.frames import singles_frame
from ttrsim.improving.measuring import known
from ttrsim.improving.search import OTHERS
from ttrsim.improving.stored import STEPS_FILE, Arm, ImprovementFolder, Step, Tickets

from .conftest import FAULTY, QUICK

pytestmark = pytest.mark.usefixtures("not_the_first_run")


def points(changes):
    """Return the points that changes give to tickets, by the ticket."""
    found = (re.fullmatch(r"ticket (.*) = (\d+)", text) for text in changes)
    return {match[1]: int(match[2]) for match in found if match}


def test_planted_faults_are_found_and_mended(kept):
    _, found = kept
    assert found.verdict == "better"
    assert points(found.changes)["Castro–Japanese Garden"] < 10
    assert any(text.startswith(("rules.hand", "rules.start_points")) for text in found.changes)
    seats = {test: side["seats"]["size"] for test, side in found.json()["sizes"].items()}
    assert seats["after"] < 0.6 * seats["before"]


def test_a_planted_fault_is_the_first_of_single_changes_of_tickets(kept):
    _, found = kept
    first = found.singles[found.singles["goal"] == "tickets"].iloc[0]
    assert first["change"].startswith("ticket Castro–Japanese Garden: 14 →")
    assert first["gain_low"] > 0


def test_a_fair_board_stays_as_it_is(boards):
    said, out = [], boards / "fairer.toml"
    found = ttrsim.improve(
        boards / "star.toml", **{**QUICK, "games": 20_000}, keep=["routes"], out=out, message=said.append
    )
    assert (found.verdict, found.changes, found.diff) == ("nothing", [], [])
    assert "nothing to propose" in found.answers[0]
    assert found.text == (boards / "star.toml").read_text("utf-8")
    assert not out.exists()
    assert f"{out} was not written: there is nothing to propose" in said


def test_what_is_locked_stays_as_it_is():
    keep = ["tickets of Castro", "routes", "rules"]
    found = ttrsim.improve(FAULTY, **{**QUICK, "games": 10_000}, keep=keep)
    tried = {text for step in found.steps for arm in step.arms for text in arm.changes}
    assert tried
    assert all(text.startswith("ticket ") for text in tried)
    assert not any("Castro" in text for text in tried)


def test_bounds_of_points_and_the_number_of_changes_hold():
    found = ttrsim.improve(
        FAULTY, **{**QUICK, "games": 10_000}, keep=["routes", "rules"], least=5, most=8,
        max_changes=2,
    )  # fmt: skip
    tried = [arm.changes for step in found.steps for arm in step.arms]
    assert any(points(changes) for changes in tried)
    assert all(5 <= value <= 8 for changes in tried for value in points(changes).values())
    assert len(found.found) <= 2


def test_no_step_plays_the_deals_of_another(kept, monkeypatch, boards):
    from ttrsim.improving.measuring import Bench

    seeds = []
    measure = Bench.measure

    def noted(bench, boards, deals, games):
        seeds.append(deals)
        return measure(bench, boards, deals, games)

    monkeypatch.setattr(Bench, "measure", noted)
    found = ttrsim.improve(boards / "star.toml", **{**QUICK, "games": 5000}, keep=["routes", "rules"])
    assert seeds == [*range(len(found.steps))]


def test_an_interrupted_search_goes_on_and_finds_the_same(kept, boards):
    folder, found = kept
    other = boards / "resumed"
    other.mkdir()
    lines = (folder / STEPS_FILE).read_text("utf-8").splitlines(keepends=True)
    (other / STEPS_FILE).write_text("".join(lines[:3]), "utf-8")
    (other / "improvement.json").write_bytes((folder / "improvement.json").read_bytes())
    with pytest.raises(Unfinished, match="is unfinished; continue with ttrsim improve --resume"):
        ttrsim.Improvement.open(other)
    resumed = ttrsim.improve(out=other, resume=True)
    assert json.dumps(resumed.json()) == json.dumps(found.json())
    assert (other / STEPS_FILE).read_text("utf-8") == "".join(lines)
    assert (other / "proposed.toml").read_bytes() == (folder / "proposed.toml").read_bytes()


def test_a_finished_search_is_read_again_without_playing(kept, monkeypatch):
    folder, found = kept
    monkeypatch.setattr("ttrsim.games.Games.play", lambda *_: pytest.fail("plays"))
    assert json.dumps(ttrsim.Improvement.open(folder).json()) == json.dumps(found.json())


def test_the_proposed_file_is_the_users_with_the_changes(kept):
    folder, found = kept
    text = (folder / "proposed.toml").read_text("utf-8")
    assert text.startswith("# Ticket to Ride San Francisco")
    proposed = ttrsim.load_board(folder / "proposed.toml")
    assert (proposed.tickets, proposed.rules) == (found.board.tickets, found.board.rules)


def test_the_boards_on_the_way_are_kept_by_content(kept):
    folder, found = kept
    names = {path.stem for path in (folder / "boards").glob("*.toml")}
    assert names == {sha256[:12] for sha256 in found.pareto["sha256"]}
    for path in (folder / "boards").glob("*.toml"):
        assert ttrsim.load_board(path).sha256[:12] == path.stem


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"goal": "tickets,speed"}, "`goal` speed: must be of tickets, seats, routes, strategies"),
        ({"goal": ""}, "`goal` is empty: must be of tickets"),
        ({"goal": []}, "`goal` is empty: must be of tickets"),
        ({"keep": [""]}, "`keep` is empty: write 'tickets'"),
        ({"judges": "planner"}, "`judges` planner: also plays in the search"),
        ({"keep": ["tickets of Atlantis"]}, "has no such city"),
        ({"keep": ["everything"]}, "`keep` everything: write 'tickets'"),
        ({"keep": ["rules.hands"]}, "`keep` rules.hands: there is no such rule"),
        ({"games": 10}, "`games` 10: too few for a search"),
        ({"games": 1e4, "minutes": 1}, "`games`, `minutes`: give one of them"),
        ({"seats": 5}, "is for 2 to 3 players, not 5"),
        ({"stretch": 0.5}, "`stretch` 0.5: must be from 1 to 1000"),
        ({"engine": "gpu"}, "`engine` gpu: must be threads or dask"),
        ({"least": 9, "most": 3}, "the least points of a ticket"),
        ({"resume": True}, "`resume`: needs `out`"),
    ],
)
def test_wrong_options_are_refused_before_anything_is_played(boards, options, words):
    with pytest.raises(UserError) as error:
        ttrsim.improve(boards / "star.toml", **options)
    assert words in str(error.value)


def test_a_folder_with_a_search_is_not_written_over(kept):
    folder, _ = kept
    with pytest.raises(UserError, match="holds a search for a fairer board; continue it with ttrsim improve --resume"):
        ttrsim.improve(folder / "proposed.toml", out=folder)


def test_a_second_process_is_kept_off_the_folder_of_a_search(kept, tmp_path):
    folder = ImprovementFolder(tmp_path / "again")
    shutil.copytree(kept[0], folder.path)
    with folder.locked(), pytest.raises(UserError, match="another process is working on this search"):
        ttrsim.improve(out=folder.path, resume=True)


def test_what_was_chosen_is_named_if_it_is_given_again(kept):
    folder, _ = kept
    with pytest.raises(UserError, match="`keep`: was chosen when the search"):
        ttrsim.improve(out=folder, resume=True, keep=["routes"])


def test_a_link_is_not_written_through(boards, tmp_path):
    link = tmp_path / "mine.toml"
    link.symlink_to(tmp_path / "elsewhere.toml")
    with pytest.raises(UserError, match="already exists and is left alone"):
        ttrsim.improve(boards / "star.toml", out=link)


def test_an_error_that_is_not_known_is_no_number():
    arm = Arm(
        changes=("rules.parallel_open_from = 3",), goal="seats", sha256="0" * 64, games=2, sizes={}, distance={},
        gain={"seats": known(1.0, float("nan"))}, seats=(), credits=(), use={},
        tickets=Tickets(points=(), effect=(), error=(), slope=()),
    )  # fmt: skip
    frame = singles_frame(ttrsim.load_board("usa"), [Step(name=f"1 {OTHERS}", arms=(arm, arm))])
    assert frame["gain"].tolist() == [0.0]
    assert frame[["gain_low", "gain_high"]].isna().all(axis=None)
