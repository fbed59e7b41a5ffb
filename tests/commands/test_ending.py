"""After a signal, current requests are answered and all processes end within 5 s.

The tests allow more time, because the test machine is busy.
"""

import fcntl
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import termios
import threading
import time
from contextlib import suppress

import psutil
import pytest

from reservation.storage.database import connect, forget, sqlite_path
from reservation.storage.turn import Turn
from tests import engines
from tests.conftest import PASSWORD
from tests.domain import relays
from tests.outboxes import people, posts, queue, wait_for
from tests.servers import Fork, patient, variables, without_settings
from tests.storage.test_turn import is_refused

SOON = 9.0  # seconds; the documented limit is 5, and gunicorn's default is 30
EVE = {
    "email": "eve@example.fr", "password": PASSWORD, "first_name": "Ève", "last_name": "Petit",
    "role": "student",
}
CONTACT = {"name": "Ève", "email": "eve@example.fr", "message": "Bonjour"}
ENDINGS = [signal.SIGTERM, signal.SIGINT]


@pytest.fixture
def start(environ, tmp_path):
    """Returns a function that starts a command in a new process group, like a terminal."""
    started = []

    def run(*words, first=os.setsid, **changes):
        environment = {**without_settings(), **environ, **variables(changes)}
        started.append(Fork(words, tmp_path, environment, first))
        return started[-1]

    yield run
    for process in started:
        end(process)
        process.stdout.close()


def end(process):
    """Kills the process and its group."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def group(process):
    """Returns the running processes of the group."""
    found = []
    for pid in psutil.pids():
        with suppress(psutil.NoSuchProcess, ProcessLookupError):
            if os.getpgid(pid) == process.pid:
                one = psutil.Process(pid)
                found += [one] if one.status() != psutil.STATUS_ZOMBIE else []
    return found


def tell(process, number):
    """Sends SIGTERM to the main process, like systemd, or SIGINT to the group, like a terminal."""
    (os.killpg if number == signal.SIGINT else os.kill)(process.pid, number)


def assert_gone(process, seconds=SOON):
    """Waits for all processes of the group to end; returns the seconds."""
    began = time.monotonic()
    while left := group(process):
        assert time.monotonic() - began < seconds, [one.cmdline() for one in left]
        process.poll()
        time.sleep(0.02)
    return time.monotonic() - began


def port_of(process):
    """Waits until the server answers; returns its port."""
    line = next(line for line in process.stdout if line.startswith("Serving on"))
    port = int(line.partition(" (")[0].rpartition(":")[2])
    call(port, "GET", "/health")
    return port


def call(port, method, path, body=None):
    """Sends a request; returns the status of the response."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request(method, path, json.dumps(body), {"Content-Type": "application/json"})
    return connection.getresponse().status


def asked(port, path, body):
    """Sends a request from a thread; returns the thread and a list that receives the status."""
    statuses = []
    thread = threading.Thread(target=lambda: statuses.append(call(port, "POST", path, body)))
    thread.start()
    return thread, statuses


def connections(process, status, port):
    """Returns the connections of the process at this port in this state."""
    found = process.net_connections("tcp")
    return [one for one in found if one.status == status and one.laddr.port == port]


def wait_until_accepted(process, port):
    """Waits until a web process has accepted a connection that is still open."""
    webs = psutil.Process(process.pid).children()
    wait_for(lambda: any(connections(web, psutil.CONN_ESTABLISHED, port) for web in webs))


@pytest.mark.parametrize("number", ENDINGS)
def test_a_request_that_is_being_handled_is_answered(start, db, post, number):
    post.moods["contact@localhost"] = post.keeps_and_answers_after(1.5)
    process = start("serve", "--port", "0", SMTP_URL=post.url)
    thread, statuses = asked(port_of(process), "/contact", CONTACT)
    wait_for(lambda: post.told)
    tell(process, number)
    assert_gone(process)
    thread.join()
    assert statuses == [200]


