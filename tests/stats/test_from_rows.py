"""Every frame, recomputed from the rows of the games with pandas: the same to the last digits."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from ttrsim import stats
from ttrsim.stats.catalogue import definition

SEAT = ["game", "seat"]


@pytest.fixture(scope="module")
def players(recorded):
    frame = recorded.players.astype({"strategy": str, "win_share": float})
    integers = {name: int for name in frame.columns if frame[name].dtype.kind in "iu"}
    return frame.astype(integers)


@pytest.fixture(scope="module")
def offers(recorded, players):
    frame = recorded.tickets.astype({"strategy": str, "ticket": str})
    return frame.merge(players[[*SEAT, "score", "win_share"]], on=SEAT)


def same(found, expected):
    assert len(found) == len(expected) > 0
    assert np.asarray(found, float) == pytest.approx(np.asarray(expected, float), rel=1e-11, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("by", ["strategy", "seat"])
def test_strategies(recorded, players, by):
    frame = stats.strategies(recorded, by=by)
    keys = ["strategy"] if by == "strategy" else ["strategy", "seat"]
    rows = players.assign(
        tickets_kept=players["offered_kept"] + players["drawn_kept"],
        tickets_completed=players["offered_completed"] + players["drawn_completed"],
        won_alone=players["win_share"] == 1,
    )
    grouped = rows.groupby(keys)
    found = frame.set_index(keys)
    assert len(found) == grouped.ngroups
    for column in definition("strategies").columns:
        if column.has_interval:
            same(found[column.name], grouped[column.name].mean().loc[found.index])
    same(found["seats"], grouped.size().loc[found.index])
    if by == "strategy":
        assert frame["win_share"].is_monotonic_decreasing


def test_versus(recorded, players):
    columns = ["game", "strategy", "rank", "score"]
    both = players[columns].merge(players[columns], on="game", suffixes=("", "_b"))
    both = both[both["strategy"] != both["strategy_b"]]
    both = both.assign(
        ahead=both["rank"] < both["rank_b"],
        tied=both["rank"] == both["rank_b"],
        lead=both["score"] - both["score_b"],
    )
    found = stats.versus(recorded).set_index(["strategy", "other"])
    grouped = both.groupby(["strategy", "strategy_b"])
    same(found["pairs"], grouped.size().loc[list(found.index)])
    for column in ("ahead", "tied", "lead"):
        same(found[column], grouped[column].mean().loc[list(found.index)])
    shares = players.groupby("strategy")["win_share"].mean()
    same(found["win_share_difference"], [shares[a] - shares[b] for a, b in found.index])
    superiority = found["superiority"]
    same(superiority, [1 - superiority[b, a] for a, b in found.index])


def test_seats(recorded, players):
    found = stats.seats(recorded)
    grouped = players.groupby("seat")
    same(found["win_share"], grouped["win_share"].mean())
    same(found["score"], grouped["score"].mean())
    same(found["advantage"], grouped["win_share"].mean() - 1 / recorded.recipe.seats)


def offer_effect(players, offers, ticket, outcome):
    """Return the coefficient of "was offered it" in a regression with a constant for each strategy in each seat."""
    had = offers[offers["offered"] & (offers["ticket"] == ticket)][SEAT].assign(had=1.0)
    rows = players.merge(had, on=SEAT, how="left").fillna({"had": 0.0})
    cells = rows.groupby(["strategy", "seat"])[["had", outcome]].transform("mean")
    had, outcome = rows["had"] - cells["had"], rows[outcome] - cells[outcome]
    return (had * outcome).sum() / (had**2).sum()


@pytest.mark.parametrize("by", ["strategy", "seat", "all"])
def test_offer_effects(recorded, players, offers, by):
    keys = {"strategy": ["strategy"], "seat": ["strategy", "seat"], "all": []}[by]
    frame = stats.tickets(recorded, by=by)
    assert len(frame) == len(recorded.board.tickets) * (players.groupby(keys).ngroups if keys else 1)
    for row in frame.sample(8, random_state=1).to_dict("records"):
        those = players.loc[np.logical_and.reduce([players[k] == row[k] for k in keys])] if keys else players
        for outcome, column in (("score", "score_effect"), ("win_share", "win_effect")):
            assert row[column] == pytest.approx(offer_effect(those, offers, row["ticket"], outcome))
        assert row["score_effect_low"] < row["score_effect"] < row["score_effect_high"]


def test_mean_over_strategies_counts_each_once(recorded):
    for table, keys, columns in (
        ("tickets", ["ticket"], {"score_effect": "score_effect", "win_effect": "win_effect"}),
        ("routes", ["route"], {"claim_rate": "claim_rate"}),
        ("cities", ["city"], {"visitors": "visitors"}),
    ):
        of_all, of_each = (recorded.stats(table, by=by).set_index(keys) for by in ("all", "strategy"))
        for column, source in columns.items():
            same(of_all[f"{column}_new"], of_each.groupby(keys)[source].mean().loc[of_all.index])


def test_advantage_of_a_seat_for_a_strategy_is_within_it(recorded, players):
    shares = players.groupby(["strategy", "seat"])["win_share"].mean().unstack()
    own = shares.sub(shares.mean(axis=1), axis=0)
    same(stats.seats(recorded).set_index("seat")["advantage_new"].sort_index(), own.mean())


def test_offer_effect_within_a_seat_is_a_difference_of_means(recorded, players, offers):
    row = stats.tickets(recorded, by="seat").iloc[3]
    mine = players[(players["strategy"] == row["strategy"]) & (players["seat"] == row["seat"])]
    had = offers[offers["offered"] & (offers["ticket"] == row["ticket"])].set_index(SEAT).index
    offered = mine.set_index(SEAT).index.isin(had)
    assert row["score_effect"] == pytest.approx(mine["score"][offered].mean() - mine["score"][~offered].mean())


def test_what_became_of_tickets(recorded, offers):
    found = stats.tickets(recorded).set_index(["strategy", "ticket"])
    keys = ["strategy", "ticket"]
    opening, later = offers[offers["offered"]], offers[~offers["offered"]]
    kept = opening[opening["kept"]]

    def means(rows, column):
        return rows.groupby(keys)[column].mean().reindex(found.index)

    same(found["offered"], opening.groupby(keys).size().loc[found.index])
    same(found["keep_rate"], means(opening, "kept"))
    same(found["completed_offered"], means(opening, "completed"))
    same(found["completed_kept"], means(kept, "completed"))
    same(found["drawn_keep_rate"], means(later, "kept"))


def test_synergy_is_a_difference_of_differences(recorded, players, offers):
    opening = offers[offers["offered"]]
    had = pd.crosstab([opening["game"], opening["seat"]], opening["ticket"]).astype(bool)
    outcome = players.set_index(SEAT).loc[had.index]
    frame = stats.pairs(recorded)
    index = {recorded.board.ticket_name(t): t.index for t in recorded.board.tickets}
    together = {pair for pair in combinations(index, 2) if (had[pair[0]] & had[pair[1]]).any()}
    assert set(zip(frame["ticket"], frame["other"], strict=True)) == together
    for row in frame.sample(8, random_state=2).to_dict("records"):
        a, b = had[row["ticket"]], had[row["other"]]
        assert row["offered"] == (a & b).sum()
        for name, column in (("score_synergy", "score"), ("win_synergy", "win_share")):
            y = outcome[column]
            contrast = y[a & b].mean() - y[a & ~b].mean() - y[~a & b].mean() + y[~a & ~b].mean()
            assert row[name] == pytest.approx(contrast)
            effect = y[a & b].mean() - y[~a & ~b].mean()
            assert row[name.replace("synergy", "effect")] == pytest.approx(effect)
    assert frame["score_q"].dropna().is_monotonic_increasing


@pytest.mark.parametrize("by", ["all", "strategy"])
def test_routes(recorded, players, by):
    claims = recorded.claims.astype({"strategy": str, "route": str}).merge(
        players[[*SEAT, "score", "win_share"]], on=SEAT
    )
    frame = stats.routes(recorded, by=by)
    keys = ["route"] if by == "all" else ["strategy", "route"]
    found, grouped = frame.set_index(keys), claims.groupby(keys)
    chances = recorded.games_played if by == "all" else players.groupby("strategy").size()[frame["strategy"]].to_numpy()
    counts = grouped.size().reindex(found.index, fill_value=0)
    same(found["claims"], counts)
    same(found["claim_rate"], counts / chances)
    for column, source in (("turn", "turn"), ("win_share", "win_share"), ("score", "score")):
        same(found[column], grouped[source].mean().reindex(found.index))
    lengths = players["turns"].mean() if by == "all" else players.groupby("strategy")["turns"].mean()
    row = frame.iloc[0]
    length = lengths if by == "all" else lengths[row["strategy"]]
    assert row["taken"] == pytest.approx(row["claim_rate"] * (1 - row["turn"] / length))


def test_cities(recorded, players):
    board = recorded.board
    routes = {board.route_name(r): r for r in board.routes}
    claims = recorded.claims.assign(route=lambda c: c["route"].astype(str))
    ends = [claims.assign(city=[board.cities[getattr(routes[r], e)].name for r in claims["route"]]) for e in "ab"]
    first = pd.concat(ends).sort_values("turn").drop_duplicates([*SEAT, "city"])
    first = first.merge(players[[*SEAT, "score", "win_share"]], on=SEAT)
    found, grouped = stats.cities(recorded).set_index("city"), first.groupby("city")
    assert len(found) == len(board.cities)
    same(found["visits"], grouped.size().reindex(found.index, fill_value=0))
    same(found["visitors"], grouped.size().reindex(found.index, fill_value=0) / recorded.games_played)
    for column in ("turn", "score", "win_share"):
        same(found[column], grouped[column].mean().reindex(found.index))
    reach = first.assign(left=1 - first["turn"] / players["turns"].mean())
    same(found["taken"], reach.groupby("city")["left"].sum().reindex(found.index, fill_value=0) / len(players))


def test_scores(recorded, players):
    found = stats.scores(recorded).set_index("strategy")
    grouped = players.groupby("strategy")["score"]
    same(found["deviation"], grouped.std().loc[found.index])
    same(found["lowest"], grouped.min().loc[found.index])
    same(found["highest"], grouped.max().loc[found.index])
    for column, share in (("p5", 0.05), ("median", 0.5), ("p95", 0.95)):
        same(found[column], [np.quantile(grouped.get_group(s), share, method="inverted_cdf") for s in found.index])


def test_even_score_parts_those_who_win_most_games(recorded, players):
    for row in stats.scores(recorded).dropna(subset="even_score").to_dict("records"):
        mine = players[players["strategy"] == row["strategy"]]
        wins = {score: mine[mine["score"] >= score]["win_share"].mean() for score in mine["score"].unique()}
        assert wins[row["even_score"]] >= 0.5
        assert all(share < 0.5 for score, share in wins.items() if score < row["even_score"])


def test_games(recorded, players):
    scores = players.groupby("game")["score"]
    games = recorded.games.astype({"line_up": str, "turns": int}).set_index("game")
    games = games.assign(
        winner_score=scores.max(),
        margin=scores.max() - scores.apply(lambda s: s.nlargest(2).iloc[1]),
        spread=scores.max() - scores.min(),
        shared_wins=games["winners"] > 1,
        stalemate=games["ending"] == "stalemate",
        overlong=games["ending"] == "overlong",
    ).astype({"dry_turns": int})
    found = stats.games(recorded).set_index("line_up")
    grouped = games.groupby("line_up")
    for column in ("turns", "winner_score", "margin", "spread", "shared_wins", "stalemate", "overlong", "reshuffles"):
        same(found[column], grouped[column].mean().loc[found.index])
    dry = grouped["dry_turns"].sum() / grouped["turns"].sum()
    same(found["dry_turns"], dry.loc[found.index])


def test_payoffs(recorded, players):
    rows = players.merge(recorded.games[["game", "line_up"]].astype({"line_up": str}), on="game")
    table = stats.payoffs(recorded)
    names = recorded.strategies
    assert len(table) == len(recorded.recipe.line_ups)
    for line_up, found in zip(recorded.recipe.line_up_names, table.to_dict("records"), strict=True):
        here = rows[rows["line_up"] == line_up]
        for name in names:
            assert found[f"seats of {name}"] == line_up.split(", ").count(name)
            mine = here[here["strategy"] == name]["win_share"]
            assert found[f"wins of {name}"] == pytest.approx(mine.mean() if len(mine) else 0)
