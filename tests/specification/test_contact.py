"""The contact message: sections 2.4, 4.2 and 7 of the specification."""

import email
import email.policy

import pytest

from tests import engines
from tests.specification.bodies import MESSAGE, NO_DATABASE

REQUIRED = ("name", "email", "message")
MISSING = {"success": False, "error": "Tous les champs sont requis"}


def contact(*without, **changes):
    return {k: v for k, v in {**MESSAGE, **changes}.items() if k not in without}


@pytest.fixture
def mails(tmp_path):
    """Returns all messages sent so far."""

    def read():
        files = sorted((tmp_path / "mails").glob("*.eml"))
        policy = email.policy.default
        return [email.message_from_bytes(file.read_bytes(), policy=policy) for file in files]

    return read


def text_of(mail):
    return mail.get_body(("plain",)).get_content().replace("\r\n", "\n")


def test_a_contact_message_is_200_success_with_a_message(client):
    answer = client.post("/contact", MESSAGE, expect=200)
    assert answer.content_type == "application/json"
    assert set(answer.json) == {"success", "message"}
    assert answer.json["success"] is True
    assert isinstance(answer.json["message"], str) and answer.json["message"]


def test_a_contact_message_is_sent_by_email_to_the_operator(make_client, mails):
    client = make_client(CONTACT_TO="salon@example.fr", MAIL_FROM="robot@example.fr")
    client.post("/contact", MESSAGE, expect=200)
    (mail,) = mails()
    assert (mail["To"], mail["From"]) == ("salon@example.fr", "robot@example.fr")
    assert mail["Subject"].strip()
    assert mail["Date"].datetime and mail["Message-ID"]
    assert mail["Auto-Submitted"] is None  # a person wrote it


def test_the_operators_reply_goes_to_who_wrote(client, mails):
    client.post("/contact", MESSAGE, expect=200)
    (mail,) = mails()
    assert [a.addr_spec for a in mail["Reply-To"].addresses] == ["zoe@example.fr"]


def test_the_email_holds_what_was_written_to_the_letter(client, mails):
    client.post("/contact", MESSAGE, expect=200)
    (mail,) = mails()
    assert MESSAGE["message"] in text_of(mail)
    for field in ("name", "email", "phone"):
        assert MESSAGE[field] in text_of(mail)


def test_each_contact_message_is_an_email_of_its_own(client, mails):
    for number in range(3):
        client.post("/contact", contact(message=f"Question {number}"), expect=200)
    assert len({mail["Message-ID"] for mail in mails()}) == 3


@pytest.mark.parametrize("body", [contact("phone"), contact(phone=None), contact(phone="")])
def test_the_phone_is_optional(client, mails, body):
    assert client.post("/contact", body, expect=200).json["success"] is True
    assert MESSAGE["message"] in text_of(mails()[0])


@pytest.mark.parametrize("field", REQUIRED)
def test_a_contact_message_without_a_required_field_is_400_all_fields_required(
    client, mails, field
):
    assert client.post("/contact", contact(field), expect=400).json == MISSING
    assert mails() == []


@pytest.mark.parametrize("blank", [None, "", " ", "\t\r\n", "\N{NO-BREAK SPACE}"])
@pytest.mark.parametrize("field", REQUIRED)
def test_a_blank_string_counts_as_missing(client, mails, field, blank):
    assert client.post("/contact", contact(**{field: blank}), expect=400).json == MISSING
    assert mails() == []


def test_an_empty_object_is_400_all_fields_required(client):
    assert client.post("/contact", {}, expect=400).json == MISSING


@pytest.mark.parametrize("wrong", [7, True, ["a"], {"a": "b"}])
@pytest.mark.parametrize("field", REQUIRED)
def test_a_contact_field_that_is_no_string_is_400(client, mails, field, wrong):
    answer = client.post("/contact", contact(**{field: wrong}), expect=400)
    assert set(answer.json) == {"success", "error"}
    assert answer.json["success"] is False
    assert mails() == []


