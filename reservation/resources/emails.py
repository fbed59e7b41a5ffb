"""The messages of the outbox."""

from reservation.domain.messages import lists, messages, quotas, rendering
from reservation.domain.messages.lists import MessageRecord
from reservation.domain.outbox import holding, outbox
from reservation.domain.people.sessions import Account
from reservation.domain.planning import businesses
from reservation.errors import NotFound
from reservation.operations import properties, queries
from reservation.operations.answers import accepted, ok, refused
from reservation.operations.bodies import Body
from reservation.operations.fields import Field
from reservation.operations.kinds import choice, whole
from reservation.operations.operation import operation
from reservation.operations.properties import ID, as_sent, instant
from reservation.operations.queries import Page, PageQuery
from reservation.operations.resource import Resource
from reservation.operations.shapes import Many, Shape
from reservation.resources.reservation_shapes import RESERVATION
from reservation.storage.database import Database
from reservation.storage.models import Entreprise


class EmailSearch(PageQuery):
    statut = Field(choice(*outbox.STATES), default=None)


class EmailSearchOfEntreprise(EmailSearch):
    ressource = Field(queries.ID, default=None, doc="The person who was planned for the visit"
                      " when the message was queued.")
    q = Field(queries.WORDS, default="", doc="Messages to the customers that `listCustomers` finds"
              " with these words, the first 100 by name, or to this e-mail address.")


REASONS = (
    outbox.NO_ADDRESS, *holding.REASONS, rendering.VISIT_CHANGED, rendering.VISIT_BEGUN,
    rendering.NO_CLOSURE, outbox.CLOSED,
)  # fmt: skip
EMAIL = Shape(
    "Email",
    {
        "id": ID,
        "reservation_id": properties.OPTIONAL_ID,
        "entreprise_id": properties.OPTIONAL_ID,
        "genre": {"type": "string", "enum": list(messages.KINDS)},
        "destinataire": properties.text("chloe@example.fr"),
        "statut": {
            "type": "string",
            "enum": list(outbox.STATES),
            "examples": ["envoye"],
            "description": "An `attente` message is queued, an `envoi` message is being sent, and"
            " the relay has accepted an `envoye` message. An `abandonne` message was given up."
            " A `retenu` message is held because of a quota, an unproven address or a restored"
            " backup.",
        },
        "sujet": properties.text("Rendez-vous confirmé"),
        "corps": properties.text("Bonjour …"),
        "adresse_renvoi": {
            **properties.text("chloe@example.fr"),
            "description": "The address to which `sendEmailAgain` sends the message. This is the"
            " present address of the customer, or of the business and, if it has none, of its"
            " owner's account. For other messages, for a customer without an address now, and in"
            " `exportCompte`, this is `destinataire`.",
        },
        "essais": {**properties.COUNT, "description": "The number of attempts."},
        "prochain_essai": instant(
            "2030-05-20T18:05:00+02:00", nullable=True, source="next_attempt"
        ),
        "derniere_erreur": {
            "type": ["string", "null"],
            "examples": [None],
            "description": "Why the message was not sent: a code ("
            + ", ".join(f"`{code}`" for code in REASONS)
            + "), the answer of the relay, or the error of the connection.",
        },
        "envoye_le": instant("2030-05-20T18:03:12+02:00", nullable=True),
        "cree_le": instant("2030-05-20T18:03:11+02:00"),
    },
)
_OF_BUSINESS = Shape(
    "EmailOfEntreprise",
    {
        **EMAIL.properties,
        "client": RESERVATION.properties["client"]._replace(presence="client_id"),
    },
)
_PAGE = "A page of messages, latest first."


def _page(
    resource: Resource, query: EmailSearch, entreprise_id: int | None = None,
    ressource_id: int | None = None, q: str = "",
) -> Page[MessageRecord]:
    statut = query.statut or ""
    page = query.page(
        lambda after, most: lists.ids(
            resource.db, entreprise_id, ressource_id, statut, q, after, most
        ),
        lambda id: (id,),
    )
    return page.load(lambda ids: sorted(lists.by_ids(resource.db, ids), reverse=True))


class EmailsOfEntreprise(Resource):
    """GET /api/entreprises/{id}/emails"""

    @operation(
        "listEmailsOfEntreprise",
        "The messages about one business",
        ok(_PAGE, Many(_OF_BUSINESS)),
        description="A message to a customer who had no address has this customer as `client`.",
        subject=businesses.owned,
    )
    def on_get(
        self, entreprise: Entreprise, query: EmailSearchOfEntreprise
    ) -> Page[MessageRecord]:
        return _page(self, query, entreprise.id, query.ressource, query.q)


class Emails(Resource):
    """GET /api/emails"""

    @operation(
        "listEmails",
        "All messages, for an admin",
        ok(_PAGE, Many(EMAIL)),
        roles=("admin",),
    )
    def on_get(self, query: EmailSearch) -> Page[MessageRecord]:
        return _page(self, query)


class QuotaInput(Body):
    mails_par_jour = Field(
        whole(0, 1_000_000),
        nullable=True,
        example=2000,
        doc="Messages that a business may send in a day, without messages to the address of its"
        f" owner's account; null: {quotas.BY_DEFAULT}.",
    )


_QUOTA = Shape("Quota", as_sent(QuotaInput))


class QuotaOfEntreprise(Resource):
    """PUT /api/entreprises/{id}/quota"""

    @operation(
        "setQuota",
        "Set how many messages a business may send in a day, and queue those that the quota held",
        ok("The quota.", _QUOTA),
        subject=businesses.owned,
        roles=("admin",),
    )
    def on_put(self, entreprise: Entreprise, body: QuotaInput, now: int) -> Entreprise:
        quotas.set_quota(self.db, entreprise.id, body.mails_par_jour, now)
        return businesses.get(self.db, entreprise.id)


def owned_message(db: Database, account: Account, id: int) -> MessageRecord:
    message = lists.one(db, id)
    if message.entreprise_id is not None:
        businesses.owned(db, account, message.entreprise_id)
    elif account.role != "admin":
        raise NotFound()
    return message


class SendAgain(Resource):
    """POST /api/emails/{id}/renvoi"""

    @operation(
        "sendEmailAgain",
        "Send a message again",
        accepted("The message is queued.", EMAIL),
        subject=owned_message,
        refuses=refused(409),
    )
    def on_post(self, message: MessageRecord, now: int) -> MessageRecord:
        outbox.send_again(self.db, message.id, now)
        return lists.one(self.db, message.id)
