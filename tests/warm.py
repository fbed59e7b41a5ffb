"""Imports what each ForkedGunicorn needs. The servers are forked from a process that has imported
this module, so a server starts in half of the CPU time."""

import gunicorn.glogging  # noqa: F401

import reservation.commands.connections  # noqa: F401
import reservation.commands.running  # noqa: F401
import reservation.commands.serve  # noqa: F401
from reservation.application import completions
from reservation.resources.site_files import shipped
from reservation.settings import Settings

for names in completions(Settings()):
    _ = names.index
for file in shipped().files.values():
    _ = file.zipped
