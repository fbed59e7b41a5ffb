"""The sdist, the wheel, and the required versions of dependencies."""

import ast
import configparser
import fcntl
import os
import re
import shutil
import sys
from zipfile import ZipFile

import pytest

import reservation
from reservation.resources import site_files
from tests import engines
from tests.distribution.conftest import PIP, ROOT, in_backend, run

pytestmark = engines.on_sqlite
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
ONLY_IN_GIT = {".ci/run", ".gitattributes", ".gitignore"}
NO_SOURCE = shutil.ignore_patterns(".*", "*.egg-info", "build", "dist", "__pycache__")
LICENCES = {"MIT", "Apache-2.0", "BSD-3-Clause", "OFL-1.1", "etalab-2.0"}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Builds the sdist, and the wheel from the sdist, once for all test processes.

    Builds from a copy of the sources: setuptools would also pack files of an earlier build.
    """
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "built"
    with open(f"{folder}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            source = f"{folder}.source"
            shutil.copytree(ROOT, source, symlinks=True, ignore=NO_SOURCE)
            run(sys.executable, "-m", "build", "--no-isolation", f"--outdir={folder}", source)
    return folder


@pytest.fixture(scope="module")
def unpacked(built, tmp_path_factory):
    (path,) = built.glob("*.tar.gz")
    folder = tmp_path_factory.mktemp("sdist")
    shutil.unpack_archive(path, folder)
    return folder / f"reservation-{reservation.__version__}"


@pytest.fixture(scope="module")
def wheel(built):
    (path,) = built.glob("*.whl")
    with ZipFile(path) as archive:
        yield archive


def tracked():
    if not (ROOT / ".git").exists():
        engines.give_up("is about a checkout")
    return set(run("git", "-c", "safe.directory=*", "ls-files", cwd=ROOT).splitlines())


def test_the_sdist_holds_all_that_is_in_git_and_no_links(unpacked):
    files = [path for path in unpacked.rglob("*") if not path.is_dir()]
    assert tracked() - {str(path.relative_to(unpacked)) for path in files} == ONLY_IN_GIT
    assert [path for path in files if path.is_symlink()] == []


def test_the_tests_run_from_the_sdist(unpacked):
    tests = ["tests/test_settings.py", "tests/resources/test_docs.py"]
    environ = {
        **os.environ, "PYTHONPATH": str(unpacked), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"
    }
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    shown = run(*words, cwd=unpacked, env=environ)
    assert re.search(r"^\d+ passed", shown, re.MULTILINE), shown


def test_the_wheel_holds_the_whole_package(wheel):
    package = {name for name in tracked() if name.startswith("reservation/")}
    assert {name for name in wheel.namelist() if name.startswith("reservation/")} == package


def test_a_build_packs_no_file_of_an_earlier_build(unpacked, tmp_path):
    """The checkout may have had another version, whose packages would hide modules."""
    other = unpacked / "build/lib/reservation/other.py"
    other.parent.mkdir(parents=True)
    other.write_text("")
    run(*PIP, "wheel", "--no-deps", "--no-build-isolation", f"--wheel-dir={tmp_path}", unpacked)
    (path,) = tmp_path.glob("*.whl")
    with ZipFile(path) as archive:
        assert "reservation/other.py" not in archive.namelist()
    assert not (unpacked / "build").exists()


def test_the_wheel_names_each_licence_and_holds_its_text(wheel):
    info = f"reservation-{reservation.__version__}.dist-info"
    metadata = wheel.read(f"{info}/METADATA").decode()
    (expression,) = re.findall("^License-Expression: (.*)$", metadata, re.MULTILINE)
    assert set(expression.split(" AND ")) == LICENCES
    shipped = {name for name in wheel.namelist() if re.search("LICEN[CS]E|NOTICE", name)}
    named = set(re.findall("^License-File: (.*)$", metadata, re.MULTILINE))
    assert {f"{info}/licenses/{name}" for name in named} <= shipped
    inside = {name for name in shipped if not name.startswith(info)}
    assert inside | {"LICENSE"} == named and len(inside) >= 6


def test_the_wheel_brings_completions_and_the_man_page(wheel, share):
    data = f"reservation-{reservation.__version__}.data/data/share"
    made = {
        f"{data}/{path.relative_to(share)}": path.read_bytes()
        for path in share.rglob("*") if path.is_file()
    }
    assert len(made) == 4
    names = [name for name in wheel.namelist() if "/share/" in name]
    assert {name: wheel.read(name) for name in names} == made


def test_an_installed_package_brings_all_that_it_reads(built, tmp_path):
    """The wheel works without the checkout."""
    (wheel,) = built.glob("*.whl")
    installed = tmp_path / "installed"
    run(*PIP, "install", "--no-deps", "--target", installed, wheel)
    script = """
