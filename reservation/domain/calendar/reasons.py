"""The reasons why a start cannot be booked. The first reason that applies is reported."""

PASSE, DELAI, HORIZON = "passe", "delai", "horizon"
FERME, TROP_COURT, COMPLET = "ferme", "trop_court", "complet"
MOTIFS = (PASSE, DELAI, HORIZON, FERME, TROP_COURT, COMPLET)
# If the persons of a team have different reasons, and none of the persons is free, the reason that
# is last in this order is reported.
nearness = (FERME, PASSE, DELAI, HORIZON, TROP_COURT, COMPLET).index
