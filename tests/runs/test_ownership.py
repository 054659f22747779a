"""Nothing but what ttrsim wrote for a run is ever replaced or removed, and a beginning cut short is no obstacle."""

import os
import shutil
from pathlib import Path

import pytest

from runs.making import everything, in_order, make_player, play, results, store
from ttrsim.errors import UsageError, UserError
from ttrsim.runs import Run
from ttrsim.runs.make import carry_out, opened
from ttrsim.runs.store import Folder

TWO = ["--players", "random,random_kind"]
TINY = ["--map", "usa", *TWO, "--seed", "5", "--quiet"]
COMMANDS = {
    "run": (["run", *TINY, "-n", "8", "-o"], "."),
    "run --resume": (["run", "--resume", *TINY, "-n", "8", "-o"], "."),
    "merge": (["merge", "--quiet"], "."),
    "balance": (
        ["balance", "usa", "--players", "random,random_kind", "--seats", "2", "-n", "8", "--quiet", "-o"],
        "2-mirror",
    ),
    "compare": (
        ["compare", "--map", "usa", "--map", "europe", "--players", "random,random_kind", "-n", "8", "--quiet", "-o"],
        "a",
    ),
    "demo": (["demo", "--quiet", "-o"], "run"),
}
"""Commands that end with the folder to write into, and where below it they begin their first run."""
DEAR = {
    "strategies": {"strategies/mine.py": "dear"},
    "a strategy with the name of a copy": {"strategies/0_random.py": "dear"},
    "summary": {"summary/notes.txt": "dear"},
    "a summary's file": {"summary/games.parquet": "dear"},
    "unfinished": {"unfinished/draft.txt": "dear"},
    "unfinished of a like name": {"unfinished-0a1b2c3d/draft.txt": "dear"},
    "board": {"board.toml": "dear"},
    "shards": {"shards/notes.txt": "dear"},
    "lock": {"lock": "dear"},
    "letter": {"letter.txt": "dear"},
    "folder": {"empty": None},
    "run.json": {"run.json": "{}"},
}


def lay_out(path: Path, files: dict[str, str | None]) -> dict[str, bytes | None]:
    for name, text in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).mkdir() if text is None else (path / name).write_text(text, "utf-8")
    return everything(path)


@pytest.fixture(scope="module")
def part(tmp_path_factory) -> Path:
    return store(tmp_path_factory.mktemp("part") / "part", games=8).folder.path


@pytest.mark.parametrize("dear", DEAR)
@pytest.mark.parametrize("command", ["run", "run --resume"])
def test_a_run_begins_in_no_folder_with_files_of_others(tmp_path, ttrsim, command, dear):
    before = lay_out(tmp_path / "mine", DEAR[dear])
    ended = ttrsim(*COMMANDS[command][0], tmp_path / "mine")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(f"Error: {tmp_path / 'mine'}: ")
    assert next(iter(DEAR[dear])).split("/")[0] in ended.err
    assert everything(tmp_path / "mine") == before


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - {"run", "run --resume"}))
def test_no_command_takes_over_a_folder_with_files_of_others(tmp_path, ttrsim, part, command):
    words, below = COMMANDS[command]
    files = {
        name: text for dear in ("strategies", "summary", "unfinished", "board") for name, text in DEAR[dear].items()
    }
    before = lay_out(tmp_path / "mine" / below, files)
    ended = ttrsim(*words, tmp_path / "mine", *([part] if command == "merge" else []))
    assert (ended.code, ended.out) == (2, "")
    assert (
        f"{tmp_path / 'mine' / below}: holds files that are not from a run begun there: board.toml, strat" in ended.err
    )
    assert everything(tmp_path / "mine" / below) == before


@pytest.mark.parametrize("command", ["balance", "compare", "demo"])
def test_several_runs_begin_in_no_folder_with_files_of_others(tmp_path, ttrsim, command):
    before = lay_out(tmp_path / "mine", {"letter.txt": "dear", "drafts/one.txt": "dear"})
    ended = ttrsim(*COMMANDS[command][0], tmp_path / "mine")
    assert (ended.code, ended.out) == (2, "")
    assert f"{tmp_path / 'mine'}: holds files that are not from a run begun there: drafts, letter.txt;" in ended.err
    assert everything(tmp_path / "mine") == before


