"""A run follows what its strategies and the kit do: a changed comment changes nothing, a changed constant does."""

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from runs.making import make_player, results, store
from ttrsim.errors import UsageError
from ttrsim.report.compare_answers import differences
from ttrsim.report.document import provenance
from ttrsim.runs import Run
from ttrsim.runs import recipe as recipe_module
from ttrsim.runs.make import take_shards
from ttrsim.runs.recipe import kit_sha256
from ttrsim.runs.store import RUN_FILES, Folder
from ttrsim.runs.verify import verify_run
from ttrsim.stats.compare import Pair

FEW, MORE = 8, 16
"""Games, two a lap."""
TEXT = '''\
"""Play anything that may be played."""

from ttrsim.kit.chance import any_kind

SHARE = 3


def decide(board, table, hand, mind):
    return any_kind(board, table, hand, mind)
'''
COMMENTED = TEXT.replace('"""Play anything', '"""Do anything').replace("SHARE", "# of what is left\nSHARE")
CHANGED = TEXT.replace("SHARE = 3", "SHARE = 4")


@pytest.fixture(scope="module")
def bot(tmp_path_factory) -> Path:
    """A strategy's file, one for all tests so that it is compiled once."""
    return tmp_path_factory.mktemp("bots") / "bot.py"


@pytest.fixture
def begun(bot, tmp_path) -> Path:
    """The folder of a run that was played with the text."""
    bot.write_text(TEXT, "utf-8")
    return store(tmp_path / "run", players=f"{bot},random", games=FEW).folder.path


def copy_in(path: Path) -> Path:
    return path / "strategies" / "0_bot.py"


def recorded(path: Path) -> str:
    """Return the SHA-256 of the bot's text that the run's folder records."""
    return Folder(path).read().recipe.strategies[0].sha256


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def whole(bot: Path, path: Path) -> Run:
    """Return a run that was begun with more games."""
    bot.write_text(TEXT, "utf-8")
    return store(path, players=f"{bot},random", games=MORE)


def test_a_run_goes_on_grows_and_is_played_again_after_a_changed_comment(bot, begun, tmp_path, ttrsim):
    undisturbed = whole(bot, tmp_path / "whole")
    game = ttrsim("replay", begun, "--game", 3).out
    files = {name: (begun / name).read_bytes() for name in RUN_FILES}
    bot.write_text(COMMENTED, "utf-8")
    ended = ttrsim("run", "--resume", "-o", begun, "--quiet")
    assert (ended.code, ended.err) == (0, "")
    assert {name: (begun / name).read_bytes() for name in RUN_FILES} == files
    assert ttrsim("replay", begun, "--game", 3).out.replace(str(copy_in(begun)), str(bot)) == game
    words = ["--map", "usa", "--players", f"{bot},random", "--seed", 5, "-n", MORE]
    ended = ttrsim("run", "--resume", "-o", begun, *words, "--quiet")
    assert (ended.code, ended.err) == (0, "")
    grown = Run.open(begun)
    assert (grown.digest, results(begun)) == (undisturbed.digest, results(undisturbed.folder.path))
    verified = verify_run(grown.folder, grown.player, None)
    assert (verified.problems, verified.missing) == ([], 0)


def test_the_text_that_a_run_was_begun_with_stays_beside_it(bot, begun, ttrsim):
    bot.write_text(COMMENTED, "utf-8")
    for games in (FEW, MORE):
        run = store(begun, players=f"{bot},random", games=games, resume=True)
        assert copy_in(begun).read_text("utf-8") == TEXT
        assert recorded(begun) == sha256(TEXT)
        assert ("Strategy bot", f"SHA-256 {sha256(TEXT)}") in provenance([run])


