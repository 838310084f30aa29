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


def on_threads(items: Iterable[T], threads: int, work: Callable[[T, Stop], R]) -> Iterator[R]:
    """Works on items on several threads, and yields the results as `in_order` does."""
    stop, pool = Stop(), ThreadPoolExecutor(threads)
    running: deque[Future[R]] = deque()

    def take(waits: bool) -> list[R]:
        return [running.popleft().result()] if waits or running[0].done() else []

    def end() -> None:
        stop.stop()
        pool.shutdown(cancel_futures=True)

    return in_order(items, 16 * threads, lambda item: running.append(pool.submit(work, item, stop)), take, end)


def in_order(
    items: Iterable[T],
    most: int,
    put: Callable[[T], None],
    take: Callable[[bool], list[R]],
    end: Callable[[], object],
) -> Iterator[R]:
    """Hands items to `put`, at most this number ahead of the result that is wanted next, and yields the results. `take`
    returns the next ones; if none is ready, it waits for one or returns none, as its argument says. An exception of the
    items comes after the results of those before it. `end` is called when the iterator ends or is closed.
    """
    running = 0
    source = iter(items)
    try:
        raised: Exception | None = None
        while raised is None:
            try:
                put(next(source))
                running += 1
            except Exception as exception:
                raised = exception
            # A hard problem must not keep the others waiting, nor fill the memory with results.
            while running:
                results = take(raised is not None or running >= most)
                if not results:
                    break
                running -= len(results)
                yield from results
        if not isinstance(raised, StopIteration):
            raise raised
    finally:
        end()
