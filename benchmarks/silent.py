"""The service without messages for bookings: `python -m benchmarks.silent`."""

import sys
from typing import Any

from reservation.commands import main
from reservation.domain.messages import outbox


def _tell_nobody(*_args: Any, **_how: Any) -> None:
    pass


if __name__ == "__main__":
    outbox.tell = _tell_nobody
    sys.exit(main())
