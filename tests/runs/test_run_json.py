"""Damaged and altered copies of the recipe: one costs nothing, of both the damage is named."""

import json
import re
import shutil

import pytest
from pydantic import ValidationError

from runs.damaging import damage_altered, damage_removed, damage_truncated
from runs.making import content, store
from ttrsim.runs import Run
from ttrsim.runs.recipe import RunFile
from ttrsim.runs.store import Folder
from ttrsim.runs.stored_files import Summary

RUN_FILES = ("run.json", "run-copy.json")


def damaged_runs(path, change):
    """Change both copies of the recipe."""
    for name in RUN_FILES:
        change(path / name)


def test_a_recipe_whose_copies_are_both_damaged_is_named(tmp_path, ttrsim):
    path = tmp_path / "run"
    store(path, games=1000)
    damaged_runs(path, damage_truncated)
    for command in (["run", "--resume", "-o", path], ["verify", path], ["replay", path, "--game", 0]):
        ended = ttrsim(*command)
        assert ended.code == 1
        assert re.match(r"Error: \S+\brun.json: is damaged: it is not JSON\n", ended.err)


def test_altered_run_json_is_noticed(tmp_path, ttrsim):
    path = tmp_path / "run"
    store(path, games=400)

    def change(file):
        file.write_text(file.read_text("utf-8").replace('"seed": 5', '"seed": 6'), "utf-8")

    damaged_runs(path, change)
    ended = ttrsim("stats", path)
    assert ended.code == 1
    assert f"{path / 'run.json'}: was altered: its content does not match its sha256\n" in ended.err


def test_a_run_file_that_calls_the_recipe_a_plan_is_read(undisturbed):
    stored = json.loads((undisturbed / "run.json").read_text("utf-8"))
    older = {"plan" if key == "recipe" else key: value for key, value in stored.items()}
    assert RunFile.model_validate(older).recipe == Run.open(undisturbed).recipe


def test_run_json_without_its_sha256_is_refused(tmp_path, ttrsim):
    path = tmp_path / "run"
    store(path, games=400)

    def change(file):
        told = json.loads(file.read_text("utf-8"))
        del told["sha256"]
        file.write_text(json.dumps(told), "utf-8")

    damaged_runs(path, change)
    ended = ttrsim("stats", path)
    assert ended.code == 1
    assert "is damaged, or of another version of ttrsim: sha256: Field required" in ended.err


def damage_format(file):
    """Let it seem to be of a format of which only statistics are read."""
    text = file.read_text("utf-8")
    assert '"schema_version": 2' in text
    file.write_text(text.replace('"schema_version": 2', '"schema_version": 1'), "utf-8")


def test_a_damaged_number_of_the_format_makes_no_folder_of_an_older_one(undisturbed, tmp_path, ttrsim):
    path = shutil.copytree(undisturbed, tmp_path / "run")
    damaged_runs(path, damage_format)
    ended = ttrsim("stats", path)
    assert (ended.code, ended.err.startswith(f"Error: {path / 'run.json'}: is damaged, or of another ver")) == (1, True)


@pytest.mark.parametrize("name", RUN_FILES)
@pytest.mark.parametrize("damage", [damage_truncated, damage_altered, damage_removed, damage_format])
def test_one_damaged_copy_of_the_recipe_costs_nothing(undisturbed, tmp_path, ttrsim, name, damage):
    path = shutil.copytree(undisturbed, tmp_path / "run")
    before = (path / name).read_bytes()
    damage(path / name)
    assert Run.open(path).recipe == Run.open(undisturbed).recipe
    verified = ttrsim("verify", path, "--quiet", "--sample", 1)
    assert verified.code == 1
    assert re.fullmatch(rf"Error: \S+{name}: .*; ttrsim run --resume writes it again\n", verified.err)
    resumed = ttrsim("run", "--resume", "-o", path, "-j", 1)
    assert (resumed.code, f"{name}: " in resumed.err) == (0, True)
    assert (path / name).read_bytes() == before
    assert content(path) == content(undisturbed)


def test_no_flipped_bit_of_a_copy_of_the_recipe_costs_anything(undisturbed, tmp_path):
    folder = Folder(shutil.copytree(undisturbed, tmp_path / "run"))
    file, recipe = folder.path / "run.json", Folder(undisturbed).read()
    sound = file.read_bytes()
    for place in range(0, 8 * len(sound), 61):
        file.write_bytes(sound[: place // 8] + bytes([sound[place // 8] ^ 1 << place % 8]) + sound[place // 8 + 1 :])
        assert folder.read() == recipe
        assert len(folder.run_problems()) <= 1  # white space is no change


@pytest.mark.parametrize("longer", RUN_FILES)
def test_of_two_sound_copies_the_one_of_more_games_counts(tmp_path, longer):
    """A run that was made longer and killed in between has them."""
    run = store(tmp_path / "run", games=400)
    kept = (run.folder.path / RUN_FILES[RUN_FILES[0] == longer]).read_bytes()
    store(run.folder.path, games=800, resume=True)
    (run.folder.path / RUN_FILES[RUN_FILES[0] == longer]).write_bytes(kept)
    assert run.folder.read().recipe.schedule.games == 800
    (problem,) = run.folder.run_problems()
    assert problem.endswith(": differs from the other copy of the recipe")
    store(run.folder.path, games=800, resume=True)
    assert run.folder.run_problems() == []


def test_names_in_a_run_lead_nowhere_else(tmp_path, ttrsim):
    path = tmp_path / "run"
    store(path, games=400)

    def change(file):
        told = json.loads(file.read_text("utf-8"))
        told["recipe"]["strategies"][0]["copy_name"] = "../../bot.py"
        file.write_text(json.dumps(told), "utf-8")

    damaged_runs(path, change)
    ended = ttrsim("merge", tmp_path / "whole", path)
    assert ended.code == 1
    assert "recipe.strategies.0.copy_name: String should match pattern" in ended.err
    told = {"run": "0" * 64, "planned_laps": 1, "laps": 1, "digest": "0" * 64, "files": {}}
    Summary.model_validate(told)
    for name in ("../x.parquet", "x.parquet", "games.parquet/../run.json", "../sums.bin"):
        with pytest.raises(ValidationError, match="files"):
            Summary.model_validate({**told, "files": {name: {"bytes": 1, "sha256": "0" * 64}}})
