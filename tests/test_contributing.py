"""The worked example of CONTRIBUTING, applied to a copy of the package."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
FILE = r"`(reservation/[\w/]+\.py)`"
EXAMPLE = re.compile(FILE + r"[^`]*(?:`[^`]*`[^`]*)*?```diff\n(.*?)```", re.DOTALL)
SCRIPT = """
import json
from webtest import TestApp
from reservation import Settings, create_app

app = TestApp(create_app(Settings(database_url="sqlite:///example.db", bcrypt_rounds=4)))


def call(method, path, body, token="", **headers):
    if token:
        headers["Authorization"] = f"Bearer {token}"
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return getattr(app, f"{method}_json")(path, body, headers=named, status="*")


def signed_in(name):
    login = {"email": f"{name}@example.fr", "password": "un bon mot de passe"}
    person = {"first_name": name, "last_name": name, "role": "company"}
    call("post", "/auth/register", {**login, **person})
    return call("post", "/auth/login", login).json["token"]


alice, bob = signed_in("Alice"), signed_in("Bob")
salon = call("post", "/api/entreprises", {"nom": "Salon", "ville": "Lyon"}, alice).json["id"]
coupe = {"nom": "Coupe", "dureeMinutes": 30}
made = call("post", f"/api/entreprises/{salon}/prestations", coupe, alice).json
path, price = f"/api/prestations/{made['id']}/prix", {"prixCentimes": 4200}
refused = call("put", path, {"prixCentimes": -1}, alice).json
shown = call("put", path, price, alice)
told = app.get("/openapi.json").json["paths"]["/api/prestations/{id}/prix"]["put"]
print(json.dumps({
    "nobody": call("put", path, price).status_int,
    "stranger": call("put", path, price, bob).status_int,
    "refused": refused["champs"]["prixCentimes"]["code"],
    "price": shown.json["prixCentimes"],
    "tag": shown.headers["ETag"],
    "stale": call("put", path, price, alice, If_Match='"v1"').status_int,
    "documented": [told["operationId"], told["security"], sorted(told["responses"])],
}))
"""


def changes():
    """Returns (file, old text, new text) of each hunk of the example."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    section = text[text.index("## Add an endpoint") : text.index("## Change the schema")]
    for file, diff in EXAMPLE.findall(section):
        for hunk in diff.split("@@\n"):
            lines = hunk.splitlines(keepends=True)
            old = "".join(line[1:] for line in lines if not line.startswith("+"))
            new = "".join(line[1:] for line in lines if not line.startswith("-"))
            yield file, old, new


def test_the_example_of_an_endpoint_works_and_takes_three_files(tmp_path):
    ignored = shutil.ignore_patterns("__pycache__", "docs")
    shutil.copytree(ROOT / "reservation", tmp_path / "reservation", ignore=ignored)
    shutil.copytree(ROOT / "reservation/data/docs", tmp_path / "reservation/data/docs")
    for file, old, new in changes():
        path = tmp_path / file
        source = path.read_text()
        assert source.count(old) == 1, f"{file} does not contain this text exactly once: {old}"
        path.write_text(source.replace(old, new))
    assert len({file for file, _, _ in changes()}) == 3
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    statuses = ["200", "400", "401", "403", "404", "412", "413", "415", "419", "500", "503"]
    assert json.loads(done.stdout) == {
        "nobody": 401,
        "stranger": 403,
        "refused": "out_of_range",
        "price": 4200,
        "tag": '"v2"',
        "stale": 412,
        "documented": ["updatePrix", [{"bearer": []}], statuses],
    }
