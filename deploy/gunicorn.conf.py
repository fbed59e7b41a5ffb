"""Runs the service under gunicorn: gunicorn -c deploy/gunicorn.conf.py app:application

The settings are the same as for `reservation serve --no-worker`. Run `reservation worker`
separately. `reservation serve` also reserves threads for requests that need no database. To do
this here too, create the application with `create_app(settings, places=8)`.
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
loglevel = "error"  # warnings would quote malformed requests
# The trusted proxies. Their headers state the scheme and the path prefix of the client's URL.
forwarded_allow_ips = "127.0.0.1,::1"
secure_scheme_headers = {"X-FORWARDED-PROTO": "https"}
forwarder_headers = "SCRIPT_NAME"
