"""Checks a certificate of matesolve with python-chess alone: ``python -m matesolve.check FILE``.

No line of Rust needs to be trusted for it: this file is complete, and ``python check.py FILE`` runs it without the rest
of the package. It follows ``docs/certificates.md``, which describes the format and says why it proves what it claims.

Exit codes: 0, the claims hold; 3, the file is no certificate; 6, the claims do not hold, or the file was damaged.
"""

import gzip
import re
import sys
import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

import chess

LONGEST_LINE = 65_535  # bytes
NUMBER, MOVE, PAIR = "(?:0|[1-9][0-9]{0,8})", "(?:[a-h][1-8]){2}[nbrq]?", "(?:[a-h][1-8]){2}"
HEADER = re.compile(
    rf"position (?P<fen>\S+(?: \S+){{3,5}})\n(?:exclusive (?P<pairs>{PAIR}(?: {PAIR})*)\n)?"
    rf"stipulation (?P<goal>exact-#|(?:s|semi-r|r)?[#=])(?P<minus>-?)(?P<moves>{NUMBER})\n"
    rf"(?:intended (?P<intended>{NUMBER})\n)?"
    rf"(?:claim solved in (?P<solved>{NUMBER})\n)?(?:claim no solution in (?P<nothing>{NUMBER})\n)?"
    rf"(?:claim verdict (?P<word>sound|cooked|short|none)(?P<keys>(?: {MOVE})*)\n)?",
    re.ASCII,
)
# Faults of games that problems may have.
UNUSUAL = (
    chess.STATUS_TOO_MANY_WHITE_PAWNS | chess.STATUS_TOO_MANY_BLACK_PAWNS | chess.STATUS_TOO_MANY_WHITE_PIECES
    | chess.STATUS_TOO_MANY_BLACK_PIECES | chess.STATUS_BAD_CASTLING_RIGHTS | chess.STATUS_INVALID_EP_SQUARE
    | chess.STATUS_TOO_MANY_CHECKERS | chess.STATUS_IMPOSSIBLE_CHECK
)  # fmt: skip


class NoCertificate(Exception):
    """The file is no certificate, or claims something that this program does not know."""


class Wrong(Exception):
    """A claim does not hold, or the file was damaged."""


def demand(holds: object, why: str) -> None:
    if not holds:
        raise Wrong(why)


def number(text: str) -> int:
    demand(re.fullmatch(NUMBER, text, re.ASCII), f"{text[:40]!r} is no number")
    return int(text)


def order(move: chess.Move) -> tuple[int, int, int]:
    return move.from_square, move.to_square, move.promotion or 0


def named_order(name: str) -> tuple[int, int, int]:
    """Returns the same for the name of a move, which need not be one: `a4a4` is the name of none."""
    return chess.parse_square(name[:2]), chess.parse_square(name[2:4]), "  nbrq".index(name[4:])


class Rules:
    """The rules of chess with a goal and its duties, for one diagram."""

    def __init__(self, fen: str, exclusive: list[tuple[int, int]], goal: str, attacker_begins: bool) -> None:
        self.root = chess.Board(fen, chess960=True)
        if self.root.status() & chess.STATUS_INVALID_EP_SQUARE:
            self.root.ep_square = None
        if self.root.status() & ~UNUSUAL:
            raise NoCertificate("the position cannot be played")
        self.exact = goal == "exact-#"
        self.exclusive, self.goal = exclusive, "#" if self.exact else goal
        self.attacker = self.root.turn if attacker_begins else not self.root.turn
        self.is_self = self.goal not in ("#", "=")
        self.loser = self.attacker if self.is_self else not self.attacker

    def play(self, board: chess.Board, move: chess.Move) -> chess.Board:
        after = board.copy(stack=False)
        if board.is_castling(move):
            for a, b in self.exclusive:
                if move.to_square in (a, b):
                    after.castling_rights &= ~chess.BB_SQUARES[b if move.to_square == a else a]
        after.push(move)
        return after

    def stands(self, board: chess.Board) -> bool:
        """Returns whether the goal stands on the board."""
        right = board.turn == self.loser and board.is_check() == (self.goal[-1] == "#")
        return right and not any(board.legal_moves)

    def ends(self, board: chess.Board) -> list[chess.Move]:
        """Returns the moves that mate, or stalemate if that is the goal."""
        mates = self.goal[-1] == "#"
        moves = [move for move in board.legal_moves if board.gives_check(move) == mates]
        return [move for move in moves if not any(self.play(board, move).legal_moves)]

    def must_end(self, board: chess.Board) -> bool:
        """Returns whether the attacker, who is to move, must mate or stalemate: then he has failed."""
        return self.goal in ("r#", "r=") and bool(self.ends(board))

    def replies(self, board: chess.Board) -> list[chess.Move]:
        """Returns the moves that the defender may make, in order."""
        must = self.ends(board) if "r" in self.goal else []
        return sorted(must or board.legal_moves, key=order)

    def solves(self, board: chess.Board, move: chess.Move) -> bool:
        """Returns whether the goal is reached with this last move of the attacker."""
        if self.goal == "#" and not board.gives_check(move):
            return False
        after = self.play(board, move)
        replies = self.replies(after) if self.is_self else []
        return all(self.stands(self.play(after, reply)) for reply in replies) if replies else self.stands(after)

    def is_closed(self, board: chess.Board, left: int, moves: Collection[chess.Move] | None = None) -> bool:
        """Returns whether a position with the attacker to move needs no line. Only `moves` count, if there are any."""
        demand(not self.stands(board), f"the goal stands in {board.fen()}")
        if left == 0 or not any(board.legal_moves) or self.must_end(board):
            return True
        for move in (board.legal_moves if moves is None else moves) if left == 1 else []:
            demand(not self.solves(board, move), f"{move.uci()} reaches the goal in {board.fen()}")
        return left == 1


