"""`ttrsim.tune`: a planted handicap is undone, nothing is claimed of noise, and an interrupted tuning goes on."""

import json
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import ttrsim
from ttrsim.errors import Unfinished, UserError
from ttrsim.strategies.profiles import read_profiles, write_profiles
from ttrsim.tuning import playing
from ttrsim.tuning.frames import points_words
from ttrsim.tuning.match import Match
from ttrsim.tuning.search import Search
from ttrsim.tuning.stored import STAGES_FILE, StageGames, Step, TuningFolder

from .conftest import QUICK, SPOILT

pytestmark = pytest.mark.usefixtures("not_the_first_run")


def steps(path):
    return (path / STAGES_FILE).read_text("utf-8")


def test_a_planted_handicap_is_found_and_undone(kept):
    _, tuning = kept
    assert tuning.verdict == "better"
    row = tuning.gains.iloc[0]
    assert row["start"] < 0.42 < 0.45 < row["tuned"]
    assert tuning.strategy.spec == tuning.found.spec != tuning.start.spec
    assert set(tuning.parameters["parameter"]) == {"alarm", "patience"}
    assert tuning.parameters["worth"].max() > 0.03


def test_parameters_without_effect_bring_no_gain():
    """On USA no ticket bonus makes the planner hungry."""
    tuning = ttrsim.tune("planner", **{**QUICK, "params": "hunger", "games": 6000})
    assert tuning.verdict == "undecided"
    assert tuning.gain.value == 0
    assert tuning.strategy == tuning.start
    assert tuning.profiles == []
    assert tuning.answers[0].startswith("No clear gain")


def test_a_gain_without_an_interval_is_said_without_one():
    known = {"gain": 0.033, "gain_low": 0.03, "gain_high": 0.036}
    assert points_words(known) == "+3.3 ± 0.3"
    assert points_words({"gain": 0.0, "gain_low": np.nan, "gain_high": np.nan}) == "0.0"


def test_a_profile_plays_what_was_found_at_its_table(kept, tmp_path, monkeypatch):
    _, tuning = kept
    path = tmp_path / "planner.profiles.toml"
    monkeypatch.setattr("ttrsim.strategies.profiles.profiles_path", lambda strategy: path)
    write_profiles(path, tuning.profiles)
    (profile,) = read_profiles(path)
    assert ttrsim.load_strategy("planner@best", board="usa", seats=2).values == tuning.found.values
    assert profile.gain == pytest.approx(tuning.gain.value[0], abs=1e-6)
    assert (profile.against, profile.seed, profile.games) == ("planner", QUICK["seed"], tuning.games)
    assert profile.command == tuning.command


def test_every_stage_has_deals_of_its_own(kept):
    _, tuning = kept
    for near in (False, True):
        stages = [step for step in tuning.state.steps if (step.stage == "near") == near]
        for before, step in pairwise(stages):
            assert step.first == tuple(f + laps for f, laps in zip(before.first, before.laps, strict=True))


def test_the_mean_is_what_is_tested(kept):
    _, tuning = kept
    search = Search(tuning.state.space, QUICK["seed"])
    for step in tuning.state.searched:
        assert (*search.ask(), tuning.start.values, search.mean) == step.arms
        search.tell(playing.objective(step.measured, worst=False).tolist())
    assert tuning.state.of("test")[0].arms == (playing.result(tuning.state), tuning.start.values)


