"""The browser that pages are opened in: one for all tests of a process, started by the first that needs it."""

import os
from collections.abc import Iterator

import pytest

from browser.window import Window, missing


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