@engines.on_sqlite
@pytest.mark.parametrize("number", ENDINGS)
def test_a_request_that_waits_for_the_database_is_answered_before_the_end(
    start, database_url, db, number
):
    process = start("serve", "--port", "0", first=patient)
    port, holder = port_of(process), connect(database_url)
    holder.begin()
    thread, statuses = asked(port, "/auth/register", EVE)
    wait_until_accepted(process, port)
    tell(process, number)
    assert_gone(process)
    thread.join()
    holder.rollback()
    forget(holder)
    assert statuses == [503]


@pytest.mark.parametrize("number", ENDINGS)
def test_a_request_that_is_arriving_is_answered(start, db, number):
    process = start("serve", "--port", "0", "--no-worker")
    port, master = port_of(process), psutil.Process(process.pid)
    body = json.dumps(EVE).encode()
    head = f"POST /auth/register HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n"
    sent = head.encode() + b"Content-Type: application/json\r\n\r\n" + body
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(sent[:-9])
        wait_until_accepted(process, port)
        tell(process, number)
        wait_for(lambda: not connections(master, psutil.CONN_LISTEN, port))
        time.sleep(0.5)
        connection.sendall(sent[-9:])
        assert connection.recv(1000).startswith(b"HTTP/1.1 201 ")
    assert_gone(process)


@engines.on_sqlite
def test_connections_without_a_request_delay_no_ending(start, db):
    process = start("serve", "--port", "0", "--no-worker", first=patient)
    port = port_of(process)
    with socket.create_connection(("127.0.0.1", port)):
        wait_until_accepted(process, port)
        tell(process, signal.SIGTERM)
        assert_gone(process)
    assert process.wait() == 0


@engines.on_sqlite
@pytest.mark.parametrize("after", [0, 0.3, 0.8, 1.2, 1.6])
def test_a_start_that_is_told_to_end_leaves_nobody_behind(environ, tmp_path, db, after):
    process = subprocess.Popen(
        [sys.executable, "-m", "reservation", "serve", "--port", "0"], cwd=tmp_path, text=True,
        env={**without_settings(), **environ}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        time.sleep(after)
        tell(process, signal.SIGTERM)
        assert_gone(process)
    finally:
        end(process)
    assert "Traceback" not in process.communicate()[0]


# The worker.


@engines.on_sqlite
@pytest.mark.parametrize("words", [["worker"], ["serve", "--port", "0"]], ids=lambda one: one[0])
def test_a_relay_that_talks_on_holds_no_worker_up(start, db, visit, words):
    talk, talking = relays.repeated(b"250-yes\r\n", 0.3), threading.Event()
    relay = relays.BrokenRelay("MAIL", lambda *how: talking.set() or talk(*how))
    queue(db, visit, people(3))
    process = start(*words, SMTP_URL=f"smtp://127.0.0.1:{relay.port}")
    try:
        assert talking.wait(20)
        assert {one.statut for one in posts(db)} == {"envoi"}
        tell(process, signal.SIGTERM)
        assert_gone(process, 7)  # a worker that waits for the relay would take at least 8 s
    finally:
        relay.stop()
    assert process.wait() == 0
    assert [(one.statut, one.essais) for one in posts(db)] == [
        ("envoi", 1), ("attente", 0), ("attente", 0)
    ]


@engines.on_sqlite
@pytest.mark.parametrize("number", ENDINGS)
def test_a_message_that_is_sent_soon_is_sent_before_the_end(start, db, visit, post, number):
    post.moods["0@example.fr"] = post.keeps_and_answers_after(2.5)
    queue(db, visit, people(1))
    process = start("worker", SMTP_URL=post.url)
    wait_for(lambda: post.told)
    tell(process, number)
    assert_gone(process)
    assert [(one.statut, one.essais) for one in posts(db)] == [("envoye", 1)]
    assert process.wait() == 0


@engines.on_sqlite
def test_a_worker_that_waits_for_the_database_ends_too(start, database_url, db, visit):
    queue(db, visit, people(1))
    holder = connect(database_url)
    holder.begin()
    process = start("worker", first=patient)
    turn = Turn(sqlite_path(database_url))
    wait_for(lambda: is_refused(turn))  # until the worker has it
    tell(process, signal.SIGTERM)
    assert_gone(process)
    holder.rollback()
    forget(holder)


# Commands that print output.


@engines.on_sqlite
def test_an_interrupt_while_it_starts_is_no_traceback(environ, tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-X", "importtime", "-m", "reservation", "user", "list"], cwd=tmp_path,
        env={**without_settings(), **environ}, stderr=subprocess.PIPE, text=True,
    )
    next(line for line in process.stderr if line.endswith(" reservation.settings\n"))
    process.send_signal(signal.SIGINT)
    assert "Traceback" not in process.communicate()[1]
    assert process.returncode == 130  # what a shell reports for SIGINT


@engines.on_sqlite
def test_an_interrupt_of_a_question_ends_without_a_word(environ, tmp_path, db):
    process = subprocess.Popen(
        [sys.executable, "-m", "reservation", "user", "password", "a@b.fr"], cwd=tmp_path,
        env={**without_settings(), **environ}, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True,
    )
    process.stdin.write("a")
    process.stdin.flush()
    wait_for(lambda: fcntl.ioctl(process.stdin, termios.FIONREAD, bytes(4)) == bytes(4))
    process.send_signal(signal.SIGINT)
    assert process.communicate()[0] == ""


@engines.on_sqlite
@pytest.mark.parametrize("words", [["user", "list"], ["--help"]])
def test_a_list_whose_reader_is_gone_ends_without_a_word(environ, tmp_path, alice, words):
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "reservation", *words], cwd=tmp_path, stdout=write,
        env={**without_settings(), **environ, "PYTHONUNBUFFERED": ""}, stderr=subprocess.PIPE,
        text=True,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (141, "")


