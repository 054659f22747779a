"""`ttrsim improve` on the command line."""

import json

import pytest
from report.reading import first_words

from ttrsim.core.jit import COMPILED

pytestmark = [
    pytest.mark.usefixtures("not_the_first_run"),
    pytest.mark.skipif(not COMPILED, reason="plain Python plays too slowly for so many games"),
]
BOARD = "san_francisco[ticket Castro–Japanese Garden = 14]"
WORDS = ("--players", "planner", "--judges", "hoarder", "--seats", "2", "--goal", "tickets", "--keep", "routes")
MORE = ("--seed", "1", "--games", "30000")


@pytest.fixture(scope="module")
def improved(tmp_path_factory):
    """The folder of a search that the command made."""
    from ttrsim.cli import main

    path = tmp_path_factory.mktemp("improve") / "improved"
    assert main(["improve", BOARD, *WORDS, *MORE, "-o", str(path), "--quiet"]) == 0
    return path


def test_command_says_what_python_says(ttrsim, improved):
    import ttrsim as library

    ended = ttrsim("improve", "--resume", "-o", improved, "--json", "--quiet")
    found = library.Improvement.open(improved)
    assert (ended.code, json.loads(ended.out)) == (0, json.loads(json.dumps(found.json())))
    assert found.verdict == "better"


def test_answer_changes_and_tables_are_printed(ttrsim, improved):
    ended = ttrsim("improve", "--resume", "-o", improved, "--quiet")
    answer, changes, tables = (ended.out.find(text) for text in ("the board fairer", "14 →", "Before and after"))
    assert 0 < answer < changes < tables
    assert f"ttrsim report {improved} -o improved.html" in ended.out


def test_the_proposed_board_can_be_the_output(ttrsim, tmp_path):
    path = tmp_path / "better.toml"
    ended = ttrsim("improve", BOARD, *WORDS, *MORE, "-o", path, "--quiet")
    assert ended.code == 0
    assert ttrsim("maps", "check", path).code == 0
    again = ttrsim("improve", BOARD, *WORDS, *MORE, "-o", path, "--quiet")
    assert (again.code, "already exists and is left alone" in again.err) == (1, True)


def test_a_page_is_written_from_the_folder(ttrsim, improved, tmp_path):
    assert ttrsim("report", improved, "-o", tmp_path / "a.html", "-o", tmp_path / "a.json", "--quiet").code == 0
    report = json.loads((tmp_path / "a.json").read_text("utf-8"))
    assert report["kind"] == "improvement"
    said = [f"{report['title']}.", *(f"{card['title']}: {card['words']}" for card in report["cards"])]
    assert " ".join(said) in " ".join(ttrsim("improve", "--resume", "-o", improved, "--quiet").out.split())
    assert [card["title"] for card in report["cards"]] == ["Changes", "Seats", "Tickets", "Length of games"]
    assert "fairer" in report["answers"][0]["answer"]
    assert {"before", "after", "path", "singles", "steps"} <= set(report["tables"])
    page = (tmp_path / "a.html").read_text("utf-8")
    assert "<svg" in page
    assert 40 < len(first_words(page)) <= 120


def test_a_report_is_not_written_over_the_search(ttrsim, improved):
    before = (improved / "improvement.json").read_bytes()
    ended = ttrsim("report", improved, "-o", improved / "improvement.json", "--quiet")
    assert (ended.code, "is part of the search in" in ended.err) == (2, True)
    assert (improved / "improvement.json").read_bytes() == before


def test_a_search_that_was_begun_is_continued_without_other_options(ttrsim, improved):
    ended = ttrsim("improve", "--resume", "-o", improved, "--seats", "3")
    assert (ended.code, "--seats: was chosen when the search in" in ended.err) == (2, True)
