"""`matesolve.batch`: order, bad lines, laziness, stopping."""

import itertools
import os
import signal
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
