"""The address of the client behind a trusted proxy, from X-Forwarded-For."""

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
    """A WSGI application that puts the client's address into REMOTE_ADDR.

    A proxy appends the address of its client to X-Forwarded-For. So only the last address comes
    from the proxy; the client may have forged the others. The header is ignored if the request
    does not come from a trusted proxy. `trusted` lists the addresses and networks of trusted
    proxies, separated by commas; `*` means every address.
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
        address = address_of(peer or "127.0.0.1")  # "": a Unix socket of this machine
        return self._everybody or any(address in one for one in self._networks if address)


def address_of(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Returns the address without a port, or None if the text is not an address. Returns the IPv4
    address for an IPv4-mapped IPv6 address."""
    found = _WITH_PORT.fullmatch(text)
    try:
        address = ipaddress.ip_address(found[1] or found[2] if found else text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
