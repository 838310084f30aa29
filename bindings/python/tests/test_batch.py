"""`matesolve.batch`: order, bad lines, laziness, stopping."""

import copy
import dataclasses
import itertools
import json
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import threading

import pytest

import matesolve

PRINZ = "5Kbk/6pp/6P1/8/8/8/8/7R w - -"
ONE = "7k/5Q2/6K1/8/8/8/8/8 w - -"
OPEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"


@pytest.mark.parametrize("jobs", [1, 3])
def test_results_come_in_the_order_of_the_problems(jobs):
    problems = [PRINZ, "", ONE, "nonsense", {"fen": PRINZ, "id": "Prinz"}] * 5
    results = list(matesolve.batch(problems, jobs, nodes=100_000))
    assert [result.line for result in results] == [n for n in range(1, 26) if n % 5 != 2]
    assert [result.mate_in for result in results[:3]] == [2, 1, None]
    assert results[2].status == "invalid" and '"nonsense"' in results[2].error
    assert results[3].id == "Prinz"


def test_problems_are_read_as_they_are_needed():
    read = itertools.count()
    problems = (ONE for _ in read)
    first = list(itertools.islice(matesolve.batch(problems, 2, nodes=1000), 100))
    assert all(result.mate_in == 1 for result in first)
    assert next(read) < 300


def test_closing_the_iterator_stops_the_searches():
    results = matesolve.batch([ONE, OPEN, OPEN, OPEN], 2, time=3600)
    assert next(results).mate_in == 1
    results.close()


def test_ctrl_c_ends_a_batch():
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        list(matesolve.batch([OPEN] * 4, 2, time=3600))


def test_wrong_arguments_are_errors_of_the_call():
    with pytest.raises(ValueError, match="jobs=0"):
        matesolve.batch([ONE], 0)
    with pytest.raises(ValueError, match="there is no engine"):
        list(matesolve.batch([ONE], engine="houdini"))
    with pytest.raises(TypeError, match="not int"):
        list(matesolve.batch([ONE, 7]))


def test_a_batch_is_that_of_the_program(tmp_path):
    """The same answers with the same nodes: nothing is asked about the other side, and what occurs again is known."""
    suites = pathlib.Path(__file__).parents[3] / "problems"
    lines = (suites / "smoke.epd").read_text().splitlines() + [PRINZ, OPEN, PRINZ, "nonsense", '{"fen": 7, "id": 5}']
    lines += ["8/8/8/8/8/1k6/8/K7 b - -", '{"fen": "7k/8/5K2/8/8/8/8/6R1 b - -", "nodes": 1000}', "# a comment", ""]
    (tmp_path / "in.epd").write_text("\n".join(lines))
    words = ["batch", "in.epd", "--format", "jsonl", "--nodes", "20k", "--threads", "1", "-q"]
    done = subprocess.run([sys.executable, "-m", "matesolve", *words], capture_output=True, text=True, cwd=tmp_path)
    expected = [json.loads(line) for line in done.stdout.splitlines()]
    for jobs, problems in [(1, lines), (3, "\n".join(lines))]:
        found = [result.to_dict() for result in matesolve.batch(problems, jobs, nodes=20_000)]
        for result in expected + found:
            result["stats"].pop("time_ms", None)
            (result["stats"].get("found_at") or {}).pop("time_ms", None)
            result["error"] = None
        assert found == expected and len(found) > 20


def test_many_items_that_are_no_problems_come_in_order():
    results = list(matesolve.batch((f"nonsense {number}" for number in range(1000)), 4))
    assert [result.line for result in results] == list(range(1, 1001))


def test_a_result_is_read_when_a_field_is_asked_for_and_can_be_copied():
    first, second = matesolve.batch([f"{PRINZ} id \"{name}\";" for name in "ab"], 1, nodes=100_000)
    assert "_value" not in vars(first) and str(first).startswith("mate in 2 (proved shortest)")
    assert "_value" not in vars(first), "a text needs no field"
    assert (first.id, first.mate_in, first.moves, first.certificate) == ("a", 2, None, None) and "_value" in vars(first)
    for copied in (copy.deepcopy(second), pickle.loads(pickle.dumps(second)), matesolve.Result.from_dict(second.to_dict())):
        assert copied == second != first and hash(copied) == hash(second) and copied.to_dict() == second.to_dict()
    assert str(pickle.loads(pickle.dumps(first))) == str(first)
    assert dataclasses.replace(second, id="a").id == "a" and not hasattr(second, "nothing")
