"""A site of django-appointment with members of staff and appointments, served by gunicorn.

The database and the middleware are the defaults of `django-admin startproject`. The script runs in
the environment of django-appointment: `python peer_site.py <members> <days> <taken>`. Each member
has `taken` appointments on each day.
"""

import sys
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import django
from django.conf import settings
from gunicorn.app.base import BaseApplication

HERE = Path.cwd()
settings.configure(
    SECRET_KEY="of a measurement",
    ALLOWED_HOSTS=["*"],
    INSTALLED_APPS=[
        "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions",
        "django.contrib.messages", "appointment",
    ],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": HERE / "peer.db"}},
    MIDDLEWARE=[
        "django.middleware.security.SecurityMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
        "django.middleware.clickjacking.XFrameOptionsMiddleware",
    ],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    TIME_ZONE="Europe/Paris",
    LOGGING_CONFIG=None,
)
django.setup()

from appointment import models  # noqa: E402
from django.contrib.auth import get_user_model  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.http import HttpResponse  # noqa: E402
from django.urls import include, path  # noqa: E402

urlpatterns = [
    path("health", lambda _: HttpResponse()),
    path("", include("appointment.urls")),
]


def fill(members: int, days: int, taken: int) -> None:
    call_command("migrate", verbosity=0, run_syncdb=True)
    users = get_user_model().objects
    customer = users.create_user(username="chloe")
    service = models.Service.objects.create(name="Coupe", duration=timedelta(minutes=30), price=25)
    for number in range(members):
        user = users.create_user(username=f"member{number}", first_name="Alice")
        member = models.StaffMember.objects.create(user=user, slot_duration=30)
        member.services_offered.add(service)
        for day in range(1, 7):
            models.WorkingHours.objects.create(
                staff_member=member, day_of_week=day, start_time=time(9), end_time=time(18)
            )
        starts = [
            datetime.combine(date.today() + timedelta(days=day), time(9 + hour))
            for day in range(1, days + 1)
            for hour in range(taken)
        ]
        asked = models.AppointmentRequest.objects.bulk_create(
            models.AppointmentRequest(
                date=start.date(), start_time=start.time(), service=service, staff_member=member,
                end_time=(start + timedelta(minutes=30)).time(),
            )
            for start in starts
        )
        models.Appointment.objects.bulk_create(
            models.Appointment(client=customer, appointment_request=one, id_request=str(one.id))
            for one in asked
        )


class Site(BaseApplication):
    """Two processes of ten threads, as `reservation serve`."""

    def load_config(self) -> None:
        for name, value in {
            "bind": "127.0.0.1:0", "workers": 2, "threads": 10, "worker_class": "gthread",
            "keepalive": 5, "control_socket_disable": True, "when_ready": _tell,
        }.items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        return get_wsgi_application()


def _tell(server: Any) -> None:
    print(f"Serving on {server.LISTENERS[0]}", flush=True)


if __name__ == "__main__":
    fill(*map(int, sys.argv[1:]))
    sys.argv[1:] = []
    Site().run()
