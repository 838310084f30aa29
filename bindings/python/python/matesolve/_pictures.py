"""Diagrams, and how notebooks show objects: a board with an arrow, and what the program prints below it."""

import html
import math

from matesolve import _matesolve


class Diagram(str):
    """A picture of a position: the text of an SVG file, which a notebook shows as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def board(fen: str, stipulation: str | None, move: str | None = None, width: int = 300) -> Diagram:
    """Draws a position without a title, with an arrow for a move in UCI notation."""
    svg = _matesolve.diagram(fen, stipulation, None, False, width)
    return Diagram(svg if move is None else svg.replace("</svg>", f"{_arrow(move)}\n</svg>"))


def _arrow(move: str) -> str:
    """Returns the arrow of a move. The board begins at 16, and a square has 100 units."""
    (x, y), (to_x, to_y) = ((66 + 100 * (ord(square[0]) - ord("a")), 66 + 100 * (8 - int(square[1]))) for square in (move[:2], move[2:4]))
    neck, turn = math.hypot(to_x - x, to_y - y) - 48, math.degrees(math.atan2(to_y - y, to_x - x))
    shape = f"M0-10H{neck:.1f}V-29L{neck + 48:.1f} 0 {neck:.1f} 29V10H0z"
    return f'<path d="{shape}" transform="translate({x} {y}) rotate({turn:.2f})" fill="#1f7a3d" fill-opacity="0.8"/>'


def page(*parts: str, text: str) -> str:
    """Returns pictures side by side, and a text below them, for a notebook."""
    row = "".join(f'<div style="max-width: 300px">{part}</div>' for part in parts)
    return f'<div style="display: flex; flex-wrap: wrap; gap: 12px">{row}</div><pre>{html.escape(text)}</pre>'
