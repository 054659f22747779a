"""Search for a few changes that make a board fairer, step by step, each on deals that no other step plays.

1. The board as it is.
2. Changes of seats, rules and routes compete: all play a few games, the better half twice as many, and so on
   (successive halving). The gains of those that are left come from fresh deals, so none was lucky.
3. With the best of those made, as many tickets as may change, those with the largest effects, are moved together
   towards the points at which they are worth as much as those that keep theirs, in several rounds. Each ticket's change
   is credited with the change of its own effect.
4. All that is clearly better is put on one list, the largest gain first, and the first 1, 2, 3, 4, 6, 8 … of them are
   played together. All of them go on, unless fewer are clearly nearer to fair.
5. Of seats, rules and routes, what brings nothing measurable on further deals is dropped.
6. The points of the tickets that are left are set again, by all that was played in 3 to 5 and by further games.

`ttrsim.improver` then lets strategies that played no part in the search judge the result.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ttrsim.batches import Estimate, combined
from ttrsim.boards import Board, load_board
from ttrsim.errors import UserError
from ttrsim.formatting import counted
from ttrsim.improving import seats
from ttrsim.improving.changes import (
    Change,
    busy,
    compatible,
    exchanges,
    new_routes,
    possible,
    route_changes,
    rule_changes,
    ticket_change,
    with_changes,
)
from ttrsim.improving.measuring import Bench, Measured, gain, known
from ttrsim.improving.points import TicketPoints
from ttrsim.improving.stored import Arm, Gain, ImprovementRecipe, Step, Tickets
from ttrsim.runs.recipe import show_home
from ttrsim.stats.effects import DEAD

SHARES = {"as it is": 0.1, "tickets": 0.07, "each ticket": 0.12, "others": 0.22, "seats": 0.04, "together": 0.14, "without": 0.1, "judged": 0.2}  # fmt: skip  # noqa: E501
"""The shares of the games for each step; `tickets` and `seats` are several."""
EACH_TICKET = "each ticket"
"""The step in which each ticket's change is credited with the change of its own effect."""
OTHERS = "of seats, rules and routes"
"""The end of the names of the steps of halving."""
ROUNDS = 2
"""Rounds in which the points of tickets are moved before they are credited."""
CLEAR = 2.0
"""A change is worth going on with if its gain is this many times its error."""
MEASURABLE = 1.645
"""A change is dropped in the end if its gain is fewer errors than this: 95 % confidence on one side."""
LISTED = 8
"""Changes other than of tickets that are left after halving."""
MOST_OTHERS = 64
"""The most of them that are tried, those first that concern most."""
CORRIDORS = 6
"""Connections tried with other lengths and colours for the sake of tickets that are off."""
RARE = 3 * DEAD
"""A connection used in fewer chances is tried shorter or gray."""
COUNTS = (1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 30, 40, 60, 80, 100)
"""Numbers of changes that are played together."""


