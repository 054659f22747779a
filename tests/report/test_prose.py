"""Parts of sentences."""

import pytest

from ttrsim.report.prose import in_pp


@pytest.mark.parametrize(("margin", "words"), [(0.01, "1 pp"), (0.005, "0.5 pp"), (0.025, "2.5 pp"), (0.07, "7 pp")])
def test_a_margin_is_told_as_it_was_given(margin, words):
    assert in_pp(margin) == words
