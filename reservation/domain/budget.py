"""The time that one request may spend on work whose amount somebody else decides."""

import math
import time

SECONDS = 0.3  # of CPU time; the rest of a request stays below 0.2 s
WAITING = 4  # times as long may pass on the clock, waits for locks and disks included
STEPS = 6  # that are always allowed, so a pause of the interpreter cuts no ordinary request


class Budget:
    """CPU time of the thread that made it."""

    def __init__(self, seconds: float = SECONDS, steps: int = STEPS) -> None:
        self._until = time.thread_time() + seconds
        self._clock_until = time.monotonic() + WAITING * seconds
        self._steps = steps

    def is_spent(self) -> bool:
        """To be asked before each step of the work, some 10 ms long."""
        self._steps -= 1
        if self._steps >= 0:
            return False
        return time.thread_time() > self._until or time.monotonic() > self._clock_until


UNLIMITED = Budget(math.inf)
