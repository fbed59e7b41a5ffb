"""The layers of the package: imports only point down."""

import ast
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FLOORS = {
    "settings": 0,
    "errors": 0,
    "conflicts": 0,
    "logs": 0,
    "metrics": 0,
    "prometheus": 0,
    "lib": 0,
    "storage": 1,
    "domain": 2,
    "http": 3,
    "installation": 3,
    "operations": 4,
    "resources": 5,
    "routes": 6,
    "application": 7,
    "demo": 7,
    "commands": 8,
    "__init__": 8,
    "__main__": 8,
}
SOURCES = sorted((ROOT / "reservation").rglob("*.py")) + [ROOT / "app.py"]


def place(path: Path) -> str:
    """Returns the layer of a file: its folder in the package, or the file's own name."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return parts[1] if len(parts) > 1 else parts[0]


def imported(path: Path) -> list[str]:
    names = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return names


def users_of(package: str) -> set[str]:
    return {
        str(path.relative_to(ROOT))
        for path in SOURCES
        if any(name.split(".")[0] == package for name in imported(path))
    }


@pytest.mark.parametrize(
    "path", [path for path in SOURCES if path.parent != ROOT], ids=lambda p: str(p.name)
)
def test_an_import_never_points_up(path):
    if place(path) == "data":
        return
    for name in imported(path):
        parts = name.split(".")
        if parts[0] == "reservation" and len(parts) > 1 and parts[1] in FLOORS:
            assert FLOORS[parts[1]] <= FLOORS[place(path)], f"{path} imports {name}"


def test_every_room_has_a_floor():
    assert {place(path) for path in SOURCES} - {"app", "data"} == set(FLOORS)


def test_falcon_stays_in_the_upper_floors_and_the_assembly():
    rooms = {place(ROOT / path) for path in users_of("falcon")}
    assert rooms <= {"http", "operations", "resources", "application", "commands"}


def test_smtplib_stays_in_one_module():
    assert users_of("smtplib") == {"reservation/lib/smtp.py"}


def test_only_settings_and_app_look_at_the_environment():
    looking = {
        str(path.relative_to(ROOT))
        for path in SOURCES
        if "os.environ" in path.read_text().replace("Settings.from_environ(os.environ)", "")
        or "getenv" in path.read_text()
    }
    assert looking <= {"reservation/lib/environment.py", "app.py"}


def test_importing_the_package_opens_reads_and_logs_nothing(tmp_path):
    """Measured with audit events of the interpreter."""
    import subprocess
    import sys

    script = """
import sys
seen = []
sys.addaudithook(lambda event, args: seen.append((event, args)) if event in
    ("sqlite3.connect", "socket.connect", "socket.bind", "subprocess.Popen") or event == "open"
    and not str(args[0]).endswith((".py", ".pyc", ".so")) else None)
import reservation, reservation.commands
print([one for one in seen if "reservation/data" in str(one) or one[0] != "open"])
"""
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"
    assert run.stderr == ""
    assert list(tmp_path.iterdir()) == []


ROOMS = (
    "states", "budget", "lanes", "spreadsheets", "calendar", "outbox", "customers", "people",
    "messages", "booking", "planning", "catalogue", "privacy",
)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_of_the_domain_imports_only_those_before_it(room):
    later = ROOMS[ROOMS.index(room) + 1 :]
    domain = ROOT / "reservation" / "domain"
    for path in [*(domain / room).rglob("*.py"), *domain.glob(f"{room}.py")]:
        for name in imported(path):
            parts = name.split(".")
            if parts[:2] == ["reservation", "domain"]:
                assert parts[2] not in later, f"{path} imports {name}"


def test_every_room_of_the_domain_has_a_place():
    found = {path.stem for path in (ROOT / "reservation" / "domain").iterdir()}
    assert found - {"__init__", "__pycache__"} == set(ROOMS)


def test_the_application_runs_without_fcntl(tmp_path):
    """Windows has no fcntl."""
    import subprocess
    import sys

    script = """
import sys
sys.modules["fcntl"] = None
from webtest import TestApp
from reservation import Settings, create_app
app = TestApp(create_app(Settings(database_url="sqlite:///windows.db", bcrypt_rounds=4)))
person = {"first_name": "Alice", "last_name": "Alice", "role": "company"}
login = {"email": "alice@example.fr", "password": "un bon mot de passe"}
print(app.post_json("/auth/register", {**login, **person}).status)
"""
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True
    )
    assert run.stdout == "201 Created\n", run.stderr


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_file_has_at_most_200_lines_and_a_function_40(path):
    text = path.read_text()
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    long = [
        node.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, functions) and node.end_lineno - node.lineno >= 40
    ]
    assert long == []
    assert len(text.splitlines()) <= 200


def test_the_name_of_a_class_is_unique():
    names = Counter(
        node.name.lstrip("_")
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef) and node.name != "Meta"  # the options of a Peewee model
    )
    assert [name for name, count in names.items() if count > 1] == []
