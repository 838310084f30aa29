"""The functions for one problem, and `batch`."""

import gzip
import os
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Unpack

from matesolve import _matesolve, _threads
from matesolve._arguments import (
    Each,
    Engine,
    Length,
    Parts,
    Running,
    Search,
    Side,
    content,
    limits,
    limits_of_each,
    named,
    question,
    whole,
)
from matesolve._matesolve import Stop
from matesolve._objects import Texts
from matesolve._pictures import Diagram
from matesolve._problems import Problem, text_of
from matesolve.reports import Report
from matesolve.results import Certified, Result


@named
def solve(
    fen: Problem,
    mate: int | None = None,
    nodes: int | None = None,
    time: float | None = None,
    threads: int = 1,
    *,
    stipulation: str | None = None,
    first: bool = False,
    any_length: bool = False,
    defend: bool = False,
    attacker: Side | None = None,
    engine: Engine = "race",
    certificate: bool = False,
    set_play: bool = False,
    intended: int | None = None,
    other_side: bool = True,
    **running: Unpack[Running],
) -> Result:
    """Finds the shortest mate of the side to move, and proves it.

    Without a limit of `nodes` or `time` the search ends only with the answer, or at Ctrl-C.

    Args:
        fen: The position: a FEN, an EPD line, any other text that the command line reads, a `chess.Board`, or a mapping
            with the key `fen`.
        mate: Look for the shortest mate of at most this number of moves: the same as `stipulation="#2"` for 2.
        nodes: The most positions to search.
        time: The most seconds to search.
        threads: The number of threads.
        stipulation: The question, instead of the one in the problem: "#3", or "#-3" if the side to move is mated; "=3",
            "exact-#3", "s#3", "s=3", "r#3", "semi-r#3" or help play such as "h#2.5". "s#" asks for the shortest.
        first: The first mate found will do, which need not be the shortest.
        any_length: Look for mates of any length, even if the problem states one.
        defend: Find in how many moves the side to move is mated.
        attacker: The side that mates in the end, or reaches another goal. Default: as the stipulation says; in help play,
            White.
        engine: The search engine; `matesolve help engines` lists them.
        certificate: Keep the proof: `result.certificate` are the bytes that `verify` reads.
        set_play: Of help play, look for the set play too: `result.set_play`.
        intended: Of help play, the number of solutions that the composer intends.
        other_side: If there is no mate, also ask whether the side to move is mated: `result.other_side`.
        hash: Memory for tables and proofs, in MiB. Default: 256.
        stop: An object whose method `stop()`, called from another thread, ends the search. The result is what is proved
            by then.
        on_progress: Called with a sentence such as "no mate in 3" and the number of nodes so far, twice a second, and
            when a bound changes.

    Returns:
        The result. `result.mate_in` is None if no mate is proved; `result.status` says why. `result.solved_in` is
        the length of every stipulation.

    Raises:
        ProblemError: The text is no problem. The message says what is wrong.
        ValueError: An argument is out of its range.
        InternalError: A proof did not pass the check.
    """
    length: Length = {"mate": mate, "first": first, "any_length": any_length}
    asked = question(stipulation, length, defend, engine, set_play, intended, attacker)
    within = limits({"nodes": nodes, "time": time, "threads": threads, "hash": running.get("hash", 256)})
    whole, text, proof = _matesolve.solve(
        text_of(fen), asked, within, certificate, other_side, running.get("stop"), running.get("on_progress")
    )
    result = Result._of_answer(Texts(whole, text))
    object.__setattr__(result, "certificate", proof)
    return result


class _MovesOptions(Length, Search, total=False):
    """The keyword arguments of `first_moves`."""


@named
def first_moves(
    fen: Problem, lines: int | None = None, *, stipulation: str | None = None, **options: Unpack[_MovesOptions]
) -> Result:
    """Answers the question for each first move of the side to move: `moves` of the result, the fastest mates first.

    Args:
        fen: The position, as for `solve`.
        lines: Only the best moves, this number of them. Default: all.
        stipulation, mate, first, any_length: As for `solve`.
        nodes, time, threads, hash, stop, on_progress: As for `solve`.

    Raises:
        ProblemError, ValueError, InternalError: As for `solve`.
    """
    texts = _matesolve.first_moves(
        text_of(fen),
        question(stipulation, options),
        limits(options),
        whole("lines", lines),
        options.get("stop"),
        options.get("on_progress"),
    )
    return Result._of_answer(Texts(*texts))


