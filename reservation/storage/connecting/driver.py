"""The MySQL driver: new connections, and the state of a Galera node."""

from contextlib import suppress
from typing import Any

from reservation.lib.environment import BadSetting

# Error codes of the driver itself, such as 2003 (cannot connect).
CLIENT_ERRORS = range(2000, 3000)
_NO_PASSWORD = 2061  # the password cannot be sent in the way that the server wants
_THIS_MACHINE = {None, "localhost", "127.0.0.1", "::1"}
_SYNCED = "4"
_STATE = "SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_ready', 'wsrep_local_state')"


def is_node(connection: Any) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SHOW VARIABLES LIKE 'wsrep_on'")
        found = cursor.fetchone()
        return bool(found and found[1] == "ON")


def wait_for_others(connection: Any, wait: bool) -> None:
    """Sets whether reads wait until this node has all commits of the cluster."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET SESSION wsrep_sync_wait = {int(wait)}")


def state(connection: Any) -> tuple[bool, bool]:
    """Returns whether the server accepts statements, and whether the server is synchronized
    with the cluster."""
    if not is_node(connection):
        return True, True
    with connection.cursor() as cursor:
        cursor.execute(_STATE)
        state = dict(cursor.fetchall())
    ready = state["wsrep_ready"] == "ON"
    return ready, ready and state["wsrep_local_state"] == _SYNCED


def open_at(params: dict[str, Any], seconds: float, left: float, greeted: bool) -> Any:
    """Returns a new connection. Connecting, each read and each write take at most `left` seconds.

    `seconds` also limits connecting. With `greeted`, `seconds` also limits each read, because a
    broken host may accept the connection but never send its greeting.
    """
    options = {"connect_timeout": min(left, seconds), "write_timeout": left, "autocommit": True}
    options["read_timeout"] = min(left, seconds) if greeted else left
    if params.get("host") in _THIS_MACHINE and not any(name.startswith("ssl") for name in params):
        # TLS is unnecessary within this machine. Loading the certificates takes 50 ms of CPU time.
        # However, MySQL wants an encrypted password when an account connects for the first time
        # after a start. PyMySQL then raises RuntimeError, unless `cryptography` is installed.
        with suppress(RuntimeError):
            return driver().connect(**options | {"ssl_disabled": True} | params)
    try:
        return driver().connect(**options | params)
    except RuntimeError as ex:  # the URL has ssl_disabled=true, or the server has no certificate
        raise driver().OperationalError(_NO_PASSWORD, str(ex)) from ex


def driver() -> Any:
    """Returns the module `pymysql`. Raises BadSetting if `pymysql` is not installed."""
    try:
        import pymysql
    except ImportError:
        needed = "a mysql:// database needs a driver: pip install 'reservation[mysql]'"
        raise BadSetting(needed) from None
    return pymysql
