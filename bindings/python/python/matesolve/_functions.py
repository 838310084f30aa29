"""The functions of the package."""

import gzip
import json
import os
import sys
import threading
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from matesolve import _matesolve
from matesolve._arguments import Castling, Content, Engine, Limits, Question
from matesolve._matesolve import Stop
from matesolve._problems import Problem, text_of
from matesolve.reports import Report
from matesolve.results import Certified, Result

#: A function that is called with a sentence such as "no mate in 3" and the number of nodes so far.
Progress = Callable[[str, int], object]

#: The range of a length, for messages.
MOVES = "a number of moves from 1 to 1000"

#: The Python frames that one level of a JSON text needs at most, while objects are made of it.
FRAMES_PER_LEVEL = 8


def solve(
    fen: Problem,
    mate: int | None = None,
    nodes: int | None = None,
    time: float | None = None,
    threads: int = 1,
    *,
    stipulation: str | None = None,
    max: int | None = None,
    any_length: bool = False,
    defend: bool = False,
    engine: Engine = "race",
    hash: int = 256,
    certificate: bool = False,
    stop: Stop | None = None,
    on_progress: Progress | None = None,
) -> Result:
    """Finds the shortest mate of the side to move, and proves it.

    Without a limit of `nodes` or `time` the search ends only with the answer, or at Ctrl-C.

    Args:
        fen: The position: a FEN, an EPD line, any other text that the command line reads, a `chess.Board`, or a mapping
            with the key `fen`.
        mate: Look for any mate in at most this number of moves, not for the shortest.
        nodes: The most positions to search.
        time: The most seconds to search.
        threads: The number of threads.
        stipulation: The question, instead of the one in the problem: "#3", or "#-3" if the side to move is mated; "=3",
            "s#3", "s=3", "r#3", "semi-r#3" or help play such as "h#2.5". "s#", without a number: the shortest.
        max: Look for the shortest mate of at most this number of moves.
        any_length: Look for mates of any length, even if the problem states one.
        defend: Find in how many moves the side to move is mated.
        engine: The search engine; `matesolve help engines` lists them.
        hash: Memory for tables and proofs, in MiB.
        certificate: Keep the proof: `result.certificate` are the bytes that `verify` reads.
        stop: An object whose method `stop()`, called from another thread, ends the search. The result is what is proved
            by then.
        on_progress: Called with a sentence such as "no mate in 3" and the number of nodes so far.

    Returns:
        The result. `result.mate_in` is None if no mate is proved; `result.status` says why. Of every stipulation but a
        direct mate, `result.solved_in` is the length.

    Raises:
        ProblemError: The text is no problem. The message says what is wrong.
        ValueError: An argument is out of its range.
        InternalError: A proof did not pass the check.
    """
    question = _question(stipulation, mate, max, any_length, defend, engine)
    limits = _limits(time, nodes, threads, hash)
    text, proof = _matesolve.solve(text_of(fen), None, question, limits, certificate, stop, on_progress)
    result = Result.from_dict(json.loads(text))
    object.__setattr__(result, "certificate", proof)
    return result


def first_moves(
    fen: Problem,
    lines: int | None = None,
    *,
    stipulation: str | None = None,
    mate: int | None = None,
    max: int | None = None,
    any_length: bool = False,
    nodes: int | None = None,
    time: float | None = None,
    threads: int = 1,
    hash: int = 256,
    stop: Stop | None = None,
    on_progress: Progress | None = None,
) -> Result:
    """Answers the question for each first move of the side to move: `moves` of the result, the fastest mates first.

    Args:
        fen: The position, as for `solve`.
        lines: Only the best moves, this number of them. Default: all.
        stipulation, mate, max, any_length, nodes, time, threads, hash, stop, on_progress: As for `solve`.

    Raises:
        ProblemError, ValueError, InternalError: As for `solve`.
    """
    question = _question(stipulation, mate, max, any_length, False, "race")
    limits = _limits(time, nodes, threads, hash)
    text = _matesolve.first_moves(text_of(fen), question, limits, _whole("lines", lines), stop, on_progress)
    return Result.from_dict(json.loads(text))


