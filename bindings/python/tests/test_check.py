"""The checker in Python: the certificates that are kept for checkers, and changed ones."""

import io
import pathlib
import random
import re
import subprocess
import sys
import zlib

import pytest

from matesolve import check

FOLDER = pathlib.Path(__file__).parents[3] / "problems" / "certificates"
ROWS = re.findall(r"^\| `(.+?)` \| (\d) \|", (FOLDER / "README.md").read_text(), re.MULTILINE)


@pytest.mark.parametrize(("name", "code"), ROWS)
def test_certificates_are_judged_as_their_table_says(name, code, capsys):
    # Version 1 need not be read.
    expected = 3 if name == "version-1.cert" else int(code)
    assert check.main([str(FOLDER / name)]) == expected, capsys.readouterr()


def test_the_table_is_there():
    assert len(ROWS) > 60


def test_the_module_is_a_program():
    command = [sys.executable, "-m", "matesolve.check"]
    done = subprocess.run([*command, FOLDER / "sound.cert"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("holds: position ") and "claim verdict sound h1h6" in done.stdout
    assert subprocess.run(command, capture_output=True, check=False).returncode == 2
    assert subprocess.run([*command, "no/such/file"], capture_output=True, check=False).returncode == 2


def test_changed_certificates_are_refused():
    chance = random.Random(3)
    good = [name for name, code in ROWS if code == "0" and name.endswith(".cert") and name != "version-1.cert"]
    for name in good:
        data = (FOLDER / name).read_bytes()
        for _ in range(3):
            at = chance.randrange(len(data))
            changed = bytes([data[at] ^ 1 << chance.randrange(8)])
            for damaged in (data[:at] + changed + data[at + 1 :], data[:at]):
                with pytest.raises((check.Wrong, check.NoCertificate)):
                    check.check(io.BytesIO(damaged))


def test_a_seal_made_right_again_does_not_help():
    lines = (FOLDER / "sound.cert").read_text().splitlines()[:-1]
    for at, line in ((2, "stipulation #3"), (3, "claim verdict none"), (5, "h1h5"), (6, "g6g7# h6h7#*5"), (8, "g8a2")):
        body = "".join(f"{text}\n" for text in [*lines[:at], line, *lines[at + 1 :]]).encode()
        with pytest.raises((check.Wrong, check.NoCertificate)):
            check.check(io.BytesIO(body + f"end {len(lines)} {zlib.crc32(body):08x}\n".encode()))