@pytest.mark.parametrize("command", ["balance", "compare"])
def test_several_runs_go_on_beside_files_that_others_added_and_leave_them(tmp_path, ttrsim, command):
    words, out = COMMANDS[command][0], tmp_path / "runs"
    words = [*words[:-1], "--seed", "5", words[-1]]
    assert ttrsim(*words, out).code == 0
    (out / "letter.txt").write_text("dear", "utf-8")
    before = everything(out)
    assert ttrsim(*words, out).code == 0
    assert everything(out) == before


@pytest.mark.parametrize("command", COMMANDS)
def test_a_folder_without_a_name_is_refused(tmp_path, ttrsim, monkeypatch, part, command):
    """An unset variable of a shell, which would be the working folder."""
    monkeypatch.chdir(tmp_path)
    ended = ttrsim(*COMMANDS[command][0], "", *([part] if command == "merge" else []))
    assert (ended.code, ended.out) == (2, "")
    assert "is empty; name a folder" in ended.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize("kind", ["file", "link to a file", "link to nowhere"])
def test_what_is_no_folder_is_refused(tmp_path, kind, resume):
    path = tmp_path / "run"
    (tmp_path / "letter").write_text("dear", "utf-8")
    if kind == "file":
        path = tmp_path / "letter"
    else:
        path.symlink_to(tmp_path / ("letter" if kind == "link to a file" else "nowhere"))
    told = r"is a (file, not a folder|broken link)"
    with pytest.raises(UsageError, match=told), opened(Folder(path), make_player(games=8), resume=resume):
        pass
    assert (tmp_path / "letter").read_text("utf-8") == "dear"
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("place", ["strategies", "shards", "board.toml", "run.json"])
def test_links_are_not_followed(tmp_path, place):
    """Links may lead to anybody's files."""
    other = tmp_path / "other"
    lay_out(other, {"strategies/mine.py": "dear", "shards/mine": "dear", "board.toml": "dear", "run.json": "dear"})
    before = everything(other)
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / place).symlink_to(other / place)
    with pytest.raises(UserError), opened(Folder(tmp_path / "run"), make_player(games=8), resume=True):
        pass
    assert everything(other) == before


@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize("kind", ["absent", "empty", "begun", "begun as another", "begun with more games"])
def test_a_run_begins_where_nothing_or_nothing_finished_is(tmp_path, kind, resume):
    path = tmp_path / "runs" / "first"
    if kind == "empty":
        path.mkdir(parents=True)
    elif kind != "absent":
        others = {
            "begun": {},
            "begun as another": {"seed": 6, "players": "random,random"},
            "begun with more games": {"games": 80},
        }
        play(make_player(**{"games": 8, **others[kind]}), path, in_order())
    play(make_player(games=8), path, in_order(range(4)), resume=resume)
    run = Run.open(path)
    assert (run.finished, run.recipe.seed, run.recipe.laps) == (True, 5, 4)
    copies = sorted(copy.name for copy in (path / "strategies").iterdir())
    assert copies == ["0_random.py", "1_random_kind.py"]


def test_what_was_added_to_a_run_of_which_nothing_is_finished_is_kept(tmp_path):
    path = tmp_path / "run"
    play(make_player(games=8), path, in_order())
    (path / "strategies" / "mine.py").write_text("dear", "utf-8")
    before = everything(path)
    with pytest.raises(UsageError, match="strategies"), opened(Folder(path), make_player(games=8), resume=True):
        pass
    assert everything(path) == before


