"""Copies the tree, removes a guard from the copy, and runs the guard's tests in the copy."""

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from tests import memory
from tests.mutants.guards import ROOT, Guard, WrongEntry, read

AT_ONCE = 3
LIMIT = 300  # seconds for a run of pytest
PART = 20  # tests in a run without a change
COPIED = (
    "reservation", "tests", "benchmarks", "deploy", "schema.sql", "cities.txt", "services.txt",
    "app.py", "setup.cfg", "README.md", "docs", "scripts",
)
# pytest also exits with 1 for an error in a fixture, which is not a failed test.
_FAILED = re.compile(r"^FAILED ", re.MULTILINE)


def copy_to(folder: Path) -> Path:
    for name in COPIED:
        source, target = ROOT / name, folder / name
        if source.is_dir():
            shutil.copytree(source, target, symlinks=True)
        else:
            shutil.copy2(source, target)
    return folder


def run_tests(folder: Path, engine: str, tests: list[str]) -> tuple[int, str]:
    """Runs pytest. Returns its exit status (-1 after LIMIT seconds) and its output.

    PYTHONPATH puts the copy before the installed package, also for servers that tests start.
    pytest's plugins are disabled, because importing the plugins takes 3 seconds.
    """
    command = [
        sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider",
        f"--basetemp={folder / 'tmp'}", *tests,
    ]
    environ = {
        **os.environ, "PYTHONPATH": str(folder), "TEST_ENGINE": engine,
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    }
    process = subprocess.Popen(
        command, cwd=folder, env=environ, text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )
    try:
        output, _ = process.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return -1, f"the tests took more than {LIMIT} seconds"
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)  # including servers that are still running
        process.wait()
    return process.returncode, output


def copied() -> "TemporaryDirectory[str]":
    """Creates a folder for a copy. Ignores files that a killed server leaves."""
    return TemporaryDirectory(prefix="reservation-mutant-", ignore_cleanup_errors=True)


def try_guard(guard: Guard) -> str:
    """Returns "" if a test fails without the guard, otherwise the reason."""
    with copied() as name:
        folder = copy_to(Path(name))
        try:
            for change in guard.changes:
                (folder / change.file).write_text(change.applied(folder), encoding="utf-8")
        except WrongEntry as ex:
            return f"WRONG: {ex}"
        status, output = run_tests(folder, guard.engine, list(guard.tests))
    last = output.strip().rpartition("\n")[2]
    if status == 1 and _FAILED.search(output):
        return ""
    return f"SURVIVED: {last}" if status == 0 else f"WRONG: pytest ended with {status}: {last}"


def without_change(guards: list[Guard]) -> list[tuple[str, list[str]]]:
    """Returns the tests of all guards in parts, each part with its engine."""
    parts = []
    for engine in ("sqlite", "mariadb"):
        named = (test for guard in guards if guard.engine == engine for test in guard.tests)
        tests = sorted(set(named))
        parts += [(engine, tests[at:at + PART]) for at in range(0, len(tests), PART)]
    return parts


def try_without_change(part: tuple[str, list[str]]) -> str:
    """Runs the tests of a part in an unchanged copy. Returns the failures."""
    with copied() as name:
        status, output = run_tests(copy_to(Path(name)), *part)
    return output if status else ""


def chosen(options: argparse.Namespace) -> list[Guard]:
    guards = list(read())
    if options.names:
        unknown = set(options.names) - {guard.name for guard in guards}
        if unknown:
            raise SystemExit(f"no guard is named {', '.join(sorted(unknown))}")
        return [guard for guard in guards if guard.name in options.names]
    print(f"seed {options.seed}")
    number = max(1, round(len(guards) * options.part))
    return random.Random(options.seed).sample(guards, number)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("names", nargs="*", help="names of guards (default: all)")
    parser.add_argument("--part", type=float, default=1.0, help="how many of them, at random")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of that choice")
    guards = chosen(parser.parse_args())
    memory.use()
    failed = 0
    with ThreadPoolExecutor(AT_ONCE) as pool:
        unchanged = [pool.submit(try_without_change, part) for part in without_change(guards)]
        tried = {pool.submit(try_guard, guard): guard for guard in guards}
        for done in as_completed(tried):
            guard, outcome = tried[done], done.result()
            failed += bool(outcome)
            print(f"{outcome or 'noticed'}: {guard.name}: {guard.promise}", flush=True)
    if broken := [output for part in unchanged if (output := part.result())]:
        print(*broken, "These fail without any change, so they notice nothing.", sep="\n")
        failed = len(guards)
    print(f"{len(guards) - failed} passed, {failed} failed")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
