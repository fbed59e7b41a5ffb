"""How much of an HTTP request must arrive before the request is complete."""

import math
import re

LARGEST = 128 * 1024  # bytes; of a larger request, at least so many bytes must arrive
# No suffix, so that the pattern matches in linear time. A larger number is cut to 9 digits, which
# are still more than LARGEST.
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*0*(\d{0,9})", re.IGNORECASE)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding:", re.IGNORECASE)
_EXPECT = re.compile(rb"\r\nexpect:", re.IGNORECASE)


def needed(there: bytes) -> float:
    """Returns the length, in bytes, of the request that begins with `there`.

    If the head is incomplete, returns `len(there) + 1`. Returns infinity for a chunked body, whose
    end is unknown, and for a body that the client sends only after the answer "100 Continue".
    """
    head, end, _ = there.partition(b"\r\n\r\n")
    if not end:
        return len(there) + 1
    lines = len(head) + 2
    length = _LENGTH.search(there, 0, lines)
    size = len(head) + 4 + int((length and length[1]) or 0)
    waits = len(there) < size and _EXPECT.search(there, 0, lines)
    return math.inf if waits or _CHUNKED.search(there, 0, lines) else size
