//! Checks a certificate without building its proof tree, so that a large file needs less memory than its own size.
//!
//! The lines are read once, from the first to the last, and kept in packed form ([`super::body`]). Then they are
//! replayed from the last to the first: a line stands above all lines that refer to it, so its position is known by
//! then. Every line must meet the demands of [`crate::proof::rules`], and it must be the same position for all lines
//! that refer to it. A position is remembered only from the first of these lines on, and until it is replayed.

use std::io::BufRead;

use shakmaty::{CastlingMode, Chess, Color, Move, Position as _};

use crate::chess::{End, Goal, MateLength, MoveCode};
use crate::proof::ProofError;
use crate::proof::fault::LineText;
use crate::proof::packed::PackedPosition;
use crate::proof::rules;

use super::body::{Body, Line, Part};
use super::read::{Claim, read};
use super::{CertificateError, root};

/// What a certificate shows whose proof was replayed by the rules of chess. Only [`CheckedCertificate::read`] makes it.
///
/// ```
/// use matesolve::proof::CheckedCertificate;
///
/// let file = "\
/// matesolve certificate 1
/// fen k7/8/2K5/8/8/8/8/1R6 w - - 0 1
/// attacker white
/// mate 2
/// nodes 2
/// checksum 7e04031b53365913
/// a8a7:b1a1
/// :c6c7-1
/// ";
/// let checked = CheckedCertificate::read(file.as_bytes())?;
/// assert_eq!((checked.length().0, checked.positions()), (2, 1));
///
/// let error = CheckedCertificate::read(file.replace("c6c7", "c6c5").as_bytes()).unwrap_err();
/// assert!(error.to_string().starts_with("the certificate was altered or damaged"));
/// # Ok::<(), matesolve::proof::CertificateError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedCertificate {
    fen: String,
    attacker: Color,
    length: MateLength,
    positions: usize,
}

impl CheckedCertificate {
    /// Reads a certificate, replays its proof by the rules of chess, and compares its length with the claimed one.
    /// Accepts exactly what [`Certificate::read`](super::Certificate::read) and
    /// [`Certificate::verify`](super::Certificate::verify) accept.
    ///
    /// # Errors
    /// If the input is not a certificate, its proof has a fault, or the length is not the claimed one.
    pub fn read(input: impl BufRead) -> Result<CheckedCertificate, CertificateError> {
        let Claim { fen, attacker, length: claimed, body } = read(input)?;
        let root = root(&fen)?;
        let proved = replay(&root, attacker, &body)?;
        if proved != claimed {
            return Err(CertificateError::Length { claimed, proved });
        }
        let defended = body.lines().filter(|line| line.parts().next().is_some()).count();
        let positions = defended - usize::from(body.begins_with_attack);
        Ok(CheckedCertificate { fen, attacker, length: proved, positions })
    }

    /// Returns the FEN of the position in which the proof starts.
    pub fn fen(&self) -> &str {
        &self.fen
    }

    /// Returns the side that mates.
    pub fn attacker(&self) -> Color {
        self.attacker
    }

    /// Returns the proved length, in moves of the attacker.
    pub fn length(&self) -> MateLength {
        self.length
    }

    /// Returns the number of positions in which all legal defences are answered.
    pub fn positions(&self) -> usize {
        self.positions
    }
}

/// Replays a proof and returns the length of the mate against the longest defence.
fn replay(root: &Chess, attacker: Color, body: &Body) -> Result<MateLength, ProofError> {
    let mut replay = Replay { root, attacker, body, reached: Reached::new(body.len()), length: 0 };
    let Some(last) = body.len().checked_sub(1) else { return Err(ProofError::Empty) };
    replay.reached.add(last, Node { position: PackedPosition::of(root), moves: 0 });
    for line in body.lines_upwards() {
        if let Some(node) = replay.reached.take(line.index) {
            replay.check_line(line, node)?;
        }
    }
    let moves = replay.length;
    if moves > u32::from(MateLength::MAX.0) { Err(ProofError::TooLong { moves }) } else { Ok(MateLength(moves as u16)) }
}

/// The position of a line that has been reached and is not replayed yet.
#[derive(Debug, Clone, Copy)]
struct Node {
    position: PackedPosition,
    /// The number of moves of the attacker in the longest line from the root to here.
    moves: u32,
}