def test_the_result_is_the_average_of_the_last_means(kept):
    _, tuning = kept
    last = tuning.state.searched[-len(tuning.state.searched) // 5 :]
    means = np.mean([step.arms[-1] for step in last], axis=0)
    assert list(tuning.found.values) == pytest.approx(means.tolist(), abs=0.51)


def test_games_are_about_as_many_as_asked_for(kept):
    _, tuning = kept
    assert tuning.games == pytest.approx(QUICK["games"], rel=0.3)
    assert {step.stage for step in tuning.state.steps} == {"search", "test", "worth", "near"}
    assert list(tuning.gains["searched"]) == ["yes", "no", "no", "no"]


@pytest.mark.parametrize("after", [0, 2000, 9000])
def test_an_interrupted_tuning_goes_on_to_the_same_end(kept, tmp_path, after):
    path, _ = kept

    def stop(progress):
        if progress.games > after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ttrsim.tune(SPOILT, **QUICK, out=tmp_path / "tuned", threads=1, progress=stop)
    with pytest.raises(Unfinished, match="is unfinished; continue with ttrsim tune --resume"):
        ttrsim.Tuning.open(tmp_path / "tuned")
    ttrsim.tune(out=tmp_path / "tuned", resume=True, threads=1)
    assert steps(tmp_path / "tuned") == steps(path)


def test_a_stored_tuning_says_the_same(kept):
    path, tuning = kept
    assert ttrsim.Tuning.open(path).json() == tuning.json()
    assert json.loads(json.dumps(tuning.json()))["verdict"] == "better"


def test_a_tuning_of_other_rules_can_be_read_but_not_continued(kept, tmp_path):
    recipe, found = TuningFolder(kept[0]).read()
    folder = TuningFolder(tmp_path / "old")
    folder.begin(recipe.model_copy(update={"rules_version": 1}))
    folder.write(found, now=True)
    assert ttrsim.Tuning.open(folder.path).answers == kept[1].answers
    with pytest.raises(UserError, match="have changed since the tuning began"):
        ttrsim.tune(out=folder.path, resume=True)


def test_a_folder_that_calls_its_stages_a_plan_is_read(kept):
    stored = kept[1].state.recipe.model_dump(mode="json")
    older = {"plan" if key == "stages" else key: value for key, value in stored.items()}
    assert type(kept[1].state.recipe).model_validate_json(json.dumps(older)) == kept[1].state.recipe


def test_a_stored_tuning_keeps_the_values_it_started_with(kept, tmp_path):
    path, tuning = kept
    folder = TuningFolder(tmp_path / "tuned")
    recipe, found = TuningFolder(path).read()
    other = recipe.strategy.model_copy(update={"spec": SPOILT.replace("90", "15")})
    folder.begin(recipe.model_copy(update={"strategy": other}))
    folder.write(found, now=True)
    opened = ttrsim.Tuning.open(folder.path)
    assert (opened.start, opened.json()["tables"]) == (tuning.start, tuning.json()["tables"])
    folder.write([found[0].model_copy(update={"arms": ((1.0,),) * 18}), *found[1:]], now=True)
    with pytest.raises(UserError, match="have different numbers of values"):
        ttrsim.Tuning.open(folder.path)


def _with_values(found, change):
    """Return steps with the values of every variant changed."""
    return [step.model_copy(update={"arms": tuple(change(arm) for arm in step.arms)}) for step in found]


@pytest.mark.parametrize("spec", ["planner", "planner(gone=3)", "no_such_bot.py"])
def test_a_tuning_of_a_strategy_that_has_changed_shows_what_was_recorded(kept, tmp_path, spec):
    path, tuning = kept
    recipe, found = TuningFolder(path).read()
    other = recipe.strategy.model_copy(update={"spec": spec, "content_sha256": "0" * 64})
    folder = TuningFolder(tmp_path / "old")
    folder.begin(recipe.model_copy(update={"strategy": other}))
    folder.write(_with_values(found, lambda arm: (*arm[1:], arm[0], 7.0)), now=True)  # other parameters, in other order
    opened = ttrsim.Tuning.open(folder.path)
    columns = ["parameter", "start", "tuned", "worth"]
    assert opened.parameters[columns].equals(tuning.parameters[columns])
    assert (opened.verdict, opened.gains["gain"].tolist()) == (tuning.verdict, tuning.gains["gain"].tolist())
    page = opened.report(tmp_path / "old.md")
    assert any("has changed since" in caveat for caveat in page.caveats)
    assert "tune it again" in page.answers[1].words
    with pytest.raises(UserError):
        ttrsim.tune(out=folder.path, resume=True)


def test_a_tuning_that_does_not_show_what_was_tuned_is_refused(kept, tmp_path):
    recipe, found = TuningFolder(kept[0]).read()
    tuned = kept[1].state.space.places[0]
    folder = TuningFolder(tmp_path / "old")
    folder.begin(recipe)
    folder.write(_with_values(found, lambda arm: (*arm, arm[tuned])), now=True)
    with pytest.raises(UserError, match="do not show which were tuned"):
        ttrsim.Tuning.open(folder.path)


def test_a_folder_with_anything_in_it_is_left_alone(kept, tmp_path):
    path, _ = kept
    before = steps(path)
    (tmp_path / "mine.txt").write_text("dear")
    for folder, words in ((path, "holds a tuning"), (tmp_path, "is not an empty folder")):
        with pytest.raises(UserError, match=words):
            ttrsim.tune(SPOILT, **QUICK, out=folder)
        with pytest.raises(UserError, match=words):
            TuningFolder(folder).begin(kept[1].state.recipe)
    assert (steps(path), (tmp_path / "mine.txt").read_text()) == (before, "dear")


def test_two_processes_do_not_work_on_one_tuning(kept, tmp_path):
    recipe, found = TuningFolder(kept[0]).read()
    folder = TuningFolder(tmp_path)
    with folder.locked():
        with pytest.raises(UserError, match="another process is working on this tuning"):
            ttrsim.tune(SPOILT, **QUICK, out=tmp_path)
        folder.begin(recipe)
        folder.write(found, now=True)
        with pytest.raises(UserError, match="another process is working on this tuning"):
            ttrsim.tune(out=tmp_path, resume=True)
    assert ttrsim.tune(out=tmp_path, resume=True).answers == kept[1].answers


def test_what_was_chosen_is_not_chosen_again(kept):
    with pytest.raises(UserError, match=r"`games`: was chosen when the tuning in .* began"):
        ttrsim.tune(out=kept[0], resume=True, games=20)


def test_a_tuning_without_neighbouring_tables_is_finished_when_parameters_were_put_back(kept):
    state = replace(kept[1].state, near=[])
    assert state.finished
    assert not replace(state, steps=[step for step in state.steps if step.stage != "worth"]).finished


@pytest.mark.parametrize("damage", ["{", '{"stage": "search"}', "wins", "arms"])
def test_a_damaged_line_is_named(kept, tmp_path, damage):
    folder = TuningFolder(tmp_path / "tuned")
    recipe, found = TuningFolder(kept[0]).read()
    folder.begin(recipe)
    if damage == "wins":
        damage = found[1].model_copy(update={"wins": ()}).model_dump_json()
    elif damage == "arms":
        damage = found[1].model_copy(update={"arms": (), "wins": ((),)}).model_dump_json()
    (folder.path / STAGES_FILE).write_text(f"{found[0].model_dump_json()}\n{damage}\n", "utf-8")
    with pytest.raises(UserError, match=f"{STAGES_FILE}, line 2: is damaged"):
        folder.read()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"games": 100}, "too few for a search at these tables; at least"),
        ({"games": 1.5}, "must be a whole number"),
        ({"minutes": 1}, "`games`, `minutes`: give one of them"),
        ({"tables": ["usa/2"]}, "`board`: `tables` name boards"),
        ({"board": None}, "Missing option '--map'"),
        ({"board": None, "seats": None, "tables": ["usa"]}, "such as usa/2"),
        ({"seats": 9}, "is for 2 to 5 players, not 9"),
        ({"precision": 3}, "`precision` 3: must be above 0"),
        ({"against": "plannr"}, "did you mean planner"),
        ({"resume": True}, "`resume`: needs `out`"),
        ({"engine": "gpu"}, "`engine` gpu: must be threads or dask"),
    ],
)
def test_mistakes_are_named_before_anything_is_played(given, words):
    with pytest.raises(UserError, match=words):
        ttrsim.tune(SPOILT, **{**QUICK, **given})


