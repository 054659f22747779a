"""Drawing leaves the caller's rcParams alone."""

from threading import Event, Thread

import matplotlib as mpl

from ttrsim.plots.style import drawing


def test_threads_that_draw_at_once_leave_the_rcparams_of_the_caller():
    before, second_draws, first_is_done = dict(mpl.rcParams), Event(), Event()

    def second():
        with drawing():
            second_draws.set()
            first_is_done.wait(10)

    thread = Thread(target=second)
    with drawing():
        thread.start()
        second_draws.wait(0.1)  # if it may
    first_is_done.set()
    thread.join()
    assert dict(mpl.rcParams) == before
