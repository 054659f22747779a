"""Games are counted as they are played, on however many threads."""

from concurrent.futures import ThreadPoolExecutor

from ttrsim.progress import GameCounter, Listener


def reported(of, *, about=False, done=0):
    """Return a counter and the list of all that it reports."""
    told = []
    return GameCounter(Listener(told.append), of, about=about, done=done), told


def test_games_of_several_threads_are_all_counted():
    counter, told = reported(8000)
    with ThreadPoolExecutor(8) as pool:
        for _ in range(8):
            pool.submit(lambda: [counter.played(1) for _ in range(1000)])
    assert max(progress.games for progress in told) == 8000
    assert {progress.of for progress in told} == {8000}


def test_games_played_twice_do_not_exceed_those_of_a_run():
    counter, told = reported(100)
    counter.played(90)
    counter.played(20)
    counter.finished(80, ())
    assert [(progress.games, progress.of) for progress in told] == [(90, 100), (100, 100), (100, 100)]


def test_a_search_may_play_more_games_than_were_expected():
    counter, told = reported(100, about=True, done=50)
    counter.played(70)
    assert (told[-1].games, told[-1].of) == (120, 120)
