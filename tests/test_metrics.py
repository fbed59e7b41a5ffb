"""The counters that processes share in a folder, and the package that they need."""

import multiprocessing
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import prometheus_client
import pytest

from reservation import Settings, create_app
from reservation.application import counters_in
from reservation.metrics import BOOKINGS, SECONDS
from reservation.settings import BadSetting
from tests import engines
from tests.client import Client
from tests.scrapes import REQUESTS, Scrape

pytestmark = engines.on_sqlite


def scraped(counters):
    content_type, body = counters.exposition([])
    assert content_type.startswith("text/plain; version=")
    return Scrape(body.decode())


def booked(counters):
    return scraped(counters).of("reservation_bookings_total", outcome="booked")


_COUNTING = """
import sys
from reservation import metrics
from reservation.application import counters_in
counters = counters_in(sys.argv[1])
for _ in range(int(sys.argv[2])):
    counters.count(metrics.BOOKINGS, "booked")
print("counted", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def counting(tmp_path):
    """Start processes that count so many times and then stay: counting(3, 4)."""
    started = []

    def start(*times):
        some = [
            subprocess.Popen(
                [sys.executable, "-c", _COUNTING, tmp_path, str(number)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            )
            for number in times
        ]
        started.extend(some)
        for process in some:
            assert process.stdout.readline() == "counted\n"
        return some

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_what_processes_count_is_added_up(tmp_path, counting):
    counting(3, 4, 5)
    assert booked(counters_in(str(tmp_path))) == 12


def test_what_a_killed_process_counted_stays_and_its_files_are_the_next_one_s(
    tmp_path, counting
):
    first, _ = counting(3, 4)
    files = sorted(tmp_path.iterdir())
    for number in range(3):
        first.kill()
        first.wait()
        (first,) = counting(10)
        assert booked(counters_in(str(tmp_path))) == 7 + 10 * (number + 1)
    assert sorted(tmp_path.iterdir()) == files


def test_a_forked_child_counts_in_files_of_its_own(tmp_path):
    counters = counters_in(str(tmp_path))
    counters.count(BOOKINGS, "booked")
    fork = multiprocessing.get_context("fork")
    together = fork.Barrier(3)

    def work():
        for _ in range(500):
            counters.count(BOOKINGS, "booked")
        together.wait(20)

    children = [fork.Process(target=work) for _ in range(2)]
    for child in children:
        child.start()
    work()
    for child in children:
        child.join(20)
    assert booked(counters) == 1 + 3 * 500
    assert len(list(tmp_path.glob("counter_*.db"))) == 3


@pytest.fixture
def busy_threads():
    """The interpreter goes from one to the next as often as it can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_threads_lose_no_count(tmp_path, busy_threads):
    counters = counters_in(str(tmp_path))

    def work(_):
        for _ in range(2000):
            counters.count(BOOKINGS, "booked")

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, range(4)))
    assert booked(counters) == 4 * 2000


def test_a_histogram_has_all_its_buckets_and_each_holds_its_bound(tmp_path):
    counters = counters_in(str(tmp_path))
    for seconds in (0.025, 0.026, 7):
        counters.observe(SECONDS, seconds, "GET", "/ready")
    found = scraped(counters)
    assert found.by(f"{SECONDS.name}_bucket", "le") == {
        "0.005": 0, "0.025": 1, "0.1": 2, "0.5": 2, "2.5": 2, "+Inf": 3
    }
    assert found.of(f"{SECONDS.name}_count") == 3
    assert found.of(f"{SECONDS.name}_sum") == pytest.approx(7.051)


def application(folder, **others):
    values = {"DATABASE_URL": f"sqlite:///{folder}/own.db", "METRICS": str(folder), **others}
    return create_app(
        Settings.from_environ({f"RESERVATION_{name}": text for name, text in values.items()})
    )


def test_two_applications_in_one_process_count_apart_and_leave_the_process_as_it_was(tmp_path):
    before = dict(os.environ), list(prometheus_client.REGISTRY.collect())
    clients = []
    for name, times in (("one", 2), ("two", 3)):
        folder = tmp_path / name
        folder.mkdir()
        clients.append(Client(application(folder)))
        for _ in range(times):
            clients[-1].get("/health")
    for client, times in zip(clients, (2, 3), strict=True):
        assert Scrape(client.get("/metrics").text).of(REQUESTS, route="/health") == times
    assert dict(os.environ) == before[0]
    names = [family.name for family in prometheus_client.REGISTRY.collect()]
    assert names == [family.name for family in before[1]]


@pytest.mark.parametrize("what", ["nothing", "file"])
def test_a_folder_that_cannot_be_used_stops_the_start(tmp_path, what):
    (tmp_path / "file").touch()
    with pytest.raises(BadSetting, match=f"RESERVATION_METRICS=.*{what}' is no folder"):
        application(tmp_path, METRICS=str(tmp_path / what))


@pytest.mark.parametrize("damage", ["removed", "damaged"])
def test_a_request_does_not_fail_where_it_cannot_be_counted(tmp_path, damage, caplog):
    folder = tmp_path / "counts"
    folder.mkdir()
    client = Client(application(tmp_path, METRICS=str(folder)))
    if damage == "removed":
        folder.rmdir()
    else:
        (folder / "counter_0.db").write_bytes(b"\xff\xff\xff\x7f" * 9)
    for _ in range(3):
        client.get("/health")
    (record,) = caplog.records
    assert record.message == f"this process counts nothing in {folder}"


# The package.


def run(*words, **environ):
    """The command `reservation` where prometheus_client cannot be imported."""
    script = (
        "import sys; sys.modules['prometheus_client'] = None;"
        " from reservation.commands import main; sys.exit(main(sys.argv[1:]))"
    )
    return subprocess.run(
        [sys.executable, "-c", script, *words],
        env={**os.environ, **environ}, capture_output=True, text=True, timeout=60,
    )


@pytest.mark.parametrize("words", [["serve", "--port", "0"], ["worker", "--once"]], ids=str)
def test_without_the_package_a_start_that_is_to_count_says_what_to_install(tmp_path, words):
    database = {"RESERVATION_DATABASE_URL": f"sqlite:///{tmp_path}/own.db"}
    done = run(*words, **database, RESERVATION_METRICS=str(tmp_path))
    assert done.returncode == 2
    assert done.stderr == (
        "reservation: RESERVATION_METRICS needs a package: pip install 'reservation[metrics]'\n"
    )


def test_what_does_not_count_does_not_import_the_package(tmp_path):
    script = (
        "import sys, reservation, reservation.commands;"
        f"reservation.create_app(reservation.Settings(database_url='sqlite:///{tmp_path}/a.db'));"
        "print([name for name in sys.modules if 'prometheus' in name])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"
