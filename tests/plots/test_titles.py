"""Titles of pictures are findings, and where nothing is clear they claim nothing."""

import numpy as np
import pandas as pd

from plots import frames
from plots.frames import known
from ttrsim.boards import load_board
from ttrsim.plots import titles


def widened(frame: pd.DataFrame, value: str, half: float) -> pd.DataFrame:
    """Give the estimates other intervals."""
    return frame.assign(**known(value, frame[value], half))


def test_shares_of_wins_are_said_of_the_two_that_win_most() -> None:
    first, second, *_ = frames.of_strategies()["strategy"]
    assert titles.strategies_title(frames.of_strategies()) == f"{first} wins 60.0 of 100 games, {second} 20.0"


def test_the_strongest_is_named_only_if_it_is_clear() -> None:
    frame = frames.of_strategies()
    assert titles.strength_title(frame) == f"{frame['strategy'][0]} is clearly the strongest"
    assert "clearly" not in titles.strength_title(frame.assign(rank_low=[1, 1, 2, 4]))


def test_who_finishes_before_all_is_named_only_if_it_is_clear() -> None:
    frame = frames.of_pairs()
    first = frame["strategy"][0]
    assert titles.versus_title(frame) == f"{first} finishes before every other in 65 to 95 of 100 games"
    assert titles.versus_title(widened(frame, "ahead", 0.2)) == "Who finishes before whom"


def test_the_parts_of_the_highest_score_are_those_of_the_frame() -> None:
    row = frames.of_strategies().iloc[[0]]
    assert titles.parts_title(row) == f"{row['strategy'][0]} scores 71: 50 of it for routes and 18 for tickets"


def test_medians_are_said_from_the_highest_to_the_lowest() -> None:
    assert titles.medians_title({"b": 90, "a": 100.2, "c": 60}) == "a ends with a median of 100 points, c with 60"


def test_precision_is_that_of_all_games() -> None:
    frame = frames.of_course()
    last = frame[frame["games"] == frame["games"].max()].iloc[0]
    half = f"{50 * (last['win_share_high'] - last['win_share_low']):.1f}"
    assert titles.precision_title(frame).endswith(f"is known to ± {half} wins per 100 games")
    assert f" ± {half} of 100" in titles.convergence_title(frame)
    assert titles.precision_title(frame.assign(win_share_low=np.nan)) == "How precisely win shares are known"


def test_a_ticket_is_said_to_help_or_hurt_only_if_it_does_clearly() -> None:
    frame = frames.of_tickets(load_board("usa"))
    best, worst = (frame.loc[at, "ticket"] for at in (frame["win_effect"].idxmax(), frame["win_effect"].idxmin()))
    sure = titles.tickets_title(widened(frame, "win_effect", 1e-6), "win_effect")
    assert sure.startswith(f"{best} brings ")
    assert f"; {worst} costs " in sure
    unsure = titles.tickets_title(widened(frame, "win_effect", 1.0), "win_effect")
    assert unsure == "What being offered a ticket does to wins"
    small = titles.tickets_title(
        widened(frame.assign(win_effect=frame["win_effect"] / 10), "win_effect", 1e-6), "win_effect"
    )
    assert small.startswith(f"{best} brings 0.3 wins per 100 games; ")
    frame.loc[frame["ticket"] == best, "win_effect_low"] = -0.01
    second = frame.sort_values("win_effect")["ticket"].iloc[-2]
    assert titles.tickets_title(frame, "win_effect").startswith(f"{second} brings ")


def test_a_ticket_is_said_to_win_more_than_its_score_suggests_only_if_it_does_clearly() -> None:
    frame = pd.DataFrame(
        {"ticket": ["a", "b"], **known("win_effect", [0.05, -0.01], 0.01), **known("score_effect", [1, -1], 0.5)}
    )
    said = "a brings 3.0 wins in 100 games more than its effect on the score suggests"
    assert titles.agreement_title(frame, 2.0) == said
    assert titles.agreement_title(widened(frame, "win_effect", 0.03), 2.0) == "Where wins and score disagree"
    assert titles.agreement_title(widened(frame, "score_effect", 1.5), 2.0) == "Where wins and score disagree"
    assert titles.agreement_title(frame.iloc[:0], 0.0) == "Where wins and score disagree"


def test_places_are_those_with_the_strongest_values() -> None:
    assert titles.earliest_title(["a", "b", "c"], np.array([9.0, 3.2, np.nan])) == "b goes first, in turn 3 on average"
    assert titles.earliest_title(["a"], np.array([np.nan])) == ""
    assert titles.highest_title(["a", "b"], np.array([0.4, 2.61]), "{} has {}") == "b has 2.6"


