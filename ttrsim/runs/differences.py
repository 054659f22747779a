"""In what a run that is asked for differs from one that was begun."""

from collections import Counter

from ttrsim.runs.plan import Plan, StrategyPlan, spec_of
from ttrsim.runs.schedule import Schedule

MOST_TOLD = 3
"""Players in which another run differs."""


def plan_differences(begun: Plan, wanted: Plan) -> list[str]:
    """What another run would differ in from one begun, a sentence each."""
    found = []
    for what, was, now in [
        ("rules version", begun.rules_version, wanted.rules_version),
        ("board", begun.board.id, wanted.board.id),
        ("design", begun.design, wanted.design),
        ("number of seats", begun.seats, wanted.seats),
        ("rotation", begun.rotate, wanted.rotate),
        ("seed", begun.seed, wanted.seed),
        ("tables recorded", ",".join(begun.record) or "none", ",".join(wanted.record) or "none"),
        ("stopping", begun.stop or "at the last game", wanted.stop or "at the last game"),
    ]:
        if was != now:
            found.append(f"{what} was {was}, not {now}")
    found += _games_difference(begun.schedule, wanted.schedule)
    if begun.board.id == wanted.board.id and begun.board.sha256 != wanted.board.sha256:
        found.append(f"the file of board {begun.board.id} has changed (SHA-256 was {begun.board.sha256[:12]}…)")
    found += _strategy_differences(begun, wanted)
    if begun.kit_sha256 != wanted.kit_sha256:
        found.append("the helpers of strategies (ttrsim.kit) have changed")
    if not found and begun != wanted:
        found.append("the plan differs")
    return found


def _games_difference(begun: Schedule, wanted: Schedule) -> list[str]:
    """Whether other numbers of games were asked for: they are rounded up to whole laps."""
    if max(s.games - s.lap_games for s in (begun, wanted)) < min(begun.games, wanted.games):
        return []  # one number may have been asked for both times
    laps = f" (in whole laps of {wanted.lap_games})" if wanted.lap_games > 1 else ""
    return [f"number of games was {begun.games}, not {wanted.games}{laps}"]


def _strategy_differences(begun: Plan, wanted: Plan) -> list[str]:
    was, now = begun.players, wanted.players
    if len(was) != len(now):
        names, others = (Counter(map(spec_of, players)) for players in (was, now))
        gone, new = (", ".join((a - b).elements()) for a, b in ((names, others), (others, names)))
        told = ["without " + gone] * bool(gone) + ["with " + new] * bool(new)
        return [f"there were {len(was)} players, not {len(now)}, {' and '.join(told)}"]
    found = [
        f"player {n} was {_spec_but(a, b)}, not {_spec_but(b, a)}"
        for n, (a, b) in enumerate(zip(was, now, strict=True), 1)
        if spec_of(a) != spec_of(b)
    ]
    if found:
        return found[:MOST_TOLD] + [f"{len(found) - MOST_TOLD} more players differ"] * (len(found) > MOST_TOLD)
    pairs = zip(begun.strategies, wanted.strategies, strict=True)
    return [f"the file of strategy {a.source} has changed" for a, b in pairs if a.sha256 != b.sha256]


def _spec_but(strategy: StrategyPlan, other: StrategyPlan) -> str:
    """The strategy with those parameters alone that the other has not, if that is one of the same file."""
    if strategy.source != other.source:
        return strategy.source
    params = {name: value for name, value in strategy.params.items() if other.params.get(name) != value}
    return spec_of(strategy.model_copy(update={"params": params}))
