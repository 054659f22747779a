"""Keep a search in a folder: a file with its recipe, and one with a line for each finished step.

What a search finds is computed from its steps, and an interrupted one goes on after the last of them.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

from pydantic import ValidationError

import ttrsim
from ttrsim.core.constants import RULES_VERSION
from ttrsim.errors import UsageError, UserError
from ttrsim.files import Unreadable, decoded, read_file, write_file
from ttrsim.formatting import command_line
from ttrsim.runs.recipe import Sha256, Stored, kit_sha256
from ttrsim.runs.stored_files import LOCK_FILE, locked, validation_words

MOST_BYTES = 256 * 1024 * 1024


class SearchRecipe(Stored):
    """The part that the recipes of all searches share."""

    schema_version: Literal[1] = 1
    ttrsim: str
    rules_version: int
    kit_sha256: Sha256


def versions() -> dict[str, Any]:
    """Return these fields of the recipe of a new search."""
    return {"ttrsim": ttrsim.__version__, "rules_version": RULES_VERSION, "kit_sha256": kit_sha256()}


def check_versions(recipe: SearchRecipe, what: str) -> None:
    """Refuse to go on where games would be others than when the search began. what: such as `tuning`."""
    if (recipe.rules_version, recipe.kit_sha256) != (RULES_VERSION, kit_sha256()):
        problem = f"the rules, or the helpers of strategies, have changed since the {what} began; begin it anew"
        raise UserError([problem])


AnyRecipe = TypeVar("AnyRecipe", bound=SearchRecipe)
Step = TypeVar("Step", bound=Stored)


class SearchFolder(Generic[AnyRecipe, Step]):
    """The folder of a search."""

    what: str  # for messages, such as "tuning"
    command: str  # of ttrsim, such as "tune"
    files: tuple[str, str]  # of the recipe, and of the steps
    recipe: type[AnyRecipe]
    step: type[Step]

    def __init__(self, path: Path) -> None:
        self.path = path

    def checker(self, recipe: AnyRecipe) -> Callable[[Step], str | None]:
        """Return a function that says what is wrong with a step, or None."""
        raise NotImplementedError

    @property
    def begun(self) -> bool:
        """Return whether there is a search in the folder."""
        return (self.path / self.files[0]).exists()

    @property
    def resume_command(self) -> str:
        """Return the command that continues the search."""
        return command_line(["ttrsim", self.command, "--resume", "-o", str(self.path)])

    def check_free(self) -> None:
        """Refuse a folder in which there is anything."""
        if self.begun:
            again = f"continue it with {self.resume_command}, or choose another folder"
            raise UsageError([f"{self.path}: holds a {self.what}; {again}"])
        if self.path.exists() and (not self.path.is_dir() or {p.name for p in self.path.iterdir()} - {LOCK_FILE}):
            raise UsageError([f"{self.path}: is not an empty folder; choose another name"])

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes off the folder, which is made unless it exists."""
        self._make()
        with contextlib.ExitStack() as stack:
            try:
                stack.enter_context(locked(self.path, self.what))
            except OSError as e:
                raise UserError([f"{self.path}: cannot be written: {e.strerror}"]) from None
            yield

    def begin(self, recipe: AnyRecipe) -> None:
        """Write the recipe of a new search, unless another has come first."""
        self.check_free()
        self._make()
        write_file(self.path / self.files[0], recipe.model_dump_json(indent=2) + "\n", own=True)

    def _make(self) -> None:
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as e:
            raise UserError([f"{self.path}: cannot be made: {e.strerror}"]) from None

    def read(self) -> tuple[AnyRecipe, list[Step]]:
        """Return the recipe and the finished steps."""
        path, lines = (self.path / name for name in self.files)
        if not self.begun:
            raise UsageError([f"{self.path}: is not a {self.what}: it has no {path.name}"])
        recipe = _parsed(self.recipe, _text(path), str(path))
        check, steps = self.checker(recipe), []
        for number, text in enumerate(_text(lines).splitlines() if lines.exists() else (), 1):
            steps.append(_parsed(self.step, text, where := f"{lines}, line {number}"))
            if problem := check(steps[-1]):
                raise UserError([f"{where}: is damaged, or of another version of ttrsim: {problem}"])
        return recipe, steps

    def write(self, steps: Sequence[Step]) -> None:
        """Write the finished steps."""
        content = "".join(f"{step.model_dump_json()}\n" for step in steps)
        write_file(self.path / self.files[1], content, own=True)


Parsed = TypeVar("Parsed", bound=Stored)


def _parsed(kind: type[Parsed], text: str, where: str) -> Parsed:
    try:
        return kind.model_validate_json(text)
    except ValidationError as e:
        raise UserError([f"{where}: {validation_words(e)}"]) from None


def _text(path: Path) -> str:
    try:
        return decoded(read_file(path, MOST_BYTES))
    except Unreadable as e:
        raise UserError([f"{path}: {e}"]) from None
