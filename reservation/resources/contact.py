"""POST /contact: specification, sections 2.4 and 4.2."""

import falcon

from reservation.contract import contact as contract
from reservation.contract.operation import operation
from reservation.domain.messages import contact
from reservation.domain.messages.mailers import Mailer
from reservation.http import fields
from reservation.http.bodies import read_json
from reservation.http.errors import errors_as, with_success
from reservation.http.replies import as_json
from reservation.settings import Settings


class Contact:
    def __init__(self, settings: Settings, mailer: Mailer) -> None:
        self.settings, self.mailer = settings, mailer

    @operation(contract.SEND)
    @falcon.before(errors_as(with_success))
    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        message = fields.read_in_turn(
            contract.MESSAGE,
            read_json(req),
            missing="contact_fields_missing",
            not_text="contact_fields_not_text",
        )
        contact.send(self.mailer, message, self.settings.mail_from, self.settings.contact_to)
        as_json(resp, {"success": True, "message": "Message envoyé avec succès"})
