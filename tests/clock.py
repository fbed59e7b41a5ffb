"""The time that tests pass to the domain."""

import time


def now() -> int:
    return int(time.time())
