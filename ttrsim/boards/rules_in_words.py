"""Put a board's rules into plain sentences under short headings."""

from ttrsim.boards.board import Board, Rules
from ttrsim.formatting import counted

_REJECTED = {
    "bottom": "under the deck",
    "shuffled": "shuffled together under the deck",
    "removed": "out of the game",
}
_TIE_BREAKS = {
    "tickets": "most tickets completed",
    "fewest_stations": "fewest stations used",
    "longest_trail": "holding the longest path",
}


def rule_words(board: Board) -> dict[str, str]:
    """Return a sentence for each heading, in the order of a game, without whatever the board does not have.

    >>> rule_words(load_board("usa"))["Later tickets"]
    'draw 3, keep at least 1; the others under the deck'
    """
    return {**_start(board), **_tickets(board.rules), **_claims(board), **_places(board), **_end(board.rules)}


def status_words(board: Board) -> str:
    """Return what must be said wherever the board is shown; "" for a published one."""
    if board.status == "published":
        return ""
    return "a RECONSTRUCTION: its routes or tickets are not those of the published board"


def differing(board: Board, base: Board) -> dict[str, str]:
    """Return the sentences that differ from those of the base; a rule that only the base has is "none"."""
    own, others = rule_words(board), rule_words(base)
    return {key: own.get(key, "none") for key in {**others, **own} if own.get(key) != others.get(key)}


def _start(board: Board) -> dict[str, str]:
    r = board.rules
    fewest, most = r.players
    wild = f"; with {r.display_wild_limit} or more wild cards all are discarded" if r.display and board.wilds else ""
    words = {
        "Players": f"{fewest} to {most}" if fewest < most else str(fewest),
        "Trains": f"{r.trains} each; a turn that ends with {r.last_round_at} or fewer starts the last round",
        "Opening hand": _by_seat(r.hand, "card"),
        "Display": f"{counted(r.display, 'card')} face up{wild}",
    }
    if not r.draw_when_dry:
        words["Neither deck nor discards"] = "no train cards may be drawn, not even those face up"
    if any(r.start_points):
        words["Points at the start"] = _by_seat(r.start_points, "point")
    if r.equal_turns:
        words["Equal turns"] = "the round in which the last round starts is played to its end, then comes one more"
    return words


def _by_seat(numbers: tuple[int, ...], unit: str) -> str:
    """Return `"4 cards"`, or `"4, 4, 5, 5 cards, by seat"`."""
    if len(set(numbers)) == 1:
        return counted(numbers[0], unit)
    return f"{', '.join(map(str, numbers))} {unit}s, by seat"


def _tickets(r: Rules) -> dict[str, str]:
    t, long = r.tickets, r.long_tickets
    dealt = f"{long.deal} long and {t.deal} regular dealt" if long else f"{t.deal} dealt"
    at_most = f", at most {long.keep_at_most} of them long" if long and long.keep_at_most < long.deal else ""
    undealt = "; long ones not dealt out of the game" if long else ""
    return {
        "Opening tickets": f"{dealt}, keep at least {t.keep}{at_most}; the others {_REJECTED[t.rejected]}{undealt}",
        "Later tickets": f"draw {t.draw}, keep at least {t.draw_keep}; the others under the deck",
    }


def _claims(board: Board) -> dict[str, str]:
    r = board.rules
    lengths = sorted(r.route_points)
    words = {
        "Route points": ", ".join(
            f"{r.route_points[n]} for length {n}" if n == lengths[0] else f"{r.route_points[n]} for {n}"
            for n in lengths
        ),
        "Parallel routes": _parallel(r),
    }
    if any(route.ferry for route in board.routes):
        words["Ferries"] = "a wild card for each symbol must be among the payment"
    if any(route.tunnel for route in board.routes):
        words["Tunnels"] = f"{counted(r.tunnel_cards, 'card')} turned up; each that matches asks for one more"
    if r.own_network:
        words["Own network"] = "every claim touches the player's network, the first one the start city"
    return words


def _parallel(r: Rules) -> str:
    fewest, most = r.players
    if r.parallel_open_from <= fewest:
        return "always all open"
    if r.parallel_open_from > most:
        return "the first claim closes the others"
    return f"all open with {r.parallel_open_from} players or more; with fewer the first claim closes the others"


def _places(board: Board) -> dict[str, str]:
    r, words = board.rules, {}
    if r.stations:
        words["Stations"] = (
            f"{r.stations.each} each, for 1 card, 2, 3 …; each unused one {counted(r.stations.unused_points, 'point')}"
        )
    if r.markers:
        words["City markers"] = (
            f"{r.markers.each} each, the first at the start city, a further one for {counted(r.markers.cards, 'card')}"
            f"{', which counts for the points of the claim it follows' if r.markers.count_at_once else ''}"
        )
    if r.alvin:
        where = board.cities[r.alvin.city].name
        words["Alvin"] = (
            f"starts in {where}; {counted(r.alvin.capture_points, 'point')} for each capture, "
            f"{r.alvin.holder_points} for holding him at the end"
        )
    if r.souvenirs:
        fixed = ", ".join(board.cities[c].name for c in r.souvenirs.fixed)
        points = " ".join(map(str, r.souvenirs.points))
        words["Souvenirs"] = (
            f"{r.souvenirs.symbols} kinds, fixed stacks in {fixed}; points for 0, 1, 2 … kinds: {points}"
        )
    return words


def _end(r: Rules) -> dict[str, str]:
    return {
        "Longest path": counted(r.longest_trail_bonus, "point") if r.longest_trail_bonus else "no bonus",
        "Most tickets": counted(r.most_tickets_bonus, "point") if r.most_tickets_bonus else "no bonus",
        "Tie-breaks": ", then ".join(_TIE_BREAKS[t] for t in r.tie_breaks) or "none",
    }
