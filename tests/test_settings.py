import dataclasses
import re
from pathlib import Path
from urllib.parse import quote

import pytest

from reservation.lib.environment import BadSetting
from reservation.settings import Settings
from tests.servers import variables

README = (Path(__file__).parent.parent / "README.md").read_text()
SECRET = "x" * 32


def read(**values: str) -> Settings:
    return Settings.from_environ(variables(values))


def test_nothing_set_is_a_development_run_on_sqlite():
    settings = Settings.from_environ({"PATH": "/bin"})
    assert (settings.env, settings.database_url) == ("development", "sqlite:///reservation.db")
    assert settings.token_lifetime == 24 * 3600


def test_settings_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Settings().env = "production"  # type: ignore[misc]


@pytest.mark.parametrize(
    "name, value",
    [
        ("ENV", "staging"),
        ("DATABASE_URL", "postgres://localhost/x"),
        ("DATABASE_URL", "sqlite://reservation.db"),
        ("DATABASE_URL", "sqlite:///sub/a#b.db"),
        ("DATABASE_URL", "sqlite:///é?x=1.db"),
        ("DATABASE_URL", "mysql://localhost:99999/x"),
        ("DATABASE_URL", "mysql://localhost"),
        ("DATABASE_URL", "mysql://localhost:0/x"),  # the driver would use port 3306
        ("DATABASE_URL", "mysql://a, b/x"),
        ("DATABASE_URL", "mysql://a,db..example/x"),
        ("DATABASE_URL", "mysql://localhost/x#y"),
        ("DATABASE_URL", "sqlite:///x.db "),
        ("DATABASE_URL", "mysql://localhost/x?ssl_disable=true"),
        ("DATABASE_URL", "mysql://localhost/x?ssl_disabled=no"),
        ("DATABASE_URL", "mysql://localhost/x?ssl_ca=/nowhere/ca.pem"),
        ("DATABASE_URL", "mysql://localhost/x?ssl_verify_cert"),
        ("DATABASE_URL", "mysql://localhost/x?sql_mode=ANSI"),
        ("DATABASE_URL", "mysql://localhost/x?read_timeout=0"),
        ("DATABASE_URL", "mysql://localhost/x?charset=latin1"),
        ("DATABASE_URL", "mysql://a,b/x?autocommit=false"),
        ("SECRET", "short"),
        ("SECRET", "\udcff" * 32),  # a byte that is not UTF-8, as os.environ shows it
        ("TOKEN_LIFETIME", "1_0"),
        ("TOKEN_LIFETIME", "-1"),
        ("TOKEN_LIFETIME", "٣"),
        ("TOKEN_LIFETIME", "0"),
        ("EXPIRED_STATUS", "403"),
        ("BCRYPT_ROUNDS", "3"),
        ("SMTP_URL", "relay.example"),
        ("SMTP_URL", "smtp://relay:0x1"),
        ("SMTP_URL", "smtp://relay:0"),  # port 25 would be used
        ("SMTP_URL", "smtp://re lay"),
        ("SMTP_URL", "smtp://relay..example"),
        ("SMTP_URL", " smtp://relay"),
        ("SMTP_URL", "smtp://relay\n"),
        ("SMTP_URL", "smtp://user:%C3%A9t%C3%A9@relay"),
        ("SMTP_URL", "smtp://relay?starttls=1&tls=1"),
        ("SMTP_URL", "smtp://relay?starttls"),
        ("SMTP_URL", "smtps://relay?starttls=1"),
        ("SMTP_URL", "smtp://relay?starttls="),
        ("SMTP_URL", "smtp://relay?starttls=false"),
        ("SMTP_URL", "smtp://relay?starttls=1&starttls=no"),
        ("SMTP_URL", "smtp://relay#starttls=1"),
        ("SMTP_URL", "smtp://relay/starttls=1"),
        ("SMTP_URL", "file:///"),
        ("SMTP_URL", "file://mails/new"),
        ("SMTP_URL", "file:///mails?new"),
        ("SMTP_URL", "file:///mails#new"),
        ("MAIL_FROM", "a@b.fr, c@d.fr"),
        ("MAIL_FROM", "<a@b.fr>"),
        ("MAIL_FROM", "a,b@c.fr"),
        ("MAIL_FROM", "robot@\u212aiosk.fr"),  # becomes ASCII in lower case
        ("MAIL_FROM", "@"),
        ("MAIL_FROM", "robot@"),
        ("CONTACT_TO", "@agenda.example"),
        ("CONTACT_TO", "nobody"),
        ("CONTACT_TO", "a@b.fr\nBcc: c@d.fr"),
        ("PUBLIC_URL", "reservation.example"),
        ("PUBLIC_URL", "https://reservation.example:0"),
        ("PUBLIC_URL", "https://reservation.example/?a=1"),
        ("PUBLIC_URL", "https://reservation.example/?"),
        ("PUBLIC_URL", "https://reservation.example#top"),
        ("PUBLIC_URL", "https://alice@reservation.example"),
        ("PUBLIC_URL", "https://alice:secret@reservation.example"),
        ("PUBLIC_URL", "https://reservation.example/ agenda"),
        ("PUBLIC_URL", "https://reservation.example\n"),
        ("PUBLIC_URL", "https://reservation.example/\"agenda"),
        ("PUBLIC_URL", "https://reservation.example/'agenda"),
        ("PUBLIC_URL", "https://reservation.example/agenda//salon"),
        ("PUBLIC_URL", "https://réservation.fr"),
        ("PUBLIC_URL", "https://" + "é" * 70 + ".fr"),
        ("UNSAFE_FORMS", "yes"),
        ("CITIES", "/nowhere/cities.txt"),
        ("LOG", "xml"),
    ],
)
def test_a_value_that_cannot_be_used_stops_the_start_and_is_named(name, value):
    with pytest.raises(BadSetting, match=f"RESERVATION_{name}"):
        read(**{name: value})


