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
    assert check.main([str(FOLDER / name)]) == int(code), capsys.readouterr()


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
    good = [name for name, code in ROWS if code == "0" and name.endswith(".cert")]
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


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        # a4a4 is the name of no move.
        ("claim verdict sound h1h6", "claim verdict sound a4a4", 6),
        ("h1h6", "a4a4", 6),
        ("claim verdict sound h1h6", "claim verdict sound a4a4k", 3),
        # Python refuses to read such numbers.
        ("stipulation #2", "stipulation #" + "9" * 5000, 3),
        ("#*6", "#*" + "9" * 5000, 6),
        ("h6h7#*6", "=" + "9" * 5000, 6),
        ("proof solved in 2", "proof solved in " + "9" * 5000, 6),
    ],
)
def test_what_names_no_move_or_no_number_is_refused_with_its_code(old, new, code, tmp_path, capsys):
    text = "".join((FOLDER / "sound.cert").read_text().splitlines(keepends=True)[:-1])
    assert old in text
    changed = text.replace(old, new)
    (tmp_path / "changed.cert").write_text(
        f"{changed}end {changed.count(chr(10))} {zlib.crc32(changed.encode()):08x}\n", newline="\n"
    )
    assert check.main([str(tmp_path / "changed.cert")]) == code, capsys.readouterr()


def test_bytes_that_are_no_text_are_damage():
    changed = (FOLDER / "sound.cert").read_bytes().splitlines(keepends=True)[:-1]
    changed[1] = changed[1].replace(b"5Kbk", b"5Kb\xff")
    body = b"".join(changed)
    sealed = body + b"end %d %08x\n" % (body.count(b"\n"), zlib.crc32(body))
    with pytest.raises(check.Wrong):
        check.check(io.BytesIO(sealed))
