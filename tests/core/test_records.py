"""Records answer as numpy's do."""

import copy
import pickle

import numpy as np
import pytest

from ttrsim.core.records import Quick

INNER = np.dtype([("x", np.int8), ("many", np.int32, (3,))], align=True)
INNER = np.dtype((Quick(INNER), INNER))
OUTER = np.dtype([("one", INNER), ("some", INNER, (2,))], align=True)
OUTER = np.dtype((Quick(OUTER), OUTER))


def test_fields_are_views_that_can_be_changed():
    array = np.zeros(1, OUTER)
    array[0].one.x = 5
    array[0].some[1].many[2] = 7
    assert (array["one"]["x"][0], array["some"]["many"][0, 1, 2]) == (5, 7)
    assert (array[0].one.x, array[0].some[1].many.tolist()) == (5, [0, 0, 7])


def test_what_may_not_be_changed_stays():
    array = np.zeros(1, OUTER)
    array.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        array[0].one.many[0] = 1


@pytest.mark.parametrize("same", [lambda record: record, copy.copy, copy.deepcopy])
def test_what_compiled_code_is_given_is_the_record_itself(same):
    array = same(np.arange(OUTER.itemsize, dtype=np.uint8).view(OUTER))
    for record in (array[0], same(array[0])):
        data = np.asarray(record.data)
        assert data.tobytes() == record.tobytes()
        data[0] = 99
        assert record.tobytes()[0] == 99


def test_an_unknown_field_is_told_with_its_record():
    with pytest.raises(AttributeError) as caught:
        _ = np.zeros(1, OUTER)[0].one.y
    assert (caught.value.name, caught.value.obj.dtype) == ("y", INNER)


def test_pickled_records_hold_the_same():
    array = np.ones(2, OUTER)
    again = pickle.loads(pickle.dumps(array))
    assert (again.dtype, again.tobytes(), again[1].one.x) == (array.dtype, array.tobytes(), 1)