class Search:
    """A search. steps: those finished before, which are not played again."""

    def __init__(
        self,
        recipe: ImprovementRecipe,
        bench: Bench,
        steps: list[Step],
        on_step: Callable[[Step], None],
    ) -> None:
        self.recipe, self.bench, self.locks = recipe, bench, recipe.locks
        self.name = show_home(recipe.board)
        self.board: Board = load_board(self.name)
        self.steps, self.on_step = steps, on_step
        self._done = 0
        self.goals = recipe.goals
        self.points = TicketPoints.of(self.board, self.locks)
        self.rounds: list[Tickets] = []  # the effects of tickets, measured beside other changes
        self._tickets = {ticket_change(self.board, t.index, 0).place: t.index for t in self.board.tickets}
        self.levers: tuple[Arm, ...] = ()  # boards that show what a card and a point are worth

    def run(self) -> tuple[Change, ...]:
        """Return the changes to propose."""
        start = self.play("as it is", [()], "as it is").arms[0]
        others = _ordered(self.others(start))
        single = [*others, *self.tickets(start, [change for change, _ in others])]
        chosen = [change for change, _ in _ordered(single)][: self.recipe.most_changes]
        found = self.again(self.without(self.together(chosen)))
        if self._done < len(self.steps):
            raise UserError([f"step {self._done}, {self.steps[self._done].name}: the search ends before; begin anew"])
        return found

    def play(self, name: str, boards: Sequence[Sequence[Change]], share: str, part: float = 1) -> Step:
        """Return a step: boards with some changes, on deals of their own. part: of the share of games."""
        number, self._done = self._done, self._done + 1
        settings = [tuple(change.setting for change in board) for board in boards]
        if number < len(self.steps):
            step = self.steps[number]
            if (step.name, [arm.changes for arm in step.arms]) != (name, settings):
                raise UserError([f"step {number}, {step.name}: another version found other boards; begin anew"])
            return step
        games = int(part * SHARES[share] * self.recipe.games / len(boards))
        found = self.bench.measure([with_changes(self.name, board) for board in boards], number, games)
        arms = (self._arm(board, found[0], of_board) for board, of_board in zip(boards, found, strict=True))
        step = Step(name=name, arms=tuple(arms))
        self.steps.append(step)
        self.on_step(step)
        return step

    def _arm(self, board: Sequence[Change], first: Measured, found: Measured) -> Arm:
        value = found.value
        goals = {goal: (goal,) for goal in self.goals} | {"all": self.goals}
        return Arm(
            changes=tuple(change.setting for change in board),
            goal=board[0].goal if len(board) == 1 else "",
            sha256=found.sha256,
            games=found.games,
            sizes=found.sizes,
            distance={goal: found.distance([goal]) for goal in self.goals},
            gain={} if found is first else {name: gain(first, found, of) for name, of in goals.items()},
            seats=found.seats,
            tickets=Tickets(
                points=tuple(value.points.tolist()), effect=tuple(value.effect.tolist()),
                error=tuple(value.error.tolist()), slope=tuple(value.slope.tolist()),
            ),
            credits=() if found is first else _credits(first, found),
            use={question: tuple(of.tolist()) for question, of in found.use.items()},
        )  # fmt: skip

    def tickets(self, start: Arm, others: Sequence[Change]) -> list[tuple[Change, float]]:
        """Return the change of points of each ticket, with its gain, on the board with other changes."""
        if "tickets" not in self.goals:
            return []
        first = self.play("tickets, with those", [others], "tickets").arms[0] if others else start
        rounds = [first.tickets]

        def repriced() -> list[Change]:
            return self.points.changes(rounds, self.points.farthest(rounds, self.recipe.most_changes))

        for number in range(ROUNDS):
            if not (changes := repriced()):
                return []
            step = self.play(f"tickets, round {number + 1}", [[*others, *changes]], "tickets")
            rounds.append(step.arms[0].tickets)
        if not (changes := repriced()):
            return []
        without, arm = self.play(EACH_TICKET, [others, [*others, *changes]], "each ticket").arms
        self.rounds = [*rounds, without.tickets, arm.tickets]
        return [(change, _clear(arm.credits[self._tickets[change.place]])) for change in changes]

    def again(self, changes: Sequence[Change]) -> tuple[Change, ...]:
        """Return the changes with the points of tickets as they should be if nothing else is changed."""
        tickets = [self._tickets[change.place] for change in changes if _of_points(change)]
        if not tickets:
            return tuple(changes)
        step = self.play("tickets, points again", [changes], "tickets")
        self.rounds.append(step.arms[0].tickets)
        chosen = np.isin(self.points.tickets, tickets)
        new = {change.place: change for change in self.points.changes(self.rounds, chosen)}
        return tuple(new.get(change.place, change) for change in changes)

    def others(self, start: Arm) -> list[tuple[Change, float]]:
        """Return the best changes of seats, rules and routes, with their gains on fresh deals."""
        levers = seats.levers(self.board, self.locks) if "seats" in self.goals else []
        if levers:
            self.levers = self.play("cards and points by seat", [(), *([lever] for lever in levers)], "seats").arms
        candidates = possible(self.name, self._candidates(start))[:MOST_OTHERS]
        if not candidates:
            return []
        number = max(1, int(np.ceil(np.log2(max(2, len(candidates)) / LISTED))) + 1)
        for of in range(number):
            name = f"{counted(len(candidates), 'change')} {OTHERS}"
            step = self.play(name, [(), *([change] for change in candidates)], "others", 1 / number)
            gains = [arm.gain[change.goal] for change, arm in zip(candidates, step.arms[1:], strict=True)]
            if of < number - 1:
                best = sorted(range(len(candidates)), key=lambda i: -gains[i][0])[: max(LISTED, len(candidates) // 2)]
                candidates = [candidates[i] for i in sorted(best)]
        found = dict[str, list[tuple[Change, Gain]]]()
        for change, value in zip(candidates, gains, strict=True):
            if _clear(value):
                found.setdefault(change.place, []).append((change, value))
        return self._both_levers([_simplest(rivals) for rivals in found.values()])

    def _candidates(self, start: Arm) -> Iterator[Change]:
        if "seats" in self.goals:
            for key in seats.LEVERS:
                yield from self._by_seat(key, start)
            yield from rule_changes(self.board, self.locks)
        use = np.array(start.use["routes"])
        rare = [c for c in np.argsort(use).tolist() if use[c] < RARE]
        if "routes" in self.goals:
            yield from route_changes(self.board, rare, self.locks, "routes", drop=True)
            yield from exchanges(self.board, start.use["cities"], start.tickets.effect, self.locks)
        if "tickets" in self.goals:
            weights = dict(enumerate(start.tickets.effect))
            yield from route_changes(self.board, busy(self.board, weights)[:CORRIDORS], self.locks, "tickets")
            yield from new_routes(self.board, self.locks)

    def _by_seat(self, key: str, now: Arm) -> Iterator[Change]:
        """Yield the best changes of a lever, given how the seats fare now."""
        for arm in self.levers[1:]:
            if arm.changes[0].startswith(f"rules.{key} "):
                worth = [np.array(b) - np.array(a) for a, b in zip(self.levers[0].seats, arm.seats, strict=True)]
                effects = [np.array(of) for of in now.seats]
                shown = [effect + more for effect, more in zip(effects, worth, strict=True)]
                yield from seats.best_seat_changes(self.board, key, effects, shown)

    def _both_levers(self, found: list[tuple[Change, float]]) -> list[tuple[Change, float]]:
        """Keep the better of cards and points by seat, and the other on top of it if that is clearly better still."""
        by_seat = [pair for pair in found if pair[0].place in {f"rules.{key}" for key in seats.LEVERS}]
        if len(by_seat) < len(seats.LEVERS):
            return found
        best, second = sorted(by_seat, key=lambda pair: -pair[1])
        key = second[0].place.removeprefix("rules.")
        kept = [pair for pair in found if pair is not second]
        step = self.play(f"{best[0].setting}, and then", [[best[0]]], "seats", 0.5)
        more = possible(self.name, self._by_seat(key, step.arms[0]), [best[0]])
        if not more:
            return kept
        step = self.play(f"{key} besides", [[best[0]], *([best[0], change] for change in more)], "seats")
        better = [
            (change, gain) for change, arm in zip(more, step.arms[1:], strict=True) if _clear(gain := arm.gain["seats"])
        ]
        return [*kept, _simplest(better)] if better else kept

    def together(self, changes: Sequence[Change]) -> list[Change]:
        """Return as many of these, from the first on, as bring the board nearest to fair together.

        Each was clearly better by itself, so all of them are returned unless fewer are clearly nearer.
        """
        if not changes:
            return []
        counts = [len(changes), *(count for count in COUNTS if count < len(changes)), 0]
        step = self.play("together", [changes[:count] for count in counts], "together")
        nearer = [(_clear(arm.gain["all"]), count) for count, arm in zip(counts[1:], step.arms[1:], strict=True)]
        gain, best = max(nearer)
        return [*changes[: best if gain else len(changes)]]

    def without(self, changes: list[Change]) -> tuple[Change, ...]:
        """Return the changes but for those of seats, rules and routes that bring nothing measurable on fresh deals."""
        others = [change for change in changes if not _of_points(change)]
        if not others:
            return tuple(changes)
        boards = [changes, *([c for c in changes if c is not other] for other in others)]
        whole, *lacking = self.play("without", boards, "without").arms
        self.rounds.append(whole.tickets)
        needless = [change for change, arm in zip(others, lacking, strict=True) if not _needed(arm, change.goal)]
        return tuple(change for change in changes if change not in needless)


def _needed(arm: Arm, goal: str) -> bool:
    """Return whether what a board lacks, of the first one of its step, brings something."""
    (less, error), (all_less, all_error) = arm.gain[goal], arm.gain["all"]
    return -less > MEASURABLE * error and all_less < MEASURABLE * all_error


def _of_points(change: Change) -> bool:
    """Return whether a change gives other points to a ticket."""
    return change.goal == "tickets" and change.place.startswith("ticket ")


def _simplest(rivals: Sequence[tuple[Change, Gain]]) -> tuple[Change, float]:
    """Return, of changes of one place, the simplest that is as good as the best as far as games show, and its gain.

    rivals: the simplest first.
    """
    best, error = max(gain for _, gain in rivals)
    return next((change, gain) for change, (gain, _) in rivals if gain >= best - error)


def _ordered(found: Sequence[tuple[Change, float]]) -> list[tuple[Change, float]]:
    """Return changes that bring something and go together, with their gains, the largest first."""
    gains = {change: gain for change, gain in sorted(found, key=lambda pair: -pair[1]) if gain > 0}
    return [(change, gains[change]) for change in compatible([*gains])]


def _clear(gain: Gain) -> float:
    """Return a gain if it is clear, else 0."""
    return gain[0] if gain[0] > CLEAR * gain[1] else 0.0


def _credits(first: Measured, found: Measured) -> tuple[tuple[float, float], ...]:
    """Return by how much nearer to fair a board is because of each ticket's own effect, with errors.

    What a ticket's effect gains is known far better than what the board gains, to whose error all tickets add.
    """
    scale, nearer = first.scale / len(first.tickets[0].value) / len(first.tickets), []
    for a, b in zip(first.tickets, found.tickets, strict=True):
        noise = b.error**2 - a.error**2
        nearer.append(Estimate(scale * (a.value**2 - b.value**2 + noise), scale * (a.replicates**2 - b.replicates**2)))
    total = combined(lambda values: np.sum(values, axis=0), nearer)
    return tuple(known(*pair) for pair in zip(total.value.tolist(), total.error.tolist(), strict=True))
