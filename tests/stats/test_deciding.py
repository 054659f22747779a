"""Looks at doubled numbers of games: where they end, what they cost, and that their error together is as promised."""

import numpy as np
import pandas as pd
import pytest

from ttrsim.batches import LEVEL, max_t, ratio, sidak
from ttrsim.errors import UserError
from ttrsim.stats.deciding import FILE, LOOK_LEVEL, LOOKS, Look, decide, games_of, more_games, read_looks, write_looks
from ttrsim.stats.verdicts import judged

LAP_GAMES = {"2-mirror": 2, "2-mixed": 4}
FIRST = Look(laps={"2-mirror": 100, "2-mixed": 50}, wanted={})
PLENTY = 10**9


def verdicts(**of):
    """Return verdicts of tickets by table, as `mixed="undecided"`."""
    rows = [{"question": "tickets", "players": 2, "table": t, "verdict": v, "more_games": 64.0} for t, v in of.items()]
    return pd.DataFrame(rows)


def until(decided_at, made):
    """Return a look after which the mixed table is decided as soon as it has this many laps."""

    def look(now):
        made.append(now)
        mixed = "balanced" if now.laps["2-mixed"] >= decided_at else "undecided"
        return verdicts(mirror="imbalanced", mixed=mixed)

    return look


def test_only_tables_of_undecided_verdicts_are_doubled_until_nothing_is_undecided():
    made = []
    found = decide([FIRST], LAP_GAMES, PLENTY, until(200, made))
    assert found.reason == "decided"
    assert [look.laps for look in found.looks] == [
        {"2-mirror": 100, "2-mixed": 50},
        {"2-mirror": 100, "2-mixed": 100},
        {"2-mirror": 100, "2-mixed": 200},
    ]
    assert [look.wanted for look in found.looks] == [{}, *[{"2-mixed": {"tickets": 1}}] * 2]
    assert made == found.looks


def test_there_are_at_most_five_looks():
    found = decide([FIRST], LAP_GAMES, PLENTY, until(PLENTY, []))
    assert (found.reason, len(found.looks), LOOKS) == ("looks", 5, 5)
    assert found.looks[-1].laps["2-mixed"] == 50 * 2**4


def test_the_budget_is_spent_and_not_exceeded():
    for budget in range(400, 2000, 97):
        found = decide([FIRST], LAP_GAMES, budget, until(PLENTY, []))
        last = found.looks[-1].laps
        assert found.reason == "budget"
        assert games_of(last, LAP_GAMES) <= budget
        assert budget - games_of(last, LAP_GAMES) < last["2-mixed"] * LAP_GAMES["2-mixed"] / 8 + 4


def test_examination_that_was_killed_goes_on_to_the_same_looks():
    undisturbed = decide([FIRST], LAP_GAMES, PLENTY, until(400, []))
    for killed in range(1, len(undisturbed.looks) + 1):
        kept = []

        def look(now, killed=killed, kept=kept):
            if len(kept) == killed:
                raise KeyboardInterrupt
            return until(400, [])(now)

        def keep(made, kept=kept):
            kept[:] = made

        with pytest.raises(KeyboardInterrupt):
            decide([FIRST], LAP_GAMES, PLENTY, look, keep)
        assert decide(kept, LAP_GAMES, PLENTY, until(400, [])).looks == undisturbed.looks


def test_looks_are_stored_and_what_was_altered_is_refused(tmp_path):
    folder = tmp_path / "new"
    looks = [FIRST, Look(laps={"2-mirror": 100, "2-mixed": 100}, wanted={"2-mixed": {"seats": 2}})]
    assert read_looks(folder) == []
    write_looks(folder, looks)
    assert read_looks(folder) == looks
    assert [path.name for path in folder.iterdir()] == [FILE]
    path = folder / FILE
    for content, told in ((path.read_text().replace("50", "51"), "was altered"), ("mine", "was not written by ttrsim")):
        path.write_text(content)
        with pytest.raises(UserError, match=told):
            write_looks(folder, looks)
        assert path.read_text() == content


def test_what_a_killed_process_left_is_removed_and_what_a_user_left_is_not(tmp_path):
    write_looks(tmp_path, [FIRST])
    for name in (f"{FILE}.0123abcd", f"{FILE}.old"):
        (tmp_path / name).write_text("{")
    write_looks(tmp_path, [FIRST])
    assert sorted(path.name for path in tmp_path.iterdir()) == [FILE, f"{FILE}.old"]


def test_looks_that_two_processes_store_at_the_same_time_are_refused(tmp_path, monkeypatch):
    def lost(path, content):
        assert path.parent == tmp_path  # and another process removed it

    monkeypatch.setattr("ttrsim.stats.deciding.write_synced", lost)
    with pytest.raises(UserError, match="another process is working on these tables"):
        write_looks(tmp_path, [FIRST])


def test_games_that_are_wanted_are_those_of_all_tables():
    frame = pd.concat([verdicts(mirror="undecided", mixed="undecided"), verdicts(mirror="undecided")])
    assert more_games(frame) == 130  # 64 at each, upwards to two digits
    assert np.isnan(more_games(verdicts(mirror="balanced").assign(more_games=np.nan)))


def wrongly_decided(level, families=2000, members=6, batches=40):
    """Return how many of some fair families are called unfair at any of the looks.

    Fewer than 50 batches, for which Šidák's bound is used: it is exact here, and needs no simulation within the other.
    """
    sums = np.random.default_rng(7).standard_normal((batches, 2 ** (LOOKS - 1), families, members))  # by laps
    called = np.zeros(families, bool)
    for laps in (2**look for look in range(LOOKS)):
        of_batches = sums[:, :laps].sum(axis=1)  # of more laps each, as those of a run that grows
        interval = ratio(of_batches, np.full(of_batches.shape, laps)).simultaneous(keep=1, level=level)
        called |= (judged(interval, 0.0, 0.0, laps)[0] == "imbalanced").any(axis=1)
    return called.mean()


def test_family_of_a_look_is_as_wide_as_its_level_asks():
    """With enough batches for max-t, independent members have Šidák's bound."""
    deviations = np.random.default_rng(3).standard_normal((200, 6))
    assert max_t(deviations, 199, LOOK_LEVEL) == pytest.approx(sidak(6, 199, LOOK_LEVEL), rel=0.03)
    assert max_t(deviations, 199, LOOK_LEVEL) > max_t(deviations, 199, LEVEL) * 1.1


def test_all_looks_together_err_in_no_more_than_5_of_100_families():
    assert 0.01 < wrongly_decided(LOOK_LEVEL) <= 0.05
    assert wrongly_decided(LEVEL) > 0.09  # what comes of looking five times as if each look were the only one