import re, reservation
from falcon.testing import simulate_get
from reservation.domain.catalogue import completion
from reservation.domain.messages import messages
from reservation.domain.people import passwords
from reservation.resources import site_files
settings = reservation.Settings()
app = reservation.create_app(settings)
messages.Templates()
assert passwords.is_common("password")
print(reservation.__file__, len(completion.of_file(settings.cities).names))
print(site_files.Shipped(site_files.FOLDER).digest)
for name in re.findall('docs/[^"]+', simulate_get(app, "/docs").text):
    print(simulate_get(app, f"/{name}").status_code)
"""
    shown = run(
        sys.executable, "-c", script, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
    )
    path, names, digest, *statuses = shown.split()
    assert path.startswith(str(installed))
    assert int(names) > 34_000
    assert digest == site_files.Shipped(site_files.FOLDER).digest
    assert statuses == ["200"] * 4


def test_the_newest_version_of_the_changelog_is_that_of_the_package():
    versions = re.findall(r"^## (\S+) — \d{4}-\d\d-\d\d$", CHANGELOG, re.MULTILINE)
    assert versions[0] == reservation.__version__


def requirements():
    """Returns the requirements in setup.cfg: of the program, and of each extra."""
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    extras = config["options.extras_require"]
    program = config["options"]["install_requires"].strip().splitlines()
    return program, {name: extras[name].strip().splitlines() for name in extras}


def named(requirement):
    return re.sub("[-_.]+", "-", re.match(r"[\w.-]+", requirement)[0]).lower()


def test_ci_installs_an_exact_version_of_each_package():
    program, extras = requirements()
    needed = {named(one) for one in sum(extras.values(), program)}
    pins = (ROOT / "constraints.txt").read_text().splitlines()
    assert [pin for pin in pins if not re.fullmatch(r"[\w.-]+==[\w.]+", pin)] == []
    assert needed - {named(pin) for pin in pins} == set()


def test_each_package_that_runs_has_a_lower_bound_that_make_lowest_finds():
    program, extras = requirements()
    bound = re.compile(r"[A-Za-z-]+ >= [\d.]+, < \d+")
    assert [one for one in program + extras["mysql"] if not bound.fullmatch(one)] == []


def test_the_time_zones_do_not_depend_on_the_machine():
    """Some systems have no time zones. Others lack former names that Chrome still uses."""
    program, _ = requirements()
    assert "tzdata" in map(named, program)
    script = (
        "from reservation.lib import instants\n"
        "for name in 'Europe/Paris', 'Asia/Calcutta', 'Europe/Kiev': instants.zone_of(name)"
    )
    run(sys.executable, "-c", script, cwd=ROOT, env={**os.environ, "PYTHONTZPATH": ""})


def test_a_wheel_is_built_with_the_packages_that_the_parser_imports():
    shown = in_backend("print(build_backend.get_requires_for_build_wheel())")
    needed = ast.literal_eval(shown.splitlines()[-1])
    names = {re.match(r"[\w-]+", one)[0].lower() for one in needed}
    assert names >= {"falcon", "gunicorn", "peewee", "pyjwt", "bcrypt", "shtab"}
