"""The records of types.js have what the OpenAPI document promises."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests import contract, engines
from tests.site.sources import FOLDER

TOOLS = Path(sys.executable).parent.parent / "node" / "node_modules" / ".bin"
SCHEMAS = {
    "Compte": "Profile", "Entreprise": "Entreprise", "Evenement": "Evenement",
    "Offer": "Offer", "Opening": "Opening", "Prestation": "Prestation",
    "Reservation": "Reservation", "Ressource": "Ressource", "Session": "Session",
    "Start": "FreeStart", "User": "User",
}  # fmt: skip

OFFERED = {"Photo": "Photo", "FreeDay": "FreeDay"}
OF_OWNERS = {
    "Email": "Email", "Interval": "FiguresOfInterval", "Share": "FiguresOfShare",
    "Statistics": "Statistics", "Whole": "FiguresOfPeriod",
}  # fmt: skip
OF_CUSTOMERS = {"Customer": "CustomerRecord", "Known": "OneCustomer", "Counts": "Imported"}

pytestmark = engines.on_sqlite  # what is tested is the document


@pytest.mark.parametrize("wrong", [False, True])
def test_a_record_of_the_api_is_a_record_of_the_site(tmp_path, wrong):
    if not TOOLS.is_dir():
        engines.give_up(f"TypeScript is missing: {TOOLS}")
    (tmp_path / "openapi.json").write_text(json.dumps(contract.promised()))
    generate = [TOOLS / "openapi-typescript", "openapi.json", "--output", "api.d.ts"]
    command = [*generate, "--default-non-nullable=false"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    types = (FOLDER / "types.js").read_text().replace("./vendor/htm-3.1.1.js", "./htm.js")
    if wrong:
        types = types.replace("{string} nom", "{number} nom")
    (tmp_path / "types.js").write_text(types)
    customers = (FOLDER / "gestion" / "customers" / "types.js").read_text()
    (tmp_path / "customers.js").write_text(customers.replace("../../types.js", "./types.js"))
    owners = (FOLDER / "gestion" / "types.js").read_text()
    (tmp_path / "owners.js").write_text(owners)
    (tmp_path / "htm.d.ts").write_text((FOLDER / "vendor/htm-3.1.1.d.ts").read_text())
    offered = (FOLDER / "views" / "offered" / "types.js").read_text()
    (tmp_path / "offered.js").write_text(offered)
    lines = [
        "import type { components } from './api';",
        "import type * as site from './types.js';",
        "import type * as customers from './customers.js';",
        "import type * as owners from './owners.js';",
        "import type * as offered from './offered.js';",
    ]
    lines += [
        f"export const to{ours}: {of}.{ours} = null! as"
        f" Required<components['schemas']['{theirs}']>;"
        for of, schemas in (
            ("site", SCHEMAS), ("customers", OF_CUSTOMERS), ("owners", OF_OWNERS),
            ("offered", OFFERED),
        )
        for ours, theirs in schemas.items()
    ]
    (tmp_path / "check.ts").write_text("\n".join(lines))
    options = ["--noEmit", "--strict", "--allowJs", "--skipLibCheck", "--target", "es2022"]
    check = [TOOLS / "tsc", *options, "--module", "preserve", "check.ts"]
    done = subprocess.run(check, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode != 0) == wrong, done.stdout
