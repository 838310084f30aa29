//! Replays the sections that show that there is no solution, as their lines are read.
//!
//! A line names replies to the moves of the attacker, or an earlier line with the same position. If the defender is to
//! move in the diagram, the first line is his reply. The positions after the replies are decided by the rules
//! (`is_closed`), or wait on the stack for lines of their own. A position is complete when all that it opened are.
//! Lines with replies are kept, but for the first of a section, because later ones may name them: the position, packed,
//! with its moves left.

use matesolve_terms::{Goal, MateLength, MoveCode};
use shakmaty::{Chess, Color, EnPassantMode, Position as _, Square, fen::Fen};

use super::CertificateError;
use super::claims::LeftOut;
use super::format::{number, order, parse_move};
use crate::last_move::solving_move;
use crate::packed::PackedPosition;
use crate::rules::{self, legal_moves, unsorted_moves};

/// The sections that are replayed, one after the other.
pub(super) struct Refutation {
    root: Chess,
    attacker: Color,
    goal: Goal,
    exclusive: Vec<(Square, Square)>,
    /// The number of the line in the file that is being checked.
    number: usize,
    /// The subject of the next line, if the stack is empty.
    waiting: Option<Waiting>,
    /// The positions from the diagram to the last line, without those that are complete.
    stack: Vec<Frame>,
    lines: KnownLines,
    /// The number of positions with a line of replies, in all sections.
    pub positions: usize,
}

/// The position of a section's first line.
enum Waiting {
    /// The attacker is to move in the diagram.
    Attack(MateLength, LeftOut),
    /// The defender is.
    Reply(MateLength),
}

/// A position of the stack.
struct Frame {
    /// The positions that it has opened and that have no line yet, the next one last.
    opened: Vec<Chess>,
    /// The moves left in these.
    left: u16,
    /// Its place among the lines; `None` for the first of a section.
    known: Option<usize>,
}

impl Refutation {
    pub(super) fn new(root: Chess, attacker: Color, goal: Goal, exclusive: Vec<(Square, Square)>) -> Refutation {
        let (stack, lines) = (Vec::new(), KnownLines::default());
        Refutation { root, attacker, goal, exclusive, number: 0, waiting: None, stack, lines, positions: 0 }
    }

    /// Begins a section. `number` is that of its title in the file.
    pub(super) fn begin(
        &mut self,
        number: usize,
        moves: MateLength,
        left_out: LeftOut,
    ) -> Result<(), CertificateError> {
        self.number = number;
        let (root, attacks) = (self.root.clone(), self.root.turn() == self.attacker);
        let legal = legal_moves(&root);
        if left_out.named().iter().any(|&named| legal.iter().all(|&(code, _)| code != named)) {
            return Err(self.fault(&root, "a move of the title is not legal"));
        }
        let is_closed =
            if attacks { self.is_closed(&root, moves.0, &left_out) } else { self.has_ended(&root, moves.0) };
        let closed = is_closed.map_err(|why| self.fault(&root, why))?;
        self.waiting = match (closed, attacks) {
            (true, _) => None,
            (false, true) => Some(Waiting::Attack(moves, left_out)),
            (false, false) => Some(Waiting::Reply(moves)),
        };
        Ok(())
    }

    /// Checks that the section is complete.
    pub(super) fn end(&self) -> Result<(), CertificateError> {
        let is_complete = self.stack.is_empty() && self.waiting.is_none();
        is_complete.then_some(()).ok_or(CertificateError::Unfinished)
    }

    /// Checks the line with this number in the file.
    pub(super) fn line(&mut self, number: usize, text: &str) -> Result<(), CertificateError> {
        self.number = number;
        let (position, left, left_out, is_first) = match (self.stack.last_mut(), self.waiting.take()) {
            (Some(frame), _) => (frame.opened.pop(), frame.left, LeftOut::Nothing, false),
            (None, Some(Waiting::Attack(moves, left_out))) => (Some(self.root.clone()), moves.0, left_out, true),
            (None, Some(Waiting::Reply(moves))) => return self.first_reply(text, moves),
            (None, None) => (None, 0, LeftOut::Nothing, false),
        };
        let malformed = |why| CertificateError::node(number, text, why);
        let position = position.ok_or_else(|| malformed("stands after the end of the proof"))?;
        if let Some(line) = text.strip_prefix('=').filter(|_| !is_first) {
            self.lines.holds(line, &position, left, self.goal.exact).map_err(malformed)?;
        } else {
            let replies = Replies::read(text, number)?;
            let opened = self.open_positions(&position, &replies, left - 1, &left_out)?;
            self.positions += 1;
            let known = (!is_first).then(|| self.lines.add(number, &position, left));
            self.stack.push(Frame { opened, left: left - 1, known });
        }
        self.advance();
        Ok(())
    }

