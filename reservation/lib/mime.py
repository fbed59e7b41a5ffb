"""Builds e-mails with text, HTML and a calendar file (RFC 2045 to 2049).

Does not use the package `email`, which takes ten times as long.
"""

import binascii
import re
import time
import unicodedata
import uuid
from base64 import b64encode, encodebytes
from typing import NamedTuple

# Maximum number of octets of text in an encoded word. In base64, 39 octets take 52 characters, so
# the line `Subject: =?utf-8?b?…?=` has 73 characters. RFC 2047 allows 76.
_WORD = 39
_JOINERS = "\u200c\u200d"  # needed by some scripts and by emoji of several parts


class Mail(NamedTuple):
    sender: str
    recipient: str
    octets: bytes


class CalendarFile(NamedTuple):
    """An attached calendar file. `method` is the METHOD in the file, such as REQUEST or CANCEL."""

    method: str
    text: str


def compose(
    *, sender: str, recipient: str, subject: str, text: str, reply_to: str = "", html: str = "",
    calendar: CalendarFile | None = None, message_id: str = "", automatic: bool = False,
    sender_name: str = "",
) -> Mail:
    """Returns a message. Control characters in the subject become spaces.

    Mail programs show `sender_name` instead of the sender's address. A name with an "@" is left
    out, because readers could take the name for the address.

    `automatic` is True if no person wrote the message (RFC 3834). Out-of-office replies are not
    sent to such a message.
    """
    body = _text_part("plain", text)
    if html:
        body = _multipart("alternative", body, _text_part("html", html))
    if calendar:
        body = _multipart("mixed", body, _calendar_part(calendar))
    host = sender.rpartition("@")[2] or "localhost"
    has_at = "@" in unicodedata.normalize("NFKC", sender_name)  # or a wide or small "@"
    name = "" if has_at else _encoded(one_line(sender_name))
    headers = {
        "From": f"{name}\n <{sender}>" if name else sender,
        "To": recipient,
        "Reply-To": reply_to,
        "Subject": _encoded(one_line(subject)),
        "Message-ID": message_id or f"<{uuid.uuid4()}@{host}>",
        "Date": time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime()),
        "Auto-Submitted": "auto-generated" if automatic else "",
        "MIME-Version": "1.0",
    }
    head = "".join(f"{name}: {value}\n" for name, value in headers.items() if value)
    return Mail(sender, recipient, (head + body).replace("\n", "\r\n").encode("ascii"))


# The next three functions return a MIME part with its headers. Each line ends in \n.


def _multipart(kind: str, *parts: str) -> str:
    # A boundary cannot occur in a part: quoted-printable and base64 never contain "=_".
    boundary = f"=_{uuid.uuid4().hex}"
    content = "".join(f"--{boundary}\n{part}\n" for part in parts)
    return f'Content-Type: multipart/{kind}; boundary="{boundary}"\n\n{content}--{boundary}--\n'


def _text_part(kind: str, text: str) -> str:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").encode()
    return (
        f'Content-Type: text/{kind}; charset="utf-8"\n'
        "Content-Transfer-Encoding: quoted-printable\n\n"
        + binascii.b2a_qp(lines, istext=True).decode("ascii")
    )


def _calendar_part(calendar: CalendarFile) -> str:
    return (
        f'Content-Type: text/calendar; charset="utf-8"; method="{calendar.method}"\n'
        'Content-Disposition: attachment; filename="reservation.ics"\n'
        "Content-Transfer-Encoding: base64\n\n"
        + encodebytes(calendar.text.encode()).decode("ascii")
    )


def _encoded(text: str) -> str:
    octets, words = text.encode(), []
    while octets:
        end = _WORD
        while end < len(octets) and octets[end] & 0xC0 == 0x80:  # do not split a UTF-8 character
            end -= 1
        words.append(f"=?utf-8?b?{b64encode(octets[:end]).decode()}?=")
        octets = octets[end:]
    return "\n ".join(words)


def one_line(text: str) -> str:
    """Replaces each run of control characters, line breaks and spaces with one space.

    Also puts a space into "=?", so that mail programs do not decode the text (RFC 2047).
    """
    for c in set(text):
        if not c.isprintable() and c not in _JOINERS:
            text = text.replace(c, " ")
    return " ".join(text.replace("=?", "= ?").split())


def as_data(octets: bytes) -> bytes:
    """Doubles a dot at the start of a line, and adds the final dot (RFC 5321, section 4.5.2)."""
    end = b"" if octets.endswith(b"\r\n") else b"\r\n"
    return re.sub(rb"(?m)^\.", b"..", octets) + end + b".\r\n"