def diagram(
    fen: Problem,
    stipulation: str | None = None,
    *,
    title: str | None = None,
    coordinates: bool = False,
    width: int = 400,
) -> str:
    """Draws a position as an SVG picture.

    Args:
        fen: The position, as for `solve`.
        stipulation: The text below the board. Default: that of the problem.
        title: The text above the board.
        coordinates: Whether letters and numbers stand around the board.
        width: The width in pixels, from 1 to 10,000.
    """
    return _matesolve.diagram(text_of(fen), stipulation, title, coordinates, width)


def report(
    fen: Problem,
    stipulation: str | None = None,
    *,
    tries: int | None = None,
    set_play: bool = False,
    phases: bool = False,
    themes: bool = False,
    post_key: bool = False,
    short_variations: bool = False,
    soundness_only: bool = False,
    intended: int = 1,
    castling: Castling | None = None,
    nodes: int | None = None,
    time: float | None = None,
    threads: int = 1,
    hash: int = 256,
    stop: Stop | None = None,
    on_progress: Progress | None = None,
) -> Report:
    """Makes the composer's report: the whole solution within the stipulated length, and whether the problem is sound.

    Args:
        fen: The position, as for `solve`.
        stipulation: "#2", "#-2" for a diagram after the key, or help play such as "h#2.5". Without it, the length that the problem states, or that
            of the shortest mate.
        tries: Report tries with at most this number of refutations.
        set_play: Report the set play.
        phases: Set play, tries and solution side by side, as `phases_table`. The report has set play and tries then.
        themes: The themes, as `themes`. The report has set play and tries then.
        post_key: The diagram stands after the key.
        short_variations: Show variations that mate faster than the threat.
        soundness_only: Only the verdict and the keys.
        intended: The number of solutions that the composer intends.
        castling: "fen": castling rights as the FEN says. "assume": wherever king and rook are at home. "none": never.
            Default: "fen" if the FEN has a castling field, else "assume".
        nodes, time, threads, hash, stop, on_progress: As for `solve`.

    Raises:
        ProblemError, ValueError, InternalError: As for `solve`.
    """
    content: Content = {
        "stipulation": stipulation,
        "tries": tries,
        "set_play": set_play,
        "phases": phases,
        "themes": themes,
        "post_key": post_key,
        "short_variations": short_variations,
        "soundness_only": soundness_only,
        "intended": intended,
        "castling": castling,
    }
    native = _matesolve.report(text_of(fen), content, _limits(time, nodes, threads, hash), stop, on_progress)
    made = _with_room_for(native.write("jsonl"))
    object.__setattr__(made, "_native", native)
    return made


def batch(
    problems: Iterable[Problem] | str,
    jobs: int | None = None,
    *,
    nodes: int | None = None,
    time: float | None = None,
    mate: int | None = None,
    max: int | None = None,
    any_length: bool = False,
    defend: bool = False,
    engine: Engine = "race",
    hash: int = 256,
) -> Iterator[Result]:
    """Solves many problems, several at a time, and yields the results in the order of the problems.

    Problems are read as they are needed, so the iterable may be endless. A problem that cannot be read costs no other
    one: its result has the status "invalid", and `error` says why. Blank lines are skipped. Ctrl-C, or closing the
    iterator, stops the searches that run.

    Args:
        problems: FEN or EPD lines (a text with lines, or an open file, will do; lines with # or % at the start are
            comments), `chess.Board`s, or mappings with the keys `fen`, `id` and
            `stipulation`.
        jobs: The problems to solve at the same time, on one thread each. Default: one for each core.
        time: The most seconds for each problem. Default: 10, or no limit if there is one of `nodes`.
        nodes, mate, max, any_length, defend, engine: As for `solve`, for each problem.
        hash: Memory for each problem that is being solved, in MiB.
    """
    workers = (os.cpu_count() or 1) if jobs is None else jobs
    if workers < 1:
        raise ValueError(f"jobs={jobs} is not allowed; give a number of problems, at least 1")
    question = _question(None, mate, max, any_length, defend, engine)
    limits = _limits(10.0 if time is None and nodes is None else time, nodes, 1, hash)
    return _in_order(problems.splitlines() if isinstance(problems, str) else problems, workers, question, limits)


