"""A board, a run that is read, trials and a report are data: nothing of them is ever executed."""

import ast
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from conftest import SMALL_BOARD
from runs.making import store

import ttrsim
from fuzz.calling import promised, working_in
from ttrsim.runs import Run
from ttrsim.runs.stored_files import Done, file_record, hash_of

PARTS = ("boards", "runs", "stats", "trials", "plots", "report")
EXECUTING = {"eval", "exec", "compile", "__import__", "execfile", "breakpoint"}
MODULES = {"pickle", "cPickle", "dill", "cloudpickle", "marshal", "shelve", "joblib", "yaml", "importlib", "runpy", "code", "imp", "ctypes", "subprocess"}  # fmt: skip  # noqa: E501
METHODS = {"read_pickle", "to_pickle", "eval", "query", "import_module", "system", "popen", "deserialize", "unpickle"}
BOT = """
from ttrsim.kit.chance import any_kind

print("executed")


def decide(board, table, hand, mind):
    return any_kind(board, table, hand, mind)
"""
READING = [
    ["stats", "run"],
    ["stats", "run", "tickets", "--json"],
    ["stats", "run", "paths", "--ticket", "Ayr-Bern"],
    ["plot", "paths", "run", "--ticket", "Ayr-Bern", "-o", "x.svg"],
    ["report", "run", "-o", "x.html", "-o", "x.md", "-o", "x.json"],
    ["report", "run", "other", "--kind", "compare", "-o", "x.md"],
    ["compare", "run", "other"],
]
PLAYING = ["replay", "run", "--game", "1"]


@pytest.mark.parametrize("part", PARTS)
def test_nothing_that_reads_files_can_execute_them(part):
    for path in (Path(ttrsim.__file__).parent / part).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            where = f"{path}, line {getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Import):
                assert not {alias.name.partition(".")[0] for alias in node.names} & MODULES, where
            elif isinstance(node, ast.ImportFrom):
                assert node.module == "importlib.metadata" or (node.module or "").partition(".")[0] not in MODULES, (
                    where
                )
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in EXECUTING, where
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                of_re = isinstance(node.func.value, ast.Name) and node.func.value.id == "re"
                assert of_re or node.func.attr not in METHODS | {"load"} or _is_json(node.func), where


def _is_json(call: ast.Attribute) -> bool:
    return isinstance(call.value, ast.Name) and call.value.id in ("json", "tomllib") and call.attr == "load"


def test_commands_that_read_stored_runs_execute_no_strategy_of_them(tmp_path, capsys):
    (tmp_path / "bot.py").write_text(BOT, "utf-8")
    (tmp_path / "small.toml").write_text(SMALL_BOARD, "utf-8")
    with working_in(tmp_path):
        for name, seed in {"run": 1, "other": 2}.items():
            store(name, board="small.toml", players="bot.py,random", games=120, seed=seed, record=("tickets", "claims"))
    assert "executed\n" in capsys.readouterr().out, "the strategy tells when it is executed"
    script = "import sys\nfrom ttrsim.cli import main\ncode = main({!r})\nassert code == 0, code"
    both = "\n".join(script.format(line) for line in READING)
    ended = subprocess.run([sys.executable, "-c", both], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    assert "executed\n" not in ended.stdout
    again = [sys.executable, "-c", script.format(PLAYING)]
    ended = subprocess.run(again, cwd=tmp_path, capture_output=True, check=True, text=True, timeout=120)
    assert "executed\n" in ended.stdout, "and it is when games are played again"


def test_tables_with_metadata_of_pandas_are_read_without_it(tmp_path):
    folder = store(tmp_path / "run", games=2, record=("games",)).folder
    (laps,) = folder.present()
    path, record = folder.shard(laps) / "games.parquet", folder.record(laps)
    metadata = {b"pandas": b'{"index_columns": ["game"], "columns": [{"numpy_type": "x"}], "x": ['}
    pq.write_table(pq.read_table(path).replace_schema_metadata(metadata), path)
    record = record.model_copy(update={"files": record.files | {path.name: file_record(path.read_bytes())}})
    done = Done(record=record, sha256=hash_of(record))
    (path.parent / "done.json").write_text(done.model_dump_json(), "utf-8")
    assert list(Run.open(folder.path).games.columns[:2]) == ["game", "block"]


def test_words_of_files_are_text_in_pages(tmp_path):
    (tmp_path / "my.toml").write_text(
        SMALL_BOARD.replace('title = "A small board"', 'title = "<script>{{ 7 * 7 }}"'), "utf-8"
    )
    with working_in(tmp_path):
        play = ("play", "--map", "my.toml", "--players", "random,random", "--seed", "1", "--quiet")
        promised(*play, "--html", "x.html", codes=(0,))
    page = (tmp_path / "x.html").read_text("utf-8")
    assert "<script>{{" not in page
    assert "<script>49" not in page
