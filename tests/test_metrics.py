"""The counters that processes share in a folder."""

import multiprocessing
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from reservation import Settings, create_app
from reservation.application import counters_in
from reservation.lib.environment import BadSetting
from reservation.metrics import BOOKINGS, DATABASE, OVERDUE, SECONDS
from tests import engines
from tests.client import Client
from tests.scrapes import REQUESTS, Scrape
from tests.servers import variables

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
    """Starts two processes that count 3 and 4 times and then wait: counting(3, 4)."""
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
    assert len(list(tmp_path.glob("*.counts"))) == 3


@pytest.fixture
def busy_threads():
    """Makes the interpreter switch threads as often as possible."""
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


def test_the_text_is_the_format_0_0_4_of_prometheus(tmp_path):
    counters = counters_in(str(tmp_path))
    counters.count(BOOKINGS, "booked")
    counters.observe(SECONDS, 0.5, "GET", "/ready")
    content_type, text = counters.exposition([(DATABASE, {(): 1}), (OVERDUE, {})])
    assert content_type == "text/plain; version=0.0.4; charset=utf-8"
    bucket = f'{SECONDS.name}_bucket{{method="GET",route="/ready",le='
    assert text.decode().splitlines() == [
        f"# HELP {SECONDS.name} Time from a request to its answer.",
        f"# TYPE {SECONDS.name} histogram",
        f'{bucket}"0.005"}} 0.0',
        f'{bucket}"0.025"}} 0.0',
        f'{bucket}"0.1"}} 0.0',
        f'{bucket}"0.5"}} 1.0',
        f'{bucket}"2.5"}} 1.0',
        f'{bucket}"+Inf"}} 1.0',
        f'{SECONDS.name}_sum{{method="GET",route="/ready"}} 0.5',
        f'{SECONDS.name}_count{{method="GET",route="/ready"}} 1.0',
        f"# HELP {BOOKINGS.name} {BOOKINGS.help}",
        f"# TYPE {BOOKINGS.name} counter",
        f'{BOOKINGS.name}{{outcome="booked"}} 1.0',
        f"# HELP {DATABASE.name} {DATABASE.help}",
        f"# TYPE {DATABASE.name} gauge",
        f"{DATABASE.name} 1.0",
        f"# HELP {OVERDUE.name} {OVERDUE.help}",
        f"# TYPE {OVERDUE.name} gauge",
    ]


@pytest.mark.parametrize("text", ['"', "\\", "\n", "\\n", '\\"', "é ✓", "a b{c}=,", ""], ids=repr)
def test_any_label_and_help_is_read_as_it_was_counted(tmp_path, text):
    counters = counters_in(str(tmp_path))
    for _ in range(2):
        counters.count(BOOKINGS, text)
    help_ = text.strip()  # parsers strip spaces
    gauge = DATABASE._replace(help=help_, labels=("one",))
    _, shown = counters.exposition([(gauge, {(text,): 3})])
    found = Scrape(shown.decode())
    assert found.by(BOOKINGS.name, "outcome") == {text: 2}
    assert found.by(DATABASE.name, "one") == {text: 3}
    assert found.families[-1].documentation == help_


def test_a_file_grows_while_others_read_it_and_keeps_its_counts(tmp_path):
    counters = counters_in(str(tmp_path))
    for number in range(200):
        counters.count(BOOKINGS, "x" * 9000 + str(number))  # 2 MB in total
        if number % 20 == 0:
            assert sum(scraped(counters).by(BOOKINGS.name, "outcome").values()) == number + 1
    counters.count(BOOKINGS, "x" * 9000 + "0")
    assert booked(counters) == 0
    assert scraped(counters).of(BOOKINGS.name) == 201


def application(folder, **others):
    values = {"DATABASE_URL": f"sqlite:///{folder}/own.db", "METRICS": str(folder), **others}
    return create_app(Settings.from_environ(variables(values)))


def test_two_applications_in_one_process_count_apart(tmp_path):
    clients = []
    for name, times in (("one", 2), ("two", 3)):
        folder = tmp_path / name
        folder.mkdir()
        clients.append(Client(application(folder)))
        for _ in range(times):
            clients[-1].get("/health")
    for client, times in zip(clients, (2, 3), strict=True):
        assert Scrape(client.get("/metrics").text).of(REQUESTS, route="/health") == times


@pytest.mark.parametrize("what", ["nothing", "file"])
def test_a_folder_that_cannot_be_used_stops_the_start(tmp_path, what):
    (tmp_path / "file").touch()
    with pytest.raises(BadSetting, match=f"folder .*{what} .* in RESERVATION_METRICS"):
        application(tmp_path, METRICS=str(tmp_path / what))


@pytest.mark.parametrize("damage", ["removed", "damaged"])
def test_a_request_does_not_fail_where_it_cannot_be_counted(tmp_path, damage, caplog):
    folder = tmp_path / "counts"
    folder.mkdir()
    client = Client(application(tmp_path, METRICS=str(folder)))
    if damage == "removed":
        folder.rmdir()
    else:
        (folder / "0.counts").write_bytes(b"\xff\xff\xff\x7f" * 9)
    for _ in range(3):
        client.get("/health")
    (record,) = caplog.records
    assert record.message == f"this process no longer counts in {folder}"
