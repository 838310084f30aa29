"""The package as a whole: certificates, the schemas, the examples of the README, the command."""

import doctest
import functools
import gzip
import json
import os
import pathlib
import subprocess
import sys
import typing

import chess
import jsonschema
import pytest

import matesolve
from matesolve import audits, reports, results, workbench
from matesolve._objects import JsonObject

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


def test_all_objects_have_the_published_schemas():
    line = f"{PRINZ} dm 2; bm Rh5;"
    for object_name, value in [
        ("result", matesolve.solve(PRINZ).to_dict()),
        ("result", next(matesolve.batch(["nonsense"])).to_dict()),
        ("report", matesolve.report(PRINZ, "#2", tries=1, set_play=True).to_dict()),
        ("report", next(matesolve.report_all("nonsense")).to_dict()),
        ("audit", next(matesolve.audit(line)).to_dict()),
        ("audit", next(matesolve.audit("nonsense")).to_dict()),
        ("proposal", matesolve.economy(PRINZ, "#2").to_dict()),
        ("proposal", matesolve.retract("5Kbk/6pp/6PR/8/8/8/8/8 b - -", "#2").to_dict()),
    ]:
        jsonschema.validate(value, schema(object_name))


def test_all_schemas_are_valid():
    for object_name in ["result", "report", "audit", "puzzle", "proposal"]:
        jsonschema.Draft202012Validator.check_schema(schema(object_name))


def schema(object_name: str) -> dict:
    return json.loads(command("schema", object_name).stdout)


def test_the_dataclasses_have_every_field_of_the_schemas():
    audit, proposal = schema("audit"), schema("proposal")["$defs"]
    use = proposal["answer"]["properties"]["men"]["items"]
    finding, place = audit["$defs"]["finding"], audit["$defs"]["finding"]["properties"]["place"]
    for made, described, missing in [
        # The list of first moves is asked for by `first_moves` alone.
        (matesolve.Result, {"properties": dict.fromkeys(schema("result")["required"])}, set()),
        (matesolve.Report, {"properties": dict.fromkeys(schema("report")["required"])}, set()),
        (matesolve.Audit, audit, set()),
        (audits.AuditPhase, audit["$defs"]["phase"], set()),
        (audits.AuditStats, audit["$defs"]["phase"]["properties"]["stats"], set()),
        (audits.ThemeKeywords, audit["properties"]["themes"], set()),
        (audits.Finding, finding, set()),
        (audits.TextPlace, place, set()),
        (matesolve.Proposal, proposal["proposal"], set()),
        (workbench.Kept, proposal["proposal"]["properties"]["kept"], set()),
        (workbench.ManUse, use, set()),
        (matesolve.Workbench, proposal["answer"], {"schema_version"}),
    ]:
        fields = set(made.__dataclass_fields__)
        assert set(described["properties"]) - fields == missing, made
        # A field that the schema does not describe would always be empty.
        extra = fields - set(described["properties"])
        assert made in (matesolve.Result, matesolve.Report) or not extra, made


def test_the_parts_of_results_and_reports_have_every_field_of_the_schemas():
    """Walks through the classes and the schemas side by side."""
    described = {}
    for whole, name in [(matesolve.Result, "result"), (matesolve.Report, "report")]:
        root = schema(name)
        waiting, seen = [(whole, root)], set()
        while waiting:
            made, part = waiting.pop()
            if made in seen:
                continue
            seen.add(made)
            properties = the_object(part, root, made)["properties"]
            described.setdefault(made, set()).update(properties)
            for field, hint in typing.get_type_hints(made).items():
                waiting += [(one, properties[field]) for one in classes_of(hint) if field in properties]
    # A first move has the fields of an answer, not all of which are described again.
    described[results.MoveOutcome] |= described[results.Outcome]
    for made, fields in described.items():
        # The other fields of a line of a batch are in `to_dict()` alone.
        assert made in (matesolve.Result, matesolve.Report) or fields == {name.rstrip("_") for name in made.__dataclass_fields__}, made
    assert len(described) > 20, described


