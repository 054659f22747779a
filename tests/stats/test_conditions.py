"""Conditions on changes: what may be written, and when one is broken."""

import numpy as np
import pandas as pd
import pytest

from ttrsim.errors import UsageError
from ttrsim.stats.verdicts import check_condition, read_condition

FRAME = pd.DataFrame(
    [
        ("strategies", "planner", "win_share", "share", 0.02, 0.01, 0.03),
        ("strategies", "random", "win_share", "share", -0.02, -0.03, -0.01),
        ("strategies", "planner", "score", "points", 3.0, 2.5, 3.5),
        ("seats", "0", "win_share", "share", 0.005, 0.001, 0.009),
        ("seats", "1", "win_share", "share", -0.005, -0.009, -0.001),
        ("seats", "0", "score", "points", 1.0, 0.5, 1.5),
        ("games", "", "turns", "turns", -4.0, -5.0, -3.0),
        ("tickets", "Denver–El Paso", "score_effect", "points", 1.5, 0.5, 2.5),
        ("tickets", "Miami–Toronto", "score_effect", "points", 0.0, -0.2, 0.2),
        ("tickets", "Miami–Toronto", "win_effect", "share difference", 0.0, np.nan, np.nan),
        ("tickets", "Gone–Away", "score_effect", "points", np.nan, np.nan, np.nan),
    ],
    columns=["table", "of", "what", "unit", "change", "change_low", "change_high"],
)


@pytest.mark.parametrize(
    ("text", "result", "of"),
    [
        ("seat>1pp", "kept", "0"),
        ("seat > 0.05pp", "broken", "0"),
        ("seat>0.5pp", "undecided", "0"),
        ("seat:1>0.05pp", "broken", "1"),
        ("seat:1>+0.05pp", "kept", "1"),
        ("seat:1<-0.05pp", "broken", "1"),
        ("seat>1point", "undecided", "0"),
        ("seats.score>2points", "kept", "0"),
        ("strategy>0.9pp", "broken", "planner"),
        ("strategy:random>+0pp", "kept", "random"),
        ("win_share:random>2pp", "undecided", "random"),
        ("score>2points", "broken", "planner"),
        ("turns<-2turns", "broken", ""),
        ("turns<−6turns", "kept", ""),
        ("turns>+1turn", "kept", ""),
        ("ticket>0.4points", "broken", "Denver–El Paso"),
        ("ticket:Miami–Toronto>1points", "kept", "Miami–Toronto"),
        ("ticket:miami-toronto>1points", "kept", "Miami–Toronto"),
        ("ticket>1pp", "undecided", "Miami–Toronto"),  # no interval, so nothing is sure
    ],
)
def test_condition_is_broken_if_an_interval_lies_entirely_beyond(text, result, of):
    found = check_condition(read_condition(text), FRAME, 1000)
    assert (found.result, found.of) == (result, of)


def test_games_that_would_decide_are_told_of_what_is_undecided():
    assert np.isnan(check_condition(read_condition("seat>1pp"), FRAME, 1000).more_games)
    few, many = (
        check_condition(read_condition(f"score:planner>{bound}points"), FRAME, 1000).more_games for bound in (2.6, 2.95)
    )
    assert 0 <= few < many


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("seat", "write it as seat>1pp"),
        ("seat>1", "write it as seat>1pp"),
        ("seat<1pp", "write it as seat>1pp"),
        ("seat>-1pp", "write it as seat>1pp"),
        ("seat>1turns", "seat is measured in pp or points, not in turns"),
        ("score>1pp", "score is measured in points, not in pp"),
        ("win_share>1points", "win_share is measured in pp, not in points"),
        ("ticker>1pp", "'ticker' is not a column of the comparison; did you mean ticket?"),
        ("seat:7>1pp", "'7' is not one of the seats; for example 0, 1"),
        ("ticket:Miami–Torronto>1points", "is not one of the tickets; did you mean Miami–Toronto"),
        ("ticket:Gone–Away>1points", "only one side has that"),
    ],
)
def test_what_cannot_be_told_is_refused(text, told):
    with pytest.raises(UsageError) as refused:
        check_condition(read_condition(text), FRAME, 1000)
    assert refused.value.problems[0].startswith(f"`fail_on` {text}: ")
    assert told in refused.value.problems[0]
