"""A tuning on a Dask cluster comes out as on threads."""

import pytest

import ttrsim
from ttrsim.tuning.stored import STAGES_FILE

from .conftest import QUICK, SPOILT

pytest.importorskip("distributed")


def test_workers_play_the_same(kept, tmp_path):
    told = []
    tuning = ttrsim.tune(SPOILT, **QUICK, out=tmp_path / "tuned", engine="dask", threads=1, message=told.append)
    assert (tmp_path / "tuned" / STAGES_FILE).read_bytes() == (kept[0] / STAGES_FILE).read_bytes()
    assert "Dask workers: 1, 1 thread" in told
    assert tuning.games == kept[1].games
