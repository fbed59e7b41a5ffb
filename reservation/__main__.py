"""The command `reservation`, also available as `python -m reservation`."""

import _signal  # type: ignore[import-not-found]  # `signal` is slow to import
import io
import os
import sys

# Ctrl-C during the imports must end the process without a traceback.
_signal.signal(_signal.SIGINT, _signal.SIG_DFL)

from reservation import commands  # noqa: E402


def main() -> int:
    _signal.signal(_signal.SIGINT, _signal.default_int_handler)
    # Python sets a stream to None if a cron job or a parent process has closed it.
    for name, mode in ("stdin", "r"), ("stdout", "w"), ("stderr", "w"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))
    # Prints as an escape what the terminal cannot show, such as "…" in Latin-1.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    return commands.main()


if __name__ == "__main__":
    sys.exit(main())
