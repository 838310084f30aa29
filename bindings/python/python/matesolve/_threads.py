"""Searches many items on several threads, and keeps their order."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from matesolve._matesolve import Stop

T = TypeVar("T")
R = TypeVar("R")


def workers(jobs: int | None) -> int:
    """Returns the number of threads for this argument."""
    if jobs is None:
        return os.cpu_count() or 1
    if jobs < 1:
        raise ValueError(f"jobs={jobs} is not allowed; give a number of problems, at least 1")
    return jobs


def in_order(items: Iterable[T], threads: int, work: Callable[[T, Stop], R]) -> Iterator[R]:
    """Works on items on several threads, a few ahead of the one whose result is wanted next. An exception of the items
    comes after the results of those before it. At the end, or when the iterator is closed, the searches that run are
    stopped.
    """
    stop = Stop()
    running: deque[Future[R]] = deque()
    pool = ThreadPoolExecutor(threads)
    source = iter(items)
    try:
        raised: Exception | None = None
        while raised is None:
            try:
                running.append(pool.submit(work, next(source), stop))
            except Exception as exception:
                raised = exception
            # A hard problem must not keep the others waiting, nor fill the memory with results.
            while len(running) >= 16 * threads or (running and (raised or running[0].done())):
                yield running.popleft().result()
        if not isinstance(raised, StopIteration):
            raise raised
    finally:
        stop.stop()
        pool.shutdown(cancel_futures=True)
