"""`docs/statistics.md` and `docs/compare.md` say of each column what the code says. REGENERATE_GOLDEN=1 writes them."""

import os
import pickle
import re
from pathlib import Path

import pytest

from ttrsim.core.sums import PART_COLUMNS
from ttrsim.stats.balance import BALANCE
from ttrsim.stats.catalogue import STATISTICS, TABLES, definition, function
from ttrsim.stats.compare import CHANGES
from ttrsim.stats.fairness import FAIRNESS
from ttrsim.stats.frames import described
from ttrsim.stats.paths import PATH_ROUTES
from ttrsim.stats.sizes import SIZES

DOCS = Path(__file__).parents[2] / "docs"
DESCRIBED = [(table, "statistics.md") for table in (*map(definition, TABLES), PATH_ROUTES)]
DESCRIBED += [(CHANGES, "compare.md"), (BALANCE, "compare.md"), (SIZES, "compare.md"), (FAIRNESS, "compare.md")]


@pytest.mark.parametrize(("table", "file"), DESCRIBED, ids=lambda value: getattr(value, "name", ""))
def test_page_describes_every_column(table, file):
    page = DOCS / file
    part = f"<!-- {table.name} -->\n{described(table)}\n<!-- end -->"
    if os.environ.get("REGENERATE_GOLDEN"):
        text, marked = page.read_text("utf-8"), rf"<!-- {table.name} -->\n.*?<!-- end -->"
        if not re.search(marked, text, re.DOTALL):
            text = text.replace(
                "### paths\n", f"### {table.name}\n\n<!-- {table.name} -->\n<!-- end -->\n\n### paths\n"
            )
        page.write_text(re.sub(marked, lambda match: part, text, flags=re.DOTALL), "utf-8")
    assert part in page.read_text("utf-8")


@pytest.mark.parametrize("name", STATISTICS)
def test_frames_have_the_columns_of_their_definition(recorded, name):
    table, frame = definition(name), function(name)(recorded)
    wanted = [f"{c.name}{end}" for c in table.columns for end in (("", "_low", "_high") if c.has_interval else ("",))]
    optional = {"seat", "strategy"} if name in ("tickets", "strategies", "routes", "cities") else set()
    if name == "tickets":  # by strategy, so there is nothing to say of others
        optional |= {column for column in wanted if re.search("_spread|_new|_sign", column)}
    assert [column for column in wanted if column not in optional] == [c for c in frame.columns if c not in optional]
    assert frame.attrs["units"].keys() == frame.attrs["meanings"].keys() == {c.name for c in table.columns}
    assert len(frame) > 0


def test_strategies_have_a_column_for_each_kind_of_points():
    assert {*PART_COLUMNS} <= {column.name for column in definition("strategies").columns}


def test_meanings_of_columns_cannot_be_changed_through_one_frame(recorded):
    frame = function("seats")(recorded)
    with pytest.raises(TypeError, match="cannot be changed"):
        frame.attrs["units"]["seat"] = "other"
    assert pickle.loads(pickle.dumps(frame)).attrs == frame.attrs
