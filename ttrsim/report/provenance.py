"""Where the numbers of a report come from."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ttrsim.words import listed

if TYPE_CHECKING:
    from ttrsim.runs import Run


def provenance(runs: "Sequence[Run]", names: "Sequence[str]" = ()) -> list[tuple[str, str]]:
    """What made the runs, and by which hashes they are known. names: of the runs, if there are several."""
    called = names or [f"run {n}" for n in range(1, len(runs) + 1)]
    ofs = [f" of {name}" for name in called] if runs[1:] else [""]
    rows = [row for run, of in zip(runs, ofs, strict=True) for row in _of_run(run, of)]
    return list(dict.fromkeys(rows))


def _of_run(run: "Run", of: str) -> list[tuple[str, str]]:
    plan, made = run.plan, run.file.provenance
    strategies = {f"Strategy {strategy.name}": f"SHA-256 {strategy.sha256}" for strategy in plan.strategies}
    return [
        (f"Digest{of}", run.digest or "none, for it is not finished"),
        (f"Command{of}", made.command),
        (f"Started{of}", made.started),
        ("ttrsim", f"{made.ttrsim}, rules version {plan.rules_version}"),
        ("Python", made.python),
        ("Libraries", listed(f"{name} {version}" for name, version in made.libraries.items())),
        ("Platform", made.platform),
        (f"Board {plan.board.id}", f"SHA-256 {plan.board.sha256}"),
        *strategies.items(),
    ]
