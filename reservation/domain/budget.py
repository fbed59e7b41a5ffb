"""The CPU time that one request may spend on work whose amount somebody else decides."""

import math
import time

SECONDS = 0.3  # of CPU time; the rest of a request stays below 0.2 s
STEPS = 6  # that are always allowed, so a pause of the interpreter cuts no ordinary request


class Budget:
    """CPU time of the thread that made it. Waiting costs nothing."""

    def __init__(self, seconds: float = SECONDS, steps: int = STEPS) -> None:
        self._until = time.thread_time() + seconds
        self._steps = steps

    def is_spent(self) -> bool:
        """To be asked before each step of the work, some 10 ms long."""
        self._steps -= 1
        return self._steps < 0 and time.thread_time() > self._until


UNLIMITED = Budget(math.inf)
