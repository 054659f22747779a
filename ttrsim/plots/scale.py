"""Values as steps of a ramp: little is quiet and much is strong, in the light and in the dark."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ttrsim.plots.theme import PAINT, STRONG, Theme
from ttrsim.plots.track import Floats

Strong = Literal["high", "low", "far"]
"""The values that are strong: high ones, low ones such as early turns, or those far from 0, whatever their sign."""


@dataclass(frozen=True)
class Scale:
    """A ramp of colours from `low` to `high`."""

    low: float
    high: float
    strong: Strong = "high"
    paint: Theme = PAINT

    @classmethod
    def of(cls, values: Floats, begin: float | None = None, strong: Strong = "high", paint: Theme = PAINT) -> "Scale":
        """Return the scale from the least value, or from `begin`, to the greatest; NaN is left out.

        With strong="far" it reaches as far below 0 as above.
        """
        known = values[np.isfinite(values)]
        low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
        if strong == "far":
            most = max(-low, high) or 1.0
            return cls(-most, most, strong, paint)
        low = low if begin is None else begin
        return cls(low, high if high > low else low + 1, strong, paint)

    @property
    def steps(self) -> tuple[str, ...]:
        """The colours, from the lowest value to the highest."""
        if self.strong == "far":
            return (*reversed(self.paint.less), *self.paint.more)
        return self.paint.ramp if self.strong == "high" else self.paint.ramp[::-1]

    @property
    def inks(self) -> tuple[str, ...]:
        """Return the ink that can be read on each of the colours."""
        pale, strong = self.paint.on_pale, self.paint.on_strong
        ramp, less, more = (
            [pale if i < STRONG[name] else strong for i in range(len(getattr(self.paint, name)))] for name in STRONG
        )
        if self.strong == "far":
            return (*reversed(less), *more)
        return tuple(ramp) if self.strong == "high" else tuple(reversed(ramp))

    def share(self, value: float) -> float:
        """Return how strong a value is, from 0 to 1."""
        if self.strong == "far":
            return min(1.0, abs(value) / self.high)
        up = min(1.0, max(0.0, (value - self.low) / (self.high - self.low)))
        return up if self.strong == "high" else 1 - up

    def colour(self, value: float) -> str:
        return self.steps[self._step(value)]

    def ink(self, value: float) -> str:
        """Return the colour of writing on that of a value."""
        return self.inks[self._step(value)]

    def both(self, value: float) -> tuple[str, str]:
        """Return the colour of a value, and that of writing on it."""
        return self.colour(value), self.ink(value)

    def _step(self, value: float) -> int:
        up = (value - self.low) / (self.high - self.low)
        return int(np.clip(up * len(self.steps), 0, len(self.steps) - 1))


@dataclass(frozen=True)
class Scaling:
    """A scale from values to colours."""

    strong: Strong
    paint: Theme
    low: float | None = None  # where the colours begin


@dataclass(frozen=True)
class Scaled:
    """Values of routes or cities, with their colour scale."""

    values: Floats  # NaN for none
    unsure: NDArray[np.bool_]
    scale: Scale

    def colour(self, i: int) -> str:
        return self.scale.paint.even if self.unsure[i] else self.scale.colour(self.values[i])

    def ink(self, i: int) -> str:
        return self.scale.paint.on_pale if self.unsure[i] else self.scale.ink(self.values[i])

    def share(self, i: int) -> float:
        return self.scale.share(self.values[i])

    def written(self, value: float) -> str:
        """Return a value in figures: three digits of the greatest, and the sign of an effect."""
        most = float(np.nanmax(np.abs(self.values), initial=0))
        digits = 0 if most == 0 else max(0, 2 - int(np.ceil(np.log10(most))))
        return f"{value:{'+' if self.scale.strong == 'far' else ''}.{digits}f}"


def scaled(values: ArrayLike | None, count: int, how: Scaling, unsure: ArrayLike | None) -> Scaled | None:
    """Return the values of all routes or cities with their scale; None for none."""
    if values is None:
        return None
    array = np.asarray(values, dtype=float)
    if array.shape != (count,):
        raise ValueError(f"{count} values are needed, one for each; these have the shape {array.shape}")
    gray = np.zeros(count, bool) if unsure is None else np.asarray(unsure, bool)
    return Scaled(array, gray, Scale.of(array, how.low, how.strong, how.paint))
