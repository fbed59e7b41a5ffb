"""The reasons why a visit cannot start at a time. If several reasons apply, the reason that comes
first in MOTIFS is reported."""

PASSE, DELAI, HORIZON = "passe", "delai", "horizon"
FERME, TROP_COURT, COMPLET = "ferme", "trop_court", "complet"
MOTIFS = (PASSE, DELAI, HORIZON, FERME, TROP_COURT, COMPLET)
# If no person of a team is free, the persons may have different reasons. The reason that comes
# last in this order is reported.
nearness = (FERME, PASSE, DELAI, HORIZON, TROP_COURT, COMPLET).index
