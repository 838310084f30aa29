"""`solve` and `report` for programs with `asyncio`: the search runs on a thread, and cancelling its task ends it."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from matesolve import _functions
from matesolve._matesolve import Stop
from matesolve._problems import Problem
from matesolve.reports import Report
from matesolve.results import Result

T = TypeVar("T")


async def solve_async(fen: Problem, *arguments: Any, **options: Any) -> Result:
    """Solves like `solve`, with the same arguments. If the task is cancelled, the search ends."""
    return await _on_a_thread(lambda stop: _functions.solve(fen, *arguments, stop=stop, **options), options)


async def report_async(fen: Problem, *arguments: Any, **options: Any) -> Report:
    """Makes a report like `report`, with the same arguments. If the task is cancelled, the search ends."""
    return await _on_a_thread(lambda stop: _functions.report(fen, *arguments, stop=stop, **options), options)


async def _on_a_thread(work: Callable[[Stop], T], options: dict[str, Any]) -> T:
    stop = options.pop("stop", None) or Stop()
    running = asyncio.get_running_loop().run_in_executor(None, work, stop)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        stop.stop()
        # Nobody waits for its result or its error any more.
        running.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        raise
