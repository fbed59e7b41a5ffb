"""GET /api/services and /api/villes: specification, section 4.3."""

import json

import falcon

from reservation.domain.completion import Completion
from reservation.http.errors import JSON


class Names:
    """A list to complete from: `unfiltered` names without `q`, at most `most` with it."""

    def __init__(self, completion: Completion, unfiltered: int | None, most: int) -> None:
        self.completion = completion
        self.most = most
        self.all = _serialised(completion.names[:unfiltered])

    def on_get(self, req: falcon.Request, resp: falcon.Response) -> None:
        typed = req.get_param("q", default="").lstrip()
        resp.content_type = JSON
        if typed:
            resp.data = _serialised(self.completion.starting(typed, self.most))
        else:
            resp.data = self.all


def _serialised(names: list[str]) -> bytes:
    return json.dumps(names, ensure_ascii=False).encode()