@engines.on_sqlite
@pytest.mark.parametrize(
    "words", [["user", "list"], ["check"], ["--help"], ["serve", "--port", "0"]]
)
def test_a_full_disk_of_standard_output_is_one_sentence(environ, tmp_path, alice, words):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "reservation", *words], cwd=tmp_path, stdout=full,
            env={**without_settings(), **environ}, stderr=subprocess.PIPE, text=True, timeout=20,
        )
    assert done.returncode == 1
    assert done.stderr == (
        "reservation: standard output or a file cannot be written: No space left on device;"
        " free disk space, and try again\n"
    )


@engines.on_sqlite
@pytest.mark.parametrize("words", [["backup", "a.backup"], ["check"], ["user", "list"]])
def test_a_command_works_with_closed_streams(environ, tmp_path, alice, words):
    command = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", sys.executable, "-m", "reservation"]
    environ = {**without_settings(), **environ}
    assert subprocess.run([*command, *words], cwd=tmp_path, env=environ).returncode == 0


@engines.on_sqlite
def test_a_password_from_a_closed_stream_is_blank(environ, tmp_path, alice):
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&-', "sh", sys.executable, "-m", "reservation", "user",
         "password", "alice@example.fr"],
        cwd=tmp_path, env={**without_settings(), **environ}, stderr=subprocess.PIPE, text=True,
    )
    assert (done.returncode, done.stderr) == (1, "reservation: the password is blank\n")


@engines.on_sqlite
@pytest.mark.parametrize("words", [["check"], ["serve"], ["--help"]])
def test_a_deleted_working_directory_is_one_sentence(environ, tmp_path, words):
    gone = f"cd {tmp_path} && mkdir gone && cd gone && rmdir ../gone && "
    done = subprocess.run(
        ["sh", "-c", gone + 'exec "$@"', "sh", sys.executable, "-m", "reservation", *words],
        env={**without_settings(), **environ}, stderr=subprocess.PIPE, text=True, timeout=20,
    )
    problem = "the working directory does not exist: change to another folder"
    assert (done.returncode, done.stderr) == (2, f"reservation: {problem}\n")
