"""Profiles: `planner@best` plays the values tuned for its table, as long as strategy and board are as they were."""

from dataclasses import replace

import pytest
from conftest import load_script

import ttrsim as library
from ttrsim.boards import load_board
from ttrsim.errors import UsageError
from ttrsim.examination import make_tables
from ttrsim.games import make_games
from ttrsim.progress import Listener
from ttrsim.runs.recipe import Sprt, make_recipe
from ttrsim.strategies import StrategyError, load_line_up, load_strategy, strategy_names
from ttrsim.strategies.loading import load_source, tell_profiles
from ttrsim.strategies.profiles import (
    Profile,
    add_profiles,
    changed_since,
    profiles_path,
    read_profiles,
    write_profiles,
)
from ttrsim.trials import make_trial

BOT = """\
from ttrsim.bot import default_take_turn

PARAMS = {"haste": (1, 0, 9), "depth": (3, 1, 9, int)}


def take_turn(board, table, hand, mind):
    return default_take_turn(board, table, hand, mind)
"""
FOUND = Profile(
    table="usa/2",
    values={"haste": 2.5},
    gain=0.036,
    gain_low=0.033,
    gain_high=0.039,
    against="random",
    games=1000,
    seed=1,
    command="ttrsim tune bot.py --map usa --seats 2",
    strategy_sha256="0" * 64,
    board_sha256=load_board("usa").sha256,
)


@pytest.fixture
def bot(tmp_path):
    """A strategy's file with a profile for two players on USA and one for three."""
    path = tmp_path / "bot.py"
    path.write_text(BOT, "utf-8")
    two = FOUND.model_copy(update={"strategy_sha256": load_source(str(path)).content_sha256})
    write_profiles(profiles_path(path), [two, two.model_copy(update={"table": "usa/3", "values": {"depth": 5.0}})])
    return path


def notes(strategies):
    """Return the messages about profiles of strategies."""
    said = []
    tell_profiles(strategies, Listener(message=said.append))
    return said


def change(bot, old, new):
    """Change the text of the bot's profiles."""
    path = profiles_path(bot)
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


@pytest.mark.parametrize(("seats", "params"), [(2, (2.5, 3)), (3, (1, 5)), (4, (1, 3))])
def test_a_plan_holds_the_plain_values_of_its_table(bot, seats, params):
    players = [f"{bot}@best", *["random"] * (seats - 1)]
    recipe, _, (strategy, *_) = make_recipe(board="usa", players=players, games=10, seed=1)
    assert tuple(recipe.strategies[0].params.values()) == params == strategy.values
    assert "@" not in recipe.command


def test_what_is_played_is_said_once(bot):
    tuned = load_line_up(f"{bot}@best,{bot}@best,random", load_board("usa"), 2)
    assert notes(tuned) == ["bot@best at usa/2: tuned values, +3.6 ± 0.3 wins per 100 games against random"]
    untuned = load_line_up(f"{bot}@best,random", load_board("europe"))
    assert notes(untuned) == ["bot@best at europe/2: there is no profile; it plays the defaults"]
    assert notes(load_line_up(f"{bot},random")) == []


@pytest.mark.parametrize("players", ["{bot},{bot}@best", "{bot}@best,{bot}"])
def test_the_defaults_in_place_of_a_profile_are_the_strategy_itself_and_said(bot, players):
    games = make_games("europe", players.format(bot=bot), 1)
    assert len(games.strategies) == 1
    assert len(notes(games.strategies)) == 1


def test_each_table_of_an_examination_has_its_own_profile(bot):
    tables = make_tables("usa", f"{bot}@best,random", [2, 3], 10, 1)
    values = {name: player.strategies[0].values for name, player in tables.items()}
    assert values == {"2-mirror": (2.5, 3), "2-mixed": (2.5, 3), "3-mirror": (1, 5), "3-mixed": (1, 5)}


def test_trials_and_games_play_the_profile_of_their_table(bot):
    assert make_trial(board="usa", players=f"{bot}@best,random", games=2).line_up[0].values == (2.5, 3)
    assert make_games("usa", [f"{bot}@best", "random"], 1).strategies[0].values == (2.5, 3)
    assert load_strategy(f"{bot}@best", board="usa", seats=3).values == (1, 5)


def test_a_sequential_test_knows_a_strategy_by_its_profile(bot):
    stop = Sprt(first=f"{bot}@best", second="random")
    recipe, *_ = make_recipe(board="usa", players=f"{bot}@best,random", games=100, seed=1, stop=stop)
    assert [recipe.stop.first, recipe.stop.second] == recipe.names == ["bot(haste=2.5)", "random"]


def test_another_code_means_the_defaults(bot):
    bot.write_text(BOT.replace('"haste": (1', '"haste": (2'), "utf-8")
    strategy = load_strategy(f"{bot}@best", board="usa", seats=2)
    assert strategy.values == (2, 3)
    assert notes([strategy]) == ["bot@best at usa/2: its code has changed since it was tuned; it plays the defaults"]


def test_another_comment_means_nothing(bot):
    bot.write_text(f"# A comment.\n{BOT}", "utf-8")
    assert load_strategy(f"{bot}@best", board="usa", seats=2).values == (2.5, 3)


def test_another_board_of_the_same_name_means_the_defaults(bot, tmp_path):
    board = tmp_path / "usa.toml"
    board.write_bytes(load_board("usa").source + b"# a comment\n")
    change(bot, "usa/2", "usa.toml/2")
    strategy = load_strategy(f"{bot}@best", board=str(board), seats=2)
    assert strategy.values == (1, 3)
    assert notes([strategy])[0].endswith("the board has changed since it was tuned; it plays the defaults")
    board.write_bytes(load_board("usa").source)
    assert load_strategy(f"{bot}@best", board=str(board), seats=2).values == (2.5, 3)


