"""Mail through an SMTP server: what arrives, and how a failing server is handled."""

import asyncio
import errno
import socket
import time
from collections import Counter
from contextlib import nullcontext, suppress
from urllib.parse import quote

import pytest

from reservation.domain.messages.mailers import Folder
from reservation.errors import MailNotSent
from reservation.lib import smtp
from reservation.lib.deadlines import Deadline
from reservation.lib.mime import compose
from reservation.lib.smtp import Relay
from tests.domain import relays
from tests.domain.relays import PASSWORD, USER, BrokenRelay, Handler, certificate, started
from tests.http.wire import Wire
from tests.outboxes import wait_for
from tests.specification.bodies import MESSAGE

NOT_SENT = {"success": False, "error": "Erreur lors de l'envoi du message"}
SENDER, RECIPIENT = "robot@example.fr", "salon@example.fr"
LOGIN = f"{USER}:{quote(PASSWORD, safe='')}"
HEADERS = {
    "From", "To", "Reply-To", "Subject", "Message-ID", "Date",
    "MIME-Version", "Content-Type", "Content-Transfer-Encoding",
}


@pytest.fixture
def handler():
    return Handler()


@pytest.fixture
def start(handler):
    """Starts the working server. Returns its port."""
    running = []

    def run(**options):
        running.append(started(handler, **options))
        return running[-1].port

    yield run
    for relay in running:
        relay.stop()


@pytest.fixture
def broken():
    """Starts a server that fails at a stage. Returns its port."""
    running = []

    def run(stage, what):
        running.append(BrokenRelay(stage, what))
        return running[-1].port

    yield run
    for relay in running:
        relay.stop()


@pytest.fixture
def contact(make_client, start, handler):
    """Posts a contact message with changed fields. Returns what the SMTP server received."""
    url = f"smtp://127.0.0.1:{start()}"
    client = make_client(SMTP_URL=url, CONTACT_TO=RECIPIENT, MAIL_FROM=SENDER)

    def post(expect=200, **changes):
        client.post("/contact", {**MESSAGE, **changes}, expect=expect)
        return handler.received

    return post


@pytest.fixture(scope="module")
def tls(tmp_path_factory):
    return certificate(tmp_path_factory.mktemp("tls"))


def message(**changes):
    fields = {"sender": SENDER, "recipient": RECIPIENT, "subject": "Sujet", "text": "Texte"}
    return compose(**{**fields, **changes})


def refuses(url, within=3.0, **how):
    """Asserts that sending raises MailNotSent in time."""
    began = time.monotonic()
    with pytest.raises(MailNotSent):
        Relay(url, **how).send(message())
    assert time.monotonic() - began < within


def test_a_message_arrives_with_one_recipient_in_the_envelope(start, handler):
    Relay(f"smtp://127.0.0.1:{start()}").send(message(text="Été.\n.\n..\nFin"))
    (received,) = handler.received
    assert (received.sender, received.recipients) == (SENDER, [RECIPIENT])
    assert received.text == "Été.\n.\n..\nFin\n"


@pytest.mark.parametrize("value", ["1", "true"])
def test_a_relay_with_starttls_and_login_gets_the_message(start, handler, tls, value):
    port = start(
        tls_context=tls[0], require_starttls=True, auth_required=True,
        authenticator=handler.authenticate,
    )
    Relay(f"smtp://{LOGIN}@127.0.0.1:{port}?starttls={value}", tls=tls[1]).send(message())
    assert len(handler.received) == 1
    assert handler.logins == [(USER.encode(), PASSWORD.encode())]


def test_a_relay_with_tls_from_the_start_gets_the_message(start, handler, tls):
    port = start(
        ssl_context=tls[0], auth_required=True, auth_require_tls=False,
        authenticator=handler.authenticate,
    )
    Relay(f"smtps://{LOGIN}@127.0.0.1:{port}", tls=tls[1]).send(message())
    assert len(handler.received) == 1


