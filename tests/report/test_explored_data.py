"""The data of the page to explore a board: each number stands with the ticket that it is about."""

import json
import re
from pathlib import Path

import ttrsim
from ttrsim.boards.documents import new_board

FAR = """
  { between = ["Ambleside", "Barrow"], points = 9, decks = ["far"] },
  { between = ["Barrow", "Penrith"], points = 10, decks = ["far"] },
  { between = ["Kendal", "Whitehaven"], points = 11, decks = ["far"] },"""


def test_a_long_ticket_between_the_cities_of_another_has_its_own_numbers(tmp_path: Path) -> None:
    text = new_board("Lakes").replace("tickets = [", f"tickets = [{FAR}")
    rule = 'rules.long_tickets = { deck = "far", deal = 1, keep_at_most = 1 }'
    (tmp_path / "two.toml").write_text(text.replace("rules.hand", f"{rule}\nrules.hand", 1), "utf-8")
    run = ttrsim.run(board=tmp_path / "two.toml", players="random,one_step", games=40, seed=1)
    ttrsim.explore([run], tmp_path / "two.html")
    page = (tmp_path / "two.html").read_text("utf-8")
    data = json.loads(re.search(r'type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL)[1])  # type: ignore[index]
    frame = run.stats("tickets", by="all").set_index(["ticket", "deck"])
    shown = data["tables"][0]["tickets"]["all"]
    assert len(shown) == len(run.board.tickets)
    for ticket, columns in zip(run.board.tickets, shown, strict=True):
        name = run.board.ticket_name(ticket)
        kept = frame.loc[(name, "long" if ticket.long else "regular"), "keep_rate"]
        assert columns[2][0] == (round(kept, 4) if kept == kept else None)
    at = {ticket.points: ticket.index for ticket in run.board.tickets if ticket.long}
    assert any(at[9] in pair[:2] for pair in data["tables"][0]["pairs"])
