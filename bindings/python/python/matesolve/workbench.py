"""The composer's workbench: sound versions of an unsound diagram, twins, and what each man of a problem is for.

`matesolve schema proposal` describes the same objects as JSON.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from matesolve import _matesolve
from matesolve._arguments import Composing
from matesolve._functions import _limits, _whole
from matesolve._matesolve import Stop
from matesolve._objects import JsonObject
from matesolve._problems import Problem, text_of
from matesolve.reports import Move

Keep = Literal["key", "variations", "set-play", "try"]
Verdict = Literal["superfluous", "cook", "short", "key fails", "variation", "set play", "try", "illegal", "undecided"]
Progress = Callable[[str, int], object]


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


@dataclass(frozen=True)
class ManUse(JsonObject):
    """The use of a man."""

    #: The man, such as "wSc3".
    man: str
    square: str
    #: What appears without the man, or "superfluous".
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
    #: The best first.
    proposals: list[Proposal]
    #: The number of diagrams that were judged.
    tried: int
    #: The number of sound diagrams that were found.
    sound: int
    #: The number of diagrams that were given up.
    undecided: int
    #: Everything that could enter the list was tried.
    complete: bool


def mend(
    fen: Problem,
    stipulation: str | None = None,
    *,
    key: str | None = None,
    keep: Sequence[Keep] = (),
    tries: Sequence[str] = (),
    changes: int = 2,
    promoted: bool = False,
    proposals: int = 20,
    nodes: int | None = None,
    time: float | None = None,
    threads: int = 1,
    hash: int = 256,
    stop: Stop | None = None,
    on_progress: Progress | None = None,
) -> Workbench | None:
    """Looks for sound versions of an unsound problem by one or two small changes. None if it is sound.

    Args:
        fen: The position, as for `solve`.
        stipulation: The question with its length, such as "#2". Default: that of the problem.
        key: The intended key, such as "Rh6". Default: every first move that solves the diagram counts.
        keep: What a proposal must keep: "key", "variations", "set-play", "try".
        tries: The tries that must stay, such as "Qa4". Default: none, and with keep "try" all.
        changes: The largest number of changes, 1 or 2.
        promoted: Also propose diagrams with more promoted men.
        proposals: The largest number of proposals.
        nodes, time, threads, hash, stop, on_progress: As for `solve`.

    Raises:
        ProblemError: The text is no problem.
        ValueError: An argument is out of its range, or the question is not one for the workbench.
    """
    asked = _composing("mend", stipulation, promoted, proposals)
    asked["keep"], asked["tries"] = list(keep), list(tries)
    asked["key"], asked["changes"] = key, _whole("changes", changes) or 1
    return _ask(fen, asked, nodes, time, threads, hash, stop, on_progress)


def twins(
    fen: Problem,
    stipulation: str | None = None,
    *,
    promoted: bool = False,
    proposals: int = 20,
    nodes: int | None = None,
    time: float | None = None,
    threads: int = 1,
    hash: int = 256,
    stop: Stop | None = None,
    on_progress: Progress | None = None,
) -> Workbench:
    """Looks for twins of a sound problem: other sound problems, one change away, with another key.

    The arguments and the exceptions are those of `mend`. ValueError: the diagram is not sound.
    """
    asked = _composing("twins", stipulation, promoted, proposals)
    answer = _ask(fen, asked, nodes, time, threads, hash, stop, on_progress)
    assert answer is not None
    return answer


def economy(
    fen: Problem,
    stipulation: str | None = None,
    *,
    keep: Sequence[Keep] = (),
    tries: Sequence[str] = (),
    nodes: int | None = None,
    time: float | None = None,
    threads: int = 1,
    hash: int = 256,
    stop: Stop | None = None,
    on_progress: Progress | None = None,
) -> Workbench:
    """Says what each man of a sound problem is for, and looks for versions with fewer or weaker men.

    The arguments and the exceptions are those of `mend`. ValueError: the diagram is not sound.
    """
    asked = _composing("economy", stipulation, False, 1)
    asked["keep"], asked["tries"] = list(keep), list(tries)
    answer = _ask(fen, asked, nodes, time, threads, hash, stop, on_progress)
    assert answer is not None
    return answer


def _composing(tool: str, stipulation: str | None, promoted: bool, proposals: int) -> Composing:
    return {
        "tool": tool,
        "stipulation": stipulation,
        "key": None,
        "keep": [],
        "tries": [],
        "changes": 1,
        "promoted": promoted,
        "proposals": _whole("proposals", proposals) or 1,
    }


def _ask(
    fen: Problem,
    asked: Composing,
    nodes: int | None,
    time: float | None,
    threads: int,
    hash: int,
    stop: Stop | None,
    on_progress: Progress | None,
) -> Workbench | None:
    limits = _limits(time, nodes, threads, hash)
    answer = _matesolve.compose(text_of(fen), asked, limits, stop, on_progress)
    return None if answer is None else Workbench.from_dict(json.loads(answer))
