"""Leftovers of runs that were broken off or damaged, and files of others between them."""

import shutil
from pathlib import Path

import pytest

from runs.making import outcome, store


def test_what_a_killed_process_left_is_removed_and_what_a_user_left_stays_where_it_is(tmp_path):
    folder = store(tmp_path / "run", games=40).folder
    session = folder.unfinished / f"session-{0:032x}"
    half_written = session / "000000000020-000000000023-0123abcd" / "done.json"
    of_user = [folder.unfinished / "notes.txt", folder.unfinished / "session-of-mine" / "notes.txt"]
    for path in (half_written, folder.unfinished / "run.json", *of_user):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("dear", "utf-8")
    store(folder.path, games=80, resume=True)
    assert sorted(path for path in folder.unfinished.rglob("*") if path.is_file()) == sorted(of_user)
    assert not session.exists()


@pytest.mark.parametrize("place", ["strategies", "shards", "unfinished"])
def test_what_keeps_a_run_from_beginning_is_named_by_its_place_in_the_folder(tmp_path, ttrsim, place):
    folder = store(tmp_path / "run", games=2).folder
    shutil.rmtree(folder.summary)
    for laps in folder.present():
        folder.remove(laps)
    (folder.path / place).mkdir(exist_ok=True)
    (folder.path / place / "notes.txt").write_text("dear", "utf-8")
    refused = ttrsim("run", "--resume", "-o", folder.path, "--quiet")
    assert refused.code == 2
    assert f"from a run begun there: {Path(place, 'notes.txt')}; choose " in refused.err
    assert (folder.path / place / "notes.txt").read_text("utf-8") == "dear"


def test_run_whose_shards_are_gone_is_played_again_and_gives_way_to_no_other(tmp_path, ttrsim):
    folder = store(tmp_path / "run", games=40).folder
    before = outcome(folder.path)
    shutil.rmtree(folder.shards)
    other = ttrsim("run", "--resume", "--seed", 6, "-o", folder.path, "--quiet")
    assert (other.code, folder.read().recipe.seed) == (2, 5)
    assert ttrsim("run", "--resume", "-o", folder.path, "--quiet").code == 0
    assert outcome(folder.path) == before