@pytest.mark.parametrize("stage", ["MAIL", "RCPT", "DATA"])
@pytest.mark.parametrize("reply", ["550 no", "554 no", "421 later", "450 later", "452 full"])
def test_a_message_that_the_relay_refuses_is_not_sent(start, handler, stage, reply):
    handler.replies[stage] = reply
    refuses(f"smtp://127.0.0.1:{start()}")
    assert handler.received == []


def test_the_caller_of_contact_learns_that_the_relay_refused(contact, handler):
    handler.replies["RCPT"] = "550 unknown"
    assert contact(expect=500) == []


def test_a_refused_login_sends_nothing(start, handler, tls):
    port = start(tls_context=tls[0], auth_required=True, authenticator=handler.authenticate)
    refuses(f"smtp://{USER}:faux@127.0.0.1:{port}?starttls=1", within=10, tls=tls[1])
    assert handler.received == [] and len(handler.logins) > 0


@pytest.mark.parametrize("scheme, query", [("smtps", ""), ("smtp", "?starttls=1")])
@pytest.mark.parametrize("trusted", [True, False])
def test_a_certificate_that_does_not_fit_sends_nothing(
    start, handler, tmp_path, scheme, query, trusted
):
    """The certificate is from an unknown authority, or is trusted but for another name."""
    server, client = certificate(tmp_path, "DNS:elsewhere.example")
    how = {"ssl_context": server} if scheme == "smtps" else {"tls_context": server}
    port = start(authenticator=handler.authenticate, **how)
    refuses(f"{scheme}://{LOGIN}@127.0.0.1:{port}{query}", tls=client if trusted else None)
    assert handler.received == [] and handler.logins == []


def test_a_relay_without_starttls_never_sees_the_password(start, handler, tls):
    port = start(auth_require_tls=False, authenticator=handler.authenticate)
    refuses(f"smtp://{LOGIN}@127.0.0.1:{port}?starttls=1", tls=tls[1])
    assert handler.received == [] and handler.logins == []


BROKEN = {
    "hangs": relays.hang,
    "closes": relays.close,
    "drips bytes": relays.repeated(b"2", 0.2),
    "drips lines": relays.repeated(b"250-more\r\n", 0.2),
    "floods": relays.repeated(b"250-more\r\n" * 100, 0.001),
    "writes without a line's end": relays.repeated(b"2" * 9000, 0.001),
    "speaks HTTP": relays.says(b"HTTP/1.1 400 Bad Request\r\n\r\n"),
    "speaks no language": relays.says(bytes(range(256)) * 4 + b"\r\n"),
    "says half a line": relays.says(b"250"),
    "turns it down": relays.says(b"421 later\r\n"),
}


@pytest.mark.parametrize("what", BROKEN.values(), ids=BROKEN)
@pytest.mark.parametrize("stage", ["greeting", "EHLO", "RCPT", "DATA", "end"])
def test_a_relay_that_breaks_off_is_given_up_in_time(broken, stage, what):
    refuses(f"smtp://127.0.0.1:{broken(stage, what)}", within=2.0, time_limit=0.6)


@pytest.mark.parametrize("what", ["hangs", "closes", "drips bytes", "speaks HTTP"])
@pytest.mark.parametrize(
    "scheme, stage, query", [("smtps", "greeting", ""), ("smtp", "MAIL", "?starttls=1")]
)
def test_a_handshake_that_breaks_off_is_given_up_in_time(broken, what, scheme, stage, query):
    """After EHLO the client sends STARTTLS. The server replies without TLS from then on."""
    url = f"{scheme}://127.0.0.1:{broken(stage, BROKEN[what])}{query}"
    refuses(url, within=2.0, time_limit=0.6)


@pytest.mark.parametrize("what", ["hangs", "closes", "drips bytes", "speaks HTTP"])
def test_what_the_relay_accepted_stays_accepted(broken, what):
    began = time.monotonic()
    Relay(f"smtp://127.0.0.1:{broken('QUIT', BROKEN[what])}", time_limit=0.6).send(message())
    assert time.monotonic() - began < 2.0


def test_a_relay_is_used_again_after_it_failed(start, handler):
    relay = Relay(f"smtp://127.0.0.1:{start()}")
    handler.replies["RCPT"] = "450 later"
    with pytest.raises(MailNotSent):
        relay.send(message())
    handler.replies.clear()
    relay.send(message())
    assert len(handler.received) == 1


