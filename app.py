"""The WSGI application, for `gunicorn app:application`; `python app.py` serves it too."""

import logging
import sys

from reservation import Settings, create_app, logs
from reservation.commands import main
from reservation.lib.proxies import Forwarded

if __name__ == "__main__":
    sys.exit(main(["serve", *sys.argv[1:]]))

settings = Settings.from_environ()
logs.set_up(settings.log)
for door in settings.open_doors.values():
    logging.getLogger("reservation").warning("open door: %s", door)
application = Forwarded(create_app(settings))  # uses X-Forwarded-For from this machine
