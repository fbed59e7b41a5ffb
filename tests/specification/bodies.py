"""Request bodies, paths and checks that the tests of this folder share."""

from tests import refusals

LINE = {
    "email": "emile@example.fr",
    "password": "un mot de passe",
    "first_name": "Émile",
    "last_name": "Lefèvre",
    "role": "student",
    "school": "Lycée Condorcet",
    "phone": "+33 6 12 34 56 78",
}
CREDENTIALS = {"email": LINE["email"], "password": LINE["password"]}
MESSAGE = {
    "name": "Zoé Lefèvre",
    "email": "zoe@example.fr",
    "phone": "+33 6 12 34 56 78",
    "message": "Bonjour,\n\nêtes-vous ouverts à Noël ? Le prix : 20 €.\n.\nFin d'un cœur pur.",
}
PREFIXES = ("/auth", "/api/auth")
PROTECTED = "/api/reservations"
JSON_POSTS = tuple(
    prefix + path
    for prefix in PREFIXES
    for path in (
        "/register", "/login", "/password/forgot", "/password/reset", "/code", "/code/login"
    )
)
BODILESS = tuple(prefix + path for prefix in PREFIXES for path in ("/refresh", "/logout"))
FORM_POSTS = ("/register_form", "/login_form", "/teste")
POSTS = (*JSON_POSTS, *FORM_POSTS, *BODILESS, "/contact")
GETS = ("/api/services", "/api/villes", PROTECTED)

# An unreachable server: nothing listens on port 1.
NO_DATABASE = "mysql://root@127.0.0.1:1/reservation"


def registration(*without, **changes):
    """Returns a valid body of a registration, with some fields changed or left out."""
    return {k: v for k, v in {**LINE, **changes}.items() if k not in without}


def is_error(answer):
    """Returns True if the body is a JSON refusal: {"error": "<message>", …}."""
    assert answer.content_type == "application/json"
    refusals.check(answer.status_int, answer.headers["X-Error-Code"], answer.body)
    return isinstance(answer.json["error"], str) and answer.json["error"] != ""
