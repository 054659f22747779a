"""Runs that reports are made of."""

import pytest
from runs.making import store

from report.reading import report
from ttrsim.runs import Run


@pytest.fixture(scope="session")
def run(tmp_path_factory) -> Run:
    """A small run of which the reports are known."""
    path = tmp_path_factory.mktemp("runs") / "usa"
    return store(path, board="usa", players="random,random_kind,random", games=900, seed=5, record=())


@pytest.fixture(scope="session")
def tables(tmp_path_factory) -> list[Run]:
    """The tables of an examination, on a reconstructed board."""
    folder = tmp_path_factory.mktemp("balance")
    shared = {"board": "san_francisco", "players": "random,random_kind", "games": 400, "seed": 5, "record": ()}
    return [
        store(folder / f"{seats}-{design}", design=design, seats=seats, **shared)
        for seats in (2, 3)
        for design in ("mirror", "mixed")
    ]


@pytest.fixture(scope="module")
def made_before():
    """Reports by what they are of, for to draw figures takes a while."""
    return {}


@pytest.fixture
def reported(ttrsim, tmp_path, made_before):
    """Makes a report, once."""

    def make(*data, page=False):
        if (data, page) not in made_before:
            made_before[data, page] = report(ttrsim, tmp_path, *data, page=page)
        return made_before[data, page]

    return make
