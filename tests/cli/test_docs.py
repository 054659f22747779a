"""`docs/cli.md` is what the commands say of themselves."""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

from make_cli_docs import PATH, reference


def test_the_reference_of_commands_is_their_help():
    """After a change of a help text, `python scripts/make_cli_docs.py` writes it anew."""
    written = PATH.read_text("utf-8")
    assert re.sub(r"\s+", " ", written) == re.sub(r"\s+", " ", reference())  # versions of click break lines otherwise
