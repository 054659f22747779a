"""Keep a search in a folder: its recipe, every finished step, and the boards on its way."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from ttrsim.boards import Board, load_board
from ttrsim.errors import UserError
from ttrsim.files import IMPROVEMENT_FILES, write_file
from ttrsim.formatting import command_line, counted
from ttrsim.improving.changes import MOST_STRETCH, Locks
from ttrsim.runs.recipe import Sha256, Stored, hide_home, show_home
from ttrsim.runs.search_folder import SearchFolder, SearchRecipe, check_versions, versions
from ttrsim.stats.effects import PLACES
from ttrsim.strategies import load_line_up
from ttrsim.words import listed

RECIPE_FILE, STEPS_FILE = IMPROVEMENT_FILES
BOARDS = "boards"
"""The folder of the boards on the way, named by their content."""
TESTS = ("before", "after")
"""The folders of the examinations of the board as it was and as proposed."""
MOST_POINTS = 1000
"""The most that a bound of a ticket's points may be."""

Setting = Annotated[str, Field(max_length=1000)]
Number = Annotated[float, Field(ge=-1e9, le=1e9)]
Error = Annotated[float, Field(ge=0, le=1e9)]
Gain = tuple[Number, Error]
"""A gain in nearness to fair, and its error."""


class ImprovementRecipe(SearchRecipe):
    """Everything that decides a search."""

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
    stretch: Annotated[float, Field(ge=1, le=MOST_STRETCH)]
    seed: Annotated[int, Field(ge=0, lt=2**64)]

    @property
    def command(self) -> str:
        """The command that searches in the same way."""
        words = ["ttrsim", "improve", self.board, "--players", ",".join(self.players)]
        words += ["--judges", ",".join(self.judges), "--seats", ",".join(map(str, self.seats))]
        words += ["--goal", ",".join(self.goals), "--games", str(self.games), "--max-changes", str(self.most_changes)]
        words += [word for keep in self.keep for word in ("--keep", keep)]
        words += ["--least", str(self.least), "--most", str(self.most), "--stretch", f"{self.stretch:g}"]
        return command_line([*words, "--seed", str(self.seed)])

    @property
    def locks(self) -> Locks:
        """The bounds of the search: what must stay as it is, and the points that a ticket may have."""
        return Locks(self.keep, self.least, self.most, self.stretch)


class Tickets(Stored):
    """The effect of being offered each ticket on the win share."""

    points: tuple[Annotated[int, Field(ge=0, le=10**6)], ...]
    effect: tuple[Number, ...]
    error: tuple[Error, ...]
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


def recipe_for(board: str, players: Sequence[str], judges: Sequence[str], **others: Any) -> ImprovementRecipe:
    """Return the recipe of a new search."""
    return ImprovementRecipe(
        **versions(),
        board=hide_home(board),
        board_sha256=load_board(board).sha256,
        players=tuple(map(hide_home, players)),
        judges=tuple(map(hide_home, judges)),
        strategies_sha256=_contents((*players, *judges)),
        **others,
    )


def _contents(specs: Sequence[str]) -> tuple[str, ...]:
    return tuple(strategy.content_sha256 for strategy in load_line_up([show_home(spec) for spec in specs]))


class ImprovementFolder(SearchFolder[ImprovementRecipe, Step]):
    """The folder of a search."""

    what, command, files = "search for a fairer board", "improve", IMPROVEMENT_FILES
    recipe, step = ImprovementRecipe, Step

    def checker(self, recipe: ImprovementRecipe) -> Callable[[Step], str | None]:
        board = load_board(show_home(recipe.board))
        if board.sha256 != recipe.board_sha256:
            return lambda step: None  # of another board nothing is known

        def check(step: Step) -> str | None:
            problems = (_problem(arm, recipe, board, first=arm is step.arms[0]) for arm in step.arms)
            return next(filter(None, problems), None)

        return check

    def keep(self, board: str) -> Path:
        """Keep the file of a board under a name made from its content; return its path."""
        loaded = load_board(board)
        path = self.path / BOARDS / f"{loaded.sha256[:12]}.toml"
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_file(path, loaded.source, own=True)
        return path


def _problem(arm: Arm, recipe: ImprovementRecipe, board: Board, *, first: bool) -> str | None:
    """Return what does not fit the search, in words, or None. first: whether the board is the first of its step."""
    tickets, goals = len(board.tickets), {str(goal) for goal in recipe.goals}
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
    lengths = {f"tickets.{name}": (getattr(arm.tickets, name), tickets) for name in Tickets.model_fields}
    lengths |= {
        "credits": (arm.credits, 0 if first else tickets),
        "use.cities": (arm.use["cities"], len(board.cities)),
        "use.routes": (arm.use["routes"], len(board.connections) + added - dropped),
        "seats": (arm.seats, len(recipe.seats)),
    }
    lengths |= {f"seats.{i}": of for i, of in enumerate(zip(arm.seats, recipe.seats, strict=False))}
    for name, (values, number) in lengths.items():
        if len(values) != number:
            return f"{name} has {counted(len(values), 'value')}, and should have {number}"
    if len(arm.changes) == 1 and arm.goal not in goals:
        return f"goal is {arm.goal!r}, and should be of {listed(sorted(goals))}"
    if len(arm.changes) != 1 and arm.goal:
        return f"goal is {arm.goal!r}, and should be empty, for it is no single change"
    return None


def check_same(recipe: ImprovementRecipe) -> None:
    """Refuse to go on where something would play otherwise than when the search began."""
    check_versions(recipe, "search")
    if load_board(show_home(recipe.board)).sha256 != recipe.board_sha256:
        raise UserError([f"{recipe.board}: has changed since the search began; begin it anew"])
    if _contents((*recipe.players, *recipe.judges)) != recipe.strategies_sha256:
        raise UserError(["the code of a strategy has changed since the search began; begin it anew"])