    /// Checks the first line of a diagram in which the defender is to move: his reply.
    fn first_reply(&mut self, text: &str, moves: MateLength) -> Result<(), CertificateError> {
        let root = self.root.clone();
        let replies = rules::replies(&root, self.goal);
        let found = parse_move(text).and_then(|code| replies.iter().find(|&&(reply, _)| reply == code));
        let fault = |why: String| self.fault(&root, why);
        let &(_, m) =
            found.ok_or_else(|| fault(format!("\"{}\" is no reply", matesolve_terms::printable::excerpt(text))))?;
        let next = rules::play(&root, m, &self.exclusive);
        let closed = self.is_closed(&next, moves.0, &LeftOut::Nothing).map_err(fault)?;
        let opened = if closed { Vec::new() } else { vec![next] };
        self.positions += 1;
        self.stack.push(Frame { opened, left: moves.0, known: None });
        self.advance();
        Ok(())
    }

    /// Returns the positions that a line opens, the first one last. `left` is the number of moves left in them.
    fn open_positions(
        &self,
        position: &Chess,
        replies: &Replies,
        left: u16,
        left_out: &LeftOut,
    ) -> Result<Vec<Chess>, CertificateError> {
        let mut attacks = legal_moves(position);
        attacks.sort_unstable_by_key(|&(code, _)| order(code));
        let mut opened = Vec::with_capacity(attacks.len());
        for (at, &(code, attack)) in attacks.iter().enumerate() {
            if left_out.has(code) {
                continue;
            }
            let attacked = rules::play(position, attack, &self.exclusive);
            let fault = |why: String| self.fault(position, format!("after {} {why}", rules::san(position, attack)));
            let legal = rules::unsorted_replies(&attacked, self.goal);
            if legal.is_empty() {
                self.has_ended(&attacked, left).map_err(fault)?;
                continue;
            }
            let reply = |code: MoveCode| legal.iter().find(|&&(legal, _)| legal == code);
            let found = match replies.named(at) {
                Some(code) => reply(code),
                None => replies.unnamed.iter().find_map(|&code| reply(code)),
            };
            let &(_, reply) = found.ok_or_else(|| fault("no legal reply is named".to_owned()))?;
            let next = rules::play(&attacked, reply, &self.exclusive);
            let closed = self.is_closed(&next, left, &LeftOut::Nothing);
            let closed = closed.map_err(|why| fault(format!("{} {why}", rules::san(&attacked, reply))))?;
            if !closed {
                opened.push(next);
            }
        }
        opened.reverse();
        Ok(opened)
    }

    /// Returns whether the game has ended here, or, for an exact goal, no move is left. The error says that it has
    /// ended with the goal, and not too early.
    fn has_ended(&self, position: &Chess, left: u16) -> Result<bool, String> {
        if !unsorted_moves(position).is_empty() {
            return Ok(self.goal.exact && left == 0);
        }
        match rules::end(position, self.attacker, self.goal, self.goal.end) {
            Ok(()) if self.goal.exact && left > 0 => Ok(true),
            Ok(()) => Err("the goal stands on the board".to_owned()),
            Err(_) => Ok(true),
        }
    }

    /// Returns whether a position with the attacker to move needs no line. The error says that the goal is reached in
    /// it.
    fn is_closed(&self, position: &Chess, left: u16, left_out: &LeftOut) -> Result<bool, String> {
        // Whether a move mates decides everything here: where none does, it does not matter whether the game
        // has ended.
        let is_last_mate = self.goal == Goal::MATE && left == 1;
        if !is_last_mate && (self.has_ended(position, left)? || left == 0) {
            return Ok(true);
        }
        if rules::bound_to(position, self.goal).is_some() {
            return Ok(true);
        }
        if left > 1 {
            return Ok(false);
        }
        match solving_move(position, self.attacker, self.goal, &self.exclusive, |code| left_out.has(code)) {
            Some(m) => Err(format!("allows {}", rules::san(position, m))),
            None => Ok(true),
        }
    }

    /// Removes the positions that are complete from the stack.
    fn advance(&mut self) {
        while let Some(frame) = self.stack.pop_if(|frame| frame.opened.is_empty()) {
            if let Some(known) = frame.known {
                self.lines.complete(known);
            }
        }
    }

    /// Returns the error of this line. `why` says what is wrong, as a sentence about a position.
    fn fault(&self, position: &Chess, why: impl Into<String>) -> CertificateError {
        let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
        CertificateError::Refutation { line: self.number, fen, why: why.into() }
    }
}

/// The replies of a line.
struct Replies {
    /// Those without numbers, in their order.
    unnamed: Vec<MoveCode>,
    /// Those with numbers, by the number of the attacker's move. The first of the same number counts.
    named: Vec<(usize, MoveCode)>,
}

impl Replies {
    /// Reads the replies in the line with this number.
    fn read(text: &str, line: usize) -> Result<Replies, CertificateError> {
        let mut replies = Replies { unnamed: Vec::new(), named: Vec::new() };
        if text == "-" {
            return Ok(replies);
        }
        for token in text.split(' ') {
            let malformed = |why| CertificateError::node(line, token, why);
            let (text, numbers) = token.split_once(':').map_or((token, None), |(text, numbers)| (text, Some(numbers)));
            let code = parse_move(text).ok_or_else(|| malformed("is not a move such as e2e4"))?;
            let Some(numbers) = numbers else {
                replies.unnamed.push(code);
                continue;
            };
            for at in numbers.split(',') {
                let at = number(at).ok_or_else(|| malformed("does not end in numbers of moves"))?;
                replies.named.push((at, code));
            }
        }
        replies.named.sort_by_key(|&(at, _)| at);
        Ok(replies)
    }