@pytest.mark.parametrize(
    ("spec", "problem"),
    [
        ("{bot}@bst", "bot@bst: no profile 'bst'; did you mean best?"),
        ("{bot}@", "bot@: no profile ''; the only one is best"),
        ("{bot}(haste=2)@best", "{bot}: has values, haste=2, and a profile, @best; leave out one of them"),
        ("{bot}@best(haste=2)", "{bot}: has values, haste=2, and a profile, @best; leave out one of them"),
        ("plannr@best", "no strategy 'plannr'; did you mean planner? (a file's name ends in .py)"),
    ],
)
def test_a_wrong_name_is_an_error(bot, spec, problem):
    with pytest.raises(UsageError) as raised:
        load_line_up([spec.format(bot=bot), "random"], load_board("usa"))
    assert raised.value.problems == [problem.format(bot=bot)]


def test_a_profile_needs_one_table(bot):
    rule = "bot@best: has different values at each table, and there is more than one here; give the values instead"
    with pytest.raises(UsageError, match=rule):
        load_strategy(f"{bot}@best")
    with pytest.raises(UsageError, match=rule):
        library.tune(f"{bot}@best", tables=["usa/2", "usa/3"])
    with pytest.raises(UsageError, match=rule):
        library.tune("planner", tables=["usa/2", "usa/3"], against=f"{bot}@best")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("values.haste = 2.5", "values.haste = 99", ", line 4: usa/2: haste = 99: must be from 0 to 9"),
        ("values.haste = 2.5", "values.hast = 2", ", line 4: usa/2: no parameter 'hast'; did you mean haste?"),
        ("gain = 0.036", 'gain = "much"', ", line 4: gain: 'much': should be a valid number"),
        ("seed = 1\n", "", ", line 4: seed: is missing"),
        ("usa/3", "usa/2", ", line 17: usa/2: has a profile already"),
        ("[[profiles]]", "[[profile]]", ": profile: unknown key"),
        ("[[profiles]]", "[profiles", ": is not TOML: "),
        ("bot.py --map", "\\u001b[2J", ", line 4: command: "),
    ],
)
def test_a_broken_file_is_an_error_with_its_line(bot, old, new, problem):
    change(bot, old, new)
    with pytest.raises((StrategyError, UsageError)) as raised:
        load_strategy(f"{bot}@best", board="usa", seats=2)
    assert raised.value.problems[0].startswith(f"{profiles_path(bot)}{problem}")


def test_a_new_profile_takes_the_place_of_that_of_its_table(bot):
    path = profiles_path(bot)
    old = read_profiles(path)
    new = old[0].model_copy(update={"values": {"haste": 4.0}})
    add_profiles(path, [new])
    assert read_profiles(path) == [old[1], new]


def test_profiles_are_kept_only_of_files_of_ones_own(tmp_path):
    with pytest.raises(UsageError, match="planner: comes with ttrsim, and so do its profiles; tune a copy"):
        library.tune("planner", board="usa", seats=2, profile=True)


def test_a_search_for_a_profile_starts_from_the_defaults(bot):
    with pytest.raises(UsageError, match="a profile must be better than the defaults"):
        library.tune(f"{bot}(haste=2)", board="usa", seats=2, profile=True)


def test_show_lists_profiles_and_those_not_used(ttrsim, bot):
    assert "usa/2  +3.6 ± 0.3  random   haste 2.5" in ttrsim("strategies", "show", bot).out
    change(bot, FOUND.board_sha256, "1" * 64)
    assert "not used: the board has changed" in ttrsim("strategies", "show", bot).out


def test_the_script_keeps_the_profiles_of_other_tables_and_drops_those_out_of_date(bot):
    script = load_script("make_profiles.py")
    old = read_profiles(profiles_path(bot))
    add_profiles(profiles_path(bot), [old[0].model_copy(update={"table": "usa/5", "board_sha256": "1" * 64})])
    script.replace_profile(str(bot), "usa/3", [])
    assert read_profiles(profiles_path(bot)) == [old[0]]
    assert script.tables_of(["san_francisco", "usa:mega"]) == [
        "san_francisco/2", "san_francisco/4", "usa:mega/2", "usa:mega/4", "usa:mega/5",
    ]  # fmt: skip


def test_a_run_says_what_it_plays_and_stores_plain_values(monkeypatch, tmp_path):
    planner = load_strategy("planner")
    path = tmp_path / "planner.profiles.toml"
    monkeypatch.setattr("ttrsim.strategies.profiles.profiles_path", lambda strategy: path)
    values = {planner.params[0].name: planner.params[0].low}
    write_profiles(path, [FOUND.model_copy(update={"values": values, "strategy_sha256": planner.content_sha256})])
    said = []
    run = library.run(board="usa", players="planner@best,random", games=2, seed=1, message=said.append)
    assert said[0] == "planner@best at usa/2: tuned values, +3.6 ± 0.3 wins per 100 games against random"
    plain = replace(planner, values=(planner.params[0].low, *planner.values[1:])).spec
    assert run.recipe.names == [plain, "random"]


@pytest.mark.parametrize("name", strategy_names())
def test_the_profiles_that_come_with_ttrsim_fit_its_strategies_and_boards(name):
    """After a change of a strategy or a board, `scripts/make_profiles.py` makes them anew."""
    source = load_source(name)
    for profile in read_profiles(profiles_path(source.path)):
        assert changed_since(profile, source) == "", f"{profile.table}: out of date"
        assert profile.gain_low > 0
        board, _, seats = profile.table.rpartition("/")
        load_strategy(f"{name}@best", board=board, seats=int(seats))
