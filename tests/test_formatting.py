"""Commands that are printed can be copied into the shell of the system."""

import shlex
import subprocess
import sys

import pytest

from ttrsim.formatting import command_line

WORDS = ["ttrsim", "run", "-o", "my runs/first", "--players", "planner(patience=2),it's.py", "", "$HOME"]


def test_a_posix_shell_takes_the_words_as_they_are():
    assert shlex.split(command_line(WORDS, windows=False)) == WORDS


def test_windows_gets_double_quotes():
    assert command_line(["verify", "my run", "it's"], windows=True) == 'verify "my run" it\'s'


@pytest.mark.skipif(sys.platform == "win32", reason="as the system's own shell would")
def test_the_shell_of_the_system_hands_them_over():
    code = "import sys; print(sys.argv[1:])"
    ended = subprocess.run(
        command_line([sys.executable, "-c", code, *WORDS]), shell=True, capture_output=True, text=True
    )
    assert ended.stdout == f"{WORDS}\n"
