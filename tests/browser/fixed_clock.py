"""Runs `reservation` at a fixed time: python fixed_clock.py 2026-05-19T08:20Z serve --port 0"""

import sys

import time_machine

if __name__ == "__main__":
    time_machine.travel(sys.argv.pop(1), tick=False).start()
    from reservation.__main__ import main

    sys.exit(main())
