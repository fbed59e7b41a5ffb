"""Custom mail templates: the worker refuses an unusable folder."""

import pytest


@pytest.fixture
def own(tmp_path):
    """Writes a reminder template; returns the worker's settings."""
    path = tmp_path / "words" / "fr" / "rappel.txt"
    path.parent.mkdir(parents=True)

    def write(text):
        path.write_text(text)
        return {"MAIL_TEMPLATES": str(tmp_path / "words")}

    return write


@pytest.mark.parametrize(
    "text, reason",
    [
        ("Sujet\n\nPour $prix\n", "the unknown placeholder $prix"),
        ("Sujet\n\nPour 10 $\n", "in line 3"),
    ],
)
@pytest.mark.parametrize("command", [("worker", "--once"), ("worker",), ("serve", "--port=0")])
def test_a_wrong_template_stops_the_start_with_its_file_and_its_fault(
    reservation, client, own, tmp_path, text, reason, command
):
    done = reservation(*command, status=2, **own(text))
    assert done.stderr.startswith("reservation: the mail template ")
    assert str(tmp_path / "words/fr/rappel.txt") in done.stderr and reason in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_words_of_the_deployment_are_sent(reservation, own, db, salon, chloe, tuesday):
    salon.book(chloe, salon.at(tuesday, "10:00"))
    db.write("UPDATE eventemail SET prochain_essai = 0")
    reservation("worker", "--once", **own("À bientôt\n\nÀ $quand, $client !\n"))
    ((subject, text),) = db.rows("SELECT sujet, corps FROM eventemail WHERE genre = 'rappel'")
    assert subject == "À bientôt"
    assert text.endswith("10:00–10:30 (Europe/Paris), Chloé Martin !\n")


def test_a_folder_that_is_none_stops_the_worker(reservation, tmp_path):
    done = reservation("worker", "--once", status=2, MAIL_TEMPLATES=str(tmp_path / "nowhere"))
    assert "RESERVATION_MAIL_TEMPLATES" in done.stderr and "is not a folder" in done.stderr
