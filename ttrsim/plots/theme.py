"""Colours of pictures and pages, light and dark: by the same names, so that a page can change one theme for the other.

A picture is drawn in the light theme. In a page each of its colours that a theme names becomes a variable, so all
colours of a theme differ from each other.
"""

from dataclasses import dataclass, fields


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
