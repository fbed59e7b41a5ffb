"""The reasons why a visit cannot start at a time. If several reasons apply, the reason that comes
first in MOTIFS is reported."""

PASSE, DELAI, HORIZON = "passe", "delai", "horizon"
FERME, TROP_COURT, COMPLET = "ferme", "trop_court", "complet"
MOTIFS = (PASSE, DELAI, HORIZON, FERME, TROP_COURT, COMPLET)
# The persons of a team may be unavailable for different reasons. If nobody is free, the reason
# that comes last in the tuple below is reported. A person with this reason is the closest to being
# free.
nearness = (FERME, PASSE, DELAI, HORIZON, TROP_COURT, COMPLET).index
