"""Telephone numbers, as people write them in France."""

_FRANCE = "33"


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
