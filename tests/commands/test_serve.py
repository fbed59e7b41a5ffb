"""`reservation serve`, `python app.py` and `gunicorn app:application`."""

import fcntl
import os
import re
import signal
import stat
import subprocess
import sys
import termios
import time
import urllib.request
from contextlib import suppress
from functools import partial
from pathlib import Path

import psutil
import pytest

from reservation.storage.database import sqlite_path
from tests import engines, outboxes
from tests.engines import free_port
from tests.http.wire import Wire

ROOT = Path(__file__).parent.parent.parent
OPEN_DOORS = (
    "/login_form", "/teste", "/auth/register", "/register_form", "the most common",
    "accounts book", "registrations, codes", "mail is kept",
)


def test_the_start_up_lines_name_address_database_mail_folder_and_open_doors(serve, tmp_path):
    server = serve(SMTP_URL=f"file://{tmp_path}/mails", DATABASE_URL="sqlite:///here.db")
    assert f"Serving on {server.url} (development profile)" in server.lines[0]
    assert "  database: sqlite:///here.db" in server.lines
    assert f"  mail: file://{tmp_path}/mails" in server.lines
    for door in OPEN_DOORS:
        assert sum(line.startswith(f"  open door: {door}") for line in server.lines) == 1


def test_without_a_relay_the_mail_folder_is_named(environ, serve, tmp_path):
    del environ["RESERVATION_SMTP_URL"]
    server = serve(DATABASE_URL="sqlite:///here.db")
    assert f"  mail: kept in {tmp_path}/mails" in server.lines
    assert any(line.startswith("  open door: mail is kept") for line in server.lines)


def test_production_shuts_every_door(serve, client):
    server = serve(ENV="production", SMTP_URL="smtp://127.0.0.1:9")
    assert "(production profile)" in server.lines[0]
    assert "open door" not in server.output


def test_a_second_start_is_ready_soon(serve):
    """The documented limit is 2 s; the test allows more, because the test machine is busy."""
    serve("--workers", "2", fresh=True).stop()
    began = time.monotonic()
    serve("--workers", "2", fresh=True)
    assert time.monotonic() - began < 15


def test_the_names_to_complete_are_sorted_before_the_workers_are_forked(tmp_path):
    script = """
from reservation import Settings, commands
from reservation.application import completions
from reservation.commands.serve import Server
settings = Settings.from_environ({"RESERVATION_DATABASE_URL": "sqlite:///here.db"})
server = Server(commands.parser().parse_args(["serve"]), settings)
print(["index" in vars(names) for names in completions(settings)])
server.load()
print(["index" in vars(names) for names in completions(settings)])
"""
    run = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True
    )
    assert run.stdout.splitlines() == ["[False, False]", "[True, True]"], run.stderr


def test_development_keeps_one_secret_beside_the_sqlite_file(environ, serve, tmp_path):
    del environ["RESERVATION_SECRET"]
    serve(DATABASE_URL="sqlite:///here.db").stop()
    path = tmp_path / "reservation.secret"
    secret = path.read_text()
    assert len(secret) >= 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    serve(DATABASE_URL="sqlite:///here.db").stop()
    assert path.read_text() == secret
    assert [one.name for one in tmp_path.glob(".reservation.secret*")] == []


