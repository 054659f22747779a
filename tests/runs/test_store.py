"""Stored results do not depend on how they were played, and only what belongs to a run counts."""

import pytest

from runs.making import BOT, GAMES, content, in_order, make_player, play, results, store
from ttrsim.errors import UsageError
from ttrsim.runs import Run
from ttrsim.runs.make import carry_out, opened
from ttrsim.runs.playing import local_engine
from ttrsim.runs.store import Folder
from ttrsim.runs.stored_files import shard_name
from ttrsim.runs.verify import verify_run


def test_neither_threads_nor_the_order_nor_the_sizes_of_shards_change_a_byte(undisturbed, tmp_path, monkeypatch):
    monkeypatch.setattr("ttrsim.runs.playing.QUICK_LAPS", 1)
    store(tmp_path / "threads", threads=3, games=GAMES)
    backwards = [range(first, first + 32) for first in reversed(range(0, GAMES // 2, 32))]
    play(make_player(games=GAMES), tmp_path / "backwards", in_order(*backwards))
    monkeypatch.setattr("ttrsim.runs.playing.SECONDS", 0)
    store(tmp_path / "short", threads=2, games=GAMES)
    folders = [undisturbed, *(tmp_path / name for name in ("threads", "backwards", "short"))]
    assert len({tuple(Folder(folder).present()) for folder in folders}) == 4, "each is stored in other shards"
    for name in ("threads", "backwards", "short"):
        assert results(tmp_path / name) == results(undisturbed)
        assert Run.open(tmp_path / name).players.equals(Run.open(undisturbed).players)


def test_the_same_shards_have_the_same_bytes_whatever_was_played_before(undisturbed, tmp_path):
    player, folder = make_player(games=GAMES), Folder(undisturbed)
    play(player, tmp_path / "run", in_order(*reversed(folder.present())))
    assert content(tmp_path / "run") == content(undisturbed)


def test_digest_and_aggregates_do_not_depend_on_what_is_recorded(tmp_path, undisturbed):
    whole, bare = Run.open(undisturbed), store(tmp_path / "bare", games=GAMES, record=())
    assert carry_out(make_player(games=GAMES, record=()), local_engine(1)).digest == bare.digest == whole.digest
    for name in ("seats", "tickets", "ticket_pairs", "routes", "scores", "games"):
        assert (bare.array(name) == whole.array(name)).all()
    assert bare.table("orders").equals(whole.table("orders"))


def test_unfinished_run_is_no_whole_one(tmp_path, ttrsim):
    path = tmp_path / "run"
    store(path, games=2000)
    folder = Folder(path)
    laps = folder.present()[1]
    folder.remove(laps)
    ended = ttrsim("verify", path)
    assert ended.code == 1
    there, shards = 2000 - 2 * len(laps), len(folder.present())
    assert ended.out.startswith(f"{there:,} of 2,000 games, in {shards} shards: undamaged\n")
    hint = f"{2 * len(laps)} of 2,000 games have not been played yet; continue with: ttrsim run --resume -o {path}"
    assert ended.err == f"Error: {path}: is unfinished: {hint}\n"


def test_a_shard_beyond_the_last_does_not_stand_for_a_missing_one(tmp_path):
    run = store(tmp_path / "run", games=2000)
    laps = run.present[1]
    beyond = range(1024, 1024 + len(laps))
    run.folder.shard(laps).rename(run.folder.shard(beyond))
    verdict = verify_run(run.folder, run.player, 0)
    assert verdict.missing == 2 * len(laps)
    assert [problem for problem in verdict.problems if shard_name(beyond) in problem]
    store(run.folder.path, games=2000, resume=True)
    assert run.folder.shard(beyond).exists()  # nothing that goes on with this run wrote it


def test_only_folders_named_as_aligned_shards_are_shards(tmp_path):
    path = tmp_path / "run"
    present = store(path, games=2000).present
    for name in ("1", "٠٠٠٠٠٠٠٠٠٠٠٠-٠٠٠٠٠٠٠٠٠٠٠١", "000000000001-000000000002", "000000000005-000000000004"):
        (path / "shards" / name).mkdir()
    assert Folder(path).present() == present


def test_strategies_with_odd_file_names_are_copied_under_plain_ones(tmp_path):
    odd = tmp_path / f"my bot – {'x' * 120}.py"
    odd.write_text(BOT, "utf-8")
    store(tmp_path / "run", players=f"{odd},random", games=20)
    copies = sorted(path.name for path in (tmp_path / "run" / "strategies").iterdir())
    assert copies == [f"0_my_bot___{'x' * 91}.py", "1_random.py"]


def test_only_a_folder_that_cannot_be_written_is_told_to_be_one(tmp_path):
    player = make_player(games=10)
    with pytest.raises(PermissionError, match="elsewhere"), opened(Folder(tmp_path / "run"), player, resume=False):
        raise PermissionError("elsewhere")
    (tmp_path / "letter").write_text("dear", "utf-8")
    with pytest.raises(UsageError, match=r"letter.run: cannot be written: "):
        opened(Folder(tmp_path / "letter" / "run"), player, resume=False).__enter__()
