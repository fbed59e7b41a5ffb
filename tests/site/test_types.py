"""The records of types.js have what the OpenAPI document promises."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests import contract, engines
from tests.site.sources import FOLDER

TOOLS = Path(sys.executable).parent.parent / "node" / "node_modules" / ".bin"
# {file: {record of the site: its name in the OpenAPI document}}
RECORDS = {
    "types": {
        "Compte": "Profile", "Entreprise": "Entreprise", "Evenement": "Evenement",
        "Offer": "Offer", "Opening": "Opening", "Prestation": "Prestation",
        "Reservation": "Reservation", "Ressource": "Ressource", "Session": "Session",
        "Start": "FreeStart", "User": "User",
    },
    "views/offered/types": {"Photo": "Photo", "FreeDay": "FreeDay"},
    "gestion/types": {
        "Email": "Email", "Interval": "FiguresOfInterval", "Share": "FiguresOfShare",
        "Statistics": "Statistics", "Whole": "FiguresOfPeriod",
    },
    "gestion/customers/types": {
        "Customer": "CustomerRecord", "Known": "OneCustomer", "Counts": "Imported",
    },
}  # fmt: skip

pytestmark = engines.on_sqlite  # what is tested is the document


@pytest.mark.parametrize("wrong", [False, True])
def test_a_record_of_the_api_is_a_record_of_the_site(tmp_path, wrong):
    if not TOOLS.is_dir():
        engines.give_up(f"TypeScript is missing: {TOOLS}")
    (tmp_path / "openapi.json").write_text(json.dumps(contract.promised()))
    generate = [TOOLS / "openapi-typescript", "openapi.json", "--output", "api.d.ts"]
    command = [*generate, "--default-non-nullable=false"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    for name in (*(f"{file}.js" for file in RECORDS), "vendor/htm-3.1.1.d.ts"):
        text = (FOLDER / name).read_text()
        copy = tmp_path / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text.replace("{string} nom", "{number} nom") if wrong else text)
    lines = ["import type { components } from './api';"]
    for number, (file, schemas) in enumerate(RECORDS.items()):
        lines.append(f"import type * as of{number} from './{file}.js';")
        lines += [
            f"export const to{ours}: of{number}.{ours} = null! as"
            f" Required<components['schemas']['{theirs}']>;"
            for ours, theirs in schemas.items()
        ]
    (tmp_path / "check.ts").write_text("\n".join(lines))
    options = ["--noEmit", "--strict", "--allowJs", "--skipLibCheck", "--target", "es2022"]
    check = [TOOLS / "tsc", *options, "--module", "preserve", "check.ts"]
    done = subprocess.run(check, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode != 0) == wrong, done.stdout
