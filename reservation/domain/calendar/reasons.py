"""The reasons why a start cannot be booked. The first of MOTIFS that applies is reported."""

PASSE, DELAI, HORIZON = "passe", "delai", "horizon"
FERME, TROP_COURT, COMPLET = "ferme", "trop_court", "complet"
MOTIFS = (PASSE, DELAI, HORIZON, FERME, TROP_COURT, COMPLET)
# The persons of a team may have different reasons. If nobody is free, only the reason that is last
# in this order is reported.
nearness = (FERME, PASSE, DELAI, HORIZON, TROP_COURT, COMPLET).index
