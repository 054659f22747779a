"""`docs/trials.md` says of each column what the code says. REGENERATE_GOLDEN=1 writes it anew."""

import os
import re
from pathlib import Path

import pytest

from ttrsim.stats.frames import described
from ttrsim.trials import FRAMES

PAGE = Path(__file__).parents[2] / "docs" / "trials.md"
NAMES = {"closed": ["Ayr–Bern", "Dax"], "gifts": ["Ayr–Bern", "Ayr–Dax"], "changed": ["drop route Ayr–Dax"]}


@pytest.mark.parametrize("name", FRAMES)
def test_page_describes_every_column(name):
    text = PAGE.read_text("utf-8")
    part = f"<!-- {name} -->\n{described(FRAMES[name][0])}\n<!-- end -->"
    if os.environ.get("REGENERATE_GOLDEN"):
        PAGE.write_text(
            re.sub(rf"<!-- {name} -->\n.*?<!-- end -->", lambda match: part, text, flags=re.DOTALL), "utf-8"
        )
    assert part in PAGE.read_text("utf-8")


@pytest.mark.parametrize("name", FRAMES)
def test_frames_have_the_columns_of_their_definition(small, name):
    definition, make = FRAMES[name]
    frame = make(small(games=200), NAMES.get(name))
    assert list(frame.columns) == [
        f"{c.name}{end}" for c in definition.columns for end in (("", "_low", "_high") if c.has_interval else ("",))
    ]
    assert frame.attrs["units"].keys() == frame.attrs["meanings"].keys() == {c.name for c in definition.columns}
    assert len(frame) > 1
