"""`docs/tuning.md` says of each column what the code says. REGENERATE_GOLDEN=1 writes it anew."""

import os
import re
from pathlib import Path

import pytest

from ttrsim.stats.frames import described
from ttrsim.tuning.frames import GAINS, PARAMETERS, SWEEP, TRACE

PAGE = Path(__file__).parents[2] / "docs" / "tuning.md"


@pytest.mark.parametrize("table", [GAINS, PARAMETERS, TRACE, SWEEP], ids=lambda table: table.name)
def test_page_describes_every_column(table):
    part = f"<!-- {table.name} -->\n{described(table)}\n<!-- end -->"
    if os.environ.get("REGENERATE_GOLDEN"):
        old = rf"<!-- {table.name} -->\n.*?<!-- end -->"
        PAGE.write_text(re.sub(old, lambda match: part, PAGE.read_text("utf-8"), flags=re.DOTALL), "utf-8")
    assert part in PAGE.read_text("utf-8")
