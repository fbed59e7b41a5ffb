"""The version that a client wants to change. The version is in the body or in If-Match."""

from collections.abc import Callable
from typing import Any

import falcon

from reservation.errors import DatabaseUnavailable, StaleVersion
from reservation.http.codes import InvalidFields
from reservation.http.conditional import TAG, is_any
from reservation.operations.fields import IS_REQUIRED, Field, Fields
from reservation.operations.kinds import whole
from reservation.storage import deadline
from reservation.storage.database import PATIENCE

VERSION = Field(
    whole(1, 2**31 - 1), default=None, example=1, doc="The version to change."
)


def changed(
    req: falcon.Request, body: Any, found: Any, find: Callable[[], Any],
    change: Callable[[Any, int], Any],
) -> Any:
    """Calls `change` with the object `found` and a version: the version in the body or, without
    one, the version of the object. Returns what `change` returns.

    If the body has no version, and another request changes the object meanwhile, finds the object
    again and retries. Raises DatabaseUnavailable at the deadline of the request.

    Raises StaleVersion if the version does not satisfy If-Match or If-None-Match, or if `change`
    refuses the version in the body. Raises InvalidFields if a partial change has neither a version
    in the body nor an If-Match.
    """
    given = vars(body).pop("version", None) if isinstance(body, Fields) else None
    if given is None and getattr(body, "partial", False) and req.get_header("If-Match") is None:
        raise InvalidFields({"version": IS_REQUIRED})
    until = deadline.until(PATIENCE)
    while True:
        version = found.version if given is None else int(given)
        matched(req, version)
        try:
            return change(found, version)
        except StaleVersion:
            if given is not None:
                raise
            if deadline.passed(until):
                raise DatabaseUnavailable() from None
        found = find()


def matched(req: falcon.Request, version: int) -> int | None:
    """Returns `version`, or None if If-Match is absent or `*`.

    Raises StaleVersion if If-Match does not match the version, or if If-None-Match matches it.
    """
    wanted, unwanted = req.get_header("If-Match"), req.get_header("If-None-Match")
    if wanted is not None and not _names(wanted, version):
        raise StaleVersion()
    if unwanted is not None and _names(unwanted, version):
        raise StaleVersion()
    return None if wanted is None or is_any(wanted) else version


def _names(header: str, version: int) -> bool:
    starts = (f'"v{version}"', f'"v{version}.')
    return is_any(header) or any(tag.startswith(starts) for tag in TAG.findall(header))
