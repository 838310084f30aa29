"""`report_all` and `audit`: files of every format, compared with the command line."""

import gzip
import json
import pathlib
import subprocess
import sys
import threading
import time

import pytest

import matesolve

PRINZ = "5Kbk/6pp/6P1/8/8/8/8/7R w - -"
OPEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
MEN = "algebraic: {white: [Kf8, Rh1, Pg6], black: [Kh8, Bg8, Pg7, Ph7]}\nstipulation: '#2'\n"
RIGHT = f"authors: [D. G. Prinz]\n{MEN}solution: |\n  1.Rh1-h6 !\n"
WRONG = f"{MEN}solution: |\n  1.Rh1-h5 !\n"
COLLECTION = f"---\n{RIGHT}---\n{WRONG}---\nstipulation: '#2'\n"
INPUTS = {
    "lines.epd": f"# two\n{PRINZ} dm 2; id \"Prinz\";\n\nnonsense\n",
    "collection.olv": COLLECTION,
    "objects.jsonl": json.dumps({"fen": PRINZ, "stipulation": "#2"}) + "\n",
    "array.json": json.dumps([{"fen": PRINZ, "stipulation": "#2"}, {"id": 7}]),
    "games.pgn": f'[FEN "{PRINZ} 0 1"]\n\n*\n\n[Event "a"]\n\n1. e4 e9 *\n',
    "table.csv": f"id,FEN\na,{PRINZ}\n",
    "problem.txt": "BeginProblem\nForsyth 5Kbk/6pp/6P1/8/8/8/8/7R\nStipulation #2\nEndProblem\n",
}


def command(text: str, *arguments: str) -> list[dict]:
    """Runs the command line on a text and returns its lines of JSON."""
    limits = ["--nodes", "100k", "--threads", "1"]
    words = [sys.executable, "-m", "matesolve", *arguments, "-", "--format", "jsonl", *limits]
    done = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()]


def without_times(value):
    """Returns a JSON value without times."""
    if isinstance(value, list):
        return [without_times(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {name: without_times(one) for name, one in value.items() if name not in ("time_ms", "stamp", "hash_mb")}


@pytest.mark.parametrize("name", INPUTS)
def test_a_file_of_any_format_gives_the_reports_of_the_command_line(tmp_path, name):
    path = tmp_path / name
    path.write_text(INPUTS[name])
    said = command(INPUTS[name], "report")
    made = [report.to_dict() for report in matesolve.report_all(path, nodes=100_000, jobs=2)]
    assert without_times(made) == without_times(said) and made
    by_name = [report.to_dict() for report in matesolve.report_all(str(path), nodes=100_000)]
    assert without_times(by_name) == without_times(made)
    with path.open() as file:
        from_text = [report.line for report in matesolve.report_all(file, nodes=100_000)]
    assert from_text == [report["line"] for report in made]


def test_bad_entries_are_reports_with_a_sentence():
    reports = list(matesolve.report_all(INPUTS["lines.epd"]))
    assert [(report.line, report.soundness, report.id) for report in reports] == [
        (2, "sound", "Prinz"),
        (4, "undecided", None),
    ]
    assert reports[1].result.status == "invalid" and "nonsense" in reports[1].error
    assert "1. Rh6" in reports[0].write()


def test_the_input_of_popeye_is_reported_on():
    (popeye,) = matesolve.report_all(INPUTS["problem.txt"])
    assert (popeye.error, popeye.soundness, popeye.stipulation.text) == (None, "sound", "#2")


def test_the_parts_of_the_reports_are_those_of_report():
    (report,) = matesolve.report_all(PRINZ, "#2", tries=1, set_play=True, soundness_only=False)
    assert {attempt.san for attempt in report.tries} >= {"Rh5"}
    (short,) = matesolve.report_all(PRINZ, "#1", jobs=1)
    assert short.soundness == "no_solution"
    with pytest.raises(TypeError, match=r"report_all\(\) got an unexpected keyword argument 'node'"):
        matesolve.report_all(PRINZ, node=3)
    with pytest.raises(ValueError, match="is not a stipulation"):
        list(matesolve.report_all(PRINZ, "nonsense"))


def test_a_source_is_a_path_or_a_text(tmp_path):
    with pytest.raises(FileNotFoundError):
        matesolve.report_all("no-such-file.epd")
    with pytest.raises(FileNotFoundError):
        matesolve.audit(pathlib.Path("no such file"))
    with pytest.raises(TypeError, match="from a path, a text or an open file, not from a int"):
        matesolve.report_all(7)
    with pytest.raises(OSError, match="directory"):
        matesolve.report_all(tmp_path)
    packed = gzip.compress(INPUTS["lines.epd"].encode())
    assert [report.line for report in matesolve.report_all(packed)] == [2, 4]
    path = tmp_path / "cut.epd.gz"
    many = "".join(f"{PRINZ} dm 2; id \"{number}\";\n" for number in range(50_000))
    path.write_bytes(gzip.compress(many.encode())[:-200])
    found = []
    with pytest.raises(OSError, match="damaged or cut short"):
        for report in matesolve.report_all(path, soundness_only=True):
            found.append(report.line)
            if len(found) == 100:
                break
        else:
            raise AssertionError("the file is cut")
        list(matesolve._matesolve.Entries.of_file(str(path)))
    assert found == list(range(1, 101))


def test_problems_are_read_as_they_are_needed_and_closing_ends_the_searches():
    reports = matesolve.report_all(f"{PRINZ} dm 2;\n" + f"{OPEN} dm 8;\n" * 50, jobs=2, time=1000)
    assert next(reports).soundness == "sound"
    begin = time.monotonic()
    reports.close()
    assert time.monotonic() - begin < 60


def test_the_interpreter_is_free_while_a_file_is_searched():
    steps = 0
    work = threading.Thread(target=lambda: list(matesolve.report_all(f"{OPEN} dm 5;\n" * 2, nodes=200_000, jobs=1)))
    work.start()
    while work.is_alive():
        steps += 1
        time.sleep(0.001)
    assert steps > 10


@pytest.mark.parametrize("name", ["collection.olv", "lines.epd", "objects.jsonl", "array.json"])
def test_audits_are_those_of_the_command_line(tmp_path, name):
    path = tmp_path / name
    path.write_text(INPUTS[name])
    said = command(INPUTS[name], "audit", "--themes")
    audits = matesolve.audit(path, nodes=100_000, themes=True)
    made = [{**audit.to_dict(), "file": "standard input"} for audit in audits]
    assert without_times(made) == without_times(said) and made
    assert {audit.file for audit in matesolve.audit(path)} == {str(path)}


def test_an_audit_says_what_is_wrong():
    right, wrong, invalid = matesolve.audit(COLLECTION, confirm=1_000_000)
    assert (right.verdict, right.authors, right.line, right.file) == ("sound", ["D. G. Prinz"], 2, "text")
    assert (wrong.verdict, wrong.disagrees, wrong.phases[0].found) == ("another_key", True, ["Rh6"])
    assert {finding.kind for finding in wrong.findings} >= {"false_key", "cook"}
    assert wrong.findings[0].text and wrong.phases[0].stats.nodes > 0
    assert invalid.verdict == "invalid" and invalid.error
    assert matesolve.Audit.from_dict(json.loads(json.dumps(wrong.to_dict()))) == wrong
    with pytest.raises(ValueError, match="confirm=0 is not allowed"):
        matesolve.audit(COLLECTION, confirm=0)
    with pytest.raises(ValueError, match="jobs=0 is not allowed"):
        matesolve.audit(COLLECTION, jobs=0)
