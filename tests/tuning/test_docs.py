"""`docs/tuning.md` and `docs/habits.md` say of each column what the code says. REGENERATE_GOLDEN=1 writes it anew."""

import os
import re
from pathlib import Path

import pytest

from ttrsim.stats.frames import described
from ttrsim.tuning.frames import GAINS, PARAMETERS, SWEEP, TRACE
from ttrsim.tuning.habits import HABITS

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("table", [GAINS, PARAMETERS, TRACE, SWEEP, HABITS], ids=lambda table: table.name)
def test_page_describes_every_column(table):
    page = DOCS / ("habits.md" if table is HABITS else "tuning.md")
    part = f"<!-- {table.name} -->\n{described(table)}\n<!-- end -->"
    if os.environ.get("REGENERATE_GOLDEN"):
        old = rf"<!-- {table.name} -->\n.*?<!-- end -->"
        page.write_text(re.sub(old, lambda match: part, page.read_text("utf-8"), flags=re.DOTALL), "utf-8")
    assert part in page.read_text("utf-8")
