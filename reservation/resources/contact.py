"""POST /contact: specification, sections 2.4 and 4.2."""

import falcon

from reservation.domain import contact
from reservation.domain.mail import Mailer
from reservation.http.bodies import read_json
from reservation.http.errors import as_json, errors_as, with_success
from reservation.settings import Settings


class Contact:
    def __init__(self, settings: Settings, mailer: Mailer) -> None:
        self.settings, self.mailer = settings, mailer

    @falcon.before(errors_as(with_success))
    def on_post(self, req: falcon.Request, resp: falcon.Response) -> None:
        fields = read_json(req)
        contact.send(self.mailer, fields, self.settings.mail_from, self.settings.contact_to)
        as_json(resp, {"success": True, "message": "Message envoyé avec succès"})