@dataclass
class Frame:
    """A position on the stack: what it has opened, the next one last, the moves left in these, and its line."""

    line: int | None
    left: int = 0
    opened: list[chess.Board] = field(default_factory=list)
    length: int = 0  # in a solution


class Sections:
    """Replays the sections of one kind: those that show a solution, or those that show that there is none."""

    def __init__(self, rules: Rules, solves: bool) -> None:
        self.rules, self.solves, self.stack = rules, solves, list[Frame]()
        # By line: the position; when it is complete, the length of its solution or the moves left in it.
        self.known, self.complete = dict[int, object](), dict[int, int]()

    def begin(self, moves: int, word: str = "except", named: Collection[str] = ()) -> None:
        root, self.moves, self.first, self.length, self.waits = self.rules.root, moves, "", -1, True
        if not self.solves:
            legal = {move.uci(): move for move in root.legal_moves}
            demand(set(named) <= set(legal), "a move of the title is not legal")
            self.considered = [move for text, move in legal.items() if (text in named) == (word == "after")]
            if root.turn == self.rules.attacker:
                self.waits = not self.rules.is_closed(root, moves, self.considered)
            else:
                demand(self.rules.exact or not self.rules.stands(root), "the goal stands in the diagram")
                self.waits = bool(legal) and not (self.rules.exact and moves == 0)

    def line(self, at: int, text: str) -> None:
        begins, self.waits = self.waits, False
        demand(begins or self.stack, f"line {at} stands after the end of the proof")
        board, left = (self.rules.root, self.moves) if begins else (self.stack[-1].opened.pop(), self.stack[-1].left)
        if text.startswith("=") and not begins:
            line = number(text[1:])
            same = self.known.get(line) == board._transposition_key() and line in self.complete
            fits = self.solves or same and self.complete[line] in ([left] if self.rules.exact else range(left, 1001))
            demand(same and fits, f"line {at} names a line that does not fit")
            self.grow(self.stack[-1], self.complete[line] + 1)
            return self.pop()
        marked = text.startswith("& ") if self.solves else not begins
        frame = Frame(at if marked else None, left - 1)
        if frame.line is not None:
            self.known[at] = board._transposition_key()
        if self.solves:
            self.solution(board, text.removeprefix("& "), frame, begins)
        elif begins and board.turn != self.rules.attacker:
            frame.left = left
            self.reply(board, [text], frame)
        else:
            self.refutation(board, text, frame, self.considered if begins else None)
        frame.opened.reverse()
        self.stack.append(frame)
        self.pop()

    def pop(self) -> None:
        while self.stack and not self.stack[-1].opened:
            frame = self.stack.pop()
            self.length = frame.length
            if frame.line is not None:
                self.complete[frame.line] = frame.length if self.solves else frame.left + 1
            if self.stack:
                self.grow(self.stack[-1], frame.length + 1)

    def grow(self, frame: Frame, length: int) -> None:
        demand(not (self.solves and self.rules.exact) or frame.length in (0, length), "a line is shorter than another")
        frame.length = max(frame.length, length)

    def solution(self, board: chess.Board, text: str, frame: Frame, begins: bool) -> None:
        rules, boards, answers = self.rules, [board], list[str]()
        if not any(board.legal_moves):
            demand(begins and text == "#", f"there is no move in {board.fen()}")
            answers = [text]
        elif begins and board.turn == rules.attacker:
            self.first, answers = text.removesuffix("#"), [text]
            demand(self.first, "the attacker has no move")
        else:
            demand(board.turn != rules.attacker, f"the attacker is to move in {board.fen()}")
            for token in text.split(" "):
                answer, star, count = token.partition("*")
                demand(not star or 1 < number(count) <= 1000, f"{token[:40]!r} cannot be read")
                answers += [answer] * int(count or 1)
            boards = [rules.play(board, reply) for reply in rules.replies(board)]
        demand(len(boards) == len(answers), f"these are not the answers to all defences in {board.fen()}")
        for after, answer in zip(boards, answers, strict=True):
            move = answer.removesuffix("#")
            if move or not answer:
                legal = {move.uci(): move for move in after.legal_moves if after.turn == rules.attacker}
                demand(move in legal and not rules.must_end(after), f"{move[:40]!r} is not legal in {after.fen()}")
                after = rules.play(after, legal[move])
            if answer.endswith("#"):
                demand(rules.stands(after), f"the goal does not stand in {after.fen()}")
                self.grow(frame, 1 if move else 0)
            else:
                frame.opened.append(after)

    def refutation(self, board: chess.Board, text: str, frame: Frame, considered: list[chess.Move] | None) -> None:
        rules, common, named = self.rules, list[str](), dict[int, str]()
        for token in [] if text == "-" else text.split(" "):
            move, colon, numbers = token.partition(":")
            demand(re.fullmatch(MOVE, move, re.ASCII), f"{token[:40]!r} is no move")
            common += [] if colon else [move]
            for text in numbers.split(",") if colon else []:
                named.setdefault(number(text), move)
        for at, attack in enumerate(sorted(board.legal_moves, key=order)):
            if considered is not None and attack not in considered:
                continue
            attacked = rules.play(board, attack)
            if any(attacked.legal_moves):
                self.reply(attacked, [named[at]] if at in named else common, frame)
            demand(rules.exact or not rules.stands(attacked), f"{attack.uci()} reaches the goal in {board.fen()}")

    def reply(self, board: chess.Board, wanted: list[str], frame: Frame) -> None:
        """Plays the first of the wanted replies that is allowed, and opens the position after it."""
        replies = {reply.uci(): reply for reply in self.rules.replies(board)}
        reply = next((replies[text] for text in wanted if text in replies), None)
        demand(reply, f"no reply is named in {board.fen()}")
        after = self.rules.play(board, reply or chess.Move.null())
        if not self.rules.is_closed(after, frame.left):
            frame.opened.append(after)

    def end(self, key: str = "") -> None:
        demand(not self.waits and not self.stack, "the proof is not complete")
        right = self.length == self.moves and key in ("", self.first)
        demand(right or not self.solves, f"no solution in {self.moves} by {key or self.first}")


