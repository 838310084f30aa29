"""The composer's workbench: sound versions of an unsound diagram, twins, what each man of a problem is for, and the
diagrams before a key.

`matesolve schema proposal` describes the same objects as JSON.
"""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict, Unpack

from matesolve import _matesolve, _pictures
from matesolve._arguments import Composing, Search, limits, named, whole
from matesolve._objects import JsonObject, Texts
from matesolve._problems import Problem, text_of
from matesolve.reports import Move

Keep = Literal["key", "variations", "set-play", "try"]
Verdict = Literal["superfluous", "cook", "short", "key fails", "variation", "set play", "try", "illegal", "undecided"]


@dataclass(frozen=True)
class Kept(JsonObject):
    """The part of the solution of the given diagram that a proposal keeps."""

    #: The key is the same.
    key: bool
    #: The variations, by the first defence, with the same continuations, or some of them.
    variations: int
    #: The variations of the given diagram.
    of: int
    #: The variations whose defence is answered by other moves.
    changed: int


@dataclass(frozen=True)
class Proposal(JsonObject):
    """A sound diagram."""

    fen: str
    #: The changes, as Popeye's twin commands, such as "Move a1 b2".
    changes: list[str]
    keys: list[Move]
    kept: Kept
    #: The number of men in the diagram.
    men: int
    #: Of a diagram before a key, the first moves that one defence refutes. None if there are none.
    tries: list[Move] | None = None

    def _repr_svg_(self) -> str:
        """The diagram with an arrow for the key, for notebooks."""
        return _pictures.board(self.fen, None, self.keys[0].uci if self.keys else None)


@dataclass(frozen=True)
class ManUse(JsonObject):
    """The use of a man."""

    #: The man, such as "wSc3".
    man: str
    square: str
    #: The flaw that appears without the man, or "superfluous".
    verdict: Verdict
    #: The moves that show it.
    moves: list[Move]
    #: Of a second defence that is answered by other moves, the first defence and its answer.
    line: list[Move] | None = None


@dataclass(frozen=True)
class Workbench(JsonObject):
    """An answer of the workbench."""

    #: The given diagram.
    fen: str
    stipulation: str
    #: Of `economy`, the key.
    key: Move | None
    #: Of `economy`, every man but the kings.
    men: list[ManUse] | None
    #: Why there is no answer, in the JSON of the program. Python raises ValueError instead.
    refused: str | None
    #: The best first.
    proposals: list[Proposal]
    #: The number of diagrams that were judged.
    tried: int
    #: The number of sound diagrams that were found.
    sound: int
    #: The number of diagrams that were given up.
    undecided: int
    #: The diagrams that were left out: "promoted", not judged, because they have more promoted men; "impossible", sound
    #: ones to which no game leads; "unlike", sound ones without what must stay or change.
    left_out: dict[str, int]
    #: Everything that could enter the list was tried.
    complete: bool

    def _repr_html_(self) -> str:
        """The first proposals as diagrams, and what the program prints, for notebooks."""
        pictures = [f"{one._repr_svg_()}<p>{html.escape(', '.join(one.changes))}</p>" for one in self.proposals[:6]]
        return _pictures.page(*pictures, text=str(self))


class _Listing(Search, total=False):
    """The keyword arguments of the tools that list diagrams."""

    #: The largest number of proposals. Default: 20.
    proposals: int
    #: Also propose diagrams with more promoted men.
    promoted: bool


class _Keeping(TypedDict, total=False):
    """The keyword arguments of the tools that keep parts of a solution."""

    #: The parts of the solution that a proposal must keep: "key", "variations", "set-play", "try".
    keep: Sequence[Keep]
    #: The tries that must stay, such as "Qa4". Default: none, and with keep "try" all.
    tries: Sequence[str]


class _MendOptions(_Listing, _Keeping, total=False):
    """The keyword arguments of `mend`."""


class _EconomyOptions(Search, _Keeping, total=False):
    """The keyword arguments of `economy`."""


@named
def mend(
    fen: Problem,
    stipulation: str | None = None,
    *,
    key: str | None = None,
    changes: int = 2,
    **options: Unpack[_MendOptions],
) -> Workbench | None:
    """Looks for sound versions of an unsound problem by one or two small changes. None if it is sound.

    Args:
        fen: The position, as for `solve`.
        stipulation: The question with its length, such as "#2". Default: that of the problem.
        key: The intended key, such as "Rh6". Default: every first move that solves the diagram counts.
        changes: The largest number of changes, 1 or 2.
        keep: What a proposal must keep: "key", "variations", "set-play", "try".
        tries: The tries that must stay, such as "Qa4". Default: none, and with keep "try" all.
        promoted: Also propose diagrams with more promoted men.
        proposals: The largest number of proposals. Default: 20.
        nodes, time, threads, hash, stop, on_progress: As for `solve`.

    Raises:
        ProblemError: The text is no problem.
        ValueError: An argument is out of its range, or the question is not one for the workbench.
    """
    asked = _composing("mend", stipulation, options)
    asked["keep"], asked["tries"] = list(options.get("keep", ())), list(options.get("tries", ()))
    asked["key"], asked["changes"] = key, whole("changes", changes) or 1
    return _ask(fen, asked, options)


@named
def twins(fen: Problem, stipulation: str | None = None, **options: Unpack[_Listing]) -> Workbench:
    """Looks for twins of a sound problem: other sound problems, one change away, with another key.

    The arguments and the exceptions are those of `mend`. ValueError: the diagram is not sound.
    """
    asked = _composing("twins", stipulation, options)
    return _answered(fen, asked, options)


@named
def economy(fen: Problem, stipulation: str | None = None, **options: Unpack[_EconomyOptions]) -> Workbench:
    """Says what each man of a sound problem is for, and looks for versions with fewer or weaker men.

    The arguments and the exceptions are those of `mend`. ValueError: the diagram is not sound.
    """
    asked = _composing("economy", stipulation, {})
    asked["keep"], asked["tries"] = list(options.get("keep", ())), list(options.get("tries", ()))
    return _answered(fen, asked, options)


@named
def retract(fen: Problem, stipulation: str | None = None, **options: Unpack[_Listing]) -> Workbench:
    """Lists the diagrams from which a position after the key can have come, with the keys and tries of each.

    Args:
        fen: The position after the key: the side to move is the one that is mated.
        stipulation: That of the diagrams, such as "#2".
        promoted: Also list diagrams with more promoted men.
        proposals: The largest number of diagrams. Default: 20.
        nodes, time, threads, hash, stop, on_progress: As for `solve`.

    Raises:
        ProblemError: The text is no problem.
        ValueError: An argument is out of its range, or the position is not lost in time.
    """
    return _answered(fen, _composing("retract", stipulation, options), options)


def _composing(tool: str, stipulation: str | None, options: _Listing) -> Composing:
    return {
        "tool": tool,
        "stipulation": stipulation,
        "key": None,
        "keep": [],
        "tries": [],
        "changes": 1,
        "promoted": options.get("promoted", False),
        "proposals": whole("proposals", options.get("proposals", 20)) or 1,
    }


def _ask(fen: Problem, asked: Composing, options: Search) -> Workbench | None:
    stop, on_progress = options.get("stop"), options.get("on_progress")
    answer = _matesolve.compose(text_of(fen), asked, limits(options), stop, on_progress)
    return None if answer is None else Workbench._of_answer(Texts(*answer))


def _answered(fen: Problem, asked: Composing, options: Search) -> Workbench:
    answer = _ask(fen, asked, options)
    assert answer is not None
    return answer
