"""The arguments that several functions share, and those that the compiled part takes as dictionaries."""

import functools
import inspect
from collections.abc import Callable
from typing import Any, Literal, TypedDict, TypeVar, cast, get_args, get_type_hints

from matesolve._matesolve import Stop

#: The search engines; `matesolve help engines` says what they do.
Engine = Literal["race", "dfpn", "pn", "pvs", "prover", "bstar", "selective", "retro", "corridor", "exhaustive"]
#: The source of castling rights.
Side = Literal["white", "black"]

Castling = Literal["fen", "assume", "none"]
#: The tries of a report.
Tries = int | Literal["play", "2,play", "3,play"]
#: A function that is called with a sentence such as "no mate in 3" and the number of nodes so far.
Progress = Callable[[str, int], object]

#: Words that people write instead of a keyword, and what to write.
OTHER_NAMES = {"max": "mate", "tries_with_play": 'tries="play"'}

#: The range of a length, for messages.
MOVES = "a number of moves from 1 to 1000"


class Running(TypedDict, total=False):
    """The keyword arguments of every function that searches one problem."""

    #: Memory for tables and proofs, in MiB. Default: 256.
    hash: int
    #: An object whose method `stop()`, called from another thread, ends the search. The result is what is proved by
    #: then.
    stop: Stop | None
    #: Called with a sentence such as "no mate in 3" and the number of nodes so far.
    on_progress: Progress | None


class Search(Running, total=False):
    """The keyword arguments of a search: its limits too. Without `nodes` and `time` it ends only with the answer, or at
    Ctrl-C.
    """

    #: The most positions to search. Default: no limit.
    nodes: int | None
    #: The most seconds to search. Default: no limit.
    time: float | None
    #: The number of threads, from 1 to 1024. Default: 1.
    threads: int


class Each(TypedDict, total=False):
    """The limits of each of many searches."""

    #: The most positions for each problem. Default: no limit.
    nodes: int | None
    #: The most seconds for each problem. Default: 10, or no limit if there is one of `nodes`.
    time: float | None
    #: Memory for each problem that is being searched, in MiB. Default: 256.
    hash: int


class Many(Each, total=False):
    """The keyword arguments of a function that searches the problems of a file, several at a time."""

    #: The problems to search at the same time, on one thread each. Default: one for each core.
    jobs: int | None


class Length(TypedDict, total=False):
    """The keyword arguments that say which mate is looked for. At most one of `mate` and `any_length` may be given."""

    #: Look for the shortest mate of at most this number of moves.
    mate: int | None
    #: Look for mates of any length, even if the problem states one.
    any_length: bool
    #: The first mate found will do, which need not be the shortest.
    first: bool


class Parts(TypedDict, total=False):
    """The keyword arguments for the question and the parts of a report."""

    #: The side that mates in the end, or reaches another goal. Default: as the stipulation says; in help play, White.
    attacker: Side | None
    #: Set play, tries, the phases side by side and the themes.
    full: bool
    #: Report tries with at most this number of refutations. "play": with one, and only those on which some defence
    #: loses; "2,play": with at most two.
    tries: Tries | None
    #: Report the set play.
    set_play: bool
    #: The phases that the report has side by side, as `phases_table`.
    phases: bool
    #: The themes of the phases that the report has, as `themes`.
    themes: bool
    #: The diagram stands after the key.
    post_key: bool
    #: Show variations that mate faster than the threat.
    short_variations: bool
    #: Only the verdict and the keys.
    soundness_only: bool
    #: The number of solutions that the composer intends. Default: that of the problem, or 1.
    intended: int | None
    #: "fen": castling rights as the FEN says. "assume": wherever king and rook are at home. "none": never. Default:
    #: "fen"; of one problem "assume" if its FEN has no castling field.
    castling: Castling | None


class Limits(TypedDict):
    """The limits of a search."""

    time: float | None
    nodes: int | None
    threads: int
    hash: int


class Question(TypedDict):
    """The mate that is looked for."""

    stipulation: str | None
    mate: int | None
    first: bool
    any_length: bool
    defend: bool
    attacker: str | None
    engine: str
    set_play: bool
    intended: int | None


class Content(TypedDict):
    """The parts of a report."""

    stipulation: str | None
    attacker: str | None
    tries: str | None
    full: bool
    set_play: bool
    phases: bool
    themes: bool
    post_key: bool
    short_variations: bool
    soundness_only: bool
    intended: int | None
    castling: str | None


