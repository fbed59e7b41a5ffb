"""Starts the Firefox of the system so that Playwright, which brings its own, can drive it.

Playwright speaks WebDriver BiDi with it over a connection that goes through this program. One
command that Playwright always sends, for the colour scheme, is unknown to Firefox 153 and older:
it is answered here, and the scheme stays that of the system.
"""

import json
import re
import subprocess
import sys
import threading

from websockets.sync.client import connect
from websockets.sync.server import ServerConnection, serve

UNKNOWN = "emulation.setMediaFeaturesOverride"


def relay(playwright: ServerConnection, address: str) -> None:
    """Passes the messages on, in both directions, until one side ends."""
    assert playwright.request is not None
    with connect(address + playwright.request.path, max_size=None) as firefox:

        def back() -> None:
            for message in firefox:
                playwright.send(message)
            playwright.close()

        threading.Thread(target=back, daemon=True).start()
        for message in playwright:
            command = json.loads(message)
            if command["method"] == UNKNOWN:
                answer = {"type": "success", "id": command["id"], "result": {}}
                playwright.send(json.dumps(answer))
            else:
                firefox.send(message)


def listen(address: str) -> str:
    """Returns the address at which Playwright reaches Firefox through this program."""
    server = serve(lambda playwright: relay(playwright, address), "127.0.0.1", 0, max_size=None)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"ws://127.0.0.1:{server.socket.getsockname()[1]}"


def main() -> int:
    command = ["firefox-esr", *sys.argv[1:]]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as firefox:
        assert firefox.stderr is not None
        for line in firefox.stderr:
            if listening := re.search(r"WebDriver BiDi listening on (\S+)", line):
                line = line.replace(listening[1], listen(listening[1]))
            print(line, end="", file=sys.stderr, flush=True)
    return firefox.returncode


if __name__ == "__main__":
    sys.exit(main())