/// The lines that have been reached and are not replayed yet.
struct Reached {
    /// By line: the place of its node, or `NONE`.
    places: Vec<u32>,
    nodes: Vec<Node>,
    /// The places in `nodes` that can be used again.
    free: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Reached {
    fn new(lines: usize) -> Reached {
        Reached { places: vec![NONE; lines], nodes: Vec::new(), free: Vec::new() }
    }

    fn get(&mut self, line: usize) -> Option<&mut Node> {
        self.nodes.get_mut(self.places[line] as usize)
    }

    fn add(&mut self, line: usize, node: Node) {
        let place = self.free.pop().unwrap_or(self.nodes.len() as u32);
        match self.nodes.get_mut(place as usize) {
            Some(free) => *free = node,
            None => self.nodes.push(node),
        }
        self.places[line] = place;
    }

    fn take(&mut self, line: usize) -> Option<Node> {
        let node = *self.get(line)?;
        self.free.push(std::mem::replace(&mut self.places[line], NONE));
        Some(node)
    }
}

struct Replay<'a> {
    root: &'a Chess,
    attacker: Color,
    body: &'a Body,
    reached: Reached,
    /// The length of the longest line that has been replayed to its end, in moves of the attacker.
    length: u32,
}

impl<'a> Replay<'a> {
    /// Checks one line and plays its moves to the lines that it refers to.
    fn check_line(&mut self, line: Line<'a>, node: Node) -> Result<(), ProofError> {
        // A position that cannot be unpacked would be a fault of the program. Then the proof is refused.
        let mode: CastlingMode = self.root.castles().mode();
        let is_root = line.index + 1 == self.body.len();
        let unpacked = if is_root { Some(self.root.clone()) } else { node.position.unpack(mode) };
        let position = unpacked.ok_or(ProofError::Empty)?;
        if is_root && self.body.begins_with_attack {
            return line.parts().try_for_each(|part| self.answer(&position, line, 0, part, node.moves));
        }
        if line.parts().next().is_none() {
            let end = rules::end(&position, self.attacker, Goal::MATE, End::Mate);
            return end.map_err(|fault| fault.after(self.text(line, &[])));
        }
        let moves = rules::defences(&position, self.attacker, line.parts().map(|part| part.defence));
        let moves = moves.map_err(|fault| fault.after(self.text(line, &[])))?;
        self.length = self.length.max(node.moves);
        for (index, (part, m)) in line.parts().zip(moves).enumerate() {
            let mut next = position.clone();
            next.play_unchecked(m);
            self.answer(&next, line, index, part, node.moves)?;
        }
        Ok(())
    }

    /// Checks the attacker's answer in a part of a line, which has this index, and the position after it.
    fn answer(
        &mut self,
        position: &Chess,
        line: Line<'a>,
        index: usize,
        part: Part,
        moves: u32,
    ) -> Result<(), ProofError> {
        let m = rules::attack(position, self.attacker, part.answer)
            .map_err(|fault| fault.after(self.text(line, self.defence(line, &part))))?;
        let mut next = position.clone();
        next.play_unchecked(m);
        let both = [part.defence, part.answer];
        let played = if self.defence(line, &part).is_empty() { &both[1..] } else { &both };
        if part.distance == 0 {
            let checkmate = rules::end(&next, self.attacker, Goal::MATE, End::Mate);
            checkmate.map_err(|fault| fault.after(self.text(line, played)))?;
            self.length = self.length.max(moves + 1);
            return Ok(());
        }
        let target = line.index - part.distance as usize;
        let position = PackedPosition::of(&next);
        match self.reached.get(target) {
            None => self.reached.add(target, Node { position, moves: moves + 1 }),
            Some(node) if node.position == position => node.moves = node.moves.max(moves + 1),
            Some(_) => {
                let earlier = LineText::of(self.root, &self.played(&self.codes_to(target, line, index)));
                return Err(ProofError::TwoPositions { line: earlier, other: self.text(line, played) });
            }
        }
        Ok(())
    }

    /// Returns the defence of a part, or nothing if the part is the attacker's first move.
    fn defence<'p>(&self, line: Line<'_>, part: &'p Part) -> &'p [MoveCode] {
        let is_first = self.body.begins_with_attack && line.index + 1 == self.body.len();
        if is_first { &[] } else { std::slice::from_ref(&part.defence) }
    }

    /// Writes the moves from the root to the line that is being replayed, and those after it.
    fn text(&self, line: Line<'a>, after: &[MoveCode]) -> LineText {
        let mut codes = self.codes_to(line.index, line, 0);
        codes.extend(after);
        LineText::of(self.root, &self.played(&codes))
    }

    /// Returns moves from the root to the line with the index `target`. `from` is the line that is being replayed, of
    /// which only the first `parts` parts count.
    ///
    /// The lines that refer to a line stand below it. So one pass downwards finds a way to the root.
    fn codes_to(&self, target: usize, from: Line<'a>, parts: usize) -> Vec<MoveCode> {
        let mut codes = Vec::new();
        let mut wanted = target;
        for line in self.body.lines_after(from) {
            let count = if line.index == from.index { parts } else { usize::MAX };
            let refers = |part: &Part| part.distance > 0 && line.index - part.distance as usize == wanted;
            if let Some(part) = line.parts().take(count).find(refers) {
                codes.push(part.answer);
                codes.extend(self.defence(line, &part));
                wanted = line.index;
            }
        }
        codes.reverse();
        codes
    }

