"""French words for searches: stop words, stems, synonyms and typing errors.

All functions expect words in lower case, without accents. Related words have the same stem:
`coiff` for coiffeur, coiffeuse and coiffure.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

_DISTRICT = re.compile(r"(paris|lyon|marseille) \d\d?( ?(er|e|eme))?( arr(ondissement)?)?")
SHORTEST_WITH_ERROR = 4  # typing errors in words with fewer letters are not corrected
STOP = frozenset(
    "a au aux avec c ce ces chez d dans de des du elle en entre est et eux il j je l la le"
    " les leur lui m ma mes mon n ne nos notre nous on ou par pas pour qu que qui s sa sans ses si"
    " son sous sur t ta tes the ton tres tu un une vers vos votre vous y an and at by for in my"
    " near of or to with".split()
)
# These words are ignored if a search has other words: "salon de coiffure" is read as "coiffure".
_WEAK = frozenset(
    "agence autour boutique cabinet centre cher cherche clinique etablissement etude institut"
    " magasin maison meilleur meilleure pres prix proche professionnel rdv rendez reservation"
    " reserver salle salon service services seance shop studio tarif".split()
)
# Groups of words with the same meaning for a customer. A search for a word of a group, also in the
# plural, finds all words of the group. A group has whole words, because different words can have
# the same stem: `teint` for teint and teinture.
_SYNONYMS = (
    "analyse labo laboratoire", "assurance assureur", "auto automobile voiture",
    "babysitter maternelle nounou nourrice", "balayage meche", "beaute estheticien estheticienne",
    "blanchisserie pressing teinturerie teinturier", "chauffage chauffagiste", "cni identite",
    "coloration coloriste couleur teinture", "commissaire huissier", "cours lecon prof professeur",
    "couture couturier couturiere", "docteur doctoresse medecin medecine toubib",
    "dread dreadlock lock", "fitness gym gymnastique", "garage garagiste mecanicien mecanique",
    "iphone portable smartphone telephone", "lunette opticien opticienne optique",
    "manucure nail ongle onglerie ongulaire", "math mathematique", "natte tresse",
    "oculiste ophtalmologie ophtalmologiste ophtalmologue", "ordinateur pc", "ourlet retouche",
    "restaurant resto", "tatouage tatoueur tattoo", "taxi vtc", "veto veterinaire",
    "traducteur traductrice traduction",
)
_GROUPS = [[*group.split(), *(word + "s" for word in group.split())] for group in _SYNONYMS]
_GROUP_OF = {word: group for group in _GROUPS for word in group}
# Pairs (ending, minimum number of letters before the ending). `stem` removes the first ending that
# fits.
_ENDINGS = tuple(
    (ending, least)
    for least, endings in (
        (3, "icienne icien isation issement atrice ateur ation euse ique iste aire eute erie"
            " ienne iere ment"),
        (4, "ologue ologie eur ure age ier ien ie er ee ant ue if ive"),
    )
    for ending in endings.split()
)


def without_district(city: str) -> str:
    """Returns the key of a city without the number of an arrondissement: `lyon` for `lyon 2e`."""
    district = _DISTRICT.fullmatch(city)
    return district[1] if district else city


def required(words: list[str]) -> list[str]:
    """Returns the words that each search result must contain. Omits stop words, single letters
    and, if other words remain, weak words such as "salon"."""
    meaning = [word for word in dict.fromkeys(words) if word not in STOP]
    strong = [word for word in meaning if word not in _WEAK and (len(word) > 1 or word.isdigit())]
    return strong or [word for word in meaning if len(word) > 1]


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    if len(word) < 4 or word.isdigit():
        return word
    word = _singular(word)
    for ending, least in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= least:
            return word[: -len(ending)]
    return word[:-1] if word[-1] in "eo" and len(word) > 4 else word


def synonyms(word: str) -> Sequence[str]:
    """Returns all words of the group of `word`, or no words if `word` has no synonym."""
    return _GROUP_OF.get(word, ())


def _singular(word: str) -> str:
    if word.endswith("eaux"):
        return word[:-1]
    if word.endswith("aux") and len(word) > 4:
        return word[:-2] + "l"
    if word[-1] == "x" or (word[-1] == "s" and word[-2] not in "su"):
        return word[:-1]
    return word


def is_one_error(one: str, other: str) -> bool:
    """Returns whether the words differ by one typing error: a letter added, missing or wrong, or
    two adjacent letters swapped."""
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    if len(one) > len(other):
        one, other = other, one
    at = next((i for i, letter in enumerate(one) if letter != other[i]), len(one))
    rest, other_rest = one[at:], other[at:]
    if len(one) < len(other):
        return rest == other_rest[1:]
    swapped = other_rest[1::-1] + other_rest[2:]
    return rest[1:] == other_rest[1:] or rest == swapped
