"""The composer's report on one problem: the whole solution and whether the problem is sound.

`matesolve schema report` describes the same object as JSON. There a play that occurs again is written as a reference;
here it is the same `Play` object again. All lengths are in moves of the side that mates.
"""

import html
import json
import sys
import threading
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from matesolve import _matesolve, _pictures
from matesolve._objects import JsonObject
from matesolve.results import Color, HelpLine, Stats, Status, Stipulation

Soundness = Literal["sound", "cooked", "short_solution", "no_solution", "incomplete", "undecided"]
Format = Literal["text", "json", "jsonl", "popeye", "html", "latex", "olv", "pgn"]
#: "mate", "stalemate": the move ends the play so. "cut": the play after the move is left out. None: see `play`.
End = Literal["mate", "stalemate", "cut"]


@dataclass(frozen=True)
class Move(JsonObject):
    """A move."""

    #: Standard algebraic notation.
    san: str
    #: UCI notation.
    uci: str


@dataclass(frozen=True)
class Continuation(Move):
    """A move of the attacker after a defence or in a threat."""

    #: The exact mate length, including this move.
    mate_in: int
    end: End | None
    play: "Play | None"


@dataclass(frozen=True)
class Variation(JsonObject):
    """A defence and what the attacker does against it."""

    defence: Move
    #: The exact mate length after the defence.
    mate_in: int
    #: All moves that mate in this length; more than one is a dual.
    continuations: list[Continuation]
    #: How the defence itself ends the play, as the last move of a selfmate does: "mate" or "stalemate".
    end: End | None = None


@dataclass(frozen=True)
class Play(JsonObject):
    """The play after a move of the attacker: threats and variations."""

    #: The number of the play, to which references in the JSON object refer.
    node: int
    #: The number of moves that the attacker has left.
    left: int
    #: The exact mate length against the best defence. None after a try and in set play.
    mate_in: int | None
    #: There is no threat, but every move of the defender loses.
    zugzwang: bool
    #: The shortest mates if the defender passed.
    threats: list[Continuation]
    #: The defences against the threat; all defences if there is no threat.
    variations: list[Variation]
    #: The number of defences that are not shown.
    unshown: int
    #: Some of the play is left out.
    cut: bool


@dataclass(frozen=True)
class Features(JsonObject):
    """What a key does."""

    check: bool
    #: The letter of the captured man.
    capture: str | None
    #: The letter of the new man.
    promotion: str | None
    #: The defender can capture the man that moved.
    sacrifice: bool
    #: Squares.
    flights_given: list[str]
    flights_taken: list[str]
    unpins: list[str]
    pins: list[str]


@dataclass(frozen=True)
class Key(Move):
    """A first move that mates within the stipulated length."""

    mate_in: int
    #: The move does not mate in fewer moves.
    exact: bool
    #: Whether the input names this move as the key. None if it names no key.
    intended: bool | None
    features: Features
    end: End | None
    play: Play | None


@dataclass(frozen=True)
class Try(Move):
    """A first move that only a few defences refute."""

    #: The move gives check.
    trivial: bool
    refutations: list[Move]
    end: End | None
    play: Play | None


@dataclass(frozen=True)
class SetPlay(JsonObject):
    """The play if the defender were to move in the diagram."""

    #: The attacker has a reply to every move of the defender.
    complete: bool
    play: Play


@dataclass(frozen=True)
class Dual(JsonObject):
    """A place where the attacker has a choice of continuations."""

    #: The moves from the key to the defence.
    line: list[Move]
    #: The number of the attacker's move; the key is move 1.
    at_move: int
    moves: list[Move]
    kind: Literal["continuation", "mating_move", "promotion"]
    severity: Literal["major", "minor"]
    in_threat: bool


@dataclass(frozen=True)
class Verdict(JsonObject):
    """Whether the problem is sound."""

    status: Status
    soundness: Soundness
    mate_in: int | None
    refuted_through: int | None
    proved_shortest: bool
    verified: bool
    cooks: list[Move]
    short_solutions: list[Move]
    #: No limit was reached: everything requested was examined.
    complete: bool
    truncated: bool
    #: The length of the shortest solution of any stipulation, or of the solutions of help play, in moves.
    solved_in: int | float | None = None
    #: Whether the refutations may rest on Syzygy files, which nobody replays.
    with_tables: bool = False


@dataclass(frozen=True)
class FirstMoves(JsonObject):
    """How many first moves are refuted, and which are not decided."""

    total: int
    refuted: int
    open: list[Move]


@dataclass(frozen=True)
class Why(Move):
    """A first move that was asked about, and how its refutations work."""

    lines: list[list[Move]]


@dataclass(frozen=True)
class Men(JsonObject):
    """The number of men."""

    white: int
    black: int
    size: Literal["miniature", "meredith", "full"]


@dataclass(frozen=True)
class PromotedMen(JsonObject):
    """Men of one kind of which some must be promoted, as counting shows it."""

    side: Color
    at_least: int
    of: list[str]


@dataclass(frozen=True)
class Position(JsonObject):
    """The diagram."""

    fen: str
    side_to_move: Color
    castling_source: Literal["fen", "assumed", "none"]
    en_passant_source: Literal["fen", "proved", "none"]
    #: The men of both sides, with S for the knight.
    algebraic: dict[Color, list[str]]
    men: Men
    #: The men of which some must be promoted; empty if none must be.
    promoted: list[PromotedMen]