class Certificate:
    """A certificate while its lines are read."""

    def __init__(self) -> None:
        self.header, self.expected, self.short = list[str](), list[str](), False
        self.kinds: tuple[Sections, Sections] | None = None
        self.section: Sections | None = None

    def line(self, at: int, text: str) -> None:
        if text.startswith("proof "):
            self.end_section()
            self.begin_section(text)
        elif self.section is None:
            self.header.append(text)
        else:
            self.section.line(at, text)

    def read_header(self) -> None:
        found = HEADER.fullmatch("\n".join(self.header) + "\n")
        if not found:
            raise NoCertificate("the lines before the proof cannot be read")
        part, self.moves, begins = found.groupdict(), int(found["moves"]), not found["minus"]
        self.keys, word = (found["keys"] or "").split(), found["word"]
        self.short, names = word == "short", " ".join(self.keys)
        solved, nothing = (None if part[name] is None else int(part[name]) for name in ("solved", "nothing"))
        least, intended, keys = int(begins), int(found["intended"] or 1), [named_order(key) for key in self.keys]
        exact = found["goal"] == "exact-#"
        right = {"none": not keys, "sound": 0 < len(keys) == intended, "cooked": len(keys) > max(intended, 0)}
        fits = (
            least <= self.moves <= 1000 and found["intended"] not in ("0", "1")
            and (word is None) == (solved is not None or nothing is not None) and (solved is None or solved <= self.moves)
            and (nothing is None or least <= nothing <= self.moves and (solved is None or nothing < solved))
            and (word is None or begins and right.get(word, bool(keys) and self.moves > 1))
            and all(a < b for a, b in zip(keys, keys[1:], strict=False))
            and not (exact and (self.short or {solved, nothing} not in ({None}, {None, self.moves})))
        )  # fmt: skip
        if not fits:
            raise NoCertificate("the claims do not fit the stipulation")
        self.expected = [f"proof solved in {n}" for n in [solved] if n is not None]
        self.expected += [f"proof no solution in {n}" for n in [nothing] if n is not None]
        if word is not None:
            self.expected = [f"proof solved in {self.moves}"] * len(keys)
            self.expected += [f"proof no solution in {self.moves}" + (f" except {names}" if keys else "")]
            self.expected += [f"proof no solution in {self.moves - 1} after {names}"] * (
                bool(keys) and not self.short and self.moves > 1 and not exact
            )
        self.lengths = [1000] if not self.short else list[int]()
        squares = [chess.parse_square(text) for text in re.findall(r"[a-h][1-8]", found["pairs"] or "")]
        pairs = list(zip(squares[::2], squares[1::2], strict=True))
        try:
            rules = Rules(found["fen"], pairs, found["goal"], begins)
        except ValueError as error:
            raise NoCertificate(f"the position cannot be read: {error}") from error
        self.kinds = Sections(rules, True), Sections(rules, False)

    def begin_section(self, title: str) -> None:
        if self.kinds is None:
            self.read_header()
        expected, (head, _, stated) = self.expected.pop(0) if self.expected else "", title.rpartition(" ")
        if self.short and head == "proof solved in" == expected[: len(head)]:
            expected = title if number(stated) <= self.moves else expected
            self.lengths.append(number(stated))
        demand(title == expected, f"{title[:60]!r} is not the section that the claims ask for")
        assert self.kinds is not None
        self.section = self.kinds[head != "proof solved in"]
        words = title.split(" ")
        self.section.begin(int(words[3 if self.section.solves else 4]), *words[5:6], *[words[6:]] * (len(words) > 5))

    def end_section(self) -> None:
        if self.section is not None:
            self.section.end(self.keys.pop(0) if self.section.solves and self.keys else "")

    def end(self) -> None:
        if self.kinds is None:
            self.read_header()
        self.end_section()
        demand(not self.expected and self.section is not None, "a section is missing")
        demand(not self.short or min(self.lengths) < self.moves, "no key is short")


