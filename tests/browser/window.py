"""A window of a real Chromium, driven by Debian's chromedriver, to look at a page as a reader would.

>>> window.open(path, "#step12", dark=True, width=390)
>>> window.send("Page.bringToFront")  # what Chromium itself can be asked, by its DevTools protocol
>>> [text for text in window.texts() if text["contrast"] < text["needed"]]
[]
"""

import base64
import json
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

WIDE, NARROW = 1280, 390  # pixels: of a laptop, of a telephone
PROGRAMS = ("chromium", "chromedriver")
SEE = """
return [...document.querySelectorAll(arguments[0])]
  .filter((one) => one.checkVisibility() && one.getClientRects().length)
  .map((one) => one.innerText ?? one.textContent)
"""
CONTRAST = Path(__file__).with_name("contrast.js").read_text("utf-8")


def missing() -> str:
    """Say what the tests of pages lack on this machine; return "" if nothing."""
    try:
        import selenium  # noqa: F401
    except ImportError:
        return "pages are not tested, for selenium is missing: pip install -e '.[dev]'"
    lacking = " and ".join(program for program in PROGRAMS if not shutil.which(program))
    return lacking and f"pages are not tested, for there is no {lacking}: apt-get install chromium chromium-driver"


class Window:
    """One window, used for one page after another; `open` says how the next one is looked at."""

    def __init__(self) -> None:
        from selenium import webdriver

        options = webdriver.ChromeOptions()
        browser, driver = map(shutil.which, PROGRAMS)
        options.binary_location = browser or ""
        for flag in ("headless=new", "no-sandbox", "disable-dev-shm-usage", "hide-scrollbars", "lang=en"):
            options.add_argument(f"--{flag}")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        # With the path of the driver given selenium looks for none, and so downloads none.
        self.driver = webdriver.Chrome(options, webdriver.ChromeService(driver))
        self.address = ""

    def close(self) -> None:
        self.driver.quit()

    def send(self, command: str, **arguments: Any) -> Any:
        """Ask Chromium by its DevTools protocol."""
        return self.driver.execute_cdp_cmd(command, arguments)

    def open(self, path: Path, fragment: str = "", *, dark: bool = False, printed: bool = False, scripts: bool = True, width: int = WIDE, height: int = 900) -> None:  # fmt: skip  # noqa: E501
        """Load a file. dark: as the reader's system wishes; printed: as it looks on paper; scripts: has JavaScript."""
        self.driver.get("about:blank")  # else another fragment of the same page would not load it anew
        self.complaints()
        self.send("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.look(dark=dark, printed=printed, width=width, height=height)
        self.address = path.resolve().as_uri()
        self.driver.get(self.address + fragment)

    def look(self, *, dark: bool = False, printed: bool = False, width: int = WIDE, height: int = 900) -> None:
        """Look at the same page in another way, without loading it anew."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", media="print" if printed else "", features=[scheme])

    def run(self, script: str, *arguments: Any) -> Any:
        """Run JavaScript in the page and return what it returns."""
        return self.driver.execute_script(script, *arguments)

    def see(self, selector: str) -> list[str]:
        """Return the text, as it is seen, of the elements that a CSS selector finds and that are seen."""
        return [" ".join(text.split()) for text in self.run(SEE, selector)]

    def find(self, selector: str) -> Any:
        """Return the first element that a CSS selector finds, to click or to type into."""
        return self.driver.find_element("css selector", selector)

    def press(self, *keys: str) -> None:
        """Press keys one after the other, in whatever has the focus."""
        self.driver.switch_to.active_element.send_keys(*keys)

    def wait(self, until: Callable[[], bool], seconds: float = 30) -> None:
        """Wait until something is so."""
        end = time.monotonic() + seconds
        while not until():
            assert time.monotonic() < end, f"not so after {seconds} seconds"
            time.sleep(0.02)

    def texts(self) -> list[dict[str, Any]]:
        """Return all texts seen, each with its `contrast` to what is behind it and the contrast `needed` (WCAG AA)."""
        return self.run(CONTRAST)

    def overflow(self) -> int:
        """Return by how many pixels the page is wider than the window."""
        return self.run("const page = document.documentElement; return page.scrollWidth - page.clientWidth")

    def complaints(self) -> list[str]:
        """Return messages of the console, and requests for anything but the page, since the last call."""
        said = [f"console: {entry['level']} {entry['message']}" for entry in self.driver.get_log("browser")]
        sent = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        asked = [one["params"]["request"]["url"] for one in sent if one["method"] == "Network.requestWillBeSent"]
        own = (self.address, "about:", "data:")
        return said + [f"request: {url}" for url in asked if not url.startswith(own)]

    def pdf(self, path: Path) -> None:
        """Print the page on A4."""
        printed = self.send("Page.printToPDF", paperWidth=8.27, paperHeight=11.69, printBackground=False)
        path.write_bytes(base64.b64decode(printed["data"]))
