"""The places where files of the published agents' program order cities or tracks differently from the boards.

The agents read a ticket from its first city and take the first of equal tracks, so their moves depend on these facts,
which are those of gameContent in fernandomsilva/Ticket-to-Ride-Engine a24afc5.
"""

TICKETS_READ_BACKWARDS = (
    ("Atlanta", "Montréal"),
    ("Atlanta", "New York"),
    ("Atlanta", "San Francisco"),
    ("Chicago", "Los Angeles"),
    ("Houston", "Kansas City"),
    ("Houston", "Winnipeg"),
    ("Little Rock", "Winnipeg"),
    ("Los Angeles", "Seattle"),
    ("Miami", "Toronto"),
    ("Montréal", "Vancouver"),
    ("Nashville", "Portland"),
    ("Nashville", "Sault St. Marie"),
    ("New York", "Seattle"),
    ("Oklahoma City", "Sault St. Marie"),
    ("Phoenix", "Portland"),
    ("Santa Fe", "Vancouver"),
    ("Angora", "Athína"),
    ("Athína", "Edinburgh"),
    ("Berlin", "London"),
    ("Brindisi", "Zágráb"),
    ("Brindisi", "Zürich"),
    ("Bucuresti", "Riga"),
    ("Budapest", "Zürich"),
    ("Constantinople", "Palermo"),
    ("Constantinople", "Venezia"),
    ("Danzig", "Lisboa"),
    ("Dieppe", "Madrid"),
    ("Erzurum", "København"),
    ("Erzurum", "Rostov"),
    ("Essen", "Marseille"),
    ("Moskva", "Palermo"),
    ("Rostov", "Smolensk"),
    ("Smolensk", "Warszawa"),
    ("Smyrna", "Sofia"),
)
"""Tickets that name the second of these cities first."""
TRACKS_LISTED_BACKWARDS = (
    ("Atlanta", "New Orleans"),
    ("Boston", "New York"),
    ("Chicago", "Pittsburgh"),
    ("Chicago", "Saint Louis"),
    ("New York", "Pittsburgh"),
    ("New York", "Washington"),
    ("Portland", "San Francisco"),
    ("Salt Lake City", "San Francisco"),
    ("Bruxelles", "Paris"),
    ("Edinburgh", "London"),
    ("Frankfurt", "Paris"),
    ("København", "Stockholm"),
)
"""Connections of two colours whose second track comes first."""
