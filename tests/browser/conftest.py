"""The browser that pages are opened in: one for all tests of a process, started by the first that needs it."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from runs.making import store

from browser.window import Window, missing
from ttrsim.report.of_run import report_of_run
from ttrsim.report.page import report_page


@pytest.fixture(scope="session")
def browser() -> Iterator[Window]:
    """The window itself, for tests that look at what it complains of."""
    if lack := missing():
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(lack)
    window = Window()
    yield window
    window.close()


@pytest.fixture
def window(browser: Window) -> Iterator[Window]:
    """A window in which no page may write to the console or ask for anything but itself."""
    yield browser
    assert browser.complaints() == []


@pytest.fixture(scope="session")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a run on a board with markers, ferries and tokens."""
    folder = tmp_path_factory.mktemp("report")
    run = store(folder / "run", board="old_west:alvin", players="random,random_kind", games=120, record=())
    path = folder / "run.html"
    path.write_text(report_page(report_of_run(run)), "utf-8")
    return path