def diagram(
    fen: Problem,
    stipulation: str | None = None,
    *,
    title: str | None = None,
    coordinates: bool = False,
    width: int = 400,
) -> Diagram:
    """Draws a position as an SVG picture: a text that a notebook shows as a picture.

    Args:
        fen: The position, as for `solve`.
        stipulation: The text below the board. Default: that of the problem.
        title: The text above the board.
        coordinates: Whether letters and numbers stand around the board.
        width: The width in pixels, from 1 to 10,000.
    """
    return Diagram(_matesolve.diagram(text_of(fen), stipulation, title, coordinates, width))


class _ReportOptions(Parts, Search, total=False):
    """The keyword arguments of `report`."""


@named
def report(fen: Problem, stipulation: str | None = None, **options: Unpack[_ReportOptions]) -> Report:
    """Makes the composer's report: the whole solution within the stipulated length, and whether the problem is sound.

    Args:
        fen: The position, as for `solve`.
        stipulation: "#2", "#-2" for a diagram after the key, or help play such as "h#2.5". Without it, the length that
            the problem states, or that of the shortest mate.
        full: Set play, tries, the phases side by side and the themes.
        tries: Report tries with at most this number of refutations, from 1 to 100. "play": with one, and only those on
            which some defence loses; "2,play": with at most two.
        set_play: Report the set play.
        phases: The phases that the report has side by side, as `phases_table`.
        themes: The themes of the phases that the report has, as `themes`.
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
    asked, within = content(stipulation, options), limits(options)
    native = _matesolve.report(text_of(fen), asked, within, options.get("stop"), options.get("on_progress"))
    return Report._of_native(native)


class _BatchOptions(Length, Each, total=False):
    """The keyword arguments of `batch`."""


@named
def batch(
    problems: Iterable[Problem] | str,
    jobs: int | None = None,
    *,
    defend: bool = False,
    attacker: Side | None = None,
    engine: Engine = "race",
    **options: Unpack[_BatchOptions],
) -> Iterator[Result]:
    """Solves many problems, several at a time, and yields the results in the order of the problems.

    Problems are read as they are needed, so the iterable may be endless. A problem that cannot be read costs no other
    one: its result has the status "invalid", and `error` says why. Blank lines are skipped. Ctrl-C, or closing the
    iterator, stops the searches that run. This is the batch of the program: it asks nothing about the other side, and a
    problem that occurs again gets the answer of its first occurrence.

    Args:
        problems: FEN or EPD lines (a text with lines, or an open file, will do; lines with # or % at the start are
            comments), `chess.Board`s, or mappings with the keys `fen`, `id` and `stipulation`.
        jobs: The problems to solve at the same time, on one thread each. Default: one for each core.
        time: The most seconds for each problem. Default: 10, or no limit if there is one of `nodes`.
        nodes, mate, first, any_length, defend, attacker, engine: As for `solve`, for each problem.
        hash: Memory for each problem that is being solved, in MiB.
    """
    threads, asked, within = _threads.workers(jobs), question(None, options, defend, engine, attacker=attacker), limits_of_each(options)
    stop = Stop()
    running = _matesolve.Batch(asked, within, threads, stop)

    def put(item: tuple[int, Problem]) -> None:
        line, problem = item
        running.put(line, text_of(problem))

    def take(waits: bool) -> list[Result]:
        return [Result._of_answer(answer) for answer in running.take(waits)]

    lines = problems.splitlines() if isinstance(problems, str) else problems
    return _threads.in_order(_numbered(lines), 16 * threads, put, take, stop.stop)


def _numbered(problems: Iterable[Problem]) -> Iterator[tuple[int, Problem]]:
    """Counts problems from 1, and leaves out blank lines and comments."""
    for line, problem in enumerate(problems, 1):
        if not isinstance(problem, str) or (problem.strip() and problem.lstrip()[0] not in "#%"):
            yield line, problem


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
    mate_in = moves if stipulation.startswith("#") else None
    return Certified(fen, stipulation, "white" if white else "black", mate_in, moves, pv, pv_san)
