"""Turns what a caller gives as a problem into the text that the solver reads."""

import json
from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class Board(Protocol):
    """A `chess.Board` of the package python-chess. That package is not needed."""

    chess960: bool

    def fen(self, *, shredder: bool = ..., en_passant: Any = ...) -> str:
        """Returns the position as FEN."""


#: A position as text (FEN, EPD, a game in PGN, …), as a `chess.Board`, or as a mapping with the key `fen` and perhaps
#: `id` and `stipulation`.
Problem = str | Board | Mapping[str, Any]


def text_of(problem: Problem) -> str:
    """Returns the problem as text: FEN, EPD or JSON."""
    if isinstance(problem, str):
        return problem
    if isinstance(problem, Mapping):
        return json.dumps(dict(problem))
    if isinstance(problem, Board):
        return problem.fen(shredder=problem.chess960, en_passant="fen")
    raise TypeError(f"a problem is a str, a chess.Board or a mapping, not {type(problem).__name__}")
