"""Checks refusals against the table of codes."""

import json
from typing import Any

from reservation.http.codes import FAULTS, TABLE


def check(status: int, code: str | None, body: bytes) -> None:
    """Fails unless the table has this code (X-Error-Code) and status, and the body agrees."""
    assert code in TABLE, f"X-Error-Code is {code}; {body!r:.200}"
    expired = (code, status) == ("token_expired", 419)
    assert expired or status == TABLE[code].status, f"{code} has the status {status}"
    if not body.startswith(b"{"):
        return  # an answer to HEAD, or plain text
    told = json.loads(body)
    if "success" in told:
        assert set(told) == {"success", "error"}
    elif TABLE[code].specified:
        assert set(told) == {"error"}, f"the specification fixes the whole body of {code}: {told}"
    else:
        assert told.get("code") == code
        check_faults(told.get("champs", {}))


def check_faults(champs: dict[str, Any]) -> None:
    for name, fault in champs.items():
        assert fault["code"] in FAULTS, f"{name}: {fault}"
        assert set(fault) == {"code", "message", *FAULTS[fault["code"]]}, f"{name}: {fault}"


def codes_of(champs: dict[str, Any]) -> dict[str, str]:
    """Returns the code of each refused field."""
    return {name: fault["code"] for name, fault in champs.items()}
