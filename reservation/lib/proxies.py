"""Where a request comes from, behind a proxy: what X-Forwarded-For says to a trusted one."""

import ipaddress
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

THIS_MACHINE = "127.0.0.1,::1"
# "192.0.2.7:443", "[2001:db8::7]:443" and "[2001:db8::7]"; an IPv6 address alone has no port.
_WITH_PORT = re.compile(r"\[(.+)\](?::\d+)?|([\d.]+):\d+")

Application = Callable[[dict[str, Any], Any], Iterable[bytes]]


class Forwarded:
    """A WSGI application that puts the client's address into REMOTE_ADDR.

    A proxy appends the address that it sees to X-Forwarded-For. So the last one is the proxy's
    own word, and those before it may be the client's invention. `trusted` are addresses and
    networks with commas between, `*` for all; a header from anybody else does not count.
    """

    def __init__(self, application: Application, trusted: str = THIS_MACHINE) -> None:
        self.application = application
        names = [name.strip() for name in trusted.split(",") if name.strip()]
        self._everybody = "*" in names
        self._networks = [ipaddress.ip_network(name) for name in names if name != "*"]
        self._trusts = lru_cache(maxsize=256)(self._is_trusted)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        said = environ.get("HTTP_X_FORWARDED_FOR")
        if said and self._trusts(environ.get("REMOTE_ADDR", "")):
            client = address_of(said.rpartition(",")[2].strip())
            if client is not None:
                environ["REMOTE_ADDR"] = str(client)
        return self.application(environ, start_response)

    def _is_trusted(self, peer: str) -> bool:
        address = address_of(peer or "127.0.0.1")  # a socket file is on this machine
        return self._everybody or any(address in one for one in self._networks if address)


def address_of(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Returns the address, without a port; an IPv4 address in an IPv6 one as itself."""
    found = _WITH_PORT.fullmatch(text)
    try:
        address = ipaddress.ip_address(found[1] or found[2] if found else text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
