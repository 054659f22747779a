"""The report of trials claims what the tables of its files say for sure, and nothing else."""

import json

import numpy as np
import pandas as pd
import pytest
from conftest import SMALL_BOARD, with_dearer_ticket, words_of
from scipy.special import stdtrit

from report.reading import answer, first_words, report, tables, untold
from ttrsim.measurement import tickets
from ttrsim.report.trial_glance import TrialFrame, headline, summary_cards
from ttrsim.trials.difficulty import par_of

NASTY = "<i>Ayr</i>|*x*"
COMMANDS = {
    "swaps": ["tickets"],
    "forced": ["tickets", "--force"],
    "fair": ["tickets", "--fair", "--rounds", "2"],
    "routes": ["routes", "--close", "Bern", "--close", "Ayr-Dax", "--gift", "Ayr-Bern", "--gift", "Ayr-Dax"],
    "changed": ["routes", "--change", "drop route Ayr-Dax", "--change", "route Bern–Córdoba length = 2"],
    "one": ["tickets", "--force", "--ticket", "Bern-Dax"],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the small board, one like it with a nasty name, and another one."""
    made = tmp_path_factory.mktemp("of_trials")
    (made / "small.toml").write_text(with_dearer_ticket(43), "utf-8")
    (made / "nasty.toml").write_text(SMALL_BOARD.replace('"Ayr"', f'"{NASTY}"'), "utf-8")
    return made


@pytest.fixture
def made(ttrsim, folder):
    """Makes the file of a command by name, once."""

    def make(name, board="small"):
        path = folder / f"{board}_{name}.json"
        if not path.exists():
            games = ("--map", folder / f"{board}.toml", "--players", "random,random_kind", "-n", "600", "--seed", "3")
            path.write_text(ttrsim(*COMMANDS[name], *games, "--json", "--quiet", "-j", "1").out, "utf-8")
        return path

    return make


@pytest.fixture
def all_files(made):
    return [made(name) for name in ("swaps", "forced", "fair", "routes", "changed")]


def rows(path, table):
    return json.loads(path.read_text("utf-8"))["tables"][table]["rows"]


def ends(row, column, families, each=1):
    """Return the ends of an interval of 300 laps, widened until those of all families hold at once."""
    wide, narrow = ((1 - 0.05 / families) ** (1 / each), 0.95)
    factor = stdtrit(100, (1 + wide) / 2) / stdtrit(100, (1 + narrow) / 2)
    return [row[column] + factor * (row[f"{column}_{end}"] - row[column]) for end in ("low", "high")]


def test_tickets_are_wanted_or_feared_where_their_interval_says_so(reported, made):
    _, told = reported(made("swaps"))
    assert told["kind"] == "tickets"
    words = answer(told, "Which tickets help").partition("score: ")[2]
    found = rows(made("swaps"), "swaps")
    best = max(found, key=lambda row: row["score_effect"])
    assert best["ticket"] == "Bern–Córdoba"
    assert ends(best, "score_effect", 2)[0] > 0
    assert words.startswith("Bern–Córdoba (+")
    of_found = {row["ticket"]: ends(row, "score_effect", 2) for row in found}
    unsure = [name for name, (low, high) in of_found.items() if low <= 0 <= high]
    assert [name for name in unsure if name in words] == []


def test_page_terminal_and_python_begin_with_the_same_sentences(reported, ttrsim, made, folder):
    _, told = reported(made("swaps"))
    said = [f"{told['title']}.", *(f"{card['title']}: {card['words']}" for card in told["cards"])]
    assert said[0].startswith("Small: being dealt Bern–Córdoba brings random ")
    words = ("--map", folder / "small.toml", "--players", "random,random_kind", "-n", "600", "--seed", "3")
    printed = " ".join(ttrsim("tickets", *words, "--quiet", "-j", "1").out.split())
    assert " ".join(said) in printed
    found = tickets(board=folder / "small.toml", players="random,random_kind", games=600, seed=3, threads=1)
    assert found.answers == said


def test_a_page_of_several_tables_has_four_cards_and_each_leads_to_a_section(reported, all_files):
    page, _, told = reported(*all_files, page=True)
    assert [card["title"].partition(":")[0] for card in told["cards"]] == TITLES_OF_CARDS
    assert page.count('<h2><a href="#section') == 4


def test_answers_at_a_glance_take_few_words(reported, all_files):
    page, *_ = reported(*all_files, page=True)
    assert 40 < len(first_words(page)) <= 120


TITLES_OF_CARDS = ["Tickets dealt", "Tickets held", "Fair values", "Routes given"]


def test_a_card_counts_what_is_clear_and_paints_the_rest_pale():
    values = np.array([0.2, 0.1, -0.1])
    half = np.array([0.1, 0.2, 0.05])
    frame = pd.DataFrame({"ticket": ["A–B", "C–D", "E–F"], "win_effect": values, "score_effect": 0 * values})
    for name, scale in (("win_effect", 1), ("score_effect", 0)):
        frame[f"{name}_low"], frame[f"{name}_high"] = scale * values - half, scale * values + half
    shown = TrialFrame("swaps", frame, "Tickets dealt", "planner")
    wins, scores = summary_cards([shown])
    assert wins.words == "1 of 3 tickets clearly helps; 1 clearly hurts."
    assert [(bar.name, bar.faint) for bar in wins.bars] == [("A–B", False), ("C–D", True), ("E–F", False)]
    assert scores.words == "None of 3 tickets clearly help."
    assert headline("USA", [shown]) == (
        "USA: being dealt A–B brings planner 20.0 ± 10.0 extra wins per 100 games; E–F costs 10.0 ± 5.0"
    )


def held(difficulty):
    frame = pd.DataFrame({"ticket": ["A–B", "C–D"], "points": [5, 5], "difficulty": difficulty})
    return TrialFrame("forced", frame.assign(difficulty_low=np.nan, difficulty_high=np.nan), "Tickets held", "planner")


def test_tickets_of_unknown_difficulty_fail_neither_most_nor_least():
    (card,) = summary_cards([held([np.nan, 0.25])])
    assert [bar.name for bar in card.bars] == ["C–D"]
    assert headline("USA", [held([np.nan, 0.25])]).endswith("fails with C–D, if it must keep it, in 25.0 % of games")


def test_trials_that_show_no_difficulty_say_so():
    none = held([np.nan, np.nan])
    assert summary_cards([none]) == []
    assert headline("USA", [none]) == "USA: how often planner fails with the tickets it must keep is not known"


def test_tickets_are_harder_than_their_value_says_where_their_interval_lies_above_par(reported, made):
    _, told = reported(made("forced"))
    words = answer(told, "How hard")
    found = rows(made("forced"), "forced")
    hardest = max(found, key=lambda row: row["difficulty"])
    assert words.startswith(f"Made to hold it, the focal seat fails most with {hardest['ticket']} (")
    par = par_of(*(np.array([row[name] for row in found]) for name in ("points", "difficulty")))
    harder = [
        row["ticket"] for row, line in zip(found, par, strict=True) if ends(row, "difficulty", 1, len(found))[0] > line
    ]
    said = words.partition("Harder than the value says: ")[2].partition(".")[0]
    assert said.startswith("none for sure") == (not harder)
    assert len(harder) > 3 or [name for name in harder if name not in said] == []


def test_fair_values_and_what_the_second_run_says_are_told(reported, made):
    _, told = reported(made("fair"))
    words = answer(told, "What should each ticket be worth")
    found = rows(made("fair"), "fair")
    counts = {word: sum(row["verdict"] == word for row in found) for word in ("settled", "off", "undecided")}
    assert f"{counts['settled']} are clearly fair, " in words
    assert f"{counts['undecided']} too close to call" in words
    unknown = sum(row["fair_value"] is None for row in found)
    assert ("failed too often when held to have a fair value" in words) == bool(unknown)


def test_routes_given_and_closed_are_told_as_their_intervals_say(reported, made):
    _, told = reported(made("routes"))
    owned, shut = answer(told, "Which routes"), answer(told, "What does closing")
    sure = [row["route"] for row in rows(made("routes"), "gifts") if ends(row, "score_effect", 5)[0] > 0]
    assert ("For the score: " in owned) == bool(sure)
    assert [name for name in sure if name not in owned] == []
    for strategy in ("random", "random_kind"):
        mine = [row for row in rows(made("routes"), "closed") if row["strategy"] == strategy]
        losing = [row["closed"] for row in mine if ends(row, "score_change", 5)[1] < 0]
        assert (f"{strategy} loses most by closing " in shut) == bool(losing)


def test_several_files_make_one_report_with_a_section_each(reported, all_files):
    page, markdown, told = reported(*all_files, page=True)
    titles = ["Tickets dealt", "Tickets held", "Fair values", "Routes given", "Routes closed", "Routes changed"]
    assert [line[3:] for line in markdown.splitlines() if line.startswith("## ")][:6] == titles
    assert set(told["tables"]) == {"swaps", "forced", "fair", "gifts", "closed", "changed"}
    assert (
        page.count('<svg class="roomy') == 7
    )  # two of dealing, a board for what was given, and one a strategy for what was closed
    assert len(told["commands"]) == 5


def test_files_of_the_same_kind_are_told_apart(reported, made):
    markdown, told = reported(made("forced"), made("one"))
    assert set(told["tables"]) == {"forced", "forced_2"}
    assert "small_one.json" in markdown


def test_tables_are_whole_and_every_number_is_in_the_json(reported, all_files):
    markdown, told = reported(*all_files)
    assert [table for table in tables(markdown) if len({len(row) for row in table}) != 1] == []
    assert untold(markdown, told) == []


def test_tables_are_those_of_the_files(reported, all_files):
    _, told = reported(*all_files)
    for path in all_files:
        for name, table in json.loads(path.read_text("utf-8"))["tables"].items():
            shown = told["tables"][name]["rows"]
            if name == "changed":  # whose rows are those of who wins, and of what clearly changes
                keys = [tuple(row[key] for key in ("setting", "table", "of", "what")) for row in shown]
                by_key = {tuple(row[key] for key in ("setting", "table", "of", "what")): row for row in table["rows"]}
                assert shown == [pytest.approx(by_key[key]) for key in keys]
                assert len(shown) > 10
            else:
                assert shown == [pytest.approx(row) for row in table["rows"]]
            assert told["tables"][name]["columns"] == table["columns"]


def test_the_command_it_tells_makes_the_same_file(reported, ttrsim, made, folder):
    for name in ("one", "fair", "routes"):
        _, told = reported(made(name))
        (command,) = told["commands"]
        words, _, file = command.partition(" > ")
        assert file == made(name).name
        again = ttrsim(*words_of(words)[1:], "--quiet", "-j", "1")
        assert again.code == 0
        assert json.loads(again.out) == json.loads(made(name).read_text("utf-8"))


def test_names_stay_text(reported, made):
    page, markdown, told = reported(made("swaps", "nasty"), page=True)
    assert any(NASTY in row["ticket"] for row in told["tables"]["swaps"]["rows"])
    assert "<i>" not in page
    assert "&lt;i&gt;Ayr" in page
    assert "<i>" not in markdown.replace(r"\<i\>", "")
    assert [table for table in tables(markdown) if len({len(row) for row in table}) != 1] == []


def test_the_same_files_give_the_same_bytes(reported, ttrsim, tmp_path, all_files):
    assert reported(*all_files, page=True) == report(ttrsim, tmp_path, *all_files, page=True)


def test_a_file_of_an_earlier_version_is_read(reported, ttrsim, tmp_path, made):
    told = json.loads(made("swaps").read_text("utf-8"))
    for key in ("ttrsim", "rules_version", "board_sha256", "strategies"):
        del told[key]
    (tmp_path / "old.json").write_text(json.dumps(told), "utf-8")
    assert reported(tmp_path / "old.json")[-1]["tables"]


def test_a_board_that_has_changed_is_told(reported, ttrsim, tmp_path, made):
    told = json.loads(made("swaps").read_text("utf-8")) | {"board_sha256": "0" * 64}
    (tmp_path / "other.json").write_text(json.dumps(told), "utf-8")
    warnings = reported(tmp_path / "other.json")[-1]["warnings"]
    assert [text for text in warnings if "has changed since other.json was made" in text]


WRONG = {
    "lists.json": ("[]", "holds no trials"),
    "cut.json": ('{"board": "usa", ', "holds no trials"),
    "empty.json": ('{"board": "usa", "seed": 1, "games": 2, "players": ["random"], "tables": {}}', "holds no trials"),
    "rows.json": (
        '{"board": "usa", "seed": 1, "games": 2, "players": ["random"], "tables": {"swaps": {"rows": [{"x": 1}]}}}',
        "its table swaps has no players; write it again with ttrsim tickets",
    ),
    "value.json": (
        '{"board": "usa", "seed": 1, "games": 2, "players": ["x"], "tables": {"swaps": {"rows": [{"players": "2"}]}}}',
        'its table swaps has players = "2" in row 1, which should be a number; write it again with ttrsim tickets',
    ),
    "bare.json": (
        '{"board": "usa", "seed": 1, "games": 2, "players": ["random"], "tables": {"swaps": {"rows": []}}}',
        "its table swaps has no rows",
    ),
    "deep.json": ("[" * 100_000, "holds no trials"),
    "endless.json": (
        '{"board": "usa", "seed": 1e999, "games": 2, "players": ["random"], "tables": {}}',
        "holds no trials",
    ),
    "home.json": (
        '{"board": "~nobody/x.toml", "seed": 1, "games": 2, "players": ["random"], "tables": {"swaps": {"rows": []}}}',
        "is about the board ~nobody/x.toml, which is neither at that path nor next to this file",
    ),
    "board.json": (
        '{"board": "atlantis", "seed": 1, "games": 2, "players": ["random"], "tables": {"swaps": {"rows": [{}]}}}',
        "no board 'atlantis'",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_file_that_is_none_of_trials_is_refused_in_a_line(ttrsim, tmp_path, name):
    text, said = WRONG[name]
    (tmp_path / name).write_text(text, "utf-8")
    ended = ttrsim("report", tmp_path / name, "-o", tmp_path / "x.html")
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert said in ended.err


SPOILT = {
    "twice": (lambda told, rows: rows.append(rows[0]), "its table swaps has {ticket} twice; write it again"),
    "whose": (lambda told, rows: rows.append({**rows[0], "strategy": "x"}), "its table swaps has {ticket} twice"),
    "rows": (
        lambda told, rows: rows.extend({**rows[0], "ticket": f"T{i}"} for i in range(300)),
        "its table swaps has 306 rows; there are at most 300; write it again",
    ),
    "name": (lambda told, rows: rows[0].update(ticket="x" * 1001), "in row 1, which should be a word"),
    "players": (lambda told, rows: told.update(players=["random", "x" * 1001]), "holds no trials"),
}
"""Values that no command writes, and that would keep a plot busy for minutes or end it with a traceback."""


@pytest.mark.parametrize("how", SPOILT)
@pytest.mark.parametrize("command", [["report"], ["plot", "tickets"]], ids=" ".join)
def test_trials_that_no_command_wrote_are_refused_in_a_line(ttrsim, tmp_path, made, command, how):
    told = json.loads(made("swaps").read_text("utf-8"))
    spoil, said = SPOILT[how]
    ticket = told["tables"]["swaps"]["rows"][0]["ticket"]
    spoil(told, told["tables"]["swaps"]["rows"])
    (tmp_path / "spoilt.json").write_text(json.dumps(told), "utf-8")
    ended = ttrsim(
        *command, tmp_path / "spoilt.json", "-o", tmp_path / "x.svg" if "plot" in command else tmp_path / "x.md"
    )
    assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert said.format(ticket=ticket) in ended.err


def test_a_file_that_is_too_large_is_refused_at_once(ttrsim, tmp_path):
    (tmp_path / "large.json").write_bytes(b" " * (8 * 1024 * 1024 + 1))
    for command in (["report", "-o", tmp_path / "x.md"], ["plot", "tickets", "-o", tmp_path / "x.svg"]):
        ended = ttrsim(*command, tmp_path / "large.json")
        assert (ended.code, ended.err.count("\n")) == (2, 1)
        assert "large.json: is too large: such a file has at most 8,388,608 bytes" in ended.err


def test_files_of_two_boards_are_refused_in_a_line(ttrsim, tmp_path, made):
    ended = ttrsim("report", made("swaps"), made("swaps", "nasty"), "-o", tmp_path / "x.html")
    assert (ended.code, ended.err.count("\n")) == (2, 1)
    assert "a report of trials needs a single board" in ended.err