@pytest.mark.parametrize(
    "break_",
    ["\r\n", "\n", "\r", "\r\n ", "\x0b", "\x85", "\N{LINE SEPARATOR}", "=?utf-8?q?=0D=0A?="],
)
def test_a_header_put_into_the_name_never_reaches_a_header(client, mails, break_):
    name = f"Zoé{break_}Bcc: tous@example.fr{break_}X-Autre: oui"
    client.post("/contact", contact(name=name), expect=200)
    (mail,) = mails()  # parses the bytes, as a receiver does
    assert (mail["Bcc"], mail["X-Autre"]) == (None, None)
    for value in mail.values():
        assert not set(value) & set("\r\n\x0b\x85\N{LINE SEPARATOR}")


@pytest.mark.parametrize("break_", ["\r\n", "\n", "\r", "%0d%0a", ", tous@example.fr, "])
def test_a_header_or_a_second_address_in_the_email_never_reaches_a_header(client, mails, break_):
    address = f"zoe@example.fr{break_}Bcc: tous@example.fr"
    answer = client.post("/contact", contact(email=address), expect=400)
    assert answer.json["success"] is False
    assert mails() == []


def test_a_relay_that_cannot_be_reached_is_500_with_the_error_of_the_specification(make_client):
    client = make_client(SMTP_URL=f"smtp://127.0.0.1:{engines.free_port()}")
    answer = client.post("/contact", MESSAGE, expect=500)
    assert answer.json == {"success": False, "error": "Erreur lors de l'envoi du message"}


def test_a_folder_that_cannot_be_written_is_500_with_the_same_error(make_client, tmp_path):
    client = make_client(SMTP_URL=f"file://{tmp_path}/folder/mails")
    (tmp_path / "folder").touch()  # after the start of the application
    answer = client.post("/contact", MESSAGE, expect=500)
    assert answer.json == {"success": False, "error": "Erreur lors de l'envoi du message"}


def test_missing_fields_are_told_even_where_sending_would_fail(make_client):
    client = make_client(SMTP_URL=f"smtp://127.0.0.1:{engines.free_port()}")
    assert client.post("/contact", contact("name"), expect=400).json == MISSING


def test_the_contact_form_is_open_in_production(client, make_client, mails):
    make_client(ENV="production").post("/contact", MESSAGE, expect=200)
    assert len(mails()) == 1


def send_from(client, source, number, expect):
    body = contact(email=f"a{number}@example.fr")
    return client.post("/contact", body, expect=expect, source=source)


def test_production_takes_ten_messages_an_hour_from_a_network(make_client, db, environ, mails):
    client = make_client(ENV="production", SMTP_URL=environ["RESERVATION_SMTP_URL"])
    for number in range(10):
        send_from(client, "192.0.2.7", number, 200)
    answer = send_from(client, "192.0.2.8", 10, 429)
    assert answer.json == {"success": False, "error": "Too many requests, try again later"}
    assert 3590 < int(answer.headers["Retry-After"]) <= 3600
    send_from(client, "198.51.100.7", 11, 200)
    assert len(mails()) == 11


def test_production_takes_five_messages_an_hour_from_an_address(make_client, db):
    client = make_client(ENV="production")
    for number in range(5):
        client.post("/contact", MESSAGE, source=f"10.0.{number}.1")
    client.post("/contact", MESSAGE, expect=429, source="10.1.0.1")


def test_development_takes_any_number_of_messages_without_a_database(make_client):
    client = make_client(DATABASE_URL=NO_DATABASE)
    for _ in range(12):
        client.post("/contact", MESSAGE)


def test_without_a_database_production_takes_no_message(make_client):
    answer = make_client(DATABASE_URL=NO_DATABASE, LIMITS="on").post("/contact", MESSAGE, 503)
    assert answer.json["success"] is False
