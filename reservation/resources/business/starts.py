"""Start times of a visit as JSON, in lists and in the answer that a time is taken."""

import json
from collections.abc import Sequence
from functools import lru_cache
from itertools import repeat
from typing import Any
from zoneinfo import ZoneInfo

from reservation.conflicts import SlotTaken
from reservation.domain.calendar import reasons
from reservation.domain.calendar.availability import Start
from reservation.http.errors import body_of
from reservation.http.replies import as_list
from reservation.lib import instants
from reservation.lib.instants import to_iso
from reservation.operations.answers import ERROR, Answer
from reservation.operations.properties import COUNT, ID, instant
from reservation.operations.schemas import Json
from reservation.operations.shapes import Many, Property, Shape, plain

MOTIF = {
    "type": "string",
    "enum": list(reasons.MOTIFS),
    "description": "The time has passed (`passe`), is within the minimum notice (`delai`) or is"
    " beyond the horizon (`horizon`), the business or the person is closed then or open only for"
    " other services (`ferme`), the open time is too short for the visit (`trop_court`), or too"
    " few places are free (`complet`).",
}
START = {
    "id": Property(ID),
    "debut": instant("2030-06-04T09:00:00+02:00"),
    "fin": instant("2030-06-04T09:45:00+02:00"),
    "places_restantes": Property({**COUNT, "examples": [1]}, source="places_left"),
}
_FREE_PERSONS: dict[str, Any] = {
    "type": "array",
    "items": ID,
    "description": "The persons who are free then. Only if the business has several persons.",
}
_OF_TEAM = {"ressources": Property(_FREE_PERSONS, source="persons", optional=True)}
FREE_START = Shape("FreeStart", {**START, **_OF_TEAM})
ANY_START = Shape("Start", {**START, "motif": Property(MOTIF, optional=True), **_OF_TEAM})


def starts_as_json(found: Sequence[Start], zone: ZoneInfo, of_team: bool) -> bytes:
    """Formats the starts as JSON without `json`, for speed. `of_team` adds the free persons."""
    numbers, debuts, fins, places, motifs, persons = zip(*found) if found else [()] * 6
    times = map(_times, debuts, fins, repeat(zone))
    rests = [f', "motif": "{motif}"' if motif else "" for motif in motifs]
    if of_team:
        rests = [f'{rest}, "ressources": {[*ids]}' for rest, ids in zip(rests, persons)]
    return as_list(map(_START_AS_JSON.__mod__, zip(numbers, times, places, rests)))


_START_AS_JSON = '{"id": %d, %s, "placesRestantes": %d%s}'


@lru_cache(maxsize=16384)  # many answers contain the same times
def _times(debut: int, fin: int, zone: ZoneInfo) -> str:
    return f'"debut": "{to_iso(debut, zone)}", "fin": "{to_iso(fin, zone)}"'


TAKEN = Answer(
    409,
    "The time is unavailable: `motif` is the reason, `alternatives` are the nearest free times."
    " If the request names a person, these are the free times of this person, and the same time"
    " with another person. If there are none, they are free times of other persons."
    " If there is no `motif`, the customer has too many upcoming bookings, the state of the"
    " booking does not allow the change, or the calendar does not match the booking.",
    plain(
        "SlotTaken",
        tuple({*ERROR["properties"], "motif", "alternatives"} - {"error"}),
        **ERROR["properties"],
        motif={"anyOf": [MOTIF, {"type": "null"}]},
        alternatives=Many(FREE_START),
    ),
    example={
        **body_of(SlotTaken()),
        "motif": "complet",
        "alternatives": [
            {
                "id": 4,
                "debut": "2030-06-04T09:45:00+02:00",
                "fin": "2030-06-04T10:30:00+02:00",
                "placesRestantes": 1,
            }
        ],
    },
)


def show_taken(ex: SlotTaken) -> Json:
    """Returns the additional keys of the error body: `motif` and `alternatives`."""
    zone = instants.zone_of(ex.fuseau or instants.FRANCE)
    of_team = any(start.persons for start in ex.alternatives)
    found = starts_as_json(ex.alternatives, zone, of_team)
    return {"motif": ex.motif, "alternatives": json.loads(found)}
