"""The arguments that the compiled part takes as dictionaries, and the names that may stand in them."""

from typing import Literal, TypedDict

#: The search engines; `matesolve help engines` says what they do.
Engine = Literal["race", "dfpn", "pn", "pvs", "bstar", "selective", "retro", "corridor", "exhaustive"]
#: Where castling rights come from.
Castling = Literal["fen", "assume", "none"]


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
    max: int | None
    any_length: bool
    defend: bool
    engine: str


class Content(TypedDict):
    """The parts of a report."""

    stipulation: str | None
    tries: int | None
    set_play: bool
    phases: bool
    themes: bool
    post_key: bool
    short_variations: bool
    soundness_only: bool
    intended: int
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
