"""Damaged files of a search are refused with the line and what would be right, and never end in a traceback."""

import contextlib
import json
import random

import pytest

import ttrsim
from ttrsim.errors import UserError
from ttrsim.improving.stored import RECIPE_FILE, STEPS_FILE, ImprovementFolder

LINE = 2  # a step with two boards or more
WRONG = (None, "x", [], {}, -1, 1e300, 10**30, [1.0], {"x": [0.0]})


@pytest.fixture
def damaged(kept, tmp_path):
    """Returns a function that copies the search with a step changed, and reads it."""
    folder, _ = kept
    lines = (folder / STEPS_FILE).read_text("utf-8").splitlines()
    (tmp_path / RECIPE_FILE).write_bytes((folder / RECIPE_FILE).read_bytes())

    def read(change, number=LINE):
        step = json.loads(lines[number - 1])
        change(step)
        changed = [*lines[: number - 1], json.dumps(step), *lines[number:]]
        (tmp_path / STEPS_FILE).write_text("\n".join(changed) + "\n", "utf-8")
        return ImprovementFolder(tmp_path).read()

    return read


def test_the_step_that_is_changed_has_several_boards(damaged):
    _, steps = damaged(lambda step: None)
    assert len(steps[LINE - 1].arms) > 1


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda arm: arm["use"].pop("routes"), "use is of cities, and should be of cities and routes"),
        (lambda arm: arm["use"]["cities"].pop(), "use.cities has 14 values, and should have 15"),
        (lambda arm: arm["use"]["routes"].append(1.0), "use.routes has 30 values, and should have 29"),
        (lambda arm: arm["tickets"]["effect"].pop(), "tickets.effect has 23 values, and should have 24"),
        (lambda arm: arm["credits"].pop(), "credits has 23 values, and should have 24"),
        (lambda arm: arm["seats"][0].append(0.0), "seats.0 has 3 values, and should have 2"),
        (lambda arm: arm["seats"].append([0.0, 0.0]), "seats has 2 values, and should have 1"),
        (lambda arm: arm["gain"].pop("all"), "gain is of seats and tickets, and should be of all, seats and tickets"),
        (lambda arm: arm["sizes"].update(speed=1.0), "sizes is of seats, speed and tickets"),
        (lambda arm: arm.update(goal=""), "goal is '', and should be of seats and tickets"),
        (lambda arm: arm["tickets"].update(points=[-1] * 24), "tickets.points.0: Input should be greater"),
    ],
)
def test_what_does_not_fit_the_search_is_named(damaged, change, told):
    with pytest.raises(UserError) as error:
        damaged(lambda step: change(step["arms"][1]))
    assert f"{STEPS_FILE}, line {LINE}: is damaged, or of another version of ttrsim: " in str(error.value)
    assert told in str(error.value)


def places(value, place=()):
    """Yield the place of everything in a value of JSON."""
    yield place
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(inner, (*place, key))


def test_whatever_is_damaged_is_refused_or_read(damaged, kept, tmp_path, monkeypatch):
    """Nothing but an error for people, wherever in whatever step something else stands or is left out."""
    monkeypatch.setattr("ttrsim.games.Games.play", lambda *_: pytest.fail("plays"))
    dice, opened = random.Random(1), 0
    number_of_steps = len((kept[0] / STEPS_FILE).read_text("utf-8").splitlines())

    def change(step):
        *way, last = dice.choice([place for place in places(step) if place])
        for key in way:
            step = step[key]
        if dice.random() < 0.3:
            del step[last]
        else:
            step[last] = dice.choice(WRONG)

    for _ in range(150):
        try:
            damaged(change, dice.randint(1, number_of_steps))
        except UserError:
            continue
        if opened < 5:
            opened += 1
            with contextlib.suppress(UserError):
                ttrsim.Improvement.open(tmp_path).json()
    assert opened


def test_steps_after_the_end_of_a_search_are_refused(kept, tmp_path):
    folder, _ = kept
    steps = (folder / STEPS_FILE).read_text("utf-8")
    (tmp_path / RECIPE_FILE).write_bytes((folder / RECIPE_FILE).read_bytes())
    (tmp_path / STEPS_FILE).write_text(steps + steps.splitlines(keepends=True)[0], "utf-8")
    with pytest.raises(UserError, match="as it is: the search ends before; begin anew"):
        ttrsim.Improvement.open(tmp_path)