def classes_of(hint):
    """The classes of objects in a type."""
    if isinstance(hint, type) and issubclass(hint, JsonObject):
        return [hint]
    return [one for part in typing.get_args(hint) for one in classes_of(part)]


def the_object(described, root, made):
    """The schema of the object in a schema that may be a reference, a list or a choice."""
    while "properties" not in described:
        if "$ref" in described:
            path = described["$ref"].removeprefix("#/").split("/")
            described = functools.reduce(lambda inner, key: inner[key], path, root)
        elif "items" in described:
            described = described["items"]
        else:
            choices = described.get("oneOf") or described["anyOf"]
            choices = [one for one in choices if one.get("type") != "null" and one.get("required") != ["ref"]]
            is_line = made is results.HelpLine
            described = next(one for one in choices if len(choices) == 1 or (one.get("type") == "array") == is_line)
    return described


def test_the_words_of_the_types_are_those_of_the_schemas():
    audit, proposal = schema("audit")["$defs"], schema("proposal")["$defs"]
    use = proposal["answer"]["properties"]["men"]["items"]
    for made, described in [
        (audits.PhaseVerdict, audit["verdict"]),
        (audits.KeysCompared, audit["phase"]["properties"]["keys"]),
        (audits.FindingKind, audit["finding"]["properties"]["kind"]),
        (workbench.Verdict, use["properties"]["verdict"]),
        (reports.End, schema("report")["$defs"]["end"]),
    ]:
        assert set(typing.get_args(made)) == set(described["enum"]) - {None}, made


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
        "matesolve: White has no king; add K to the board (composers do without White's king where the rules need "
        "none, but matesolve needs both kings)",
    )
    assert matesolve.__version__ in command("--version").stdout


#: Calls as users write them. A comment says what is wrong with a line.
CALLS = """
import asyncio
import matesolve

matesolve.solve("x", 2, nodes=5, hash=16, stop=matesolve.Stop())
matesolve.report("x", "#2", tries=1, themes=True, on_progress=lambda text, nodes: print(text, nodes))
matesolve.first_moves("x", 3, mate=2, first=True, time=1.5)
lengths: list[int | None] = [result.mate_in for result in matesolve.batch(["x"], 2, any_length=True)]
keys: list[str] = [key.san for report in matesolve.report_all("x", castling="none") for key in report.keys]
verdicts = [audit.verdict == "sound" for audit in matesolve.audit("x", confirm=1000, jobs=1)]
tries = matesolve.retract("x", "#2", promoted=True).proposals[0].tries
matesolve.mend("x", keep=["key"], changes=1)
asyncio.run(matesolve.report_async("x", "#2", tries=1))
matesolve.solve("x", node=5)  # wrong: node
matesolve.report("x", tries="one")  # wrong: tries
matesolve.report_all("x", threads=2)  # wrong: threads
matesolve.economy("x", keep=["men"])  # wrong: keep
matesolve.audit("x", themes=1)  # wrong: themes
matesolve.report("x", castling="perhaps")  # wrong: castling
asyncio.run(matesolve.solve_async("x", depth=3))  # wrong: depth
"""


def mypy(*arguments: str, folder: pathlib.Path) -> subprocess.CompletedProcess[str]:
    if os.environ.get("CI") != "true":
        pytest.importorskip("mypy")
    words = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", *arguments]
    return subprocess.run(words, capture_output=True, text=True, cwd=folder, check=False)


def test_the_types_hold(tmp_path):
    done = mypy("--package", "matesolve", folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_wrong_arguments_are_found_before_the_program_runs(tmp_path):
    (tmp_path / "calls.py").write_text(CALLS)
    said = mypy("calls.py", folder=tmp_path).stdout
    wrong = {int(line.split(":")[1]) for line in said.splitlines() if ": error:" in line}
    expected = {number for number, line in enumerate(CALLS.splitlines(), 1) if "# wrong" in line}
    assert wrong == expected and len(expected) == 7, said
