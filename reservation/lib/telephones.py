"""Telephone numbers, as people write them in France."""

import re

# The time zones of the regions with numbers of ten digits that begin with 0.
ZONES = frozenset((
    "Europe/Paris", "America/Cayenne", "America/Guadeloupe", "America/Marigot",
    "America/Martinique", "America/St_Barthelemy", "Indian/Mayotte", "Indian/Reunion",
))
_FRANCE = "33"
_WITHOUT_ZERO = re.compile("[1-9][0-9]{8}")


def national(telephone: str) -> str:
    """Returns the digits of a telephone number. A French number begins with 0 in every case:
    `06 11 22 33 44`, `+33 6 11 22 33 44` and `0033 (0)6 11 22 33 44` are the same. A foreign
    number begins with the country code, without `+` or 00.
    """
    digits = "".join(filter(str.isdecimal, telephone))
    international = digits.removeprefix("00")
    if telephone.strip().startswith("+") or international != digits or len(digits) > 10:
        if international.startswith(_FRANCE):
            return "0" + international.removeprefix(_FRANCE).removeprefix("0")
        return international
    return digits


def with_zero(telephone: str) -> str:
    """Returns the number with the first 0 that a spreadsheet program has dropped: `0611223344` for
    `611223344`. Returns other numbers unchanged."""
    return f"0{telephone}" if _WITHOUT_ZERO.fullmatch(telephone) else telephone


def without_zero(national: str) -> str:
    """Undoes `with_zero`. Returns other numbers unchanged."""
    rest = national.removeprefix("0")
    return rest if _WITHOUT_ZERO.fullmatch(rest) else national
