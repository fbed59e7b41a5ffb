"""A private nginx with the shipped site, on other ports and paths."""

import os
from pathlib import Path

from tests import engines
from tests.servers import Server

SHIPPED = Path(__file__).parent.parent.parent / "deploy" / "nginx.conf"
# The relevant parts of Debian's nginx.conf.
_MAIN = """\
{user}
worker_processes auto;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 768; }}
http {{
    access_log {folder}/access.log;
    gzip on;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site;
}}
"""


class Nginx(Server):
    """nginx in front of a port; `changes` are further replacements in the shipped site."""

    def __init__(self, folder: Path, behind: int, changes: dict[str, str] | None = None) -> None:
        engines.require("nginx", "nginx-light")
        port = engines.free_port()
        self.folder = folder
        text = SHIPPED.read_text()
        replaced = {
            "listen 80;": f"listen 127.0.0.1:{port};",
            "    listen [::]:80;\n": "",  # the machine may have no IPv6
            "127.0.0.1:8000": f"127.0.0.1:{behind}",
            "/var/log/nginx": str(folder),
            **(changes or {}),
        }
        for shipped, private in replaced.items():
            assert shipped in text, shipped
            text = text.replace(shipped, private)
        (folder / "site").write_text(text)
        user = "user root;" if os.geteuid() == 0 else ""  # only root can read the folders
        main = folder / "nginx.conf"
        main.write_text(_MAIN.format(user=user, folder=folder))
        command = ["nginx", "-c", str(main), "-e", "stderr", "-g", "daemon off;"]
        super().__init__(command, folder, {}, port)

    @property
    def logs(self) -> str:
        """Returns the text of all logs."""
        return self.output + "".join(one.read_text() for one in self.folder.glob("*.log"))
