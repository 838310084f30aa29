"""The result of solving one problem. `matesolve schema` describes the same object as JSON.

All lengths are in moves of the side that strives for the goal. Where a field says "mate", read the goal of the
stipulation: of `s#3`, `no_mate_at_all` says that no selfmate of any length exists.
"""

from dataclasses import dataclass, field
from typing import Literal

from matesolve import _pictures
from matesolve._objects import JsonObject

Color = Literal["white", "black"]
Status = Literal["mate", "mated", "no_mate", "undecided", "stalemate", "solved", "no_solution", "invalid"]
StoppedBy = Literal["nodes", "time", "memory", "interrupt", "short_solutions", "solutions"]


@dataclass(frozen=True)
class Stipulation(JsonObject):
    """The question: who mates, and in how many moves."""

    #: `#3`: the side to move mates in three. `#-3`: it is mated in three. `#` or `#-`: the shortest mate. Other goals
    #: that one side forces: `=3`, `s#3`, `s=3`, `r#3`, `r=3`, `semi-r#3`. Help play: `h#2.5`, `ser-=4` and others.
    text: str
    #: The longest mate that counts, in moves. None: any length. Of help play the length, which may have half a move.
    moves: int | float | None
    #: The side that strives for the goal.
    attacker: Color
    #: The field or option that states the question, such as "dm". None if nothing does. `from` in JSON.
    from_: str | None = None
    #: The kind of play: "direct" (of `=3`), "exact", "self", "reflex", "semi-reflex"; of help play "help", "series",
    #: "series-help", "series-self", "series-reflex", "help-self" or
    #: "help-reciprocal". None for direct mates.
    play: str | None = None
    #: The goal: "mate", "stalemate", or "any" (of `~1`). None for direct mates.
    goal: str | None = None


@dataclass(frozen=True)
class Outcome(JsonObject):
    """The answer to one question."""

    #: What kind of answer this is. "undecided": a limit was reached first.
    status: Status
    #: A mate within this number of moves is proved. 0: the side to move is checkmated.
    mate_in: int | None
    #: It is proved that no mate exists within this number of moves.
    refuted_through: int | None
    #: It is proved that no mate of any length exists.
    no_mate_at_all: bool
    #: No shorter mate exists.
    proved_shortest: bool
    #: The independent checker has replayed the proof of the mate; of help play, every solution, and there are some.
    verified: bool
    #: The main line to checkmate in UCI notation.
    pv: list[str] | None
    #: The main line in standard algebraic notation, with move numbers.
    pv_san: str | None
    #: Whether the same call gives the same main line again.
    pv_repeatable: bool | None
    #: True if what is refuted may rest on Syzygy files, which nobody replays.
    with_tables: bool = False
    #: The length of the proved solution of any stipulation, or of the solutions of help play, in moves.
    solved_in: int | float | None = None
    #: Of help play: "sound", "cooked", "incomplete", "short_solution", "no_solution" or "undecided".
    soundness: str | None = None
    #: A mate that is longer than the question asks for; it is no answer.
    longer_mate: "Outcome | None" = None


@dataclass(frozen=True)
class FoundAt(JsonObject):
    """The cost at which a mate was found."""

    #: The nodes that were searched by then.
    nodes: int
    #: Wall-clock time by then, in milliseconds.
    time_ms: int = field(compare=False)


@dataclass(frozen=True)
class Stats(JsonObject):
    """The cost of a search."""

    #: The search engine. None if no search was needed.
    engine: str | None
    #: The number of positions that the search made by playing a move.
    nodes: int
    #: Wall-clock time in milliseconds.
    time_ms: int = field(compare=False)
    #: The number of search threads.
    threads: int
    #: The memory limit in MiB.
    hash_mb: int
    #: The limit that ended the search. None: it ended with an answer.
    stopped_by: StoppedBy | None
    #: The lane of the race that found the mate. None without a mate, and with other engines.
    found_by: str | None = None
    #: The lane that found the first mate, which may have been longer. None where `found_by` is.
    first_found_by: str | None = None
    #: The cost at which the printed mate was found. None without a mate.
    found_at: FoundAt | None = None


