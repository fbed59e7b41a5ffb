"""`python -m reservation` is the command `reservation`."""

import sys

from reservation.commands import main

sys.exit(main())