def verify(certificate: bytes | str | os.PathLike[str]) -> Certified:
    """Checks a certificate: the whole proof is replayed by the rules of chess.

    Args:
        certificate: The bytes of the certificate, or the path of its file. Either may be compressed by gzip.

    Raises:
        ProblemError: The certificate cannot be read or does not prove its mate. The message says where.
        OSError: The file cannot be read.
    """
    data = certificate if isinstance(certificate, bytes) else Path(certificate).read_bytes()
    if data.startswith(b"\x1f\x8b"):
        try:
            data = gzip.decompress(data)
        except (EOFError, zlib.error) as error:
            raise OSError(f"the gzip data of the certificate are damaged or cut short: {error}") from error
    fen, stipulation, white, moves, pv, pv_san = _matesolve.verify(data)
    mate_in, solved_in = (moves, None) if stipulation.startswith("#") else (None, moves)
    return Certified(fen, stipulation, "white" if white else "black", mate_in, solved_in, pv, pv_san)


def _in_order(
    problems: Iterable[Problem], workers: int, question: Question, limits: Limits
) -> Iterator[Result]:
    """Solves problems on worker threads, a few ahead of the one whose result is wanted next."""
    stop = _matesolve.Stop()
    running: deque[Future[Result]] = deque()

    def work(line: int, problem: Problem) -> Result:
        text, _ = _matesolve.solve(text_of(problem), line, question, limits, False, stop, None)
        return Result.from_dict(json.loads(text))

    pool = ThreadPoolExecutor(workers)
    try:
        for line, problem in enumerate(problems, 1):
            if isinstance(problem, str) and (not problem.strip() or problem.lstrip()[0] in "#%"):
                continue
            running.append(pool.submit(work, line, problem))
            # A hard problem must not keep the others waiting, nor fill the memory with results.
            while len(running) >= 16 * workers or (running and running[0].done()):
                yield running.popleft().result()
        while running:
            yield running.popleft().result()
    finally:
        stop.stop()
        pool.shutdown(cancel_futures=True)


def _question(
    stipulation: str | None, mate: int | None, max: int | None, any_length: bool, defend: bool, engine: Engine
) -> Question:
    return {
        "stipulation": stipulation,
        "mate": _whole("mate", mate, 0, MOVES),
        "max": _whole("max", max, 0, MOVES),
        "any_length": any_length,
        "defend": defend,
        "engine": engine,
    }


def _limits(time: float | None, nodes: int | None, threads: int, hash: int) -> Limits:
    if time is not None and (isinstance(time, bool) or not isinstance(time, (int, float))):
        raise ValueError(f"time={time!r} is not allowed; give a number of seconds, such as 10 or 0.5")
    for name, value in (("threads", threads), ("hash", hash)):
        if value is None:
            raise ValueError(f"{name}=None is not allowed; give a whole number, at least 1")
    return {
        "time": time,
        "nodes": _whole("nodes", nodes, 0),
        "threads": _whole("threads", threads) or 1,
        "hash": _whole("hash", hash) or 1,
    }


def _whole(name: str, value: float | None, least: int = 1, expected: str = "") -> int | None:
    """Returns a whole number that is not too small, or None. `expected` says what is allowed."""
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool) and least <= value < 1 << 63:
        return value
    example = f", such as {int(value)}" if isinstance(value, float) and value.is_integer() and value >= least else ""
    raise ValueError(f"{name}={value!r} is not allowed; give {expected or f'a whole number, at least {least}'}{example}")


#: Python has one limit for all threads; who raises it must be alone.
_LIMIT_LOCK = threading.Lock()


def _with_room_for(text: str) -> Report:
    """Makes a report from its JSON text. Long solutions are nested deeper than Python's usual limit allows."""
    with _LIMIT_LOCK:
        usual = sys.getrecursionlimit()
        sys.setrecursionlimit(usual + FRAMES_PER_LEVEL * _nesting(text))
        try:
            return Report.from_dict(json.loads(text))
        finally:
            sys.setrecursionlimit(usual)


def _nesting(text: str) -> int:
    """Returns how deep the objects and lists of a JSON text are nested, at most."""
    depth = deepest = 0
    for character in text:
        if character in "{[":
            depth += 1
            deepest = depth if depth > deepest else deepest
        elif character in "}]":
            depth -= 1
    return deepest
