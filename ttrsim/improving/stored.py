"""Keep a search in a folder: all that decides it, every finished step, and the boards on its way."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

import ttrsim
from ttrsim.boards import Board, load_board
from ttrsim.core.constants import RULES_VERSION
from ttrsim.errors import UsageError, UserError
from ttrsim.files import IMPROVEMENT_FILES, Unreadable, decoded, read_file, write_file
from ttrsim.formatting import command_line, counted
from ttrsim.runs.plan import Sha256, Stored, hide_home, kit_sha256, show_home
from ttrsim.runs.stored_files import validation_words
from ttrsim.stats.effects import PLACES
from ttrsim.strategies import load_line_up
from ttrsim.words import listed

SETTINGS_FILE, STEPS_FILE = IMPROVEMENT_FILES
BOARDS = "boards"
"""The folder of the boards on the way, named by their content."""
TESTS = ("before", "after")
"""The folders of the examinations of the board as it was and as proposed."""
MOST_BYTES = 256 * 1024 * 1024
MOST_POINTS = 1000
"""The most that a bound of a ticket's points may be."""

Setting = Annotated[str, Field(max_length=1000)]
Number = Annotated[float, Field(ge=-1e9, le=1e9)]
Error = Annotated[float, Field(ge=0, le=1e9)]
Gain = tuple[Number, Error]
"""A gain in nearness to fair, and its error."""


class ImprovementSettings(Stored):
    """Everything that decides a search."""

    schema_version: Literal[1] = 1
    ttrsim: str
    rules_version: int
    kit_sha256: Sha256
    board: str  # as the user named it; a home folder is written ~
    board_sha256: Sha256
    players: tuple[str, ...]
    judges: tuple[str, ...]
    strategies_sha256: tuple[Sha256, ...]  # of what players and judges do
    seats: Annotated[tuple[Annotated[int, Field(ge=2, le=6)], ...], Field(min_length=1)]
    goals: Annotated[tuple[Literal["tickets", "seats", "routes", "strategies"], ...], Field(min_length=1)]
    games: Annotated[int, Field(ge=1, le=10**11)]
    most_changes: Annotated[int, Field(ge=1, le=100)]
    keep: tuple[str, ...]
    least: Annotated[int, Field(ge=1, le=MOST_POINTS)]
    most: Annotated[int, Field(ge=1, le=MOST_POINTS)]
    seed: Annotated[int, Field(ge=0, lt=2**64)]

    @property
    def command(self) -> str:
        """The command that searches in the same way."""
        words = ["ttrsim", "improve", self.board, "--players", ",".join(self.players)]
        words += ["--judges", ",".join(self.judges), "--seats", ",".join(map(str, self.seats))]
        words += ["--goal", ",".join(self.goals), "--games", str(self.games), "--max-changes", str(self.most_changes)]
        words += [word for keep in self.keep for word in ("--keep", keep)]
        return command_line([*words, "--least", str(self.least), "--most", str(self.most), "--seed", str(self.seed)])


class Tickets(Stored):
    """The effect of being offered each ticket on the win share."""

    points: tuple[Annotated[int, Field(ge=0, le=10**6)], ...]
    effect: tuple[Number, ...]
    error: tuple[Error, ...]  # with the spread over strategies
    slope: tuple[Number, ...]  # how much an extra point would add


class Arm(Stored):
    """A board in a step of the search."""

    changes: tuple[Setting, ...]
    goal: str  # what a single change could mend; "" of other boards
    sha256: Sha256  # of the board's content
    games: Annotated[int, Field(ge=1, le=10**11)]
    sizes: Mapping[str, Number]
    distance: Mapping[str, Number]  # from fair, by goal
    gain: Mapping[str, Gain]  # on the first board of the step, by goal, and of all goals together: nearer to fair
    seats: tuple[tuple[Number, ...], ...]  # effects on the win share at each table
    tickets: Tickets
    credits: tuple[Gain, ...]  # the gain by each ticket's own effect; none of the first board
    use: Mapping[str, tuple[Number, ...]]  # of connections and cities


class Step(Stored):
    """Some boards that played the same deals, which no other step plays."""

    name: str
    arms: Annotated[tuple[Arm, ...], Field(min_length=1)]

    @property
    def games(self) -> int:
        """The number of games of all boards."""
        return sum(arm.games for arm in self.arms)


def settings_for(board: str, players: Sequence[str], judges: Sequence[str], **others: Any) -> ImprovementSettings:
    """Return the settings of a new search."""
    return ImprovementSettings(
        ttrsim=ttrsim.__version__,
        rules_version=RULES_VERSION,
        kit_sha256=kit_sha256(),
        board=hide_home(board),
        board_sha256=load_board(board).sha256,
        players=tuple(map(hide_home, players)),
        judges=tuple(map(hide_home, judges)),
        strategies_sha256=_contents((*players, *judges)),
        **others,
    )


def _contents(specs: Sequence[str]) -> tuple[str, ...]:
    return tuple(strategy.content_sha256 for strategy in load_line_up([show_home(spec) for spec in specs]))


