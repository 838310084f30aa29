"""Arguments, cancelling, copies and notebooks."""

import asyncio
import copy
import dataclasses
import inspect
import sys
import threading
import typing

import pytest

import matesolve
from matesolve._arguments import Engine

PRINZ = "5Kbk/6pp/6P1/8/8/8/8/7R w - -"
OPEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"nodes": 1e6}, "nodes=1000000.0 is not allowed; give a whole number, at least 0, such as 1000000"),
        ({"nodes": -5}, "nodes=-5 is not allowed; give a whole number, at least 0"),
        ({"nodes": 2**64}, "nodes=18446744073709551616 is not allowed"),
        ({"time": "3"}, "time='3' is not allowed; give a number of seconds, such as 10 or 0.5"),
        ({"time": 0}, "time=0 is not allowed"),
        ({"time": -1.5}, "time=-1.5 is not allowed"),
        ({"mate": 2.5}, "mate=2.5 is not allowed; give a number of moves from 1 to 1000"),
        ({"threads": True}, "threads=True is not allowed"),
        ({"hash": None}, "hash=None is not allowed"),
    ],
)
def test_wrong_numbers_get_a_sentence(arguments, message):
    with pytest.raises(ValueError) as error:
        matesolve.solve(PRINZ, **arguments)
    assert message in str(error.value)


def test_numbers_of_a_report_get_a_sentence():
    with pytest.raises(ValueError, match="tries=0 is not allowed; give a number of refutations from 1 to 100"):
        matesolve.report(PRINZ, "#2", tries=0)
    with pytest.raises(ValueError, match="intended=1001 is not allowed; give a number of solutions from 1 to 1000"):
        matesolve.report(PRINZ, "#2", intended=1001)


@pytest.mark.parametrize(
    "function",
    [matesolve.solve, matesolve.first_moves, matesolve.report, matesolve.mend, matesolve.economy, matesolve.retract],
)
def test_an_unknown_argument_is_named(function):
    with pytest.raises(TypeError, match=rf"{function.__name__}\(\) got an unexpected keyword argument 'node'"):
        function(PRINZ, node=3)


def test_help_shows_every_argument():
    shown = inspect.signature(matesolve.report).parameters
    assert {"fen", "stipulation", "tries", "castling", "nodes", "stop"} <= set(shown) and "options" not in shown
    assert list(inspect.signature(matesolve.report_async).parameters) == list(shown)
    assert "confirm" in inspect.signature(matesolve.audit).parameters
    assert inspect.iscoroutinefunction(matesolve.solve_async) and matesolve.solve_async.__name__ == "solve_async"
    with pytest.raises(TypeError, match="multiple values for argument 'stipulation'"):
        matesolve.report(PRINZ, "#2", stipulation="#2")


def test_an_exception_of_the_problems_comes_after_their_results():
    def problems():
        yield PRINZ
        raise LookupError("the end")

    results = matesolve.batch(problems(), nodes=10_000)
    assert next(results).mate_in == 2
    with pytest.raises(LookupError, match="the end"):
        next(results)


def test_the_names_of_the_engines_are_those_of_the_solver():
    with pytest.raises(ValueError) as error:
        matesolve.solve(PRINZ, engine="x")
    assert str(error.value).endswith("the engines are " + ", ".join(typing.get_args(Engine)))


def test_a_search_is_stopped_from_another_thread():
    stop = matesolve.Stop()
    timer = threading.Timer(0.3, stop.stop)
    timer.start()
    result = matesolve.solve(OPEN, stop=stop)
    assert (result.status, result.stats.stopped_by) == ("undecided", "interrupt")
    assert result.result.refuted_through >= 2
    assert matesolve.report(OPEN, "#8", stop=stop).soundness == "undecided"


def test_a_cancelled_task_ends_its_search():
    async def run():
        stop = matesolve.Stop()
        task = asyncio.create_task(matesolve.solve_async(OPEN, stop=stop))
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        # The loop waits for its threads at its end: this test ends only if the search does.
        report, result = await asyncio.gather(matesolve.report_async(PRINZ, "#2"), matesolve.solve_async(PRINZ, mate=3))
        return report.soundness, result.mate_in

    assert asyncio.run(run()) == ("sound", 2)


def test_the_first_moves_are_listed():
    result = matesolve.first_moves(PRINZ, mate=2)
    assert (result.moves[0].san, result.moves[0].mate_in, len(result.moves)) == ("Rh6", 2, 16)
    assert {move.status for move in result.moves[1:]} == {"no_mate"}
    assert matesolve.first_moves(PRINZ, 1, mate=2).moves[0].uci == "h1h6"
    selfmate = matesolve.first_moves("2K4k/5q1r/8/7N/8/5R2/8/2Q5 b - -", stipulation="s#1")
    assert [move.san for move in selfmate.moves if move.solved_in == 1] == ["Qf8+"]
    with pytest.raises(ValueError, match="solve answers this stipulation"):
        matesolve.first_moves(PRINZ, stipulation="h#2")


def test_a_text_or_a_file_is_a_batch(tmp_path):
    text = f"# a comment\n{PRINZ} id \"a\";\n\n% another\n7k/5Q2/6K1/8/8/8/8/8 w - -\n"
    path = tmp_path / "problems.epd"
    path.write_text(text)
    with path.open() as file:
        from_file = [(result.line, result.mate_in) for result in matesolve.batch(file, nodes=100_000)]
    assert from_file == [(result.line, result.mate_in) for result in matesolve.batch(text, nodes=100_000)]
    assert from_file == [(2, 2), (5, 1)]
    assert [result.mate_in for result in matesolve.batch(PRINZ, nodes=100_000)] == [2]


def test_results_are_copied_and_replaced():
    result = matesolve.solve(PRINZ)
    assert copy.copy(result) == copy.deepcopy(result) == result
    assert copy.copy(result).to_dict() == result.to_dict()
    other = dataclasses.replace(result, id="Prinz")
    assert (other.to_dict()["id"], other.to_dict()["result"]) == ("Prinz", result.to_dict()["result"])
    assert dataclasses.asdict(result)["result"]["mate_in"] == 2
    report = matesolve.report(PRINZ, "#2")
    assert copy.copy(report).keys == copy.deepcopy(report).keys == report.keys
    assert dataclasses.replace(report, id="x").to_dict()["keys"][0]["san"] == "Rh6"
    assert dataclasses.asdict(report)["keys"][0]["san"] == "Rh6"


def test_threads_leave_the_recursion_limit_as_it_was():
    usual = sys.getrecursionlimit()
    threads = [threading.Thread(target=matesolve.report, args=(PRINZ, "#2")) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sys.getrecursionlimit() == usual


def test_a_position_is_drawn_and_texts_have_no_colours():
    assert matesolve.diagram(PRINZ, "#2", coordinates=True, title="Prinz").count("Prinz") >= 1
    with pytest.raises(ValueError, match="width=0 is not allowed"):
        matesolve.diagram(PRINZ, width=0)
    assert "\x1b" not in matesolve.report(PRINZ, "#2").write("text")