def lines(file: BinaryIO) -> Iterator[tuple[int, str]]:
    """Yields the lines before the last one, and checks the last one."""
    crc = 0
    for at, line in enumerate(file, 1):
        text = line[:-1].decode("utf-8", "replace")
        demand(at == 1 or "\ufffd" not in text, "the file is no text")
        demand(line.endswith(b"\n") and len(line) <= LONGEST_LINE + 1, "the file is cut, or a line is too long")
        if text.startswith("end "):
            demand(text == f"end {at - 1} {crc:08x}" and not file.read(1), "the file was changed or damaged")
            return
        crc = zlib.crc32(line, crc)
        yield at, text
    raise Wrong("the file is cut: its last line is missing")


def check(file: BinaryIO) -> list[str]:
    """Checks a certificate and returns the lines before its proof, which say what is claimed.

    Raises NoCertificate or Wrong.
    """
    certificate, fault = Certificate(), None
    for at, text in lines(file):
        if at == 1 and text != "matesolve certificate 2":
            raise NoCertificate("the first line is not that of a certificate")
        try:
            if at > 1 and fault is None:
                certificate.line(at, text)
        except (NoCertificate, Wrong) as error:
            fault = error  # Damage is reported as damage, so the file is read to its end.
    if fault is not None:
        raise fault
    certificate.end()
    return certificate.header


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: python -m matesolve.check FILE", file=sys.stderr)
        return 2
    try:
        with open(arguments[0], "rb") as start:
            packed = start.read(2) == b"\x1f\x8b"
        with gzip.open(arguments[0], "rb") if packed else open(arguments[0], "rb") as file:
            print("holds: " + "; ".join(check(file)))  # type: ignore[arg-type]
        return 0
    except NoCertificate as error:
        print(f"{arguments[0]}: no certificate: {error}", file=sys.stderr)
        return 3
    except (Wrong, EOFError, zlib.error) as error:
        print(f"{arguments[0]}: does not hold: {error}", file=sys.stderr)
        return 6
    except OSError as error:
        print(f"{arguments[0]} cannot be read: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
