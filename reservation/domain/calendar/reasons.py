"""The reasons why a visit cannot start at a time. If several apply, the first of MOTIFS is
reported."""

PASSE, DELAI, HORIZON = "passe", "delai", "horizon"
FERME, TROP_COURT, COMPLET = "ferme", "trop_court", "complet"
MOTIFS = (PASSE, DELAI, HORIZON, FERME, TROP_COURT, COMPLET)
# If no person of a team is free, the last of their reasons in this order is reported.
nearness = (FERME, PASSE, DELAI, HORIZON, TROP_COURT, COMPLET).index
