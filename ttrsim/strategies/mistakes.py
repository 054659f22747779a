"""Mistakes in a strategy that its text shows, each told with its line and what would be right."""

import ast

from ttrsim.strategies.source import ARGUMENTS, DECIDE, DECISIONS, Source, at, nearest, parameter_read


def mistakes(source: Source) -> list[str]:
    """All mistakes that the text shows."""
    return [*_decision_mistakes(source), *_unknown_params(source)]


def _decision_mistakes(source: Source) -> list[str]:
    """Of the functions that answer decisions."""
    if not source.decisions:
        names = ", ".join(DECISIONS.values())
        return [at(source.path, 1, f"answers no decision: write a function {DECIDE}, or one of {names}")]
    problems = []
    for name in source.decisions:
        node = source.functions[name]
        if tuple(a.arg for a in node.args.args) != ARGUMENTS:
            wanted = f"{name}({', '.join(ARGUMENTS)})"
            problems.append(at(source.path, node.lineno, f"{name} has other arguments: write def {wanted}"))
    return problems


def _unknown_params(source: Source) -> list[str]:
    known = [p.name for p in source.params]
    reads = [(node, parameter_read(node)) for node in ast.walk(source.tree)]
    return [
        at(source.path, getattr(node, "lineno", 1), f"no parameter {name!r}: PARAMS has {nearest(name, known)}")
        for node, name in reads
        if name is not None and name not in known
    ]
