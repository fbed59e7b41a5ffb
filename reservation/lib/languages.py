"""The Accept-Language header: RFC 9110, section 12.5.4."""

import re
from collections.abc import Sequence

_RANGE = re.compile(
    r"\s*([a-z]{1,8}|\*)(?:-[a-z0-9-]+)?\s*(?:;\s*q=([01](?:\.[0-9]{0,3})?)\s*)?", re.IGNORECASE
)


def preferred(header: str, offered: Sequence[str]) -> str:
    """Returns the offered language that an Accept-Language header prefers.

    If the header prefers no offered language, returns the first of `offered`. `fr-CA` counts as
    `fr`.
    """
    weights: dict[str, float] = {}
    for found in map(_RANGE.fullmatch, header.split(",")):
        if found:
            name, weight = found[1].lower(), float(found[2] or 1)
            weights[name] = max(weight, weights.get(name, 0.0))
    return max(offered, key=lambda name: weights.get(name, weights.get("*", 0.0)))
