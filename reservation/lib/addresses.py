"""E-mail addresses and postal addresses."""

import re

# A dot-atom (RFC 5321), "@" and a domain with at least two labels. Excludes "=?", because mail
# programs may read "=?" as the start of an encoded word (RFC 2047).
_ADDRESS = re.compile(
    r"(?=.{1,64}@)(?!.*=\?)[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
)
LONGEST = 254  # the longest e-mail address, in characters: RFC 5321, section 4.5.3.1


def normalised(text: str) -> str:
    """Returns the e-mail address in lower case, without surrounding spaces."""
    return text.strip().lower()


def postal(street: str, post_code: str, town: str) -> str:
    return ", ".join(filter(None, (street, f"{post_code} {town}".strip())))


def is_address(text: str) -> bool:
    """Returns whether `text` is an e-mail address in lower case."""
    return len(text) <= LONGEST and _ADDRESS.fullmatch(text) is not None
