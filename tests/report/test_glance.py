"""A run at a glance: the headline and the cards say what the frames do."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from ttrsim import load_board, load_strategy, stats
from ttrsim.plots.standings import beside
from ttrsim.report.answers import count_verdicts, disagreement
from ttrsim.report.document import Bar, SummaryCard
from ttrsim.report.glance import answering, headline, summary_cards
from ttrsim.report.of_runs import _called, _tuned


@pytest.fixture(scope="module")
def frames(run):
    return {**answering(run, 0.01), "strategies": stats.strategies(run), "routes": stats.routes(run)}


@pytest.fixture(scope="module")
def glance(run, frames):
    return {card.title: card for card in summary_cards(run, frames, 0.01)}


def test_the_headline_says_who_wins_how_often(run, frames):
    best, second = frames["strategies"].to_dict("records")
    said = headline(run, frames["strategies"])
    assert said.startswith(f"USA: a seat of {best['strategy']} wins {100 * best['win_share']:.0f} of 100 three-player")
    assert said.endswith(f"; {second['strategy']} fewer than 1")
    assert 0 < second["win_share"] < 0.005


def test_cards_have_the_numbers_of_the_frames(frames, glance):
    assert [bar.value for bar in glance["Wins"].bars] == list(100 * frames["strategies"]["win_share"])
    assert [bar.name for bar in glance["Seats"].bars] == ["1st player", "2nd player", "3rd player"]
    effects = np.sort(100 * frames["tickets"]["win_effect"])[::-1]
    assert [bar.value for bar in glance["Tickets"].bars] == [*effects[:5], *effects[-5:]]
    assert [bar.value for bar in glance["Routes"].bars] == sorted(bar.value for bar in glance["Routes"].bars)


def test_a_ticket_that_does_not_clearly_help_is_no_finding(frames, glance):
    clear = (frames["tickets"]["win_effect_low"] > 0) | (frames["tickets"]["win_effect_high"] < 0)
    assert not clear.any()
    assert glance["Tickets"].words == "None of 30 tickets clearly matter; 30 are too close to call."


def test_bars_begin_at_0_wherever_that_is():
    card = SummaryCard("", "", "", [Bar("less", -1.0, ""), Bar("more", 3.0, ""), Bar("unknown", np.nan, "")], line=2.0)
    assert [card.place(value) for value in (-1, 0, 2, 3)] == [0, 25, 75, 100]


def test_verdicts_are_counted_in_words():
    verdict = np.array(["imbalanced"] * 23 + ["undecided"] * 7)
    assert count_verdicts(verdict, "ticket") == "23 of 30 tickets clearly matter; 7 are too close to call"
    verdict[:] = "balanced"
    verdict[0] = "imbalanced"
    assert count_verdicts(verdict, "seat") == "1 of 30 seats clearly matters; 29 clearly do not"


@pytest.mark.parametrize(("wins", "named"), [((0.02, -0.02, 0.0), False), ((-0.02, -0.02, 0.04), True)])
def test_only_clear_disagreement_of_wins_and_score_is_said_to_be_one(wins, named):
    tickets = {"ticket": ["A–B", "C–D", "E–F"]}
    for name, values in {"win_effect": wins, "score_effect": (2.0, -2.0, 1.0)}.items():
        half = 0.3 * np.abs(values).max()
        tickets |= {
            name: np.array(values),
            f"{name}_low": np.array(values) - half,
            f"{name}_high": np.array(values) + half,
        }
    said = disagreement(pd.DataFrame(tickets))
    assert ("but not with A–B" in said) == named


def test_where_no_ticket_clearly_matters_nothing_is_said_of_agreement(frames):
    assert disagreement(frames["tickets"]) == ""


def test_tuned_strategies_stand_beside_those_as_shipped():
    names = ["planner(tuned)", "hoarder", "blocker(greed=2)", "planner"]
    assert beside(names) == ["hoarder", "blocker(greed=2)", "planner", "planner(tuned)"]
    assert _tuned(SimpleNamespace(strategies=names)) == [(3, 0)]


def test_a_strategy_is_called_tuned_where_it_plays_with_its_profile_of_the_table():
    board = load_board("europe")
    tuned = load_strategy("hoarder@best", board=board, seats=2).title
    run = SimpleNamespace(
        strategies=["hoarder", tuned, "planner", "planner(risk=2)"], board=board, recipe=SimpleNamespace(seats=2)
    )
    assert _called(run) == ["hoarder", "hoarder(tuned)", "planner", "planner(risk=2)"]
