"""The package as a whole: which part may import which."""

import ast
import importlib.metadata
import sys
from pathlib import Path

import pytest

import ttrsim
from ttrsim.files import data_folder

PACKAGE = Path(ttrsim.__file__).parent
FILES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))
FLOW = (
    "core",
    "kit",
    "bot",
    "boards",
    "strategies",
    "checking",
    "runs",
    "stats",
    "trials",
    "tuning",
    "improving",
    "plots",
    "report",
    "cli",
)
"""The parts of the package; none imports a later one."""
APART = {"boards": ("core",), "plots": ("core",)}
"""Earlier ones that a part does not need either."""


def imported(source: str, package: str) -> set[str]:
    """Return every module that the source imports, wherever in it; relative imports by their full name."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            names |= {f"{origin}.{alias.name}" for alias in node.names}
    return names


def imports_of(path: Path) -> set[str]:
    package = ".".join([PACKAGE.name, *path.parent.parts])
    return imported((PACKAGE / path).read_text("utf-8"), package)


def within(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


def part_of(path: Path) -> str:
    return path.parts[0].removesuffix(".py")


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("import numba.core as c", {"numba.core"}),
        ("def f():\n    from numba import njit", {"numba.njit"}),
        ("from .. import cli", {"ttrsim.cli"}),
        ("from ..cli.maps import maps", {"ttrsim.cli.maps.maps"}),
        ("from . import board", {"ttrsim.boards.board"}),
    ],
)
def test_imports_are_found_wherever_they_stand(source: str, names: set[str]) -> None:
    assert imported(source, "ttrsim.boards") == names


def test_there_are_files_to_look_at() -> None:
    assert {"boards", "cli"} <= {part_of(path) for path in FILES}


@pytest.mark.parametrize("path", [p for p in FILES if part_of(p) != "core"], ids=str)
def test_only_the_core_imports_numba(path: Path) -> None:
    assert not [name for name in imports_of(path) if within(name, "numba") or within(name, "llvmlite")]


@pytest.mark.parametrize("path", [p for p in FILES if part_of(p) == "core"], ids=str)
def test_core_imports_nothing_but_numba_numpy_itself_and_the_standard_library(path: Path) -> None:
    own = {"numba", "llvmlite", "numpy", "ttrsim.core"}
    foreign = {
        name
        for name in imports_of(path)
        if not any(within(name, package) for package in own) and name.partition(".")[0] not in sys.stdlib_module_names
    }
    assert not foreign


@pytest.mark.parametrize("part", FLOW)
def test_no_part_looks_back_along_the_flow_of_data(part: str) -> None:
    forbidden = [*FLOW[FLOW.index(part) + 1 :], *APART.get(part, ())]
    for path in FILES:
        if part_of(path) == part:
            for other in forbidden:
                assert not [name for name in imports_of(path) if within(name, f"ttrsim.{other}")], path


def test_every_part_has_its_place_in_the_flow_of_data() -> None:
    assert {part_of(path) for path in FILES if len(path.parts) > 1} == {*FLOW} - {"bot"}


def test_version_is_the_installed_one() -> None:
    assert importlib.metadata.version("ttrsim") == ttrsim.__version__


def test_boards_come_with_the_package() -> None:
    names = {path.stem for path in (data_folder() / "maps").glob("*.toml")}
    assert names >= {"usa", "europe", "old_west", "san_francisco"}
