"""The window reports what is wrong with a page, so silence means that nothing is."""

import pytest

PAGE = "<!doctype html><html lang=en><meta charset=utf-8><title>A page</title>"


@pytest.fixture
def opened(browser, tmp_path):
    """Opens the text of a page; afterwards nothing of it is left in the logs."""

    def open_page(body, fragment="", **how):
        path = tmp_path / "page.html"
        path.write_text(PAGE + body, "utf-8")
        browser.open(path, fragment, **how)
        return browser

    yield open_page
    browser.complaints()


def test_a_quiet_page_has_nothing_to_complain_of(opened):
    assert opened('<p>Quiet</p><img alt="" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">').complaints() == []


@pytest.mark.parametrize(
    "body",
    [
        "<script>console.error('no')</script>",
        "<script>console.warn('no')</script>",
        "<script>nowhere()</script>",
        "<script>Promise.reject(new Error('no'))</script>",
        "<meta http-equiv=Content-Security-Policy content=\"script-src 'none'\"><script>1</script>",
    ],
)
def test_what_the_console_is_told_is_complained_of(opened, body):
    assert [said.split()[0] for said in opened(body).complaints()] == ["console:"]


@pytest.mark.parametrize("address", ["http://localhost:9/a.png", "other.png"])
def test_what_a_page_asks_for_is_complained_of(opened, address):
    said = opened(f'<img alt="" src="{address}">').complaints()
    assert [line for line in said if line.startswith("request:") and line.endswith(address)]


def test_a_page_is_loaded_anew_whatever_was_before(opened):
    opened("<p>One</p>", "#one").run("document.body.textContent = 'spoilt'")
    assert opened("<p>Two</p>", "#two").see("p") == ["Two"]


def test_scripts_can_be_done_without(opened):
    body = "<p>As written</p><noscript>None</noscript><script>document.querySelector('p').textContent = 'Run'</script>"
    assert opened(body).see("p, noscript") == ["Run"]
    assert opened(body, scripts=False).see("p, noscript") == ["As written", "None"]


def test_dark_print_and_width_are_as_asked(opened):
    body = """<style>
    p { display: none }
    @media screen and (prefers-color-scheme: dark) { .dark { display: block } }
    @media print { .print { display: block } }
    @media (max-width: 400px) { .narrow { display: block } }
    </style><p class=dark>dark</p><p class=print>print</p><p class=narrow>narrow</p>"""
    assert opened(body).see("p") == []
    assert opened(body, dark=True).see("p") == ["dark"]
    assert opened(body, dark=True, printed=True).see("p") == ["print"]
    assert opened(body, width=390).see("p") == ["narrow"]


def test_overflow_is_told(opened):
    body = "<body style='margin:0'><div style='width:500px'>x</div>"
    assert opened(body).overflow() == 0
    assert opened(body, width=390).overflow() == 110


@pytest.mark.parametrize(
    ("body", "contrast", "needed"),
    [
        ("<p>x</p>", 21, 4.5),
        ("<p style='color:#767676'>x</p>", 4.54, 4.5),
        ("<p style='color:#777; font-size:24px'>x</p>", 4.48, 3),
        ("<p style='color:#777; font-size:19px; font-weight:bold'>x</p>", 4.48, 3),
        ("<div style='background:#000'><p style='color:#fff'>x</p></div>", 21, 4.5),
        ("<div style='background:#000'><p style='background:rgb(255 255 255 / 50%)'>x</p></div>", 5.32, 4.5),
        ("<div style='opacity:.5'><p>x</p></div>", 3.98, 4.5),
        ("<p style='color:color-mix(in srgb, black 50%, white)'>x</p>", 3.98, 4.5),
        ("<p style='background:linear-gradient(#000, #fff)'>x</p>", 1, 4.5),
        ("<svg><rect width=99 height=99 /><text y=50 fill=white>x</text></svg>", 21, 4.5),
        ("<svg><rect width=99 height=99 /><circle cy=50 r=30 fill=white /><text y=50>x</text></svg>", 21, 4.5),
        ("<svg><rect width=99 height=99 /><text y=50 stroke=white paint-order=stroke>x</text></svg>", 21, 4.5),
    ],
)
def test_contrast_is_that_of_the_text_to_what_is_behind_it(opened, body, contrast, needed):
    [text] = opened(body).texts()
    assert text["text"] == "x"
    assert text["contrast"] == pytest.approx(contrast, abs=0.06)
    assert text["needed"] == needed


def test_unseen_text_needs_no_contrast(opened):
    hidden = ["display:none", "visibility:hidden", "opacity:0", "width:1px;height:1px;overflow:hidden"]
    assert opened("".join(f"<p style='color:#fff;{style}'>x</p>" for style in hidden)).texts() == []
    assert opened("<svg><g style='display:none'><text y=50>x</text></g></svg><button disabled>x</button>").texts() == []
