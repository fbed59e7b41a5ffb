"""The command `reservation`, also as `python -m reservation`."""

import signal
import sys

# An interrupt during the imports ends the command without a word.
signal.signal(signal.SIGINT, signal.SIG_DFL)

from reservation import commands  # noqa: E402


def main() -> int:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    return commands.main()


if __name__ == "__main__":
    sys.exit(main())