def test_several_tables_count_by_their_mean_or_by_the_worst():
    shares = np.array([[0.5, 0.7, 0.4, 0.0], [0.5, 0.1, 0.3, 0.0]])  # two candidates, start, mean

    class Found:
        def shares(self):
            return shares

    assert playing.objective(Found(), worst=False) == pytest.approx([0.15, 0.05])
    assert playing.objective(Found(), worst=True) == pytest.approx([0.1, -0.2])


def test_two_tables_and_a_pool_with_itself_are_played():
    tuning = ttrsim.tune(
        "planner", tables=["usa/2", ("usa", 3)], against="hoarder,self", params="tempo", worst=True, games=8000, seed=2
    )
    assert list(tuning.gains["table"])[:2] == ["usa, 2 players", "usa, 3 players"]
    assert "the worst of them" in tuning.answers[0]
    assert "--table usa/2 --table usa/3 --against hoarder,self" in tuning.command
    assert "--worst" in tuning.command


def test_the_test_goes_on_until_the_gain_is_known_well_enough():
    tuning = ttrsim.tune(SPOILT, **{**QUICK, "games": 6000, "precision": 0.025})
    assert len(tuning.state.of("test")) > 1
    assert float(tuning.gain.high[0] - tuning.gain.low[0]) <= 0.05


@pytest.mark.parametrize("worst", [False, True])
def test_the_gain_that_decides_must_be_as_precise_as_asked(kept, worst):
    """Halves of the intervals: hardly anything at one table, 0.037 at the other, and 0.018 of their mean."""
    steady, shaky = (3000, 3006) * 10, (2400, 3600, 3240, 2760) * 5
    wins = tuple((won, (3000,) * 20) for won in (steady, shaky))
    step = Step(stage="test", arms=((), ()), first=(0, 0), laps=(20, 20), games=(100, 100), wins=wins)
    recipe = kept[1].state.recipe.model_copy(update={"worst": worst, "precision": 0.025})
    state = replace(kept[1].state, recipe=recipe, steps=[step])
    assert playing.tested(state) is not worst


def test_stages_divide_the_games():
    match = Match(ttrsim.load_board("usa"), 2, ttrsim.load_strategy("planner"), (None,), 1)
    for games in (5_000, 300_000, 10**9):
        stages: StageGames = playing.divide_games(games, [match], 3, 13)
        search = stages.generations * (stages.candidates + 2) * stages.games
        assert 0.5 <= search / games <= 0.56
        assert stages.generations <= playing.MOST_GENERATIONS
        assert search + 2 * stages.test + 14 * stages.worth + 6 * stages.near <= 1.01 * games


def test_a_line_counts_its_games(kept):
    step: Step = kept[1].state.steps[0]
    assert step.played == 18 * step.laps[0] * 2