@pytest.mark.parametrize("content, problem", [
    (b"", "is shorter than 32 bytes"), (b"x" * 31, "is shorter than 32 bytes"),
    (b"\xff" * 32, "is not text"),
])
def test_a_stored_secret_that_cannot_be_used_stops_the_start_in_one_sentence(
    environ, tmp_path, content, problem
):
    del environ["RESERVATION_SECRET"]
    (tmp_path / "reservation.secret").write_bytes(content)
    done = subprocess.run(
        [sys.executable, "-m", "reservation", "serve", "--port", "0"], cwd=tmp_path, text=True,
        env={**os.environ, **environ, "RESERVATION_DATABASE_URL": "sqlite:///here.db"},
        capture_output=True, timeout=30,
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert f"reservation.secret {problem}: delete the file" in done.stderr


@engines.on_sqlite
def test_a_full_disk_on_which_no_secret_can_be_stored_is_one_sentence(
    environ, db, database_url, reservation
):
    del environ["RESERVATION_SECRET"]
    folder = Path(sqlite_path(database_url)).parent
    for words in (["worker", "--once"], ["serve", "--port", "0"]):
        done = reservation(*words, status=1, most=0)
        named = f"reservation: {folder}/reservation.secret cannot be written: File too large\n"
        assert done.stderr == named
    assert list(folder.glob("*reservation.secret*")) == []


def test_production_refuses_a_database_without_tables_and_names_the_command(environ, tmp_path):
    changed = {**environ, "RESERVATION_ENV": "production"}
    changed["RESERVATION_DATABASE_URL"] = f"sqlite:///{tmp_path}/new.db"
    done = subprocess.run(
        [sys.executable, "-m", "reservation", "serve", "--port", "0"],
        env={**os.environ, **changed}, capture_output=True, text=True, timeout=30,
    )
    assert done.returncode != 0
    assert "run `reservation init-db`" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_taken_port_is_an_error_that_ends_the_start(serve, environ, tmp_path):
    port = serve().port
    done = subprocess.run(
        [sys.executable, "-m", "reservation", "serve", "--port", str(port)],
        cwd=tmp_path, env={**os.environ, **environ}, capture_output=True, text=True, timeout=30,
    )
    assert done.returncode != 0


@pytest.mark.parametrize(
    "command",
    [
        [sys.executable, "app.py", "--port", "PORT"],
        [sys.executable, "-m", "gunicorn", "app:application", "--bind", "127.0.0.1:PORT",
         "--no-control-socket"],
    ],
    ids=["python app.py", "gunicorn app:application"],
)
def test_the_other_ways_to_serve_work_too(command, environ, client):
    port = str(free_port())
    process = subprocess.Popen(
        [word.replace("PORT", port) for word in command],
        cwd=ROOT, env={**os.environ, **environ}, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True,
    )
    try:
        assert answer(f"http://127.0.0.1:{port}/ready") == b'{"status": "ok"}'
    finally:
        process.terminate()
        output = process.communicate(timeout=15)[0]
    assert "open door: /teste" in output
    assert "Traceback" not in output


_SLOW_TO_LISTEN = """
import signal, sys, time
from gunicorn.workers.base import Worker
from reservation.commands import main, serve
serve.ENDING = 30
listen = Worker.init_signals
def after_the_signal(self):
    until = time.monotonic() + 5
    while signal.SIGTERM not in signal.sigpending() and time.monotonic() < until:
        time.sleep(0.01)
    listen(self)
Worker.init_signals = after_the_signal
sys.exit(main(["serve", "--port", "0", "--no-worker"]))
"""


@pytest.fixture
def run_script(environ, tmp_path):
    """Runs a Python script that serves, and returns its process when it listens."""
    started = []

    def run(script):
        process = subprocess.Popen(
            [sys.executable, "-u", "-c", script], cwd=tmp_path,
            env={**os.environ, **environ}, stdout=subprocess.PIPE, text=True,
        )
        started.append(process)
        assert process.stdout.readline().startswith("Serving on")
        return process

    yield run
    for process in started:
        process.terminate()
        process.communicate(timeout=15)


def test_a_server_that_is_told_to_end_while_its_workers_start_ends_soon(run_script):
    process = run_script(_SLOW_TO_LISTEN)
    children = psutil.Process(process.pid).children
    outboxes.wait_for(lambda: len(children()) == 2)  # they do not handle signals yet
    process.terminate()
    try:
        process.communicate(timeout=10)
    finally:
        process.kill()


def answer(url: str) -> bytes:
    until = time.monotonic() + 15
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5) as found:
                return found.read()
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)


# The worker beside the web workers.


def worker_of(process):
    """Returns the worker process of a server process, or None."""
    found = []
    for child in psutil.Process(process.pid).children():
        with suppress(psutil.NoSuchProcess):  # ended since the listing
            found += [child] if "worker" in child.cmdline() else []
    assert len(found) <= 1
    return found[0] if found else None


def has_ended(process):
    """Treats a zombie as ended, because its parent may never reap it."""
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


def test_a_server_runs_one_worker_and_a_new_one_when_it_is_killed(db, visit, post, serve):
    server = serve("--workers", "2", worker=True, SMTP_URL=post.url)
    for number in range(2):
        outboxes.queue(db, visit, [f"{number}@example.fr"])
        outboxes.wait_for(lambda: outboxes.is_over(db))
        worker = worker_of(server.process)
        worker.kill()
        outboxes.wait_for(lambda: worker_of(server.process) not in (None, worker))  # noqa: B023
    assert post.told == outboxes.people(2)
    assert len(psutil.Process(server.process.pid).children()) == 3


_SLOW_TO_START_THE_WORKER = """
import subprocess, sys, time
from reservation.commands import main
spawn = subprocess._fork_exec
subprocess._fork_exec = lambda *how: (time.sleep(0.5), spawn(*how))[1]
sys.exit(main(["serve", "--port", "0"]))
"""


def test_a_worker_that_starts_at_the_same_time_as_web_workers_is_restarted_too(run_script):
    server = run_script(_SLOW_TO_START_THE_WORKER)
    outboxes.wait_for(lambda: worker_of(server))
    worker = worker_of(server)
    worker.kill()
    outboxes.wait_for(lambda: worker_of(server) not in (None, worker))


_WITHOUT_MEMORY_FOR_THE_FIRST_WORKER = """
import errno, subprocess, sys
from reservation.commands import main
spawn = subprocess._fork_exec
def fail(*how):
    subprocess._fork_exec = spawn
    raise OSError(errno.ENOMEM, "Cannot allocate memory")
subprocess._fork_exec = fail
sys.exit(main(["serve", "--port", "0"]))
"""


def test_a_worker_that_cannot_be_started_is_started_later(run_script):
    server = run_script(_WITHOUT_MEMORY_FOR_THE_FIRST_WORKER)
    outboxes.wait_for(lambda: worker_of(server))


