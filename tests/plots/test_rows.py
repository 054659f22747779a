"""The plot of what changed from one run to another."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from plots.frames import known
from plots.test_plots import words, written
from ttrsim import plots
from ttrsim.boards import load_board

ABOUT = "USA · 4 players · 20,000 games"


def of_changes() -> pd.DataFrame:
    """Return two strategies, three seats, and the tickets of USA, of which one is new."""
    usa = load_board("usa")
    tickets = [usa.ticket_name(ticket) for ticket in usa.tickets]
    parts = {
        ("strategies", "win_share", "share"): (["planner", "one_step(greed=10) → blocker(patience=3)"], [0.05, -0.05]),
        ("seats", "win_share", "share"): (["0", "1", "2"], [0.001, -0.03, 0.02]),
        ("tickets", "score_effect", "points"): (tickets, np.append(3 * np.cos(np.arange(len(tickets) - 1)), np.nan)),
    }
    made = []
    for (table, what, unit), (of, change) in parts.items():
        half = 1.2 if unit == "points" else 0.008
        rows = pd.DataFrame({"of": of, **known("change", change, half)})
        made.append(rows.assign(table=table, what=what, unit=unit))
    return pd.concat(made, ignore_index=True)


KINDS = [("strategies", "win_share", 0.01), ("seats", "win_share", 0.01), ("tickets", "score_effect", 1.0)]


@pytest.mark.parametrize(("table", "what", "margin"), KINDS)
def test_no_text_lies_on_another_or_beyond_the_edge(table: str, what: str, margin: float) -> None:
    texts = written(plots.changes(of_changes(), table=table, what=what, margin=margin, about=ABOUT))
    boxes = [(text.get_text(), text.get_window_extent()) for text in texts]
    assert [(a, b) for (a, one), (b, two) in combinations(boxes, 2) if one.padded(-1.5).overlaps(two)] == []
    width, height = texts[0].get_figure(root=True).bbox.size
    assert [a for a, box in boxes if box.x0 < 0 or box.y0 < 0 or box.x1 > width or box.y1 > height] == []


def test_the_same_data_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one.svg", "two.svg"):
        plots.save(plots.changes(of_changes(), about=ABOUT), tmp_path / name)
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_greatest_gains_come_first_and_what_only_one_run_has_is_left_out() -> None:
    frame = of_changes()
    ax = plots.changes(frame, table="tickets", what="score_effect", margin=1)
    rows = frame[(frame["table"] == "tickets") & frame["change"].notna()]
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert labels == rows.sort_values("change", ascending=False)["of"].tolist()
    assert "The band: 1 point on both sides" in words(ax).replace("\n", " ")


def test_seats_stay_in_their_order() -> None:
    ax = plots.changes(of_changes(), table="seats", margin=0.01)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["1st player", "2nd player", "3rd player"]
    assert "The band: 1 win per 100 games on both sides" in words(ax).replace("\n", " ")


def test_without_a_margin_there_is_no_band() -> None:
    assert "band" not in words(plots.changes(of_changes()))


def test_what_the_frame_does_not_tell_is_refused() -> None:
    with pytest.raises(ValueError, match="the frame has no change of rank of strategies"):
        plots.changes(of_changes(), what="rank")
