"""The listening socket of `reservation serve`."""

import errno
import socket

from reservation.lib.environment import BadSetting


def listen(host: str, port: int) -> socket.socket:
    """Returns a socket that listens on the address. Raises BadSetting if the address cannot be
    bound."""
    if not host:  # for example, an unset variable; the socket would bind all addresses
        raise BadSetting("--host is empty: name an address, such as 127.0.0.1 or 0.0.0.0")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, TypeError, ValueError) as ex:  # TypeError: the name is not valid for IDNA
        if getattr(ex, "errno", None) == errno.EADDRINUSE:
            problem = "is taken: stop the program that uses it, or choose another port with --port"
        else:
            reason = (getattr(ex, "strerror", None) or str(ex)).partition(" (while")[0]
            problem = f"cannot be bound ({reason}): choose another with --host and --port"
        raise BadSetting(f"port {port} of {host} {problem}") from None


def url_of(listener: socket.socket) -> str:
    """Returns the URL of the server for a browser on this machine."""
    host, port = listener.getsockname()[:2]
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