def test_effects_of_changes_are_named_only_if_they_are_clear() -> None:
    frame = pd.DataFrame({"closed": ["a", "b"], **known("win_change", [-0.05, 0.02], [0.01, 0.03])})
    assert titles.effect_title(frame, "closed", "win_change", "Closing") == "Closing a costs 5.0 wins per 100 games"
    assert titles.effect_title(frame.iloc[[1]], "closed", "win_change", "Closing") == ""


def test_the_hardest_and_the_most_mispriced_ticket_are_named_only_if_that_is_clear() -> None:
    names, failed, par = ["a", "b"], np.array([60.0, 30.0]), np.array([20.0, 25.0])
    said = titles.difficulty_title(names, failed, par, np.array([True, False]))
    assert said == "a fails in 60 of 100 games, 40 more than its points suggest"
    assert "a" not in titles.difficulty_title(names, failed, par, np.array([False, False])).split()
    frame = pd.DataFrame({"ticket": names, "points": [22.0, 5.0], **known("fair_value", [14.2, 9.0], [1.0, 6.0])})
    assert titles.fair_title(frame) == "a gives 22 points and should give 14"
    assert titles.fair_title(frame.iloc[[1]]) == "What tickets are worth, and what they should be"


def test_the_hardest_of_all_panels_is_named_only_if_that_is_clear_beside_all_of_them() -> None:
    points = {"players": [2, 2, 5], "ticket": ["a", "b", "a"], "par": [0.2, 0.2, 0.3]}
    frame = pd.DataFrame(points | known("difficulty", [0.3, 0.2, 0.5], 0.02))
    assert titles.panels_title(frame) == "With 5 players a fails in 50 of 100 games, 20 more than its points suggest"
    null = "How hard tickets are for what they are worth"
    assert titles.panels_title(frame.iloc[:2].assign(difficulty_low=[0.21, 0.18])) == null  # one in twenty by chance
    assert titles.panels_title(frame.assign(difficulty_low=np.nan)) == null


def test_a_search_is_said_to_end_above_or_below_its_start_only_if_it_clearly_does() -> None:
    said = "The search ends 3.1 ± 1.2 wins per 100 games {} its start"
    assert titles.trace_title(3.1, 1.2) == said.format("above")
    assert titles.trace_title(-3.1, 1.2) == said.format("below")
    for gain, half in ((1.1, 1.2), (np.nan, np.nan), (0.0, 0.0)):
        assert titles.trace_title(gain, half) == "How the search went"


def test_a_parameter_is_said_to_be_worth_wins_only_if_it_clearly_is() -> None:
    frame = frames.of_parameters()
    assert titles.parameters_title(frame) == "Putting tempo alone back to 20 costs 2.1 ± 0.4 wins per 100 games"
    worse = frame.assign(worth=-frame["worth"], worth_low=-frame["worth_high"], worth_high=-frame["worth_low"])
    assert titles.parameters_title(worse) == "Putting tempo alone back to 20 brings 2.1 ± 0.4 wins per 100 games"
    assert titles.parameters_title(widened(frame, "worth", 0.03)) == "Parameters within their bounds"


def test_a_title_does_not_correct_a_number_to_itself() -> None:
    frame = pd.DataFrame({"ticket": ["a", "b"], "points": [10, 20], **known("fair_value", [10.4, 22.0], [0.1, 3.0])})
    assert titles.fair_title(frame) == "What tickets are worth, and what they should be"


def test_paths_are_titled_by_the_route_that_is_used_most() -> None:
    routes = pd.DataFrame({"route": ["a–b", "b–c", "a–c"], "share": [0.31, 0.704, np.nan]})
    assert titles.paths_title("a–c", routes) == "Of 100 who complete a–c, 70 use b–c"
    nobody = routes.assign(share=np.nan)
    assert titles.paths_title("a–c", nobody) == "Nobody completed a–c by their own routes"


def test_a_board_that_is_clearly_fairer_is_titled_by_how_much() -> None:
    frame = pd.DataFrame({"changes": [0, 3], "distance": [5.62, 2.13], **known("gain", [-3.5, 0], 0.4)})
    assert titles.fairer_title(frame) == "3 changes take the distance from fair from 5.6 to 2.1"
    assert titles.fairer_title(widened(frame, "gain", 4)) == "Distance from fair, with more and more changes"
    assert titles.fairer_title(frame.iloc[[1]]) == "Distance from fair, with more and more changes"