def test_a_request_ends_in_time_whatever_the_relay_does(serve, broken):
    """The limits are the defaults. The relay sends one byte per second, so that no single step
    exceeds its limit, but all steps together do."""
    port = broken("end", relays.repeated(b"2", 1.0))
    server = Wire(serve(SMTP_URL=f"smtp://127.0.0.1:{port}"))
    assert server.post_json("/contact", {}).status == 400
    began = time.monotonic()
    answer = server.post_json("/contact", MESSAGE)
    assert time.monotonic() - began < smtp.REQUEST_LIMIT + 2.5
    assert (answer.status, answer.json) == (500, NOT_SENT)


def test_a_request_has_one_limit_for_all_steps_together(broken, monkeypatch):
    """The limit applies even if each step has a longer limit."""
    monkeypatch.setattr(smtp, "REQUEST_LIMIT", 0.5)
    refuses(f"smtp://127.0.0.1:{broken('end', relays.hang)}", within=2.0)


def test_a_request_does_not_wait_for_a_name_and_nothing_is_sent_afterwards(
    start, handler, monkeypatch
):
    """Nothing is sent even if the connection succeeds before the watching thread closes it."""
    monkeypatch.setattr(Deadline, "LOOK", 5.0)
    port, look_up, looked_up = start(), socket.getaddrinfo, []

    def slowly(*words, **how):
        time.sleep(1.2)
        looked_up.append(words)
        return look_up(*words, **how)

    monkeypatch.setattr(socket, "getaddrinfo", slowly)
    refuses(f"smtp://localhost:{port}", within=1.1, time_limit=0.2)
    wait_for(lambda: looked_up)
    time.sleep(0.3)
    assert handler.received == []


@pytest.mark.parametrize("what", ["hangs", "drips bytes", "floods"])
@pytest.mark.parametrize("stage", ["greeting", "EHLO", "RCPT", "DATA"])
def test_only_the_answer_to_the_data_may_take_long(broken, stage, what):
    relay = Relay(f"smtp://127.0.0.1:{broken(stage, BROKEN[what])}", time_limit=0.4)
    began = time.monotonic()
    with relay.session() as line, pytest.raises(MailNotSent):
        line.hand_over(message())
    assert time.monotonic() - began < 2.0


@pytest.mark.parametrize("what", ["drips bytes", "drips lines", "floods", "says half a line"])
def test_an_answer_that_has_begun_must_come_to_its_end(broken, what):
    relay = Relay(f"smtp://127.0.0.1:{broken('end', BROKEN[what])}", time_limit=0.4)
    with relay.session() as line:
        line.hand_over(message())
        assert line.answers(5.0)
        began = time.monotonic()
        with pytest.raises(MailNotSent):
            line.confirm()
        assert time.monotonic() - began < 2.0


@pytest.mark.parametrize("secure", [False, True])
def test_one_connection_takes_messages_of_which_each_is_answered_late(
    start, handler, tls, secure, monkeypatch
):
    async def late(*_):
        await asyncio.sleep(0.8)
        return await Handler.handle_DATA(handler, *_)

    monkeypatch.setattr(handler, "handle_DATA", late, raising=False)
    port = start(tls_context=tls[0], require_starttls=True) if secure else start()
    query = "?starttls=1" if secure else ""
    relay = Relay(f"smtp://127.0.0.1:{port}{query}", time_limit=0.6, tls=tls[1])
    with relay.session() as line:
        for text in ("a", "b"):
            line.hand_over(message(text=text))
            assert not line.answers(0.1)
            assert line.answers(5.0)
            line.confirm()
    assert [one.text for one in handler.received] == ["a\n", "b\n"]


class Counting(Handler):
    """Counts the connections, and the commands RSET and QUIT. Answers RSET with `reset`."""

    def __init__(self, reset="250 OK"):
        super().__init__()
        self.reset, self.calls = reset, Counter()

    async def handle_EHLO(self, _server, session, _envelope, hostname):
        self.calls["EHLO"] += 1
        session.host_name = hostname
        return "250 HELP"

    async def handle_RSET(self, _server, _session, _envelope):
        self.calls["RSET"] += 1
        return self.reset

    async def handle_QUIT(self, _server, _session, _envelope):
        self.calls["QUIT"] += 1
        return "221 bye"


