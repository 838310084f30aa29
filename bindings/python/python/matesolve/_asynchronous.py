"""`solve` and `report` for programs with `asyncio`: the search runs on a thread, and cancelling its task ends it."""

import asyncio
import functools
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

from matesolve import _functions
from matesolve._matesolve import Stop

P = ParamSpec("P")
T = TypeVar("T")


def _on_a_thread(function: Callable[P, T]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Makes a function that runs another one on a thread. If its task is cancelled, the search ends."""

    @functools.wraps(function)
    async def run(*arguments: P.args, **options: P.kwargs) -> T:
        given = options.get("stop")
        stop = given if isinstance(given, Stop) else Stop()
        options["stop"] = stop
        work = functools.partial(function, *arguments, **options)
        running = asyncio.get_running_loop().run_in_executor(None, work)
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            stop.stop()
            # Nobody waits for its result or its error any more.
            running.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
            raise

    run.__name__ = run.__qualname__ = f"{function.__name__}_async"
    same = f"Does what `{function.__name__}` does, with the same arguments."
    run.__doc__ = f"{same} If the task is cancelled, the search ends."
    return run


solve_async = _on_a_thread(_functions.solve)
report_async = _on_a_thread(_functions.report)
