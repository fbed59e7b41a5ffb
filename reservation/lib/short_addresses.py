"""Short addresses: paths of the pages of businesses, such as `salon-alice-lyon`."""

import re
import secrets
from collections.abc import Iterator

from reservation.lib.folding import search_key

SHORTEST, LONGEST = 3, 60
PATTERN = "^[a-z0-9]+(-[a-z0-9]+)*$"
_NUMBERED = 9  # after `salon-lyon-9`, `proposals` appends random numbers
_OTHERS = re.compile(r"[^a-z0-9]+")
# No business can have one of these short addresses. They are reserved for other paths, or visitors
# would take the page for one of the site itself.
RESERVED = frozenset(
    "accueil admin aide api app assets auth cgu cgv compte conditions confidentialite connexion"
    " contact cookies docs entreprise entreprises faq flux gestion health help images inscription"
    " integrer legal login login-form mentions-legales metrics mot-de-passe nous-ecrire openapi"
    " paiement photos privacy ready recherche register register-form rendez-vous reservation"
    " reservations robots securite security service-client site sitemap static support terms"
    " teste".split()
)


def is_valid(text: str) -> bool:
    return SHORTEST <= len(text) <= LONGEST and re.fullmatch(PATTERN, text) is not None


def proposals(nom: str, ville: str) -> Iterator[str]:
    """Yields an endless series of short addresses for a business: `salon-lyon`, `salon-lyon-2`…"""
    words = _OTHERS.sub("-", search_key(f"{nom} {ville}")).strip("-")
    first = words[:LONGEST].strip("-")
    if len(first) < SHORTEST or first in RESERVED:
        first = f"rdv-{first}".strip("-")
    yield first
    first = first[: LONGEST - 9].strip("-")
    for number in range(2, _NUMBERED + 1):
        yield f"{first}-{number}"
    while True:
        yield f"{first}-{secrets.randbelow(10**8):08}"