@pytest.mark.parametrize(
    "name, value",
    [
        ("DATABASE_URL", "mysql://localhost/x?ssl_disabled=False&ssl_verify_cert=TRUE"),
        ("DATABASE_URL", f"mysql://a,b/x?ssl_ca={quote(__file__, '')}&read_timeout=86400"),
        ("DATABASE_URL", f"mysql://localhost/x?read_default_file={__file__}&charset=UTF8MB4"),
        ("DATABASE_URL", "mysql://a/x?bind_address=10.0.0.1&init_command=SET+%40a%3D1&"),
        ("SMTP_URL", "smtp://relay/?starttls=true"),
        ("SMTP_URL", "smtp://relay?starttls=yes"),
        ("SMTP_URL", "smtps://relay?starttls=off"),
    ],
)
def test_a_url_may_have_the_options_of_its_driver(name, value):
    assert getattr(read(**{name: value}), name.lower()) == value


def test_the_options_of_a_database_are_named_instead_of_an_unknown_option():
    with pytest.raises(BadSetting, match="unknown option: ssl_mode is none of ssl_ca, ssl_cert"):
        read(DATABASE_URL="mysql://localhost/x?ssl_mode=REQUIRED")


@pytest.mark.parametrize("address", ["Salon.Alice+rv@Agenda.Example", "root@localhost"])
def test_an_address_may_have_capitals_and_a_host_of_one_label(address):
    settings = read(MAIL_FROM=address, CONTACT_TO=address)
    assert (settings.mail_from, settings.contact_to) == (address, address)


def test_the_ascii_form_of_a_public_host_is_shown_and_can_be_used():
    with pytest.raises(BadSetting, match="write the host as xn--rservation-b7a.fr$"):
        read(PUBLIC_URL="https://Réservation.fr:8000/agenda")
    url = "https://xn--rservation-b7a.fr:8000/agenda"
    assert read(PUBLIC_URL=url).public_url == url


@pytest.mark.parametrize("path", ["/réservations", "/a(b", "/a!"])
def test_a_public_path_that_no_request_may_have_is_refused_with_the_allowed_characters(path):
    with pytest.raises(BadSetting, match=re.escape("A-Z a-z 0-9 . _ ~ % @ : + , = -")):
        read(PUBLIC_URL=f"https://reservation.example{path}/")


def test_a_database_in_memory_is_refused_with_the_reason():
    with pytest.raises(BadSetting, match="must name a file for SQLite"):
        read(DATABASE_URL="sqlite:///:memory:")


def test_an_unknown_name_stops_the_start_and_names_the_nearest():
    with pytest.raises(BadSetting, match="RESERVATION_DATABSE_URL.*RESERVATION_DATABASE_URL"):
        read(DATABSE_URL="sqlite:///x.db")


def test_a_bad_secret_value_is_not_shown():
    with pytest.raises(BadSetting) as caught:
        read(DATABASE_URL="postgres://user:hunter2@localhost/x")
    assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize("missing", ["SECRET", "SMTP_URL"])
def test_production_refuses_to_start_without(missing):
    values = {"ENV": "production", "SECRET": SECRET, "SMTP_URL": "smtp://relay.example"}
    del values[missing]
    with pytest.raises(BadSetting, match=f"RESERVATION_{missing}"):
        read(**values)


def test_a_secret_is_read_from_a_file(tmp_path):
    (tmp_path / "secret").write_text(SECRET + "\n")
    assert read(SECRET_FILE=str(tmp_path / "secret")).secret == SECRET


def test_a_secret_and_its_file_together_stop_the_start(tmp_path):
    (tmp_path / "secret").write_text(SECRET)
    with pytest.raises(BadSetting, match="both"):
        read(SECRET_FILE=str(tmp_path / "secret"), SECRET=SECRET)


def test_a_secret_file_that_is_not_there_stops_the_start(tmp_path):
    with pytest.raises(BadSetting, match="RESERVATION_SECRET_FILE"):
        read(SECRET_FILE=str(tmp_path / "nothing"))


def test_only_a_secret_can_come_from_a_file(tmp_path):
    with pytest.raises(BadSetting, match="RESERVATION_LOG_FILE"):
        read(LOG_FILE=str(tmp_path / "x"))


def test_what_is_shown_of_the_settings_hides_secrets():
    settings = read(
        SECRET="s" * 40,
        DATABASE_URL="mysql://user:hunter2@localhost/x",
        SMTP_URL="smtp://user:hunter3@relay.example",
    )
    shown = str(settings.in_force())
    assert "hunter" not in shown and "s" * 40 not in shown
    assert "mysql://user:(hidden)@localhost/x" in shown


def test_the_readme_names_each_setting_its_default_and_its_sentence():
    rows = dict(re.findall(r"^\| (RESERVATION_\w+) \| (.*) \|$", README, re.MULTILINE))
    fields = dataclasses.fields(Settings)
    assert list(rows) == [f"RESERVATION_{field.name.upper()}" for field in fields]
    for field in fields:
        default, _, doc = rows[f"RESERVATION_{field.name.upper()}"].partition(" | ")
        assert doc == field.metadata["doc"]
        if field.name in ("cities", "services"):
            assert field.name in default
        elif field.default is None:
            assert default == "`on` in production"
        elif isinstance(field.default, bool):
            assert default == ("`on`" if field.default else "`off`")
        else:
            assert default == (f"`{field.default}`" if field.default != "" else "none")
