"""The rules for e-mail addresses, and postal addresses on one line."""

import re

# A dot-atom of RFC 5321, "@", and a domain of at least two labels; without "=?", which a mail
# program may decode (RFC 2047) to another address.
_ADDRESS = re.compile(
    r"(?=.{1,64}@)(?!.*=\?)[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
)
LONGEST = 254  # upper bound of the characters of an address: RFC 5321, section 4.5.3.1


def normalised(text: str) -> str:
    """Returns an e-mail address in the form that is stored and compared, in lower case."""
    return text.strip().lower()


def postal(street: str, post_code: str, town: str) -> str:
    """Returns a postal address on one line. Each part may be ""."""
    return ", ".join(filter(None, (street, f"{post_code} {town}".strip())))


def is_address(text: str) -> bool:
    """Returns whether a normalised text is an e-mail address."""
    return len(text) <= LONGEST and _ADDRESS.fullmatch(text) is not None
