"""The limit of open files of this process."""

import resource
from contextlib import suppress


def allow(wanted: int) -> int:
    """Returns how many files this process may open. Increases a low soft limit first, up to
    `wanted`. Returns `wanted` if there is no limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return wanted if soft == resource.RLIM_INFINITY else soft
