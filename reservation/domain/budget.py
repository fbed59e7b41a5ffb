"""Limits the time that a request spends on work of unbounded size."""

import math
import time

SECONDS = 0.3  # CPU seconds
WAITING = 4  # the limit of elapsed time, as a multiple of the limit of CPU time
STEPS = 6  # number of steps always allowed, so that short requests succeed on a busy machine


class Budget:
    """Limits the elapsed time and the CPU time of the thread since the Budget was created."""

    def __init__(self, seconds: float = SECONDS, steps: int = STEPS) -> None:
        self._until = time.thread_time() + seconds
        self._clock_until = time.monotonic() + WAITING * seconds
        self._steps = steps

    def is_spent(self) -> bool:
        """Returns whether the work must stop. Call once before each step of about 10 ms."""
        self._steps -= 1
        if self._steps >= 0:
            return False
        return time.thread_time() > self._until or time.monotonic() > self._clock_until


UNLIMITED = Budget(math.inf)
