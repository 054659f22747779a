"""The race of scores on the page of a game: lines from the first step to the last, over one scale."""

import re

from ttrsim.report.states import HEIGHT, WIDTH, score_race


def points(line):
    """Return the places of a line, from moves across and down alone."""
    (x, y), places = map(float, re.match(r"M(\S+) ([\d.]+)", line).groups()), []
    places.append((x, y))
    for letter, number in re.findall(r"([HV])([\d.]+)", line):
        x, y = (float(number), y) if letter == "H" else (x, float(number))
        places.append((x, y))
    return places


def test_lines_end_at_the_last_score_and_stay_on_the_picture():
    race = score_race([[0, 0, 4, 4, 19], [0, 2, 2, 2, -7]])
    for line, end in zip(race.lines, race.ends, strict=True):
        places = points(line)
        assert places[0][0] == race.left
        assert places[-1] == (race.left + race.across, end)
        assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in places)
    assert race.ends[0] < race.ends[1]


def test_a_score_rises_at_the_step_at_which_it_was_made():
    race = score_race([[0, 0, 4, 4, 4]])
    rises = [
        x for (x, y), (_, after) in zip(points(race.lines[0]), points(race.lines[0])[1:], strict=False) if after < y
    ]
    assert rises == [race.left + race.across * 2 / 4]


def test_marks_hold_all_scores():
    race = score_race([[0, 120], [0, -35]])
    scores = [score for score, _ in race.marks]
    assert min(scores) <= -35
    assert max(scores) >= 120
    assert 0 in scores


def test_a_game_of_one_step_has_a_race():
    assert score_race([[0], [0]]).lines
