"""What several commands take alike: numbers, designs, seeds, cores."""

import os
import secrets
from decimal import Decimal, InvalidOperation
from typing import Any

import click

from ttrsim.cli.output import note

DESIGNS = ("fixed", "mirror", "focal", "mixed")
ROTATES = ("cyclic", "all", "none")


class Count(click.ParamType):  # type: ignore[type-arg]
    """A whole number, also as 1e6 or 1_000_000."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        try:
            number = Decimal(value)
            if not number.is_finite() or number.adjusted() > 30 or number != int(number):
                raise InvalidOperation
        except InvalidOperation:
            self.fail(f"{value!r} is not a whole number up to 1e12, as 20000 or 1e6", param, ctx)
        return int(number)


def chosen_seed(given: int | None) -> int:
    """The seed given, or one that is drawn; `tell_seed` tells that when nothing is left to be refused."""
    return secrets.randbelow(2**32) if given is None else given


def tell_seed(seed: int) -> None:
    """That a seed was drawn."""
    note(f"Seed {seed} was drawn; --seed {seed} gives the same games again")


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
