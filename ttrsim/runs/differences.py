"""The differences between a run that was begun and another that is requested."""

from collections import Counter

from ttrsim.runs.plan import BoardPlan, Plan, StrategyPlan, spec_of

MOST_LISTED = 3
"""Most players whose differences are listed."""


def plan_differences(begun: Plan, wanted: Plan) -> list[str]:
    """List the differences between a run that was begun and another, in a sentence each."""
    found = []
    for what, was, now in [
        ("rules version", begun.rules_version, wanted.rules_version),
        ("design", begun.design, wanted.design),
        ("number of seats", begun.seats, wanted.seats),
        ("rotation", begun.rotate, wanted.rotate),
        ("seed", begun.seed, wanted.seed),
        ("tables recorded", ",".join(begun.record) or "none", ",".join(wanted.record) or "none"),
        ("stopping", begun.stop or "at the last game", wanted.stop or "at the last game"),
    ]:
        if was != now:
            found.append(f"{what} was {was}, not {now}")
    found += _board_difference(begun.board, wanted.board)
    found += _strategy_differences(begun, wanted)
    if begun.kit_sha256 != wanted.kit_sha256:
        found.append("the helpers of strategies (ttrsim.bot) have changed")
    if not found and begun.identity != wanted.identity:
        found.append("the plan differs")
    return found


def _board_difference(begun: BoardPlan, wanted: BoardPlan) -> list[str]:
    """Compare two boards by the content of their files, wherever these are."""
    if (begun.sha256, begun.variant) == (wanted.sha256, wanted.variant):
        return []
    if begun.id != wanted.id:
        return [f"board was {begun.id}, not {wanted.id}"]
    return [f"the file of board {begun.id} has changed (SHA-256 was {begun.sha256[:12]}…)"]


def _strategy_differences(begun: Plan, wanted: Plan) -> list[str]:
    was, now = begun.players, wanted.players
    if len(was) != len(now):
        names, others = (Counter(map(spec_of, players)) for players in (was, now))
        gone, new = (", ".join((a - b).elements()) for a, b in ((names, others), (others, names)))
        changes = ["without " + gone] * bool(gone) + ["with " + new] * bool(new)
        return [f"there were {len(was)} players, not {len(now)}, {' and '.join(changes)}"]
    found = [
        f"player {n} was {_spec_but(a, b)}, not {_spec_but(b, a)}"
        for n, (a, b) in enumerate(zip(was, now, strict=True), 1)
        if a.name != b.name or a.params != b.params or (a.content_sha256 != b.content_sha256 and a.source != b.source)
    ]
    if found:
        return found[:MOST_LISTED] + [f"{len(found) - MOST_LISTED} more players differ"] * (len(found) > MOST_LISTED)
    pairs = zip(begun.strategies, wanted.strategies, strict=True)
    return [f"the code of strategy {a.source} has changed" for a, b in pairs if a.content_sha256 != b.content_sha256]


def _spec_but(strategy: StrategyPlan, other: StrategyPlan) -> str:
    """Return the strategy as one writes it, without the parameters it shares with another of the same file."""
    if strategy.source != other.source:
        return strategy.source
    params = {name: value for name, value in strategy.params.items() if other.params.get(name) != value}
    return spec_of(strategy.model_copy(update={"params": params}))
