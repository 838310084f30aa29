"""The package as a whole: certificates, the schemas, the examples of the README, the command."""

import doctest
import gzip
import json
import os
import pathlib
import subprocess
import sys

import chess
import jsonschema
import pytest

import matesolve

PRINZ = "5Kbk/6pp/6P1/8/8/8/8/7R w - -"


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the command of the package."""
    return subprocess.run([sys.executable, "-m", "matesolve", *arguments], capture_output=True, text=True, check=False)


def test_a_certificate_is_checked(tmp_path):
    result = matesolve.solve(PRINZ, certificate=True)
    checked = matesolve.verify(result.certificate)
    assert (checked.mate_in, checked.attacker) == (2, "white")
    # A certificate does not keep which of the longest defences the answer shows.
    assert (checked.pv[0], len(checked.pv)) == (result.pv[0], len(result.pv))
    board = chess.Board(PRINZ)
    for move in checked.pv:
        board.push_uci(move)
    assert board.is_checkmate()
    path = tmp_path / "prinz.cert"
    path.write_bytes(result.certificate)
    assert matesolve.verify(path) == matesolve.verify(str(path)) == checked
    assert matesolve.verify(gzip.compress(result.certificate)) == checked
    with pytest.raises(OSError, match="damaged or cut short"):
        matesolve.verify(gzip.compress(result.certificate)[:-9])
    assert matesolve.solve(PRINZ).certificate is None


def test_a_damaged_certificate_is_refused():
    certificate = matesolve.solve(PRINZ, certificate=True).certificate
    for damaged in [b"", b"matesolve certificate", certificate[:-20], certificate.replace(b"7R", b"6R1"[:2])]:
        with pytest.raises(matesolve.ProblemError):
            matesolve.verify(damaged)


def test_results_and_reports_have_the_published_schemas():
    for object_name, value in [
        ("result", matesolve.solve(PRINZ).to_dict()),
        ("result", next(matesolve.batch(["nonsense"])).to_dict()),
        ("report", matesolve.report(PRINZ, "#2", tries=1, set_play=True).to_dict()),
    ]:
        schema = json.loads(command("schema", object_name).stdout)
        jsonschema.validate(value, schema)


def test_the_dataclasses_have_every_field_of_the_schemas():
    for object_name, made in [("result", matesolve.Result), ("report", matesolve.Report)]:
        properties = json.loads(command("schema", object_name).stdout)["required"]
        missing = [name for name in properties if name not in made.__dataclass_fields__]
        # The list of first moves is not asked for by this package.
        assert set(missing) <= {"moves"}, missing


def test_the_examples_of_the_documentation_hold():
    readme = pathlib.Path(__file__).parents[1] / "README.md"
    assert doctest.testfile(str(readme), module_relative=False).failed == 0
    assert doctest.testmod(matesolve).failed == 0


def test_the_command_is_the_program():
    done = command(PRINZ, "--nodes", "100k")
    assert done.returncode == 0 and "mate in 2" in done.stdout.lower()
    wrong = command("7k/8/8/8/8/8/8/8 w - -")
    assert (wrong.returncode, wrong.stderr.strip()) == (
        3,
        "matesolve: White has no king; add K to the board",
    )
    assert matesolve.__version__ in command("--version").stdout


def test_the_types_hold(tmp_path):
    if os.environ.get("CI") != "true":
        pytest.importorskip("mypy")
    arguments = ["--strict", "--no-incremental", "--package", "matesolve"]
    done = subprocess.run([sys.executable, "-m", "mypy", *arguments], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
