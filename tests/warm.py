"""What the servers of the browser tests share. The process from which they are forked imports this
module, so that each server starts in half of the CPU time."""

import gunicorn.glogging  # noqa: F401

import reservation.commands.connections  # noqa: F401
import reservation.commands.running  # noqa: F401
import reservation.commands.serve  # noqa: F401
from reservation.application import completions
from reservation.settings import Settings

for names in completions(Settings()):
    _ = names.index