class ImprovementFolder:
    """The folder of a search."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def begun(self) -> bool:
        """Return whether there is a search in the folder."""
        return (self.path / SETTINGS_FILE).exists()

    @property
    def resume_command(self) -> str:
        """Return the command that continues the search."""
        return command_line(["ttrsim", "improve", "--resume", "-o", str(self.path)])

    def check_free(self) -> None:
        """Refuse a folder in which there is anything."""
        if self.begun:
            again = f"continue it with {self.resume_command}, or choose another folder"
            raise UsageError([f"{self.path}: holds a search; {again}"])
        if self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
            raise UsageError([f"{self.path}: is not an empty folder; choose another name"])

    def begin(self, settings: ImprovementSettings) -> None:
        """Write the settings of a new search, unless another has come first."""
        self.check_free()
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as e:
            raise UserError([f"{self.path}: cannot be made: {e.strerror}"]) from None
        write_file(self.path / SETTINGS_FILE, settings.model_dump_json(indent=2) + "\n", own=True)

    def read(self) -> tuple[ImprovementSettings, list[Step]]:
        """Return the settings and the finished steps."""
        if not self.begun:
            raise UsageError([f"{self.path}: is not a search for a fairer board: it has no {SETTINGS_FILE}"])
        path = self.path / SETTINGS_FILE
        try:
            settings = ImprovementSettings.model_validate_json(_text(path))
        except ValidationError as e:
            raise UserError([f"{path}: {validation_words(e)}"]) from None
        path, steps = self.path / STEPS_FILE, []
        for number, text in enumerate(_text(path).splitlines() if path.exists() else (), 1):
            try:
                steps.append(Step.model_validate_json(text))
            except ValidationError as e:
                raise UserError([f"{path}, line {number}: {validation_words(e)}"]) from None
        board = load_board(show_home(settings.board))
        for number, step in enumerate(steps if board.sha256 == settings.board_sha256 else (), 1):
            for arm in step.arms:
                if problem := _problem(arm, settings, board, first=arm is step.arms[0]):
                    raise UserError([f"{path}, line {number}: is damaged, or of another version of ttrsim: {problem}"])
        return settings, steps

    def write(self, steps: Sequence[Step]) -> None:
        """Write the finished steps."""
        content = "".join(f"{step.model_dump_json()}\n" for step in steps)
        write_file(self.path / STEPS_FILE, content, own=True)

    def keep(self, board: str) -> Path:
        """Keep the file of a board under a name made from its content; return its path."""
        loaded = load_board(board)
        path = self.path / BOARDS / f"{loaded.sha256[:12]}.toml"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, loaded.source, own=True)
        return path


def _problem(arm: Arm, settings: ImprovementSettings, board: Board, *, first: bool) -> str | None:
    """Return what does not fit the search, in words, or None. first: whether the board is the first of its step."""
    tickets, goals = len(board.tickets), {str(goal) for goal in settings.goals}
    added, dropped = (sum(text.startswith(f"{verb} route ") for text in arm.changes) for verb in ("add", "drop"))
    keys: dict[str, tuple[Iterable[str], set[str]]] = {
        "sizes": (arm.sizes, goals),
        "distance": (arm.distance, goals),
        "gain": (arm.gain, set() if first else goals | {"all"}),
        "use": (arm.use, set(PLACES)),
    }
    for name, (found, wanted) in keys.items():
        if set(found) != wanted:
            right = listed(sorted(wanted) or ["nothing"])
            return f"{name} is of {listed(sorted(found) or ['nothing'])}, and should be of {right}"
    lengths = {
        f"tickets.{name}": (getattr(arm.tickets, name), tickets) for name in ("points", "effect", "error", "slope")
    }
    lengths |= {
        "credits": (arm.credits, 0 if first else tickets),
        "use.cities": (arm.use["cities"], len(board.cities)),
        "use.routes": (arm.use["routes"], len(board.connections) + added - dropped),
        "seats": (arm.seats, len(settings.seats)),
    }
    lengths |= {f"seats.{i}": of for i, of in enumerate(zip(arm.seats, settings.seats, strict=False))}
    for name, (values, number) in lengths.items():
        if len(values) != number:
            return f"{name} has {counted(len(values), 'value')}, and should have {number}"
    if len(arm.changes) == 1 and arm.goal not in goals:
        return f"goal is {arm.goal!r}, and should be of {listed(sorted(goals))}"
    if len(arm.changes) != 1 and arm.goal:
        return f"goal is {arm.goal!r}, and should be empty, for it is no single change"
    return None


def _text(path: Path) -> str:
    try:
        return decoded(read_file(path, MOST_BYTES))
    except Unreadable as e:
        raise UserError([f"{path}: {e}"]) from None


def check_same(settings: ImprovementSettings) -> None:
    """Refuse to go on where something would play otherwise than when the search began."""
    if (settings.rules_version, settings.kit_sha256) != (RULES_VERSION, kit_sha256()):
        raise UserError(["the rules, or the helpers of strategies, have changed since the search began; begin it anew"])
    if load_board(show_home(settings.board)).sha256 != settings.board_sha256:
        raise UserError([f"{settings.board}: has changed since the search began; begin it anew"])
    if _contents((*settings.players, *settings.judges)) != settings.strategies_sha256:
        raise UserError(["the code of a strategy has changed since the search began; begin it anew"])
