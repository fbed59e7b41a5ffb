"""The first session of the README prints in a shell what the README shows."""

import re
import subprocess
from email import message_from_bytes, policy
from pathlib import Path

README = (Path(__file__).parent.parent / "README.md").read_text()


def session() -> list[tuple[str, str]]:
    """Returns the commands of the console blocks in the README with their outputs."""
    blocks = "".join(re.findall(r"```console\n(.*?)```", README, re.DOTALL))
    parts = re.split(r"^\$ ", blocks, flags=re.MULTILINE)[1:]
    return [(command, output) for command, _, output in (part.partition("\n") for part in parts)]


def matches(promised: str, given: str) -> bool:
    """Returns True if an output matches; "…" in the README stands for any text."""
    pattern = ".*".join(map(re.escape, promised.strip().split("…")))
    return re.fullmatch(pattern, given.strip(), re.DOTALL) is not None


def test_the_first_session_answers_as_the_readme_says(serve, tmp_path):
    server = serve("--workers", "2", worker=True)
    commands = session()
    assert len(commands) >= 8
    script = "\n".join(f"{command}\necho; echo '<<>>'" for command, _ in commands)
    script = script.replace("http://127.0.0.1:8000", server.url)
    typed = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    given = typed.stdout.split("<<>>\n")
    for (command, promised), output in zip(commands, given[:-1], strict=True):
        assert matches(promised, output), f"$ {command}\n{output}\ninstead of\n{promised}"
    files = sorted((tmp_path / "mails").glob("*.eml"))
    # One of /contact, and one to Alice of the booking, the move and the cancellation. Chloé gets
    # the last, and each of the others that is still true when it is sent.
    mails = [message_from_bytes(file.read_bytes(), policy=policy.default) for file in files]
    told = [mail["To"] for mail in mails]
    assert told.count("alice@example.fr") == 3 and 1 <= told.count("chloe@example.fr") <= 3
    assert {part.get_content_type() for mail in mails for part in mail.walk()} >= {
        "text/plain", "text/html", "text/calendar",
    }


def test_the_commands_that_the_readme_names_exist():
    makefile = (Path(__file__).parent.parent / "Makefile").read_text()
    for target in re.findall(r"make (\w+) ", README):
        assert f"\n{target}:" in makefile
