"""A small document of three operations, in the words of OpenAPI 3.1."""

_BODIES = {
    "login": ("email", "password"),
    "register": ("email", "password", "first_name", "last_name", "role"),
    "createReservation": ("creneauId", "prestationId"),
}
_PATHS = {
    "login": "/auth/login", "register": "/auth/register", "createReservation": "/api/reservations"
}


def _operation(name):
    schema = {"type": "object", "properties": {field: {} for field in _BODIES[name]}}
    return {
        "operationId": name,
        "tags": ["all"],
        "security": [{"bearer": []}] if name == "createReservation" else [],
        "requestBody": {"content": {"application/json": {"schema": schema}}},
        "responses": {"default": {"description": "What came of it"}},
    }


DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "Reservation", "version": "0"},
    "servers": [{"url": "."}],  # relative to the document
    "paths": {path: {"post": _operation(name)} for name, path in _PATHS.items()},
    "components": {"securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}}},
}
