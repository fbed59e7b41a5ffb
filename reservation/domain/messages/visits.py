"""A reservation with all that messages and calendars tell of it, and its calendar entries."""

from typing import NamedTuple
from urllib.parse import urlsplit

from reservation.errors import NotFound
from reservation.lib.icalendar import Entry, Person
from reservation.storage.database import Database

# To be completed by a condition; r is the reservation, e the business, p the service, u the
# customer and o the owner.
SELECT = (
    "SELECT r.id, r.debut, r.fin, r.places, r.statut, r.commentaire, r.version, r.modifie_le,"
    " p.nom, e.nom, e.adresse, e.code_postal, e.ville, e.telephone, e.email, e.fuseau,"
    " o.langue, u.prenom, u.nom, u.telephone, u.email, u.langue FROM reservation r"
    " JOIN prestation p ON p.id = r.prestation_id"
    " JOIN entreprise e ON e.id = r.entreprise_id"
    " JOIN utilisateur o ON o.id = e.proprietaire_id"
    " JOIN utilisateur u ON u.id = r.utilisateur_id"
)


class Booked(NamedTuple):
    """One row of SELECT. Times are Unix seconds."""

    id: int
    debut: int
    fin: int
    places: int
    statut: str
    commentaire: str
    version: int
    modifie_le: int
    prestation: str
    entreprise: str
    adresse: str
    code_postal: str
    ville: str
    entreprise_telephone: str
    entreprise_email: str
    fuseau: str
    entreprise_langue: str
    prenom: str
    nom: str
    telephone: str
    email: str
    langue: str

    @property
    def client(self) -> str:
        return f"{self.prenom} {self.nom}".strip()

    @property
    def lieu(self) -> str:
        """The address of the business, in one line."""
        town = f"{self.code_postal} {self.ville}".strip()
        return ", ".join(filter(None, (self.adresse, town)))


class Origin(NamedTuple):
    """The service as calendars name it: the host of their UIDs, and an e-mail address for a
    business that has none."""

    host: str
    email: str


def origin(public_url: str, mail_from: str) -> Origin:
    return Origin(urlsplit(public_url).hostname or "", mail_from)


def booked(db: Database, reservation_id: int) -> Booked:
    """Whoever asks. Raises NotFound."""
    rows = db.rows(f"{SELECT} WHERE r.id = ?", reservation_id)
    if not rows:
        raise NotFound()
    return Booked(*rows[0])


def for_customer(row: Booked, origin: Origin) -> Entry:
    return _entry(row, origin, row.entreprise, (row.entreprise, row.entreprise_telephone))


def for_business(row: Booked, origin: Origin) -> Entry:
    return _entry(row, origin, row.client, (row.client, row.telephone, row.commentaire))


def _entry(row: Booked, origin: Origin, other: str, told: tuple[str, ...]) -> Entry:
    """The visit as one of the two sides sees it, to whom `other` is the name of the other."""
    places = f"{row.places} places" if row.places > 1 else ""
    return Entry(
        reservation_id=row.id,
        host=origin.host,
        debut=row.debut,
        fin=row.fin,
        sequence=row.version - 1,
        statut=row.statut,
        stamp=row.modifie_le,
        summary=f"{row.prestation} – {other}",
        organizer=Person(row.entreprise, row.entreprise_email or origin.email),
        attendee=Person(row.client, row.email),
        location=row.lieu,
        description="\n".join(filter(None, (*told, places))),
    )
