"""The router of the applications in this process."""

from copy import deepcopy
from threading import Lock
from typing import Any

import falcon.routing


class Router(falcon.routing.CompiledRouter):
    """Falcon's router, except that applications with the same routes share the first one.

    Adding and compiling the routes would take a third of the time of an ordinary test.
    """

    first: dict[Any, "Router"] = {}  # by the paths and the classes of their resources
    lock = Lock()

    def __init__(self) -> None:
        super().__init__()
        self.resources: dict[str, object] = {}
        self.shared: Router | None = None
        self.responders: dict[str, Any] = {}  # of the resources of this application, by path

    def add_route(self, uri_template: str, resource: object) -> None:
        self.resources[uri_template] = resource
        self.shared = None

    def find(self, uri: str, req: Any = None) -> Any:
        if self.shared is None:
            self.shared = self._alike()
        if (found := super(Router, self.shared).find(uri, req)) is None:
            return None
        its, responders, params, path = found
        mine = self.resources[path]
        if path not in self.responders:
            self.responders[path] = deepcopy(responders, {id(its): mine})
        return mine, self.responders[path], params, path

    def _alike(self) -> "Router":
        routes = tuple((path, type(resource)) for path, resource in self.resources.items())
        with self.lock:
            if routes not in self.first:
                for path, resource in self.resources.items():
                    super().add_route(path, resource)
                self.first[routes] = self
            return self.first[routes]


def share() -> None:
    """Makes the applications that are created from now on share their routers."""
    falcon.routing.DefaultRouter = Router
