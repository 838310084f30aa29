"""The audit of a published problem: whether its printed solution is right, and what is wrong with it.

`matesolve schema audit` describes the same object as JSON. Moves are in standard algebraic notation.
"""

from dataclasses import dataclass, field
from typing import Literal

from matesolve._objects import JsonObject

PhaseVerdict = Literal[
    "agrees",
    "other_rights",
    "other_rotation",
    "wrong_move",
    "dual",
    "unreadable",
    "cooked",
    "wrong_key",
    "another_key",
    "short_solution",
    "no_solution",
    "undecided",
    "not_audited",
    "invalid",
    "failed",
]
# Of an entry whose phases all agree and are sound.
AuditVerdict = Literal["sound", PhaseVerdict]
KeysCompared = Literal[
    "agree",
    "unnamed",
    "undecided",
    "marked",
    "castling",
    "en_passant",
    "rotation",
    "misprint",
    "cooked",
    "fails",
    "unexplained",
]
FindingKind = Literal[
    "cook",
    "short_solution",
    "no_solution",
    "false_key",
    "several_keys",
    "other_rights",
    "no_key",
    "unreadable",
    "wrong_move",
    "dual",
    "wrong_keyword",
    "missing_keyword",
    "undecided",
    "unsolved",
]


@dataclass(frozen=True)
class TextPlace(JsonObject):
    """A place in the text of a printed solution."""

    #: The line of the text, from 1.
    line: int
    #: The character in the line, from 1.
    column: int
    #: The word that stands there.
    word: str
    #: Line and column in the file, from 1. None if the lines of the text are no lines of the file, as in JSON.
    in_file: list[int] | None


@dataclass(frozen=True)
class Finding(JsonObject):
    """Something that is wrong, missing or open."""

    kind: FindingKind
    #: A sentence.
    text: str
    #: The moves it is about.
    moves: list[str]
    #: The place in the printed solution. None if it is about no place.
    place: TextPlace | None


@dataclass(frozen=True)
class AuditStats(JsonObject):
    """The cost of an audit."""

    #: The number of positions that the search made.
    nodes: int
    #: Wall-clock time in milliseconds.
    time_ms: int = field(compare=False)


@dataclass(frozen=True)
class AuditPhase(JsonObject):
    """The audit of the diagram or of a twin."""

    #: The letter of the phase. None if the problem has no twins.
    letter: str | None
    #: The position that was solved.
    fen: str | None
    stipulation: str | None
    verdict: PhaseVerdict
    #: The keys that were found, compared with the printed ones. None if there was nothing to compare.
    keys: KeysCompared | None
    #: Whether the problem is sound. None if it was not searched.
    soundness: Literal["sound", "cooked", "short_solution", "no_solution", "undecided"] | None
    #: The keys that were found.
    found: list[str]
    #: The printed keys that are legal moves.
    published: list[str]
    #: There is no mate within this number of moves.
    refuted_through: int | None
    #: The number of first moves that are not decided.
    open: int
    findings: list[Finding]
    stats: AuditStats


@dataclass(frozen=True)
class ThemeKeywords(JsonObject):
    """The keywords that name themes, against the themes that are found."""

    #: Printed and found.
    confirmed: list[str]
    #: Printed and not found.
    not_found: list[str]
    #: Found and not printed.
    not_printed: list[str]


@dataclass(frozen=True)
class Audit(JsonObject):
    """The audit of a published problem."""

    schema_version: str
    #: The name of the file, or "text".
    file: str
    #: The first line of the entry in the file, from 1.
    line: int | None
    #: The name of the problem.
    id: str | None
    authors: list[str]
    source: str | None
    year: int | None
    #: ``sound`` if every phase agrees and is sound, else the verdict of the worst phase.
    verdict: AuditVerdict
    #: The collection says itself that the problem is not sound.
    marked: bool
    #: Printed keys that the collection takes for right, or a keyword, are proved wrong.
    disagrees: bool
    #: The problem was published as sound and is proved not to be.
    unsound_unmarked: bool
    #: Keywords that are proved wrong.
    wrong_keywords: list[str]
    #: Keywords that are missing.
    missing_keywords: list[str]
    #: The diagram, and its twins. Empty if nothing was solved.
    phases: list[AuditPhase]
    #: The reason why there is no audit. None if there is one.
    error: str | None
    #: None if themes were not asked for, or if the problem is no sound direct mate.
    themes: ThemeKeywords | None = None

    @property
    def findings(self) -> list[Finding]:
        """The findings of all phases."""
        return [finding for phase in self.phases for finding in phase.findings]