@pytest.mark.parametrize(
    "added", ["summary/notes.txt", "unfinished/notes.txt", "shards/000000000000-000000000003/notes"]
)
def test_files_that_others_put_into_a_run_are_not_deleted_with_ttrsims(tmp_path, ttrsim, added):
    run = store(tmp_path / "run", games=8)
    path = run.folder.path
    assert run.present[0] in (range(1), range(2), range(4))
    added = added.replace("000000000000-000000000003", run.folder.shard(run.present[0]).name)
    (path / added).parent.mkdir(exist_ok=True)
    (path / added).write_text("dear", "utf-8")
    (path / added).parent.joinpath("summary.json" if "summary" in added else "done.json").unlink(missing_ok=True)
    ended = ttrsim("run", "--resume", "-o", path, "-j", 1, "--quiet")
    assert (path / added).read_text("utf-8") == "dear"
    if not added.startswith("unfinished"):  # where it is in nobody's way
        assert (ended.code, f"{path / added}: was not written by ttrsim" in ended.err) == (1, True)


def test_nothing_is_removed_nor_said_to_be_where_others_put_files_beside_damage(tmp_path, ttrsim):
    folder = store(tmp_path / "run", games=80).folder
    first, *_, last = folder.present()
    for laps in (first, last):
        (folder.shard(laps) / "sums.bin").write_bytes(b"")
    (folder.shard(last) / "notes.txt").write_text("dear", "utf-8")
    before = everything(folder.path)
    ended = ttrsim("run", "--resume", "-o", folder.path, "-j", 1, "--quiet")
    told = f"{folder.shard(last) / 'notes.txt'}: was not written by ttrsim and would be deleted with"
    assert (ended.code, ended.err.count("\n")) == (1, 1)
    assert ended.err.startswith(f"Error: {told}")
    assert everything(folder.path) == before


@pytest.mark.parametrize("command", ["run", "balance", "compare"])
def test_a_summary_with_files_of_others_is_refused_before_anything_is_played(tmp_path, ttrsim, monkeypatch, command):
    words, _ = COMMANDS["run --resume" if command == "run" else command]
    words = [*words[:-1], *([] if command == "run" else ["--seed", "5"]), words[-1]]
    assert ttrsim(*words, tmp_path).code == 0
    notes = tmp_path / {"run": ".", "balance": "2-mixed", "compare": "b"}[command] / "summary" / "notes.txt"
    notes.write_text("dear", "utf-8")
    assert ttrsim(*words, tmp_path).code == 0  # it is in nobody's way
    before = everything(tmp_path)
    longer = [word.replace("8", "16") if words[i - 1] == "-n" else word for i, word in enumerate(words)]
    monkeypatch.setattr("ttrsim.runs.playing.play_shard", None)
    ended = ttrsim(*longer, tmp_path)
    assert (ended.code, f"{notes}: was not written by ttrsim and would be deleted with" in ended.err) == (1, True)
    assert {name: data for name, data in everything(tmp_path).items() if "unfinished" not in name} == before


class Killed(BaseException):
    """The process is gone."""


