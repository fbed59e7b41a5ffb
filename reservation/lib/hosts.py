"""Host names and IP addresses."""

import ipaddress


def is_this_machine(host: str) -> bool:
    """Returns whether `host` is localhost, a loopback address or an unspecified address
    (0.0.0.0)."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host.lower().rstrip(".").rpartition(".")[2] == "localhost"
    return address.is_loopback or address.is_unspecified
