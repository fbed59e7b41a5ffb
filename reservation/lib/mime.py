"""A message as the bytes that go over the wire: text, HTML, a calendar file (RFC 2045 on)."""

import binascii
import time
import uuid
from email.charset import BASE64, Charset
from email.encoders import encode_base64
from email.header import Header
from email.message import Message
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart
from email.policy import Compat32
from typing import NamedTuple


class Mail(NamedTuple):
    """A message as it goes over the wire, and whom the envelope names."""

    sender: str
    recipient: str
    octets: bytes


class Calendar(NamedTuple):
    """A calendar file to go with a message, and its METHOD."""

    method: str
    text: str


def compose(
    *,
    sender: str,
    recipient: str,
    subject: str,
    text: str,
    reply_to: str = "",
    html: str = "",
    calendar: Calendar | None = None,
    message_id: str = "",
) -> Mail:
    """A message of text, of HTML too where there is any; control characters in a header
    become spaces."""
    body = _text_part("plain", text)
    if html:
        body = _multipart("alternative", body, _text_part("html", html))
    if calendar:
        body = _multipart("mixed", body, _calendar_part(calendar))
    host = sender.rpartition("@")[2] or "localhost"
    headers = {
        "From": sender,
        "To": recipient,
        "Reply-To": reply_to,
        "Subject": Header(one_line(subject), _UTF_8, header_name="Subject").encode(),
        "Message-ID": message_id or f"<{uuid.uuid4()}@{host}>",
        "Date": time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime()),
    }
    for name, value in headers.items():
        if value:
            body[name] = value
    return Mail(sender, recipient, body.as_bytes(policy=_Finished()))


# Put together of the plain classes of the email package: those of EmailMessage parse each
# header that they are given, which takes ten times as long as all else. Everything that is
# expensive by default is given: the boundary, the encoding, the lines of a header.
_UTF_8 = Charset("utf-8")
_UTF_8.header_encoding = BASE64


class _Finished(Compat32):
    """Writes headers as they are: they were encoded and folded when they were set."""

    def __init__(self) -> None:
        super().__init__(linesep="\r\n")

    def fold_binary(self, name: str, value: str) -> bytes:
        return f"{name}: {value}".replace("\n", "\r\n").encode("ascii") + b"\r\n"


def _multipart(kind: str, *parts: Message) -> Message:
    return MIMEMultipart(kind, f"=_{uuid.uuid4().hex}", parts)


def _text_part(kind: str, text: str) -> Message:
    """In quoted-printable: not every relay takes bytes above 127, and people can read it."""
    part = MIMENonMultipart("text", kind, charset="utf-8")
    part["Content-Transfer-Encoding"] = "quoted-printable"
    lines = text.replace("\r\n", "\n").replace("\r", "\n").encode()
    part.set_payload(binascii.b2a_qp(lines, istext=True).decode("ascii"))
    return part


def _calendar_part(calendar: Calendar) -> Message:
    part = MIMENonMultipart("text", "calendar", charset="utf-8", method=calendar.method)
    part.add_header("Content-Disposition", "attachment", filename="reservation.ics")
    part.set_payload(calendar.text.encode())
    encode_base64(part)
    return part


def one_line(text: str) -> str:
    """The text with every control character and line break turned into a space.

    An encoded word (RFC 2047) is broken up, for the header would decode what it hides.
    """
    printable = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(printable.replace("=?", "= ?").split())
