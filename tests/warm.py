"""Imports what servers and commands need. They are forked from a process that has imported this
module: a server starts in half of the CPU time, and a command in a tenth."""

import gunicorn.glogging  # noqa: F401

import reservation.commands.connections  # noqa: F401
import reservation.commands.running  # noqa: F401
import tests.workers  # noqa: F401
from reservation.application import completions
from reservation.commands import parser
from reservation.resources.site_files import shipped
from reservation.settings import Settings

parser()  # imports the modules of all commands
for names in completions(Settings()):
    _ = names.index
for file in shipped().files.values():
    _ = file.zipped