@pytest.fixture
def calls():
    """Sends a message for each of `answers` in one session. An answer is "accept", or the SMTP
    command that the relay refuses and its reply. Returns the number of connections, the commands,
    and the texts of the accepted messages."""

    def run(answers, **how):
        handler = Counting(**how)
        relay = started(handler)
        with Relay(f"smtp://127.0.0.1:{relay.port}").session() as line:
            for number, answer in enumerate(answers):
                handler.replies = {} if answer == "accept" else dict([answer])
                with suppress(MailNotSent) if handler.replies else nullcontext():
                    line.hand_over(message(text=str(number)))
                    assert line.answers(5.0)
                    line.confirm()
        relay.stop()
        return dict(handler.calls), [one.text.strip() for one in handler.received]

    return run


def test_messages_that_are_refused_and_accepted_share_a_connection(calls):
    answers = [
        ("MAIL", "550 no"), ("RCPT", "550 no"), "accept", ("RCPT", "452 full"), ("DATA", "554 no"),
        ("DATA", "450 later"), "accept", ("RCPT", "550 no"), ("RCPT", "550 no"), "accept",
    ]
    assert calls(answers) == ({"EHLO": 1, "RSET": 7, "QUIT": 1}, ["2", "6", "9"])


@pytest.mark.parametrize("answer", [("RCPT", "421 later"), ("DATA", "421 later")])
def test_a_connection_ends_when_the_relay_says_so_or_is_not_reset(calls, answer):
    assert calls([answer, "accept"]) == ({"EHLO": 2, "QUIT": 1}, ["1"])
    refused = "RCPT", "550 no"
    assert calls([refused, "accept"], reset="502 unknown") == (
        {"EHLO": 2, "RSET": 1, "QUIT": 1}, ["1"],
    )


def test_many_refusals_in_a_row_end_the_connection(calls):
    """Otherwise Postfix would answer 421 after 20 errors, and so delay a message without fault."""
    found, texts = calls([("RCPT", "550 no")] * 20 + ["accept"])
    assert found == {"EHLO": 3, "RSET": 18, "QUIT": 1} and texts == ["20"]


