"""The colours that do not come from a board."""

from dataclasses import dataclass


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


THEMES = {
    "light": Theme(
        paper="#fbf8f0",
        map="#f3ecdb",
        frame="#b7a98a",
        ink="#2b2622",
        faint="#6d6457",
        halo="#f3ecdb",
        rail="#c9bda3",
        edge="#4a443c",
        gray="#a9a69f",
        tunnel="#3a332c",
        city="#fdf6e0",
        city_rim="#8a2f23",
        warning="#a3231c",
        grid="#ded6c4",
        band="#e8dfca",
    ),
    "dark": Theme(
        paper="#1d1f22",
        map="#26292d",
        frame="#4c5157",
        ink="#eeeae0",
        faint="#aaa69c",
        halo="#26292d",
        rail="#6c737b",
        edge="#d8d3c6",
        gray="#85878a",
        tunnel="#e3dccb",
        city="#33302b",
        city_rim="#e98b6f",
        warning="#ff9d8f",
        grid="#3c4147",
        band="#3b3f38",
    ),
}

SEATS = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9")
"""Okabe and Ito's palette, one colour a seat."""

SEAT_MARKS = ("o", "s", "^", "D", "P", "*")
"""What tells the seats apart without colours: matplotlib's names of markers."""