class Composing(TypedDict):
    """The question to the workbench."""

    tool: str
    stipulation: str | None
    key: str | None
    keep: list[str]
    tries: list[str]
    changes: int
    promoted: bool
    proposals: int


F = TypeVar("F", bound=Callable[..., Any])


def named(function: F) -> F:
    """Decorates a function with typed `**options`: refuses keyword arguments that its type does not name, as Python
    refuses them, and shows the others in the signature, for `help` and completion.
    """
    signature = inspect.signature(function)
    *given, options = signature.parameters.values()
    (group,) = get_args(options.annotation)
    names = get_type_hints(group)

    @functools.wraps(function)
    def checked(*arguments: Any, **keywords: Any) -> Any:
        for name in keywords:
            if name not in names and name not in signature.parameters:
                tip = f"; write {OTHER_NAMES[name]}" if name in OTHER_NAMES else ""
                raise TypeError(f"{function.__name__}() got an unexpected keyword argument {name!r}{tip}")
        return function(*arguments, **keywords)

    kind = inspect.Parameter.KEYWORD_ONLY
    more = [inspect.Parameter(name, kind, default=..., annotation=hint) for name, hint in names.items()]
    setattr(checked, "__signature__", signature.replace(parameters=[*given, *more]))
    return cast(F, checked)


def question(
    stipulation: str | None,
    length: Length,
    defend: bool = False,
    engine: Engine = "race",
    set_play: bool = False,
    intended: int | None = None,
    attacker: str | None = None,
) -> Question:
    """Makes the question of a search."""
    return {
        "stipulation": stipulation,
        "mate": whole("mate", length.get("mate"), 0, MOVES),
        "first": length.get("first", False),
        "any_length": length.get("any_length", False),
        "defend": defend,
        "attacker": attacker,
        "engine": engine,
        "set_play": set_play,
        "intended": whole("intended", intended, 1, "a number of solutions from 1 to 1000", 1000),
    }


def content(stipulation: str | None, parts: Parts) -> Content:
    """Makes the question of a report."""
    tries = parts.get("tries")
    shown = tries if isinstance(tries, str) else whole("tries", tries, 1, "a number of refutations from 1 to 100", 100)
    return {
        "stipulation": stipulation,
        "attacker": parts.get("attacker"),
        "tries": None if shown is None else str(shown),
        "full": parts.get("full", False),
        "set_play": parts.get("set_play", False),
        "phases": parts.get("phases", False),
        "themes": parts.get("themes", False),
        "post_key": parts.get("post_key", False),
        "short_variations": parts.get("short_variations", False),
        "soundness_only": parts.get("soundness_only", False),
        "intended": whole("intended", parts.get("intended"), 1, "a number of solutions from 1 to 1000", 1000),
        "castling": parts.get("castling"),
    }


def limits(given: Search) -> Limits:
    """Makes the limits of a search."""
    time, threads, hash = given.get("time"), given.get("threads", 1), given.get("hash", 256)
    if time is not None and (isinstance(time, bool) or not isinstance(time, (int, float))):
        raise ValueError(f"time={time!r} is not allowed; give a number of seconds, such as 10 or 0.5")
    for name, value in (("threads", threads), ("hash", hash)):
        if value is None:
            raise ValueError(f"{name}=None is not allowed; give a whole number, at least 1")
    return {
        "time": time,
        "nodes": whole("nodes", given.get("nodes"), 0),
        "threads": whole("threads", threads) or 1,
        "hash": whole("hash", hash) or 1,
    }


def limits_of_each(given: Each) -> Limits:
    """Makes the limits of each of many searches."""
    time, nodes = given.get("time"), given.get("nodes")
    seconds = 10.0 if time is None and nodes is None else time
    return limits({"time": seconds, "nodes": nodes, "hash": given.get("hash", 256)})


def whole(
    name: str, value: float | None, least: int = 1, expected: str = "", most: int = (1 << 63) - 1
) -> int | None:
    """Returns a whole number from `least` to `most`, or None. `expected` says what is allowed."""
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return value
    example = f", such as {int(value)}" if isinstance(value, float) and value.is_integer() and value >= least else ""
    allowed = expected or f"a whole number, at least {least}"
    raise ValueError(f"{name}={value!r} is not allowed; give {allowed}{example}")