NAMES = {
    "CRLF": "Zoé\r\nBcc: evil@x.fr",
    "LF": "Zoé\nBcc: evil@x.fr",
    "CR": "Zoé\rCc: evil@x.fr",
    "folding": "Zoé\r\n Bcc: evil@x.fr",
    "an empty line": "Zoé\r\n\r\nBcc: evil@x.fr\r\n.\r\nMAIL FROM:<a@b.fr>\r\n",
    "U+2028": "Zoé\u2028Bcc: evil@x.fr",
    "U+2029, U+0085": "Zoé\u2029Bcc: evil@x.fr\x85Cc: evil@x.fr",
    "vertical tab": "Zoé\x0bBcc: evil@x.fr\x0cCc: evil@x.fr\x1c\x1d\x1e",
    "quotes": 'x" <evil@x.fr>, "y',
    "an address": "evil@x.fr, <evil@x.fr>",
    "a group": "all: evil@x.fr, b@x.fr;",
    "an encoded line break": "=?utf-8?q?a=0D=0ABcc:_evil@x.fr?=",
    "an encoded line break in base64": "=?utf-8?b?YQ0KQmNjOiBldmlsQHguZnI=?=",
    "encoded words in a row": "=?utf-8?q?a?= =?utf-8?q?=0ABcc:_evil@x.fr?=",
    "half an encoded word": "=?utf-8?q?a=0ABcc:",
    "encoded words in one another": "==??utf-8?q?=0ABcc: evil@x.fr?==?utf-8?q?=0A?=",
    "very long": "Z" * 30_000,
    "very long of words": "Zoé " * 5_000,
    "long and non-ASCII": "é" * 10_000,
    "turned round": "\u202eeoZ\u2066",
    "emoji": "Zoé 🦊 Ångström 日本",
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_no_name_adds_a_header_or_a_recipient(contact, name):
    (received,) = contact(name=name)
    assert received.recipients == [RECIPIENT]
    assert sorted(received.mail.keys()) == sorted(HEADERS)
    assert (received.mail["To"], received.mail["From"]) == (RECIPIENT, SENDER)
    assert [a.addr_spec for a in received.mail["Reply-To"].addresses] == [MESSAGE["email"]]
    head = received.raw.partition(b"\r\n\r\n")[0]
    assert max(map(len, head.split(b"\r\n"))) <= 998
    assert received.mail.get_content().count("\n") > 0
    assert received.mail["Subject"].isprintable()


@pytest.mark.parametrize(
    "email",
    [
        "a@b.fr, evil@x.fr", "a@b.fr,evil@x.fr", "a@b.fr;evil@x.fr", "a@b.fr evil@x.fr",
        "a@b.fr\r\nBcc: evil@x.fr", "a@b.fr\nBcc:evil@x.fr", "a@b.fr\rx", "a@b.fr\u2028x",
        "<a@b.fr>", "A <a@b.fr>", '"a, evil"@b.fr', "a(b)@b.fr", "a@b.fr>\r\nRCPT TO:<evil@x.fr",
        "=?utf-8?q?a=40b.fr=0ABcc:?=@x.fr,", "a@[127.0.0.1]", "@relay:a@b.fr", "a%0d%0a@b",
        "=?utf-8?q?a?=@b.fr", "é@b.fr", "a@é.fr", "a@b.fr\x85", "a@@b.fr", "a" * 65 + "@b.fr",
        "a@" + "b." * 130 + "fr",
    ],
)
def test_no_email_adds_a_header_or_a_recipient(contact, email):
    """Anything but a single address is refused. Surrounding space is stripped first."""
    received = contact(expect="*", email=email)
    if email == "a@b.fr\x85":
        assert [one.mail["Reply-To"] for one in received] == ["a@b.fr"]
    else:
        assert received == []


@pytest.mark.parametrize(
    "email", ["o'brien+x@b.fr", "{a}|b~@b.fr", "a?=b@c.fr"]
)
def test_a_strange_address_is_one_address(contact, email):
    (received,) = contact(email=email)
    assert sorted(received.mail.keys()) == sorted(HEADERS)
    assert [a.addr_spec for a in received.mail["Reply-To"].addresses] == [email]


@pytest.mark.parametrize(
    "text",
    [
        "Été à Noël : 20 €, 🦊, 日本",
        "Ligne\n.\n..\n.\r\nMAIL FROM:<a@b.fr>\r\nfin",
        "x" * 20_000,
        "é" * 10_000,
        "mot " * 10_000,
        "From la part de\n\nFrom là",
        "a\n\n\n\nb",
        "--=_\nContent-Type: text/html\n\n<b>",
        " avant",
        "=3D =?utf-8?q?a?= =\nfin",
        "tab\tet\u00a0insécable\u200b",
    ],
    ids=lambda text: repr(text[:12]),
)
def test_a_message_arrives_to_the_letter(contact, text):
    (received,) = contact(message=f"avant {text} après", name="Zoé Ångström 🦊")
    assert f"avant {text} après".replace("\r\n", "\n") in received.text
    assert "Zoé Ångström 🦊" in received.text
    assert received.mail["Subject"] == "Message de Zoé Ångström 🦊"
    assert max(map(len, received.raw.split(b"\r\n"))) <= 998
    assert received.raw.isascii()


# A folder of mail.


def test_a_folder_keeps_no_part_of_a_message_that_cannot_be_written(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(MailNotSent):
        Folder(tmp_path).send(message())
    assert list(tmp_path.iterdir()) == []


def test_the_name_of_a_kept_message_has_the_time_in_utc(tmp_path, monkeypatch):
    with monkeypatch.context() as own:
        own.setenv("TZ", "Pacific/Auckland")
        time.tzset()
        before = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        Folder(tmp_path).send(message())
    time.tzset()
    (file,) = tmp_path.iterdir()
    assert before <= file.name.partition("-")[0] <= time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
