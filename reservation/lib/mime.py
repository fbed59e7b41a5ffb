"""Builds the octets of a message with text, HTML and a calendar file (RFC 2045 to 2049)."""

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
    """A message and its envelope."""

    sender: str
    recipient: str
    octets: bytes


class CalendarFile(NamedTuple):
    """An attached calendar file, and its METHOD."""

    method: str
    text: str


def compose(
    *, sender: str, recipient: str, subject: str, text: str, reply_to: str = "", html: str = "",
    calendar: CalendarFile | None = None, message_id: str = "",
) -> Mail:
    """Builds a message. Replaces control characters in headers by spaces."""
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


# EmailMessage would parse each header, which takes ten times as long as everything else. For
# the same reason the boundary, the encoding and the folding of headers are set explicitly.
_UTF_8 = Charset("utf-8")
_UTF_8.header_encoding = BASE64


class _Finished(Compat32):
    """Writes headers unchanged: they are encoded and folded already."""

    def __init__(self) -> None:
        super().__init__(linesep="\r\n")

    def fold_binary(self, name: str, value: str) -> bytes:
        return f"{name}: {value}".replace("\n", "\r\n").encode("ascii") + b"\r\n"


def _multipart(kind: str, *parts: Message) -> Message:
    return MIMEMultipart(kind, f"=_{uuid.uuid4().hex}", parts)


def _text_part(kind: str, text: str) -> Message:
    """Uses quoted-printable, which every relay accepts and people can read."""
    part = MIMENonMultipart("text", kind, charset="utf-8")
    part["Content-Transfer-Encoding"] = "quoted-printable"
    lines = text.replace("\r\n", "\n").replace("\r", "\n").encode()
    part.set_payload(binascii.b2a_qp(lines, istext=True).decode("ascii"))
    return part


def _calendar_part(calendar: CalendarFile) -> Message:
    part = MIMENonMultipart("text", "calendar", charset="utf-8", method=calendar.method)
    part.add_header("Content-Disposition", "attachment", filename="reservation.ics")
    part.set_payload(calendar.text.encode())
    encode_base64(part)
    return part


def one_line(text: str) -> str:
    """Replaces each control character and line break by a space.

    Splits encoded words (RFC 2047), because a mail program would decode them.
    """
    printable = "".join(c if c.isprintable() else " " for c in text)
    return " ".join(printable.replace("=?", "= ?").split())
