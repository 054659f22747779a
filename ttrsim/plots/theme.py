"""Colours of pictures and pages, light and dark, and values as steps of a ramp: little is quiet and much is strong.

Both themes have the same names, so that a page can change one for the other. A picture is drawn in the light theme. In
a page each of its colours that a theme names becomes a variable, so all colours of a theme differ from each other.
"""

from dataclasses import dataclass, fields
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ttrsim.plots.track import Floats


@dataclass(frozen=True, slots=True)
class Theme:
    paper: str
    map: str  # the sheet that the cities lie on
    frame: str
    ink: str  # names and titles
    faint: str  # secondary writing
    halo: str  # about names
    rail: str  # under the cars
    edge: str  # of a car
    gray: str  # a car that takes any one colour
    tunnel: str
    city: str
    city_rim: str
    warning: str
    grid: str  # lines across a plot
    band: str  # what does not matter, on a plot
    pale: str  # a car of which nothing is shown, and its edge
    pale_edge: str
    rest: str  # the larger part of a distribution
    blue: str  # of marks
    orange: str
    green: str
    red: str
    even: str  # an effect that may be none
    on_pale: str  # writing on the lower half of a ramp, and on `even`
    on_strong: str  # writing on its upper half
    ramp: tuple[str, ...]  # from little to much
    less: tuple[str, ...]  # from a little less to much less
    more: tuple[str, ...]
    players: tuple[str, ...]  # tables of 2 to 6 players
    series: tuple[str, ...]  # strategies and parts


THEMES = {
    "light": Theme(
        paper="#fbf8f0",
        map="#f3ecdb",
        frame="#b7a98a",
        ink="#2b2622",
        faint="#6d6457",
        halo="#f3ecdc",
        rail="#c9bda3",
        edge="#4a443c",
        gray="#a9a69f",
        tunnel="#3a332c",
        city="#fdf6e0",
        city_rim="#8a2f23",
        warning="#a3231c",
        grid="#ded6c4",
        band="#e8dfca",
        pale="#ebe2cd",
        pale_edge="#bfb298",
        rest="#c4d7e6",
        blue="#0072b2",
        orange="#b96f00",
        green="#00805a",
        red="#bd4b00",
        even="#cfc9bc",
        on_pale="#14110e",
        on_strong="#fffdf8",
        ramp=(
            "#e2d5b5", "#debf8d", "#dba869", "#d6904c", "#cd732c",
            "#b24e13", "#a03c1c", "#892b22", "#701e24", "#581323",
        ),
        less=("#f0cbb8", "#e8a17a", "#d5753a", "#9f4a07", "#6b2e00"),
        more=("#bad8f4", "#7cbbf0", "#3899e2", "#026baa", "#024671"),
        players=("#539344", "#0d7e74", "#046190", "#433889", "#541359"),
        series=(
            "#3486d1", "#b77300", "#bd1f01", "#71827f", "#832db6",
            "#a96b59", "#d95d00", "#857a3a", "#5d6170", "#1f868b",
        ),
    ),
    "dark": Theme(
        paper="#1d1f22",
        map="#26292d",
        frame="#4c5157",
        ink="#eeeae0",
        faint="#aaa69c",
        halo="#26292e",
        rail="#6c737b",
        edge="#d8d3c6",
        gray="#85878a",
        tunnel="#e3dccb",
        city="#33302b",
        city_rim="#e98b6f",
        warning="#ff9d8f",
        grid="#3c4147",
        band="#3b3f38",
        pale="#303439",
        pale_edge="#575d64",
        rest="#3f566b",
        blue="#56b4e9",
        orange="#eda42c",
        green="#2fbf96",
        red="#ff8a4c",
        even="#4d5156",
        on_pale="#fffdf8",
        on_strong="#14110e",
        ramp=(
            "#4c3738", "#653e3c", "#7d4539", "#924e32", "#a55923",
            "#c97927", "#da9436", "#e7b04e", "#f1cd6f", "#f8e9a3",
        ),
        less=("#613f27", "#85491a", "#a65917", "#dc8748", "#fcbf95"),
        more=("#2a4b66", "#1f5f8f", "#1d76b3", "#4fa6e9", "#a2d4ff"),
        players=("#bee572", "#59d7b9", "#53b4df", "#9889e3", "#c063ba"),
        series=(
            "#5aa5ea", "#ffb52e", "#f0614a", "#a9b9b7", "#c07bea",
            "#c98a77", "#ff8f45", "#cdc084", "#9297a6", "#92dadd",
        ),
    ),
}  # fmt: skip
STRONG = {"ramp": 5, "less": 3, "more": 3}
"""From which step on a ramp needs the ink `on_strong`, in both themes."""
PAINT = THEMES["light"]

SEATS = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9")
"""Okabe and Ito's palette, one colour per seat."""
SEAT_MARKS = ("o", "s", "^", "D", "P", "*")
"""Matplotlib's markers, which identify the seats without colours."""


def paints(theme: Theme) -> dict[str, str]:
    """Return each colour of a theme by its name in pages: `ramp-0` is the first step of the ramp."""
    found: dict[str, str] = {}
    for field in fields(theme):
        value = getattr(theme, field.name)
        found |= (
            {field.name: value} if isinstance(value, str) else {f"{field.name}-{i}": c for i, c in enumerate(value)}
        )
    return found


PAGE_PAINTS = {name: paints(theme) for name, theme in THEMES.items()}
"""The colours of each theme, as pages have them."""


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