    /// Returns the moves with these codes, played from the root.
    fn played(&self, codes: &[MoveCode]) -> Vec<Move> {
        let mut position = self.root.clone();
        let mut moves = Vec::with_capacity(codes.len());
        for &code in codes {
            let Some((_, m)) = rules::legal_moves(&position).into_iter().find(|&(legal, _)| legal == code) else {
                break;
            };
            position.play_unchecked(m);
            moves.push(m);
        }
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::MoveCode;
    use crate::proof::parse_position;

    /// Replays lines of a proof that starts in this position. Each part is written `defence answer distance`.
    fn replayed(fen: &str, lines: &[&[(&str, &str, u32)]], begins_with_attack: bool) -> Result<u16, String> {
        let code = |text: &str| MoveCode::new(text[..2].parse().unwrap(), text[2..4].parse().unwrap(), None);
        let mut body = Body::default();
        body.begins_with_attack = begins_with_attack;
        for line in lines {
            let part = |&(defence, answer, distance): &(&str, &str, u32)| Part {
                defence: code(defence),
                answer: code(answer),
                distance,
            };
            body.push(&line.iter().map(part).collect::<Vec<_>>());
        }
        let root = parse_position(fen).unwrap();
        replay(&root, Color::White, &body).map(|length| length.0).map_err(|error| error.to_string())
    }

    #[test]
    fn faults_are_named_with_the_line_that_leads_to_them() {
        let root = "k7/8/2K5/8/8/8/8/1R6 w - - 0 1";
        let proof = |answer: &str, key: &str| replayed(root, &[&[("a8a7", answer, 0)], &[(key, key, 1)]], true);
        assert_eq!(proof("b1a1", "c6c7"), Ok(2));
        let error = |answer: &str, key: &str| proof(answer, key).unwrap_err();
        assert_eq!(error("b1a1", "c6c8"), "in the diagram the attacker's move c6c8 is not legal");
        assert_eq!(error("b1c2", "c6c7"), "after 1. Kc7 Ka7 the attacker's move b1c2 is not legal");
        assert_eq!(
            error("b1b2", "c6c7"),
            "after 1. Kc7 Ka7 2. Rb2 the proof ends, but it is not checkmate: the defender has Ka6"
        );
        assert_eq!(
            error("b1a1", "c6d7"),
            "after 1. Kd7 Ka7 2. Ra1+ the proof ends, but it is not checkmate: the defender has Kb6"
        );
        assert_eq!(replayed(root, &[], false), Err("the proof is empty".to_owned()));
    }

    #[test]
    fn a_line_must_be_the_same_position_for_all_lines_that_refer_to_it() {
        // The rook's move is the same, but the king is on g8 or on h7.
        let root = "7k/8/5K2/8/8/8/8/R7 b - - 0 1";
        let shared = replayed(root, &[&[("h8g8", "a1a8", 0)], &[("h8g8", "a1a2", 1), ("h8h7", "a1a2", 1)]], false);
        assert_eq!(
            shared.unwrap_err(),
            "after 1... Kg8 2. Ra2 and after 1... Kh7 2. Ra2 the proof uses the same node for two different positions"
        );
    }

    #[test]
    fn a_mate_of_any_length_is_replayed() {
        // The kings move to and fro, the defender's by force, until the queen mates.
        let length = |moves: usize| {
            let lines: Vec<Vec<(&str, &str, u32)>> = (1..moves)
                .map(|left| match (left, (moves - left) % 2 == 1) {
                    (1, true) => vec![("h8h7", "g2g7", 0)],
                    (1, false) => vec![("h7h8", "g2g7", 0)],
                    (_, true) => vec![("h8h7", "b1a1", 1)],
                    (_, false) => vec![("h7h8", "a1b1", 1)],
                })
                .collect();
            let mut lines: Vec<&[(&str, &str, u32)]> = lines.iter().map(Vec::as_slice).collect();
            lines.push(&[("a1b1", "a1b1", 1)]);
            replayed("7k/8/7p/7P/8/8/6Q1/K5R1 w - - 0 1", &lines, true)
        };
        assert_eq!((length(2), length(1000)), (Ok(2), Ok(1000)));
        assert!(length(1001).unwrap_err().contains("the mate takes 1001 moves"));
        assert!(length(70_000).unwrap_err().contains("the mate takes 70000 moves"));
    }
}