@dataclass(frozen=True)
class HelpLine(JsonObject):
    """A solution of help play."""

    #: "actual", or "set" for the set play.
    phase: str
    #: The moves in standard algebraic notation, as problemists number them.
    san: str
    #: The moves in UCI notation.
    moves: list[str]
    #: Whether it ends in a pure mate: around the king, each square is attacked once or blocked, not both.
    pure: bool
    #: Whether it ends in a model mate: a pure mate in which every piece of the mating side takes part, but for king and
    #: pawns.
    model: bool
    #: Whether it ends in an ideal mate: a pure mate in which every man on the board takes part.
    ideal: bool
    #: The moves in UCI notation with which, in reciprocal play, the mated side mates instead of its last move.
    reciprocal: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class MoveOutcome(Outcome):
    """The answer for one first move. Lengths and lines include the move."""

    #: The move in standard algebraic notation.
    san: str = ""
    #: The move in UCI notation.
    uci: str = ""


@dataclass(frozen=True)
class Result(JsonObject):
    """The result for one problem."""

    #: The version of the JSON object.
    schema_version: str
    #: The number of the problem in a batch, from 1. None for a single problem.
    line: int | None
    #: The name of the problem.
    id: str | int | None
    #: The FEN of the position that was solved. None if the problem is invalid.
    fen: str | None
    #: The question. None if the problem is invalid.
    stipulation: Stipulation | None
    #: The answer.
    result: Outcome
    #: The answer to the question whether the side to move is mated, if it has no mate itself.
    other_side: Outcome | None
    #: The cost.
    stats: Stats
    #: Sentences about what is unusual in the problem.
    warnings: list[str]
    #: The reason why there is no answer, in a batch. `solve` raises an exception instead.
    error: str | None
    #: The first moves, of `first_moves`: the fastest mates first.
    moves: list[MoveOutcome] | None = None
    #: The solution with the other colour to move, of a result that the program has written. None if there is none.
    other_to_move: Outcome | None = None
    #: The solutions of help play. None for direct mates.
    solutions: list[HelpLine] | None = None
    #: The solutions of help play that are shorter than stipulated. None if there are none.
    short_solutions: list[HelpLine] | None = None
    #: The set play of help play, if it was asked for.
    set_play: list[HelpLine] | None = None
    #: The number of solutions of help play that are intended.
    intended: int | None = None
    #: Whether these are all solutions of help play.
    complete: bool | None = None
    #: The proof of the mate as a certificate, if `solve` was asked for one.
    certificate: bytes | None = field(default=None, compare=False, repr=False)

    @property
    def status(self) -> Status:
        """The kind of the answer."""
        return self.result.status

    @property
    def mate_in(self) -> int | None:
        """The length of the proved mate, in moves. None if no mate is proved."""
        return self.result.mate_in

    @property
    def solved_in(self) -> int | float | None:
        """The length of the proved solution, in moves, of any stipulation."""
        return self.result.solved_in

    @property
    def proved_shortest(self) -> bool:
        """Whether no shorter mate exists."""
        return self.result.proved_shortest

    @property
    def pv(self) -> list[str] | None:
        """The main line to checkmate in UCI notation."""
        return self.result.pv

    def _repr_svg_(self) -> str | None:
        """The diagram with an arrow for the first move, for notebooks."""
        if self.fen is None:
            return None
        lines = [self.pv, *(one.moves for one in self.solutions or []), *(one.pv for one in self.moves or [])]
        first = next((line[0] for line in lines if line), None)
        return _pictures.board(self.fen, None if self.stipulation is None else self.stipulation.text, first)

    def _repr_html_(self) -> str:
        """The diagram, and what the program prints, for notebooks."""
        picture = self._repr_svg_()
        return _pictures.page(*([] if picture is None else [picture]), text=self.error or str(self))


@dataclass(frozen=True)
class Certified:
    """A certificate whose proof was replayed by the rules of chess and holds."""

    #: The position in which the proof starts.
    fen: str
    #: The claim: `#3` or `#-3`, `=3`, `s#3`, `s=3`, `r#3`, `r=3`, `semi-r#3`.
    stipulation: str
    #: The side that strives for the goal.
    attacker: Color
    #: The mate is forced in at most this number of moves. None if the stipulation is no direct mate.
    mate_in: int | None
    #: The goal, or the mate, is forced in at most this number of moves.
    solved_in: int
    #: The main line to checkmate in UCI notation.
    pv: list[str]
    #: The main line in standard algebraic notation, with move numbers.
    pv_san: str