@pytest.mark.parametrize("lost", ["removed", "altered"])
def test_where_that_text_is_lost_the_text_that_plays_is_recorded_in_its_place(bot, begun, ttrsim, lost):
    bot.write_text(COMMENTED, "utf-8")
    copy_in(begun).unlink() if lost == "removed" else copy_in(begun).write_text("no strategy", "utf-8")
    ended = ttrsim("verify", begun, "--quiet", "--sample", 1)
    assert (ended.code, f"{copy_in(begun)}: is missing, or was altered" in ended.err) == (1, True)
    assert ttrsim("run", "--resume", "-o", begun, "--quiet").code == 0
    assert copy_in(begun).read_text("utf-8") == COMMENTED
    assert recorded(begun) == sha256(COMMENTED)
    assert copy_in(begun).with_name("0_bot.py.altered").exists() == (lost == "altered")
    assert ttrsim("verify", begun, "--quiet", "--sample", 1).code == 0


def test_the_copy_is_what_plays(bot, begun):
    bot.write_text(COMMENTED, "utf-8")
    plays = Run.open(begun).player.strategies[0]
    assert (plays.path, plays.text) == (copy_in(begun), TEXT)


@pytest.mark.parametrize("own", ["as it was", "with other comments"])
@pytest.mark.parametrize(
    "command",
    [
        ["replay", "RUN", "--game", 3],
        ["verify", "RUN", "--sample", 1],
        ["plot", "race", "RUN", "-o", "race.png"],
        ["stats", "RUN", "paths", "--ticket", "Denver-El Paso"],
        ["plan", "--precision", "9pp", "--run", "RUN"],
    ],
    ids=lambda command: command[0],
)
@pytest.mark.parametrize("copy", ["strategies/0_bot.py", "strategies/1_random.py", "board.toml"])
def test_an_altered_copy_is_named_wherever_games_are_played_again(bot, begun, ttrsim, monkeypatch, command, copy, own):
    monkeypatch.chdir(begun.parent)
    bot.write_text(TEXT if own == "as it was" else COMMENTED, "utf-8")
    (begun / copy).write_text("# not what was written\n", "utf-8")
    ended = ttrsim(*(begun if word == "RUN" else word for word in command))
    told = f"Error: {begun / copy}: is missing, or was altered; ttrsim run --resume copies it again\n"
    assert (ended.code, ended.err.endswith(told)) == (1, True)
    assert not list(begun.parent.glob("*.png"))


def test_a_copy_with_other_comments_plays_and_is_recorded_where_the_file_is_gone(bot, begun, ttrsim):
    bot.unlink()
    copy_in(begun).write_text(COMMENTED, "utf-8")
    assert ttrsim("verify", begun, "--quiet", "--sample", 1).code == 1
    assert ttrsim("run", "--resume", "-o", begun, "--quiet").code == 0
    assert (copy_in(begun).read_text("utf-8"), recorded(begun)) == (COMMENTED, sha256(COMMENTED))
    assert ttrsim("verify", begun, "--quiet", "--sample", 1).code == 0


def test_a_run_killed_while_it_records_another_text_goes_on(bot, begun, ttrsim):
    before = (begun / "run.json").read_bytes()
    bot.write_text(COMMENTED, "utf-8")
    copy_in(begun).unlink()
    assert ttrsim("run", "--resume", "-o", begun, "--quiet").code == 0
    (begun / "run.json").write_bytes(before)
    copy_in(begun).unlink()
    assert "differs from the other copy of the recipe" in ttrsim("verify", begun, "--quiet", "--sample", 1).err
    assert ttrsim("run", "--resume", "-o", begun, "--quiet").code == 0
    assert recorded(begun) == sha256(COMMENTED)
    assert ttrsim("verify", begun, "--quiet", "--sample", 1).code == 0


def test_portions_that_were_played_with_other_comments_merge(bot, tmp_path, ttrsim):
    undisturbed = whole(bot, tmp_path / "whole")
    words = ["run", "--map", "usa", "--players", f"{bot},random", "--seed", 5, "-n", MORE, "--quiet"]
    for part, text in ((1, TEXT), (2, COMMENTED)):
        bot.write_text(text, "utf-8")
        assert ttrsim(*words, "--portion", f"{part}/2", "-o", tmp_path / str(part)).code == 0
    for merged, parts in (("a", "12"), ("b", "21")):
        ended = ttrsim("merge", tmp_path / merged, *(tmp_path / part for part in parts), "--quiet")
        assert (ended.code, ended.err) == (0, "")
        run = Run.open(tmp_path / merged)
        assert (run.digest, verify_run(run.folder, run.player, 1).problems) == (undisturbed.digest, [])


