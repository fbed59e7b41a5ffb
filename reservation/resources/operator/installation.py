"""The state of the installation, for an admin."""

from typing import Any

import reservation
from reservation.domain.messages import lists
from reservation.lib import instants
from reservation.operations import properties
from reservation.operations.answers import ok
from reservation.operations.operation import operation
from reservation.operations.resource import Resource
from reservation.operations.shapes import plain
from reservation.settings import DOORS
from reservation.storage import schema

_INSTALLATION = plain(
    "Installation",
    version=properties.text(reservation.__version__),
    schema={"type": "integer", "examples": [schema.VERSION]},
    base=properties.text("sqlite:///reservation.db"),
    reglages={
        "type": "object",
        "additionalProperties": {"type": "string"},
        "examples": [{"RESERVATION_ENV": "production"}],
        "description": "The settings in force, with secrets hidden.",
    },
    portesOuvertes={
        "type": "array",
        "items": {"type": "string", "enum": list(DOORS), "examples": ["no_limits"]},
        "description": "The unsafe features that are enabled.",
    },
    emails={
        "type": "object",
        "additionalProperties": properties.COUNT,
        "examples": [{"attente": 3}],
        "description": "The messages that are not sent, by state.",
    },
    retardSecondes={
        **properties.COUNT, "description": "Seconds since the oldest queued message was due."
    },
    derniereSauvegarde={
        "type": ["string", "null"],
        "format": "date-time",
        "examples": ["2030-05-20T18:03:11+02:00"],
        "description": "When the last `reservation backup` finished.",
    },
)


class Installation(Resource):
    """GET /api/installation"""

    @operation(
        "readInstallation",
        "Version, settings, unsent messages and the last backup, for an admin",
        ok("The state of the installation.", _INSTALLATION),
        roles=("admin",),
    )
    def on_get(self, now: int) -> Any:
        emails, late = lists.unsent(self.db, now)
        backup = schema.last_backup(self.db)
        shown = self.settings.in_force()
        return {
            "version": reservation.__version__,
            "schema": schema.version(self.db),
            "base": shown["RESERVATION_DATABASE_URL"],
            "reglages": shown,
            "portesOuvertes": list(self.settings.open_doors),
            "emails": emails,
            "retardSecondes": late,
            "derniereSauvegarde": instants.shown(backup, instants.FRANCE),
        }
