"""The head of the page of a business: OpenGraph, and schema.org data as JSON-LD.

The Content-Security-Policy needs no hash for the JSON-LD, because browsers do not execute JSON-LD.
"""

import json
from html import escape
from typing import Any

from reservation.domain.calendar.timetable import Opening
from reservation.domain.catalogue.sharing import SharedBusiness
from reservation.lib.addresses import postal
from reservation.lib.pictures import SIZES

_LONGEST_DESCRIPTION = 200  # characters
_LOCALE = {"fr": "fr_FR", "en": "en_GB"}
_SITE = {"fr": "Réservation", "en": "Reservation"}
_ABOUT = {"fr": "Prenez rendez-vous en ligne : {}", "en": "Book online: {}"}  # {}: services
_BOOK = {"fr": "Prendre rendez-vous", "en": "Book an appointment"}
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def head(shared: SharedBusiness, base: str, langue: str) -> str:
    """Returns the HTML elements for the head of the page. `base` is the URL of the site, without a
    final slash."""
    entreprise = shared.entreprise
    url = f"{base}/{entreprise.adresse_courte}"
    title, about = title_of(shared), _description(shared, langue)
    images = [
        f"{base}/photos/{photo.empreinte}-{SIZES[-1]}.webp"
        for photo in sorted(shared.photos, key=lambda one: one.genre == "logo")
    ]
    named = [("description", about)]
    if not entreprise.actif:
        named.append(("robots", "noindex"))
    properties = [
        ("og:type", "website"),
        ("og:locale", _LOCALE[langue]),
        ("og:site_name", _SITE[langue]),
        ("og:title", title),
        ("og:description", about),
        ("og:url", url),
        *(("og:image", image) for image in images[:1]),
        *(("twitter:card", "summary_large_image") for _ in images[:1]),
    ]
    data = _business(shared, url, images, langue)
    return "\n".join([
        f'<link rel="canonical" href="{escape(url)}">',
        *(f'<meta name="{name}" content="{escape(text)}">' for name, text in named),
        *(f'<meta property="{name}" content="{escape(text)}">' for name, text in properties),
        f'<script type="application/ld+json">{_script(data)}</script>',
    ])


def title_of(shared: SharedBusiness) -> str:
    return f"{shared.entreprise.nom} · {shared.entreprise.ville}"


def plain(shared: SharedBusiness, langue: str) -> str:
    """Returns the HTML that the page shows in browsers without JavaScript."""
    one = shared.entreprise
    place = postal(one.adresse, one.code_postal, one.ville)
    texts = [place, one.telephone, _description(shared, langue)]
    return f"<h1>{escape(one.nom)}</h1>" + "".join(f"<p>{escape(text)}</p>" for text in texts)


def _description(shared: SharedBusiness, langue: str) -> str:
    names = ", ".join(service.nom for service in shared.services[:8])
    services = names and _ABOUT[langue].format(names)
    about = " ".join((shared.entreprise.description or services).split())
    if len(about) > _LONGEST_DESCRIPTION:
        about = about[: _LONGEST_DESCRIPTION - 1].rsplit(" ", 1)[0] + "…"
    return about


def _script(value: Any) -> str:
    """Returns JSON for a `<script>` element. Escapes `<`, so that no text can close the
    element."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


def _business(
    shared: SharedBusiness, url: str, images: list[str], langue: str
) -> dict[str, Any]:
    one = shared.entreprise
    address = {
        "@type": "PostalAddress",
        "streetAddress": one.adresse,
        "postalCode": one.code_postal,
        "addressLocality": one.ville,
    }
    offers = [
        {
            "@type": "Offer",
            "itemOffered": {"@type": "Service", "name": service.nom},
            **_price(service.prix_centimes),
        }
        for service in shared.services
    ]
    reserve = {"@type": "ReserveAction", "name": _BOOK[langue], "target": url}
    return _without_blanks({
        "@context": "https://schema.org",
        "@type": "LocalBusiness",
        "@id": url,
        "name": one.nom,
        "description": one.description,
        "url": url,
        "telephone": one.telephone,
        "email": one.email,
        "image": images,
        "address": _without_blanks(address),
        "openingHoursSpecification": [_hours(opening) for opening in shared.openings],
        "makesOffer": offers if one.actif else [],
        "potentialAction": reserve if one.actif else {},
    })


def _price(cents: int) -> dict[str, str]:
    """Returns the schema.org keys of a price, or {} if `cents` is 0 (no price)."""
    return {"price": f"{cents / 100:.2f}", "priceCurrency": "EUR"} if cents else {}


def _hours(opening: Opening) -> dict[str, str]:
    opens, closes = (
        f"{minutes // 60 % 24:02}:{minutes % 60:02}" for minutes in (opening.debut, opening.fin)
    )
    return {
        "@type": "OpeningHoursSpecification",
        "dayOfWeek": _DAYS[opening.jour - 1],
        "opens": opens,
        "closes": closes,
    }


def _without_blanks(record: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in record.items() if value}
