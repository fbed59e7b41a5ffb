"""The list of guards is valid: each quoted text and each test exists."""

import re
from functools import cache

import pytest

from tests.mutants.guards import ROOT, read

GUARDS = {guard.name: guard for guard in read()}


@cache
def functions_of(file: str) -> set[str]:
    return set(re.findall(r"^def (test_\w+)\(", (ROOT / file).read_text(), re.MULTILINE))


def test_there_are_enough_of_them():
    assert len(GUARDS) >= 60


@pytest.mark.parametrize("name", GUARDS)
def test_a_guard_stands_where_the_list_says_and_its_tests_are_there(name):
    guard = GUARDS[name]
    for change in guard.changes:
        change.applied(ROOT)
    assert guard.tests and guard.engine in ("sqlite", "mariadb")
    for test in guard.tests:
        file, _, function = test.partition("::")
        assert function.partition("[")[0] in functions_of(file)
