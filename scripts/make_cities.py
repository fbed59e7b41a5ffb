"""Makes cities.txt and communes.gz.

cities.txt is the list of communes for autocomplete. communes.gz has a line for each line of
cities.txt: the number of the intercommunality of the commune, and its post codes.

Source: data/communes.json and data/epci.json of the npm package @etalab/decoupage-administratif,
based on INSEE's Code officiel géographique and population figures. Licence of the data: Licence
Ouverte 2.0 (Etalab); of the package's code: MIT.

Includes the current communes (type `commune-actuelle`) of metropolitan France, the overseas
départements, and the overseas collectivities (975, 977, 978, 986, 987, 988). Excludes communes
déléguées and associées, arrondissements municipaux, and two uninhabited territories with the type
of a commune: the Terres australes et antarctiques (984) and Clipperton (989).

Order: population (descending), name, INSEE code. If several communes share a name, the code of the
département follows the name: `Saint-Denis (974)`. If two of these communes are in the same
département, the INSEE code follows instead.

Usage: python scripts/make_cities.py [cities.txt [communes.gz]]
"""

import argparse
import gzip
import json
import shutil
import subprocess
import tarfile
import tempfile
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

PACKAGE = "@etalab/decoupage-administratif"
UNINHABITED = ("984", "989")
DEFAULT_OUTPUT = Path(__file__).resolve().parent.parent / "cities.txt"
DEFAULT_AREAS = DEFAULT_OUTPUT.parent / "reservation/data/communes.gz"

Commune = dict[str, Any]


def read_member(archive: tarfile.TarFile, name: str) -> Any:
    """Returns the parsed JSON of a file in the package."""
    member = archive.extractfile(name)
    if member is None:
        raise SystemExit(f"{name} is not a file in {PACKAGE}")
    with member:
        return json.load(member)


def fetch() -> tuple[str, list[Commune], list[Any]]:
    """Returns the latest version of the package, its communes and its intercommunalities."""
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("npm is needed to fetch the data")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([npm, "pack", "--silent", PACKAGE], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL)
        (packed,) = Path(folder).glob("*.tgz")
        with tarfile.open(packed) as archive:
            version = read_member(archive, "package/package.json")["version"]
            communes = read_member(archive, "package/data/communes.json")
            return version, communes, read_member(archive, "package/data/epci.json")


def is_kept(commune: Commune) -> bool:
    return commune["type"] == "commune-actuelle" and commune["departement"] not in UNINHABITED


def clean(name: str) -> str:
    """Returns the name in NFC, with single spaces."""
    return unicodedata.normalize("NFC", " ".join(name.split()))


def in_order(communes: list[Commune]) -> list[tuple[int, str, str, str, str]]:
    """Returns the kept communes in the order of cities.txt, each as its negative population, name,
    INSEE code, département and post codes."""
    return sorted((-commune.get("population", 0), clean(commune["nom"]), commune["code"],
                   commune["departement"], " ".join(commune["codesPostaux"]))
                  for commune in communes if is_kept(commune))


def make_areas(communes: list[Commune], groups: list[Any]) -> list[str]:
    """Returns the lines of communes.gz."""
    number = {member["code"]: at for at, group in enumerate(groups) for member in group["membres"]}
    return [f"{number.get(code, '')} {post_codes}"
            for _, _, code, _, post_codes in in_order(communes)]


def make_lines(communes: list[Commune]) -> list[str]:
    """Returns the lines of cities.txt."""
    kept = [row[:-1] for row in in_order(communes)]
    by_name = Counter(name for _, name, _, _ in kept)
    by_place = Counter((name, departement) for _, name, _, departement in kept)
    lines = []
    for _, name, code, departement in kept:
        if by_place[name, departement] > 1:
            name = f"{name} ({code})"
        elif by_name[name] > 1:
            name = f"{name} ({departement})"
        lines.append(name)
    if len(set(lines)) != len(lines):
        raise SystemExit("two communes have the same line")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description="Make cities.txt, the list of French communes.")
    parser.add_argument("output", nargs="?", type=Path, default=DEFAULT_OUTPUT)
    parser.add_argument("areas", nargs="?", type=Path, default=DEFAULT_AREAS)
    parsed = parser.parse_args()
    output: Path = parsed.output
    version, communes, groups = fetch()
    lines = make_lines(communes)
    areas = "\n".join(make_areas(communes, groups))
    parsed.areas.write_bytes(gzip.compress(areas.encode(), 9, mtime=0))
    output.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    print(f"{len(lines)} lines from {PACKAGE} {version}")


if __name__ == "__main__":
    main()
