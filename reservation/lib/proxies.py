"""Reads the client's IP address from X-Forwarded-For."""

import ipaddress
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

THIS_MACHINE = "127.0.0.1,::1"
# Matches "192.0.2.7:443", "[2001:db8::7]:443" and "[2001:db8::7]".
_WITH_PORT = re.compile(r"\[(.+)\](?::\d+)?|([\d.]+):\d+")

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]


class Forwarded:
    """WSGI middleware that sets REMOTE_ADDR to the last address in X-Forwarded-For.

    The client may have forged the other addresses. Ignores the header unless a trusted proxy has
    sent the request. `trusted` lists addresses and networks, separated by commas. `*` trusts all.
    """

    def __init__(self, application: Application, trusted: str = THIS_MACHINE) -> None:
        self.application = application
        names = [name.strip() for name in trusted.split(",") if name.strip()]
        self._everybody = "*" in names
        self._networks = [ipaddress.ip_network(name) for name in names if name != "*"]
        self._trusts = lru_cache(maxsize=256)(self._is_trusted)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        header = environ.get("HTTP_X_FORWARDED_FOR")
        if header and self._trusts(environ.get("REMOTE_ADDR", "")):
            client = address_of(header.rpartition(",")[2].strip())
            if client is not None:
                environ["REMOTE_ADDR"] = str(client)
        return self.application(environ, start_response)

    def _is_trusted(self, peer: str) -> bool:
        address = address_of(peer or "127.0.0.1")  # REMOTE_ADDR is empty for a Unix socket
        return self._everybody or any(address in one for one in self._networks if address)


def address_of(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Parses an IP address, with or without a port. Returns None if `text` is invalid.

    Converts an IPv4-mapped IPv6 address to IPv4.
    """
    found = _WITH_PORT.fullmatch(text)
    try:
        address = ipaddress.ip_address(found[1] or found[2] if found else text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
