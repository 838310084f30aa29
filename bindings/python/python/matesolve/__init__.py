"""A chess mate solver: finds forced mates, proves that they are the shortest, and checks every proof.

>>> import matesolve
>>> result = matesolve.solve("5Kbk/6pp/6P1/8/8/8/8/7R w - -")
>>> result.mate_in, result.proved_shortest
(2, True)
>>> result.result.pv_san
'1. Rh6 Ba2 2. Rxh7#'

`solve` finds the shortest mate of a position, `report` makes the whole solution of a problem and judges its soundness,
`first_moves` answers the question for each first move, `batch` solves many problems, `diagram` draws a position, and
`verify` checks the certificate of a mate. `report_all` reports on every problem of a file, and `audit` says whether
printed solutions are right. `mend`, `twins`, `economy` and `retract` are the composer's workbench. `solve_async` and
`report_async` are for `asyncio`.
"""

from matesolve._asynchronous import report_async, solve_async
from matesolve._files import audit, report_all
from matesolve._functions import batch, diagram, first_moves, report, solve, verify
from matesolve._matesolve import InternalError, ProblemError, Stop, __version__
from matesolve._pictures import Diagram
# The modules `audits` and `reports` have the types of an audit and of a report; `audit` and `report` are functions.
from matesolve.audits import Audit
from matesolve.reports import Report
from matesolve.results import Certified, MoveOutcome, Outcome, Result
from matesolve.workbench import Proposal, Workbench, economy, mend, retract, twins

__all__ = [
    "Audit",
    "Certified",
    "Diagram",
    "InternalError",
    "MoveOutcome",
    "Outcome",
    "ProblemError",
    "Proposal",
    "Report",
    "Result",
    "Stop",
    "Workbench",
    "__version__",
    "audit",
    "batch",
    "diagram",
    "economy",
    "first_moves",
    "mend",
    "report",
    "report_all",
    "report_async",
    "retract",
    "solve",
    "solve_async",
    "twins",
    "verify",
]
