"""Reads the details of bookings for messages and calendar files, and makes calendar entries."""

from typing import Annotated, NamedTuple
from urllib.parse import urlsplit

from reservation.domain.customers.records import ERASED
from reservation.domain.people import accounts
from reservation.lib.addresses import postal
from reservation.lib.icalendar import CalendarEntry, Participant
from reservation.storage import records
from reservation.storage.database import Database

_ERASED = {"fr": ERASED, "en": "Erased customer"}
_WITH = {"fr": "avec", "en": "with"}


class VisitRecord(NamedTuple):
    id: int
    debut: int
    fin: int
    places: int
    prix_centimes: int
    statut: str
    commentaire: str
    version: int
    modifie_le: int
    prestation: Annotated[str, "p.nom"]
    entreprise: Annotated[str, "e.nom"]
    adresse: Annotated[str, "e.adresse"]
    code_postal: Annotated[str, "e.code_postal"]
    ville: Annotated[str, "e.ville"]
    entreprise_telephone: Annotated[str, "e.telephone"]
    entreprise_email: Annotated[str, "e.email"]
    fuseau: Annotated[str, "e.fuseau"]
    entreprise_langue: Annotated[str, "o.langue"]
    prenom: Annotated[str, "c.prenom"]
    nom: Annotated[str, "c.nom"]
    telephone: Annotated[str, "c.telephone"]
    email: Annotated[str, "c.email"]
    langue: Annotated[str, "COALESCE(u.langue, o.langue)"]
    since: Annotated[int, "COALESCE(u.jetons_depuis, 0)"]  # passed to `Links.url` as `since`
    personne: Annotated[str, "w.nom"] = ""
    salle: Annotated[str | None, "s.nom"] = None
    proprietaire: Annotated[str, "o.email"] = ""
    delai_annulation: Annotated[int, "e.delai_annulation"] = 0

    @property
    def is_erased(self) -> bool:
        """Returns whether the customer or the owner was erased."""
        return self.nom == ERASED or self.proprietaire.endswith(accounts.ERASED)

    def client(self, langue: str) -> str:
        return _ERASED[langue] if self.nom == ERASED else f"{self.prenom} {self.nom}".strip()

    def service(self, langue: str) -> str:
        """Returns service, person and room as one text, such as `Massage avec Léa (Cabine 1)`."""
        person = f" {_WITH[langue]} {self.personne}" if self.personne else ""
        room = f" ({self.salle})" if self.salle else ""
        return f"{self.prestation}{person}{room}"

    @property
    def lieu(self) -> str:
        return postal(self.adresse, self.code_postal, self.ville)


# Plain SQL instead of Peewee, for speed: a calendar feed reads many visits.
SELECT = (
    f"SELECT {records.columns(VisitRecord, 'r')} FROM reservation r"
    " JOIN prestation p ON p.id = r.prestation_id"
    " JOIN entreprise e ON e.id = r.entreprise_id"
    " JOIN utilisateur o ON o.id = e.proprietaire_id"
    " JOIN client c ON c.id = r.client_id"
    " LEFT JOIN utilisateur u ON u.id = r.titulaire_id"
    " JOIN ressource w ON w.id = r.ressource_id LEFT JOIN ressource s ON s.id = r.lieu_id"
)


class Origin(NamedTuple):
    """`host` is part of the UIDs of calendar entries. `email` is the organizer's address if the
    business has no e-mail address."""

    host: str
    email: str


def origin(public_url: str, mail_from: str) -> Origin:
    return Origin(urlsplit(public_url).hostname or "", mail_from)


def get(db: Database, reservation_id: int) -> VisitRecord:
    """Returns a visit without a permission check. Raises NotFound."""
    return VisitRecord(*records.first(db.rows(f"{SELECT} WHERE r.id = ?", reservation_id)))


def is_erased(db: Database, reservation_id: int | None) -> bool:
    """Returns whether the customer or the owner of a booking was erased."""
    return reservation_id is not None and get(db, reservation_id).is_erased


def for_customer(visit: VisitRecord, origin: Origin) -> CalendarEntry:
    lines = visit.entreprise, visit.entreprise_telephone
    return _entry(visit, origin, visit.langue, visit.entreprise, *lines)


def for_business(visit: VisitRecord, origin: Origin) -> CalendarEntry:
    langue = visit.entreprise_langue
    client = visit.client(langue)
    lines = client, visit.telephone, visit.commentaire
    return _entry(visit, origin, langue, client, *lines)


def _entry(
    visit: VisitRecord, origin: Origin, langue: str, other: str, *lines: str
) -> CalendarEntry:
    """Returns a calendar entry. `other` is the name of the customer or business to show in the
    summary. The description begins with `lines`."""
    places = f"{visit.places} places" if visit.places > 1 else ""
    return CalendarEntry(
        reservation_id=visit.id,
        host=origin.host,
        debut=visit.debut,
        fin=visit.fin,
        sequence=visit.version - 1,
        statut=visit.statut,
        stamp=visit.modifie_le,
        summary=f"{visit.service(langue)} – {other}",
        organizer=Participant(visit.entreprise, visit.entreprise_email or origin.email),
        attendee=Participant(visit.client(langue), visit.email),
        location=visit.lieu,
        description="\n".join(filter(None, (*lines, places))),
    )
