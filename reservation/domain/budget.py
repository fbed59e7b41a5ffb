"""The CPU time that one request may spend on work whose amount somebody else decides."""

import math
import time

SECONDS = 0.3  # of CPU time; the rest of a request stays below 0.2 s


class Budget:
    """CPU time of the thread that made it. Waiting costs nothing."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._until = time.thread_time() + seconds

    @property
    def spent(self) -> bool:
        return time.thread_time() > self._until


UNLIMITED = Budget(math.inf)
