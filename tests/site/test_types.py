"""Checks with TypeScript: the site knows the records of the API, and the scripts that are sent are
the same programs as their sources."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from reservation.resources.site_files import shipped
from tests import contract, engines
from tests.site.sources import FOLDER, SCRIPTS, name_of

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

# Prints programs without comments, in one format.
PRINT = """
    const ts = require('typescript');
    const texts = JSON.parse(require('fs').readFileSync(0));
    const printer = ts.createPrinter({ removeComments: true });
    const read = (text) => ts.createSourceFile('a.js', text, ts.ScriptTarget.Latest);
    console.log(JSON.stringify(texts.map((text) => printer.printFile(read(text)))));
"""

pytestmark = engines.on_sqlite  # no test depends on the engine


@pytest.fixture
def tools():
    if not TOOLS.is_dir():
        engines.give_up(f"TypeScript is missing: {TOOLS}")
    return TOOLS


@pytest.mark.parametrize("wrong", [False, True])
def test_a_record_of_the_api_is_a_record_of_the_site(tools, tmp_path, wrong):
    (tmp_path / "openapi.json").write_text(json.dumps(contract.promised()))
    generate = [tools / "openapi-typescript", "openapi.json", "--output", "api.d.ts"]
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
    check = [tools / "tsc", *options, "--module", "preserve", "check.ts"]
    done = subprocess.run(check, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode != 0) == wrong, done.stdout


def test_a_script_is_sent_without_comments_and_is_the_same_program(tools):
    before = {name_of(path): path.read_text() for path in SCRIPTS}
    after = [shipped().files[name].octets.decode() for name in before]
    node = subprocess.run(
        ["node", "-e", PRINT], env={**os.environ, "NODE_PATH": str(tools.parent)},
        input=json.dumps([*before.values(), *after]), text=True, capture_output=True, check=True,
    )
    programs = json.loads(node.stdout)
    assert programs[:len(after)] == programs[len(after):]
    assert re.findall(r"^ *(?://.*|/\*.*\*/|\*.*)$", "\n".join(after), re.MULTILINE) == []
