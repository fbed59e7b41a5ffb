"""Limits the time that a request spends on work of unbounded size."""

import math
import time

SECONDS = 0.3  # of CPU time; the rest of a request takes less than 0.2 s
WAITING = 4  # elapsed time, with waits for locks and disks, may be this many times longer
STEPS = 6  # always allowed, so that a pause of the interpreter cuts no ordinary request


class Budget:
    """CPU time of the current thread, from now on."""

    def __init__(self, seconds: float = SECONDS, steps: int = STEPS) -> None:
        self._until = time.thread_time() + seconds
        self._clock_until = time.monotonic() + WAITING * seconds
        self._steps = steps

    def is_spent(self) -> bool:
        """Returns whether to stop. Call before each step of about 10 ms."""
        self._steps -= 1
        if self._steps >= 0:
            return False
        return time.thread_time() > self._until or time.monotonic() > self._clock_until


UNLIMITED = Budget(math.inf)
