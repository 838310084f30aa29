//! The errors of the checker: the faults of a proof, as sentences. Those about a node name the moves that lead to it.

use std::fmt::{self, Write as _};

use matesolve_terms::MateLength;
use shakmaty::{Chess, Color, Position as _, san::San};
use thiserror::Error;

/// The most plies shown at the beginning and at the end of a long line. The plies between them are left out.
const SHOWN: usize = 20;

/// The moves from the root of a proof to a fault, as text: `after 1. Kc7 Ka7`, or `in the diagram` if there are none.
///
/// The moves are numbered from the root and in standard algebraic notation. Of a line of more than about 40 plies only
/// the first and the last 20 or so are shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LineText(String);

impl LineText {
    /// Writes these moves, which must be legal one after the other, from `root`.
    pub(super) fn of(root: &Chess, moves: &[shakmaty::Move]) -> LineText {
        let first = usize::from(root.turn() == Color::Black);
        let last = first + moves.len();
        let mut position = root.clone();
        let mut text = String::new();
        for (ply, &m) in (first..).zip(moves) {
            let san = San::from_move(&position, m);
            position.play_unchecked(m);
            if (SHOWN..last.saturating_sub(SHOWN)).contains(&ply) {
                if ply == SHOWN {
                    text += " …";
                }
                continue;
            }
            if ply % 2 == 0 {
                let _ = write!(text, " {}.", ply / 2 + 1);
            } else if text.is_empty() {
                text += " 1...";
            }
            let _ = write!(text, " {san}{}", if position.is_check() { "+" } else { "" });
        }
        LineText(text)
    }
}

impl fmt::Display for LineText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { f.write_str("in the diagram") } else { write!(f, "after{}", self.0) }
    }
}

/// The reason why a proof tree does not prove a mate.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProofError {
    /// The tree has no nodes.
    #[error("the proof is empty")]
    Empty,
    /// A node has a fault.
    #[error("{line} {fault}")]
    Node {
        /// The moves that lead to the node.
        line: LineText,
        /// The fault.
        fault: NodeFault,
    },
    /// The goal must be reached with the same number of moves in every line, and is not.
    #[error("a line of the proof is shorter than another, but all must be equally long")]
    Uneven,
    /// One node of the proof is used for two different positions.
    #[error("{line} and {other} the proof uses the same node for two different positions")]
    TwoPositions {
        /// The moves that lead to the node in one position.
        line: LineText,
        /// The moves that lead to it in another position.
        other: LineText,
    },
    /// The mate is longer than [`MateLength::MAX`].
    #[error("the mate takes {moves} moves, more than the {} that can be handled", MateLength::MAX)]
    TooLong {
        /// The length of the mate, in moves of the attacker.
        moves: u32,
    },
}

/// The fault of a node, as the end of a sentence that begins with the moves that lead to it.
///
/// Legal moves are given in standard algebraic notation without `+` and `#`. Moves that are not legal are given in
/// coordinates, such as `e2e4` or `e7e8q`; castling is the king taking his own rook.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NodeFault {
    /// The attacker has a move, but the defender is to move.
    #[error("the proof has a move of the attacker, but the defender is to move")]
    AttackOutOfTurn,
    /// The defender has moves, but the attacker is to move.
    #[error("the proof has moves of the defender, but the attacker is to move")]
    DefenceOutOfTurn,
    /// The attacker's move is not legal.
    #[error("the attacker's move {0} is not legal")]
    IllegalMove(String),
    /// The attacker has this move, which mates or stalemates: he must play it.
    #[error("the attacker must play {0}, so the play has failed")]
    MustEnd(String),
    /// The proof answers a defence that is not legal.
    #[error("the proof answers the defence {0}, which is not legal")]
    IllegalDefence(String),
    /// A legal defence has no answer.
    #[error("the proof has no answer to the defence {0}")]
    MissingDefence(String),
    /// A defence is answered twice.
    #[error("the proof answers the defence {0} twice")]
    DoubledDefence(String),
    /// The proof ends in a position in which the side to move has this move.
    #[error("the proof ends, but it is not checkmate: the defender has {0}")]
    NotCheckmate(String),
    /// The proof claims checkmate where there is stalemate.
    #[error("the proof claims checkmate, but it is stalemate")]
    Stalemate,
    /// The node has no defences, but does not say how the game has ended.
    #[error("the defender has no move, and the proof does not say how the game has ended")]
    NoDefences,
    /// The proof ends with something else than the goal.
    #[error("the proof ends with something else than its goal")]
    OtherGoal,
}

impl NodeFault {
    /// Returns the error of a proof that has this fault after the moves of `line`.
    pub(super) fn after(self, line: LineText) -> ProofError {
        ProofError::Node { line, fault: self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(fen: &str, moves: &[&str]) -> String {
        let root = crate::testing::chess(fen);
        let mut position = root.clone();
        let mut played = Vec::new();
        for san in moves {
            let m = san.parse::<San>().unwrap().to_move(&position).unwrap();
            position.play_unchecked(m);
            played.push(m);
        }
        LineText::of(&root, &played).to_string()
    }

    #[test]
    fn lines_are_numbered_from_the_root() {
        let fen = "7k/8/5K2/8/8/8/8/R7";
        assert_eq!(line(&format!("{fen} b - - 0 1"), &["Kg8", "Ra8", "Kh7"]), "after 1... Kg8 2. Ra8+ Kh7");
        assert_eq!(line(&format!("{fen} w - - 0 1"), &["Rh1", "Kg8", "Rh2"]), "after 1. Rh1+ Kg8 2. Rh2");
        assert_eq!(line(&format!("{fen} w - - 0 1"), &[]), "in the diagram");
    }

    #[test]
    fn the_middle_of_a_long_line_is_left_out() {
        let shuffle = ["Ra2", "Kg8", "Ra1", "Kh8"].repeat(100);
        let text = line("7k/8/5K2/8/8/8/8/R7 w - - 0 1", &shuffle);
        assert!(text.starts_with("after 1. Ra2 Kg8 2. Ra1 Kh8 3."), "{text}");
        assert!(text.contains("10. Ra1 Kh8 … 191. Ra2"), "{text}");
        assert!(text.ends_with("200. Ra1 Kh8"), "{text}");
    }
}