@pytest.mark.parametrize("public_url", ["", "http://127.0.0.1:8000", "https://agenda.example"])
def test_links_lead_to_the_server_itself_unless_an_address_is_set(
    db, visit, post, serve, chloe, public_url
):
    changes = {"PUBLIC_URL": public_url} if public_url else {}
    server = serve(worker=True, SMTP_URL=post.url, **changes)
    expected = public_url or server.url
    bearer = {"Authorization": f"Bearer {chloe.token}"}
    feed = Wire(server).call("GET", "/api/flux", headers=bearer).json
    assert feed["url"].startswith(f"{expected}/flux/")
    outboxes.queue(db, visit, ["0@example.fr"])
    outboxes.wait_for(lambda: outboxes.is_over(db))
    text = post.received[0].mail.get_body(("plain",)).get_content()
    assert f"{expected}/rendez-vous#{visit}-" in text


def test_a_server_that_is_told_to_end_waits_for_the_message_that_is_being_sent(
    db, visit, post, serve
):
    server = serve(worker=True, SMTP_URL=post.url)
    worker, master = worker_of(server.process), psutil.Process(server.process.pid)

    def end():
        server.process.terminate()
        outboxes.wait_for(lambda: not master.net_connections())  # the worker has been told
        time.sleep(1)

    post.then = end
    outboxes.queue(db, visit, outboxes.people(3))
    assert server.process.wait(timeout=20) == 0
    assert has_ended(worker)
    assert post.told == ["0@example.fr"]
    assert [(one.statut, one.essais) for one in outboxes.posts(db)] == [
        ("envoye", 1), ("attente", 0), ("attente", 0)
    ]


def test_the_worker_ends_when_its_server_is_killed(serve, client):
    server = serve(worker=True)
    worker = worker_of(server.process)
    server.process.kill()
    server.process.wait()
    outboxes.wait_for(lambda: has_ended(worker))


def test_a_server_without_worker_runs_none(serve, client):
    assert worker_of(serve().process) is None


@pytest.mark.parametrize("prefix", ["/x", "//evil.example", "x"])
def test_a_prefix_that_the_path_does_not_begin_with_is_refused(serve, prefix):
    wire = Wire(serve())
    assert wire.call("GET", "/nowhere", headers={"SCRIPT_NAME": prefix}).status == 400
    assert wire.call("GET", "/nowhere").status == 404


def take_terminal(ignored):
    """Makes standard input the terminal of a new process. `nohup` ignores SIGHUP."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    # Also without `ignored`: these tests may themselves have been started by nohup.
    signal.signal(signal.SIGHUP, signal.SIG_IGN if ignored else signal.SIG_DFL)


@pytest.mark.parametrize("ignored", [False, True])
def test_a_server_ends_with_its_terminal_unless_nohup_started_it(
    environ, db, tmp_path, ignored
):
    ours, its = os.openpty()
    server = subprocess.Popen(
        [sys.executable, "-m", "reservation", "serve", "--port", "0", "--workers", "1"],
        cwd=tmp_path, env={**os.environ, **environ}, stdin=its, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True, start_new_session=True,
        preexec_fn=partial(take_terminal, ignored),
    )
    try:
        os.close(its)
        port = re.search(r":(\d+) ", server.stdout.readline())[1]
        os.close(ours)  # the kernel sends SIGHUP
        if not ignored:
            assert server.wait(timeout=15) == 0
        else:
            time.sleep(2)
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health") as answer:
                assert answer.status == 200
    finally:
        server.terminate()
        server.wait(timeout=15)


def test_sighup_restarts_the_web_processes_and_the_server_goes_on(serve):
    server = serve()
    master = psutil.Process(server.process.pid)
    before = master.children()
    server.process.send_signal(signal.SIGHUP)
    outboxes.wait_for(lambda: master.children() and not set(before) & set(master.children()))
    assert Wire(server).call("GET", "/health").status == 200


def test_sigusr2_starts_a_second_server_on_the_same_port(serve):
    server = serve(fresh=True, worker=True)
    os.kill(server.process.pid, signal.SIGUSR2)
    outboxes.wait_for(lambda: server.output.count("Serving on ") == 2)
    (second,) = (
        one for one in psutil.Process(server.process.pid).children()
        if "GUNICORN_PID" in one.environ()
    )
    try:
        server.process.terminate()
        server.process.wait(timeout=15)
        assert Wire(server).call("GET", "/health").status == 200
        outboxes.wait_for(lambda: len(second.children()) == 2)
        (worker,) = (one for one in second.children() if "worker" in one.cmdline())
        # SIGTERM reaches the worker.
        assert {*_blocked(worker), *_blocked(second)}.isdisjoint({signal.SIGTERM, signal.SIGINT})
    finally:
        second.terminate()


def _blocked(process):
    """Returns the signals that the process blocks."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    mask = int(status.partition("SigBlk:")[2].split()[0], 16)
    return [number for number in signal.Signals if mask >> number - 1 & 1]
