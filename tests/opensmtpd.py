"""A private OpenSMTPD that delivers all mail of one domain into one maildir."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from tests.engines import free_port, give_up, require

DOMAIN = "example.fr"
_CONFIGURATION = """
table people {{ "@" = "{user}" }}
listen on 127.0.0.1 port {port}
action "keep" maildir "{maildir}" virtual <people>
match from any for domain "{domain}" action "keep"
"""
_USER = "nobody"  # OpenSMTPD does not deliver to root
# The paths of the spool and the control socket are fixed. The system's OpenSMTPD may use them.
_ELSEWHERE = 'mount -t tmpfs none /var/spool && mount -t tmpfs none /run && exec "$@"'
_HIDDEN = ["unshare", "--mount", "sh", "-c", _ELSEWHERE, "sh"]


class OpenSMTPD:
    """Accepts mail as soon as the constructor returns."""

    def __init__(self) -> None:
        require("smtpd", "opensmtpd")
        if os.geteuid() != 0:
            give_up("OpenSMTPD starts only as root")
        self.folder = Path(tempfile.mkdtemp(prefix="reservation-opensmtpd-"))
        self.port = free_port()
        self.maildir = self.folder / "maildir"
        self.maildir.mkdir()
        for folder in (self.folder, self.maildir):
            shutil.chown(folder, _USER)
        configuration = self.folder / "smtpd.conf"
        configuration.write_text(
            _CONFIGURATION.format(
                user=_USER, port=self.port, maildir=self.maildir, domain=DOMAIN
            )
        )
        # A container may forbid mounts. Then the server uses the fixed paths.
        can_hide = subprocess.run([*_HIDDEN, "true"], capture_output=True).returncode == 0
        self.log = self.folder / "log"
        self.process = subprocess.Popen(
            [*(_HIDDEN if can_hide else []), "smtpd", "-d", "-f", str(configuration)],
            stdout=subprocess.DEVNULL,
            stderr=self.log.open("wb"),
        )
        self._wait()

    def _wait(self) -> None:
        until = time.monotonic() + 10
        while time.monotonic() < until and self.process.poll() is None:
            try:
                with socket.create_connection(("127.0.0.1", self.port), timeout=5) as talk:
                    if talk.recv(3) == b"220":
                        return
            except OSError:
                time.sleep(0.05)
        self.remove()
        raise AssertionError("smtpd did not start")

    def received(self, count: int) -> list[EmailMessage]:
        """Waits for `count` messages in the maildir. Returns the messages sorted by recipient."""
        until = time.monotonic() + 10
        while len(found := list(self.maildir.glob("new/*"))) < count:
            assert time.monotonic() < until, self.log.read_text()
            time.sleep(0.05)
        mails = [message_from_bytes(one.read_bytes(), policy=policy.default) for one in found]
        return sorted(mails, key=lambda mail: str(mail["Delivered-To"]))  # type: ignore

    def remove(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=10)
        shutil.rmtree(self.folder, ignore_errors=True)
