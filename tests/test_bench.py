"""The benchmarks: each row gives a figure, and the figures are judged as promised."""

import math
import sys
from contextlib import ExitStack, contextmanager

import pytest

import benchmarks.world
from benchmarks import __main__ as bench
from benchmarks import bare, servers
from benchmarks.load import fetch, request
from benchmarks.rows import Figure, at_least, at_most
from benchmarks.scale import __main__ as scale
from benchmarks.table import GROUPS
from benchmarks.world import TINY, World
from tests import engines
from tests.engines import on_sqlite
from tests.servers import Gunicorn


@contextmanager
def forked(command, folder, environ, database=None):
    """Like `running`, but in a process that has imported the program, and with one web process."""
    server = Gunicorn(folder, environ, command[command.index("0") + 1:], worker=True)
    try:
        yield servers.Server(("127.0.0.1", server.port), server.process.pid, database)
    finally:
        server.kill()


@pytest.fixture
def forked_servers(monkeypatch):
    """Forks each `reservation serve`, because its imports take most of its CPU time."""

    def running(command, *others):
        how = forked if "reservation" in command else servers.running
        return how(command, *others)

    monkeypatch.setattr(benchmarks.world, "running", running)


@on_sqlite
@pytest.mark.parametrize("group", [group.__name__ for group in GROUPS])
def test_each_row_gives_a_figure(forked_servers, group):
    figures, failures = bench.everything(TINY, [group])
    for failure in failures:
        if "is missing" in failure:
            engines.give_up(failure)
    assert failures == []
    assert figures
    assert all(math.isfinite(one) for figure in figures for one in figure.rounds)


@on_sqlite
def test_an_unknown_group_is_refused(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["benchmarks", "reads"])
    with pytest.raises(SystemExit) as refusal:
        bench.main()
    assert refusal.value.code == 2
    assert "there is no group reads: name some of reads_on_sqlite, " in capsys.readouterr().err


@on_sqlite
@pytest.mark.parametrize("engine", ["sqlite", "mariadb", "cluster"])
def test_the_figures_of_scale_are_measured(forked_servers, engine, capfd):
    more = {"sqlite": ["--copies"], "mariadb": ["--copies", "--pools", "64", "32"], "cluster": []}
    options = ["--businesses", "2", "--past", "1", "--tiny", *more[engine]]
    failed, said = scale.main([engine, *options]), capfd.readouterr()
    if "is missing" in said.err:
        engines.give_up(said.err)
    assert not failed, said.err
    assert f"{engine}, 2 businesses, 3,640 slots\n  creneau: 3,640 rows, " in said.out
    copies = ["restore"] if "--copies" in options else []
    for figure in ("a week's free starts, 16 clients", "bookings, 16", "midnight", *copies):
        assert f"  {figure}" in said.out


@pytest.fixture
def world(tmp_path):
    with ExitStack() as stack:
        yield World(tmp_path, TINY, stack)


@on_sqlite
def test_a_reference_answers_with_the_headers_and_the_size_of_the_service(world):
    sent, path = request("GET", "/api/villes?q=saint-b"), world.path("headers")
    here = fetch(world.serve(world.settings(), "--no-worker"), sent)
    bare.record(here, path)
    reference = fetch(world.bare(), bare.naming(sent, path, len(here.body)))

    def names(answer):
        return sorted(line.partition(b":")[0].lower() for line in answer.head.split(b"\r\n"))

    assert names(reference) == names(here)
    assert len(reference.body) == len(here.body) > 100


@on_sqlite
@pytest.mark.parametrize(
    "goal, rounds, verdict",
    [
        (at_most(2), [1, 1, 1, 9], "yes"),
        (at_most(2), [1, 2.5, 2.6, 2.7, 2.8], "NO"),
        (at_most(2), [1, 1.9, 2.1, 2.2, 2.3], "unclear"),
        (at_most(2), [2.1], "NO"),
        (at_least(2), [3, 3, 3, 1], "yes"),
        (at_least(2), [3, 1.5, 1.4, 1.3, 1.2], "NO"),
        (at_least(2), [3, 2.1, 1.9, 1.8, 1.7], "unclear"),
    ],
)
def test_a_goal_is_missed_beyond_the_better_quartile(goal, rounds, verdict, monkeypatch, capsys):
    figure = Figure("a row", goal, rounds)
    assert figure.verdict == verdict
    monkeypatch.setattr(bench, "everything", lambda *_: ([figure], []))
    monkeypatch.setattr(sys, "argv", ["bench"])
    assert bench.main() == (1 if verdict == "NO" else 0)
    assert "a row" in capsys.readouterr().out


@on_sqlite
def test_a_missing_server_is_one_sentence(monkeypatch, capsys):
    monkeypatch.setattr(engines.shutil, "which", lambda program: None)
    monkeypatch.setattr(sys, "argv", ["bench", "--tiny", "bookings_on_mariadb"])
    assert bench.main() == 1
    told = "bookings on mariadb: mariadbd is missing: apt-get install mariadb-server\n"
    assert capsys.readouterr().err == f"could not measure: {told}"
