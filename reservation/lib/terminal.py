"""Tells whether the terminal of this process was closed."""

import os
import signal


class Terminal:
    """The terminal from which this process was started, if there was one. A process that `nohup`
    started counts as a process without a terminal."""

    def __init__(self) -> None:
        self._was_open = signal.getsignal(signal.SIGHUP) != signal.SIG_IGN and _is_open()

    def is_closed(self) -> bool:
        return self._was_open and not _is_open()


def _is_open() -> bool:
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    return True