@dataclass(frozen=True)
class Phase(JsonObject):
    """The phase of a problem with twins or a duplex that a report describes."""

    #: The letter of the twin; "a" is the diagram.
    letter: str | None
    #: The twin changes the position of the phase before, not the diagram.
    continued: bool
    #: The change of the twin, in Popeye's words, such as "bRc7-->f8".
    heading: str
    #: The side that mates, of a duplex.
    attacker: Color | None


@dataclass(frozen=True)
class Report(JsonObject):
    """The composer's report on one problem. With twins, `phases` has the report on each of them, and the other fields
    are those of the phase that decides the verdict.
    """

    schema_version: str
    #: The number of the problem's line in a file.
    line: int | None
    id: str | None
    position: Position | None
    stipulation: Stipulation | None
    options: dict[str, Any]
    result: Verdict
    #: Every first move that mates within the stipulated length. If `first_moves.open` is not empty, there may be more.
    keys: list[Key]
    #: None if tries were not asked for.
    tries: list[Try] | None
    #: None if set play was not asked for, or if there is none. Of help play a list of lines.
    set_play: SetPlay | list[HelpLine] | None
    #: The play, if the diagram stands after the key.
    post_key: Play | None
    post_key_refutations: list[Move]
    first_moves: FirstMoves
    duals: list[Dual]
    stats: Stats
    #: What was tested and with which result, to print below the problem; `C+ matesolve 0.1 (#3, whole, 3.1 s)` if all is
    #: decided and the problem is sound. It contains a time.
    stamp: str | None = field(compare=False)
    warnings: list[str]
    error: str | None
    #: The solutions of help play. None for direct mates.
    solutions: list[HelpLine] | None = None
    #: The solutions of help play that are shorter than stipulated. None if there are none.
    short_solutions: list[HelpLine] | None = None
    #: The number of solutions of help play that are intended.
    intended: int | None = None
    #: Whether these are all solutions of help play.
    complete: bool | None = None
    phase: Phase | None = None
    phases: "list[Report] | None" = None
    #: The first move that was asked about, if the report is about one.
    why: Why | None = None
    #: Of reflex play: the moves by which the attacker would have to mate in the diagram. None if there are none.
    must_mate: list[Move] | None = None
    #: The phases side by side, as the JSON object. None if they were not asked for.
    phases_table: dict[str, Any] | None = None
    #: The themes, as JSON objects. None if they were not asked for.
    themes: list[dict[str, Any]] | None = None
    _native: ClassVar["_matesolve.Report | None"] = None

    @property
    def soundness(self) -> Soundness:
        """The verdict on the problem."""
        return self.result.soundness

    def write(self, format: Format = "text") -> str:
        """Writes the report as text, as the program prints it: `text`, `json`, `popeye`, `html`, `latex`, `olv` or `pgn`.

        A report that was read by `from_dict`, or that was pickled, cannot be written; then a TypeError says so.
        """
        if self._native is None:
            raise TypeError("this report was not made in this process; make it again to write it")
        return self._native.write(format)

    @classmethod
    def _of_native(cls, native: "_matesolve.Report") -> "Report":
        """Makes a report from that of the compiled part."""
        made = _with_room_for(native.write("jsonl"))
        object.__setattr__(made, "_native", native)
        return made

    def __str__(self) -> str:
        return super().__str__() if self._native is None else self.write("text").rstrip("\n")

    def _repr_svg_(self) -> str | None:
        """The diagram with an arrow for the key, for notebooks."""
        lines = [*([key.uci] for key in self.keys), *(one.moves for one in self.solutions or [])]
        asked = None if self.stipulation is None else self.stipulation.text
        return None if self.position is None else _pictures.board(self.position.fen, asked, next((line[0] for line in lines if line), None))

    def _repr_html_(self) -> str:
        """The page of the report in a frame, for notebooks: the board and the solution to click through."""
        if self._native is None:
            return _pictures.page(*filter(None, [self._repr_svg_()]), text=str(self))
        page = html.escape(self._native.write("html"))
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 640px; border: 0" title="The solution"></iframe>'

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_native": None}

    @classmethod
    def from_dict(cls, value: dict[str, Any]) -> "Report":
        """Makes a report from its JSON object. References become the plays to which they refer."""
        made = super().from_dict(_without_references(value, {}))
        object.__setattr__(made, "_value", value)
        return made


def _without_references(value: Any, plays: dict[int, Any]) -> Any:
    """Replaces references by the plays. A play comes before all references to it."""
    if isinstance(value, list):
        return [_without_references(element, plays) for element in value]
    if not isinstance(value, dict):
        return value
    if set(value) == {"ref"}:
        return plays[value["ref"]]
    resolved: dict[str, Any] = {}
    for name, one in value.items():
        # Every phase numbers its plays anew.
        is_phases = name == "phases"
        if is_phases:
            resolved[name] = [_without_references(phase, {}) for phase in one]
        else:
            resolved[name] = _without_references(one, plays)
    if "node" in resolved:
        plays[resolved["node"]] = resolved
    return resolved


#: The Python frames that one level of a JSON text needs at most, while objects are made of it.
FRAMES_PER_LEVEL = 8

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