def test_to_a_comparison_runs_that_differ_in_comments_are_the_same_games(bot, begun, tmp_path):
    first = Run.open(begun)
    for text, told in ((COMMENTED, "Nothing: A and B are the same games."), (CHANGED, "They differ in what bot does.")):
        bot.write_text(text, "utf-8")
        other = store(tmp_path / sha256(text), players=f"{bot},random", games=FEW)
        assert differences(Pair.of(first, other)).startswith(told)


def test_a_run_with_a_changed_constant_is_another(bot, begun, tmp_path, ttrsim):
    bot.write_text(CHANGED, "utf-8")
    refused = rf"is a different run: the code of strategy \S+{bot.name} has changed"
    with pytest.raises(UsageError, match=refused):
        store(begun, players=f"{bot},random", games=MORE, resume=True)
    with pytest.raises(UsageError, match=refused):
        take_shards(Folder(tmp_path), tmp_path, make_player(players=f"{bot},random", games=FEW), [Folder(begun)], print)
    assert Run.open(begun).player.strategies[0].path == copy_in(begun)
    copy_in(begun).unlink()
    ended = ttrsim("replay", begun, "--game", 3)
    assert (ended.code, ended.err) == (1, f"Error: {copy_in(begun)}: is missing, or is not the strategy of the run; restore the file, or {bot} as it was\n")  # fmt: skip  # noqa: E501


def test_a_run_that_does_not_say_what_its_strategies_do_is_refused_in_words(begun, ttrsim):
    for name in RUN_FILES:
        told = json.loads((begun / name).read_text("utf-8"))
        del told["recipe"]["strategies"][0]["content_sha256"]
        (begun / name).write_text(json.dumps(told), "utf-8")
    for command in (["stats", begun], ["run", "--resume", "-o", begun], ["replay", begun, "--game", 3]):
        ended = ttrsim(*command)
        told = f"Error: {begun / 'run.json'}: is damaged, or of another version of ttrsim: "
        assert (ended.code, ended.err.startswith(told)) == (1, True)
        assert "recipe.strategies.0.content_sha256: Field required" in ended.err


@pytest.mark.parametrize(
    ("edited", "same"),
    [
        (lambda text: text.replace('"""', '"""Something else. ', 1), True),
        (lambda text: text + "\n# a comment\n", True),
        (lambda text: text + "\nCHANGED = 1\n", False),
    ],
    ids=["docstring", "comment", "constant"],
)
def test_the_kit_is_known_by_what_it_does(tmp_path, monkeypatch, edited, same):
    before = kit_sha256()
    other = Path(shutil.copytree(Path(recipe_module.__file__).parents[1] / "kit", tmp_path / "kit"))
    shutil.copy(Path(recipe_module.__file__).parents[1] / "bot.py", tmp_path)
    monkeypatch.setattr("ttrsim.__file__", str(tmp_path / "__init__.py"))
    assert kit_sha256.__wrapped__() == before
    file = other / "chance.py"
    file.write_text(edited(file.read_text("utf-8")), "utf-8")
    assert (kit_sha256.__wrapped__() == before) == same
    file.rename(other / "luck.py")
    assert kit_sha256.__wrapped__() != before


def test_what_strategies_call_the_helpers_counts_too(tmp_path, monkeypatch):
    before, package = kit_sha256(), Path(recipe_module.__file__).parents[1]
    shutil.copytree(package / "kit", tmp_path / "kit")
    text = (package / "bot.py").read_text("utf-8")
    assert "best_draw, kinds_for" in text
    text = text.replace("best_draw, kinds_for", "most_missed as best_draw, kinds_for")
    (tmp_path / "bot.py").write_text(text, "utf-8")
    monkeypatch.setattr("ttrsim.__file__", str(tmp_path / "__init__.py"))
    assert kit_sha256.__wrapped__() != before
