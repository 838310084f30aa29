"""A chess mate solver: finds forced mates, proves that they are the shortest, and checks every proof.

>>> import matesolve
>>> result = matesolve.solve("5Kbk/6pp/6P1/8/8/8/8/7R w - -")
>>> result.mate_in, result.proved_shortest
(2, True)
>>> result.result.pv_san
'1. Rh6 Ba2 2. Rxh7#'

`solve` finds the shortest mate of a position, `report` makes the whole solution of a problem and judges its soundness,
`batch` solves many problems, and `verify` checks the certificate of a mate.
"""

from matesolve._functions import batch, report, solve, verify
from matesolve._matesolve import InternalError, ProblemError, __version__
from matesolve.reports import Report
from matesolve.results import Certified, Outcome, Result

__all__ = [
    "Certified",
    "InternalError",
    "Outcome",
    "ProblemError",
    "Report",
    "Result",
    "__version__",
    "batch",
    "report",
    "solve",
    "verify",
]
