"""For those who run gunicorn themselves: gunicorn -c deploy/gunicorn.conf.py app:application

What `reservation serve --no-worker` sets, too; run `reservation worker` beside it. Unlike
there, no thread is kept for requests that need no database, unless the application is made
with `create_app(settings, places=8)`.
"""

bind = "127.0.0.1:8000"
workers = 2
threads = 10
worker_class = "reservation.commands.connections.Worker"
worker_connections = 4096
keepalive = 5
timeout = 15
graceful_timeout = 4
preload_app = True
control_socket_disable = True
loglevel = "error"  # its warnings quote what malformed requests hold
# The proxies that may say, by these headers, which scheme and which prefix a client used.
forwarded_allow_ips = "127.0.0.1,::1"
secure_scheme_headers = {"X-FORWARDED-PROTO": "https"}
forwarder_headers = "SCRIPT_NAME"