class Killing:
    """Ends every change of the disk after a number of them, as when a process is killed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left, self.used = 10**9, 0
        for owner, name in [(Path, "mkdir"), (Path, "replace"), (Path, "rename"), (Path, "unlink"), (os, "fsync")]:
            monkeypatch.setattr(owner, name, self._counted(getattr(owner, name)))
        monkeypatch.setattr(shutil, "rmtree", self._counted(shutil.rmtree))

    def _counted(self, change):
        def call(*words, **options):
            if self.used >= self.left:
                raise Killed
            self.used += 1
            return change(*words, **options)

        return call

    def after(self, changes: int) -> None:
        self.left, self.used = changes, 0


def killed_everywhere(killing, make_folder, act, check):
    """Kill after each change that acting in a folder makes, and check what is left."""
    killing.after(10**9)
    act(make_folder("whole"))
    changes = killing.used
    for number in range(changes):
        path = make_folder(str(number))
        killing.after(number)
        with pytest.raises(Killed):
            act(path)
        killing.after(10**9)
        check(path)
    return changes


@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize("seed", [5, 6])
def test_a_run_killed_while_it_begins_leaves_a_folder_that_it_or_another_may_begin_in(
    tmp_path, monkeypatch, seed, resume
):
    killing, player, other = Killing(monkeypatch), make_player(games=8), make_player(games=8, seed=seed)

    def begin(path):
        with opened(Folder(path), player, resume=True):
            pass

    def check(path):
        with opened(Folder(path), other, resume=resume):
            assert Folder(path).read().recipe == other.recipe
            assert Folder(path).run_problems() == []
        left = {"run.json", "run-copy.json", "board.toml", "strategies", "shards", "lock"}
        assert {entry.name for entry in path.iterdir()} == left

    assert killed_everywhere(killing, lambda name: tmp_path / name, begin, check) > 20


def test_a_run_killed_while_it_is_made_longer_or_summed_up_is_what_it_was_or_what_it_was_to_be(tmp_path, monkeypatch):
    killing, longer = Killing(monkeypatch), make_player(games=16)
    begun = store(tmp_path / "begun", games=8).folder.path
    wanted = results(store(tmp_path / "wanted", games=16).folder.path)

    def grow(path):
        play(longer, path, in_order(range(4, 8)), resume=True)

    def check(path):
        assert Folder(path).read().recipe.laps in (4, 8)
        run = Run.open(path)
        assert run.games_played in (8, 16)
        folder = Folder(path)
        with opened(folder, longer, resume=True) as staging:
            carry_out(longer, in_order(*([] if range(4, 8) in folder.present() else [range(4, 8)])), folder, staging)
        assert results(path) == wanted

    changes = killed_everywhere(killing, lambda name: Path(shutil.copytree(begun, tmp_path / name)), grow, check)
    assert changes > 40


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """Two runs that differ in their seed alone."""
    folder = tmp_path_factory.mktemp("two")
    return [store(folder / str(seed), games=80, seed=seed).folder.path for seed in (5, 6)]


@pytest.fixture
def mixed(two, tmp_path):
    """A run with a shard of another in place of its own."""
    path = Path(shutil.copytree(two[0], tmp_path / "run"))
    laps = Folder(path).present()[1]
    shutil.rmtree(Folder(path).shard(laps))
    return path, Path(shutil.copytree(Folder(two[1]).shard(laps), Folder(path).shard(laps)))


@pytest.mark.parametrize("finished", [True, False])
@pytest.mark.parametrize("command", ["run", "verify", "stats", "merge"])
def test_a_shard_of_another_run_is_refused_and_left_where_it_is(mixed, tmp_path, ttrsim, command, finished):
    path, shard = mixed
    if not finished:
        shutil.rmtree(path / "summary")
    before = everything(path / "shards")
    words = {"run": ["run", "--resume", "-o", path], "merge": ["merge", tmp_path / "out", path]}
    ended = ttrsim(*words.get(command, [command, path]), *(["--quiet"] if command != "stats" else []))
    if command == "stats" and finished:
        assert ended.code == 0  # it is told from the summary, which is of this run alone
    else:
        assert ended.code == 1
        assert f"{shard}: is a shard of a different run (seed, board, strategies or rules differ); move it" in ended.err
    assert everything(path / "shards") == before


def test_rows_of_another_run_are_not_read(mixed):
    with pytest.raises(UserError, match="is a shard of a different run"):
        _ = Run.open(mixed[0]).games


def test_a_summary_of_other_results_is_not_replaced_in_silence(two, tmp_path, ttrsim):
    path = Path(shutil.copytree(two[0], tmp_path / "run"))
    told = (path / "summary" / "summary.json").read_text("utf-8")
    digest = Run.open(path).digest
    (path / "summary" / "summary.json").write_text(told.replace(digest, "0" * 64), "utf-8")
    assert ttrsim("verify", path, "--quiet").code == 1
    ended = ttrsim("run", "--resume", "-o", path, "--quiet")
    assert f"had the digest {'0' * 64}, and the shards have {digest}: something was altered" in ended.err
    assert (ended.code, Run.open(path).digest) == (0, digest)
