"""Names and addresses of machines."""

import ipaddress


def is_this_machine(host: str) -> bool:
    """Returns whether only programs of the same machine can reach the host."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host.lower().rstrip(".").rpartition(".")[2] == "localhost"
    return address.is_loopback or address.is_unspecified
