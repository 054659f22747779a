"""Ctrl-C and SIGTERM while something runs that does not hear them."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

signals_are_sent = pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no signals to a single process")
DEAF = """
import signal, time
from ttrsim.cli.interrupting import heard_twice, last_words

with heard_twice(), last_words(lambda: "go on with this"):
    signal.signal(signal.SIGINT, lambda *_: None)
    print("begun", flush=True)
    time.sleep(600)
"""
CALLED_BACK = """
import ctypes, os, signal
from ttrsim.cli.interrupting import heard_twice

@ctypes.CFUNCTYPE(None)
def called_back():
    os.kill(os.getpid(), signal.SIGINT)
    sum(range(10**6))

with heard_twice():
    called_back()
    print("went on")
"""
SOUND = """
import signal
from ttrsim.cli.interrupting import heard_twice

with heard_twice():
    pass
print(signal.set_wakeup_fd(-1), signal.getsignal(signal.SIGTERM) == signal.SIG_DFL)
"""


@signals_are_sent
def test_second_ctrl_c_ends_what_does_not_hear_the_first_with_its_last_words():
    with subprocess.Popen([sys.executable, "-c", DEAF], stdout=-1, stderr=-1, text=True) as process:
        try:
            assert process.stdout.readline() == "begun\n"
            process.send_signal(signal.SIGINT)
            assert process.stderr.readline() == "\n"
            assert "press Ctrl-C again to end the command at once" in process.stderr.readline()
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, err) == (130, "\ngo on with this\n\nInterrupted.\n")


@signals_are_sent
def test_what_is_ended_at_once_leaves_no_temporary_folder():
    keeping = "from ttrsim.files import Temporary\n" + DEAF.replace('"begun"', "(home := Temporary()).path")
    with subprocess.Popen([sys.executable, "-c", keeping], stdout=-1, stderr=-1, text=True) as process:
        try:
            folder = Path(process.stdout.readline().strip())
            assert folder.is_dir()
            process.send_signal(signal.SIGINT)
            assert process.stderr.readline() == "\n"
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
        finally:
            process.kill()
    assert not folder.exists()


@signals_are_sent
def test_sigterm_ends_what_does_not_hear_it_with_its_last_words():
    hasty = "import ttrsim.cli.interrupting\nttrsim.cli.interrupting.NOTICE = 0.1\n" + DEAF.replace("SIGINT", "SIGTERM")
    with subprocess.Popen([sys.executable, "-c", hasty], stdout=-1, stderr=-1, text=True) as process:
        try:
            assert process.stdout.readline() == "begun\n"
            process.terminate()
            _, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert (process.returncode, err) == (143, "\ngo on with this\n\nTerminated.\n")


def test_nothing_listens_afterwards():
    ended = subprocess.run([sys.executable, "-W", "error", "-c", SOUND], capture_output=True, text=True, check=True)
    assert (ended.stdout, ended.stderr) == ("-1 True\n", "")


@signals_are_sent
def test_ctrl_c_while_the_compiler_calls_back_is_not_lost():
    ended = subprocess.run([sys.executable, "-c", CALLED_BACK], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "\nInterrupted.\n")
