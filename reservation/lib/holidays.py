"""The public holidays of France by region.

- All regions: Code du travail, article L3133-1.
- Alsace-Moselle: article L3134-13. Vendredi saint is a holiday only in communes with a Protestant
  or mixed church. No official list names these communes, so the day is always included.
- Guadeloupe, Guyane, Martinique, Mayotte, La Réunion, Saint-Barthélemy and Saint-Martin:
  article L3422-2, loi 83-550, décret 83-1003 and décret 2012-553. The décret of 2012 says 27 May
  for Saint-Martin. This module uses 28 May, as ministerial circulars have done since 2018.
- Nouvelle-Calédonie: Accord interprofessionnel territorial, article 74.
- Polynésie française: its own Code du travail; in 2025, 20 November replaced 29 June.
- Wallis-et-Futuna: Accord interprofessionnel territorial, and the arrêté of each year.

Customary days off, such as 21 July in Guadeloupe, are not included.
"""

from collections.abc import Mapping
from datetime import date, timedelta

Rule = int | tuple[int, int]  # days after Easter Sunday, or (month, day)

METROPOLE, ALSACE_MOSELLE = "metropole", "alsace-moselle"
_ABOLITION = "Abolition de l’esclavage"
_EVERYWHERE: Mapping[str, Rule] = {
    "1er janvier": (1, 1),
    "Lundi de Pâques": 1,
    "1er mai": (5, 1),
    "8 mai": (5, 8),
    "Ascension": 39,
    "Lundi de Pentecôte": 50,
    "14 juillet": (7, 14),
    "Assomption": (8, 15),
    "Toussaint": (11, 1),
    "11 novembre": (11, 11),
    "Noël": (12, 25),
}
REGIONS: Mapping[str, Mapping[str, Rule]] = {  # in addition to _EVERYWHERE
    METROPOLE: {},
    ALSACE_MOSELLE: {"Vendredi saint": -2, "26 décembre": (12, 26)},
    "guadeloupe": {_ABOLITION: (5, 27)},
    "guyane": {_ABOLITION: (6, 10)},
    "martinique": {_ABOLITION: (5, 22)},
    "mayotte": {_ABOLITION: (4, 27)},
    "nouvelle-caledonie": {"Fête de la citoyenneté": (9, 24)},
    "polynesie-francaise": {
        "Arrivée de l’Évangile": (3, 5),
        "Vendredi saint": -2,
        "Matari’i": (11, 20),
    },
    "reunion": {_ABOLITION: (12, 20)},
    "saint-barthelemy": {_ABOLITION: (10, 9)},
    "saint-martin": {_ABOLITION: (5, 28)},
    "saint-pierre-et-miquelon": {},
    "wallis-et-futuna": {
        "Saint Pierre Chanel": (4, 28),
        "Saints Pierre et Paul": (6, 29),
        "Fête du Territoire": (7, 29),
    },
}


def public_holidays(year: int, region: str = METROPOLE) -> dict[date, str]:
    """Returns {date: French name}, in order of date. If two holidays fall on the same date, the
    value has both names: `1er mai, Ascension`."""
    holidays: dict[date, str] = {}
    rules = {**_EVERYWHERE, **REGIONS[region]}
    for day, name in sorted((_day(rule, year), name) for name, rule in rules.items()):
        holidays[day] = f"{holidays[day]}, {name}" if day in holidays else name
    return holidays


def _day(rule: Rule, year: int) -> date:
    if isinstance(rule, int):
        return _easter(year) + timedelta(days=rule)
    return date(year, *rule)


def _easter(year: int) -> date:
    """Returns Easter Sunday. Source: Jean Meeus, Astronomical Algorithms, chapter 8."""
    a = year % 19
    b, c = divmod(year, 100)
    d, e = divmod(b, 4)
    g = (b - (b + 8) // 25 + 1) // 3
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, day = divmod(h + m - 7 * n + 114, 31)
    return date(year, month, day + 1)