    /// Returns the reply that names this number.
    fn named(&self, at: usize) -> Option<MoveCode> {
        let first = self.named.partition_point(|&(number, _)| number < at);
        self.named.get(first).filter(|&&(number, _)| number == at).map(|&(_, code)| code)
    }
}

/// The number of lines in a block of memory.
const BLOCK: usize = 1 << 14;

/// The lines that later ones may name. They stand in blocks, so that no memory is moved or kept in reserve.
#[derive(Default)]
struct KnownLines {
    blocks: Vec<Vec<KnownLine>>,
}

/// A line that later ones may name.
struct KnownLine {
    position: PackedPosition,
    line: u32,
    /// The moves left.
    left: u16,
    is_complete: bool,
}

impl KnownLines {
    /// Adds a line and returns its place.
    fn add(&mut self, line: usize, position: &Chess, left: u16) -> usize {
        if self.blocks.last().is_none_or(|block| block.len() == BLOCK) {
            self.blocks.push(Vec::with_capacity(BLOCK));
        }
        let block = self.blocks.len() - 1;
        let position = PackedPosition::of(position);
        // No line beyond this number can be named.
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        self.blocks[block].push(KnownLine { position, line, left, is_complete: false });
        block * BLOCK + self.blocks[block].len() - 1
    }

    fn complete(&mut self, at: usize) {
        self.blocks[at / BLOCK][at % BLOCK].is_complete = true;
    }

    /// Checks that an earlier line refutes this position with this number of moves left. `exact`: more moves left say
    /// nothing.
    fn holds(&self, line: &str, position: &Chess, left: u16, exact: bool) -> Result<(), &'static str> {
        let line: u32 = number(line).filter(|&line| line < u32::MAX).ok_or("is not of the form =LINE")?;
        let block = self.blocks.partition_point(|block| block[0].line <= line);
        let found = block.checked_sub(1).and_then(|block| {
            let at = self.blocks[block].binary_search_by_key(&line, |known| known.line).ok()?;
            self.blocks[block].get(at)
        });
        let known = found.ok_or("refers to no line above with replies")?;
        if known.position != PackedPosition::of(position) {
            return Err("refers to the line of another position");
        }
        if known.left < left {
            return Err("refers to a line with fewer moves left");
        }
        if exact && known.left > left {
            return Err("refers to a line with more moves left");
        }
        if known.is_complete { Ok(()) } else { Err("refers to a line that is not complete") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_position;

    #[test]
    fn the_first_reply_that_names_a_move_counts() {
        let code = |text| parse_move(text).unwrap();
        let replies = Replies::read("a7a6 b7b5:3,5 c7c5:3 a7a5", 9).unwrap_or_else(|_| panic!("can be read"));
        assert_eq!(replies.unnamed, [code("a7a6"), code("a7a5")]);
        assert_eq!(replies.named(3), Some(code("b7b5")));
        assert_eq!((replies.named(5), replies.named(4)), (Some(code("b7b5")), None));
        assert!(Replies::read("-", 9).is_ok_and(|replies| replies.unnamed.is_empty()));
        for wrong in ["", "a7", "a7a6:", "a7a6:x", "a7a6:1,", "a7a6:01", "a7a6  a7a5"] {
            assert!(Replies::read(wrong, 9).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_known_line_holds_for_its_position_and_no_more_moves_when_it_is_complete() {
        assert!(size_of::<KnownLine>() <= 48);
        let mut lines = KnownLines::default();
        let position =
            |n: usize| parse_position(&format!("k7/8/8/8/8/8/{}/K7 w - - 0 1", ["8", "P7", "1P6"][n])).unwrap();
        for line in 0..2 * BLOCK + 10 {
            let at = lines.add(10 + 2 * line, &position(line % 3), 3);
            if line % 2 == 0 {
                lines.complete(at);
            }
        }
        let line = 2 * BLOCK + 4;
        let holds = |at: usize, n: usize, left| lines.holds(&(10 + 2 * at).to_string(), &position(n), left, false);
        assert_eq!(holds(line, line % 3, 3), Ok(()));
        assert_eq!(holds(line, line % 3, 2), Ok(()));
        assert_eq!(holds(line, line % 3, 4), Err("refers to a line with fewer moves left"));
        assert_eq!(holds(line, (line + 1) % 3, 3), Err("refers to the line of another position"));
        assert_eq!(holds(line + 1, (line + 1) % 3, 3), Err("refers to a line that is not complete"));
        assert_eq!(lines.holds("11", &position(0), 3, false), Err("refers to no line above with replies"));
        assert_eq!(lines.holds("9", &position(0), 3, false), Err("refers to no line above with replies"));
    }
}
