"""What changed from one run to another, as far as that is sure."""

from typing import TYPE_CHECKING

from matplotlib.axes import Axes

from ttrsim.plots.rows import draw_margin, draw_rows, draw_verdicts, height, verdict_key
from ttrsim.plots.style import key_above, page, styled

if TYPE_CHECKING:
    import pandas as pd

WORDS = {"win_effect": "offer effect on the win share", "score_effect": "offer effect on the score"}
"""What columns are called, if not by their names."""


@styled
def changes(
    frame: "pd.DataFrame",
    ax: Axes | None = None,
    *,
    table: str = "strategies",
    what: str = "win_share",
    margin: float = 0.0,
    about: str = "",
) -> Axes:
    """How much more one thing is in the second run: of all strategies, seats or tickets, of `stats.compare.changes`.

    table, what: as those columns of the frame say. margin: what does not matter, as the frame's values.
    """
    rows = frame[(frame["table"] == table) & (frame["what"] == what) & frame["change"].notna()]
    if rows.empty:
        raise ValueError(f"the frame tells no change of {what} of {table}")
    if table != "seats":
        rows = rows.sort_values("change", ascending=False, kind="stable")
    shares = rows["unit"].str.startswith("share").any()
    scale, unit = (100, "pp") if shares else (1, rows["unit"].iloc[0])
    words = WORDS.get(what, what.replace("_", " "))
    whole = unit.removesuffix("s") if scale * margin == 1 else unit
    band = f" The band: {scale * margin:g} {whole} on both sides of no change; undecided is what may lie within or not."
    note = f"Right of the line is more in B than in A. Lines are 95 % intervals that hold at once for all {table}."
    ax = page(ax, f"How {table}' {words} changed", about, note + band if margin else note, height(len(rows)))
    draw_rows(ax, [f"seat {of}" if table == "seats" else of for of in rows["of"]])
    draw_margin(ax, 0, scale * margin)
    draw_verdicts(ax, rows, "change", 0, margin, scale)
    ax.set_xlabel(f"{words} in B less that in A, {unit}")
    key = {"above": "more", "below": "less", "within": "within the band", "undecided": "undecided"}
    ax.margins(x=0.08)
    key_above(ax, verdict_key({name: word for name, word in key.items() if margin or name != "within"}))
    return ax
