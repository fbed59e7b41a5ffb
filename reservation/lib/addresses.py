"""What counts as an e-mail address."""

import re

# The characters of RFC 5321's dot-atom before the @, a domain of two labels or more after;
# not "=?", which mail programs decode (RFC 2047) and then write to somebody else.
_ADDRESS = re.compile(
    r"(?=.{1,64}@)(?!.*=\?)[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
)
LONGEST = 254  # RFC 5321, section 4.5.3.1


def normalised(text: str) -> str:
    """The address as it is stored and compared: without surrounding space, in lower case."""
    return text.strip().lower()


def is_address(text: str) -> bool:
    """Whether a normalised text is one address, and nothing besides."""
    return len(text) <= LONGEST and _ADDRESS.fullmatch(text) is not None
