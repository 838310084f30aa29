//! The checker of lines of help play: replays a line by shakmaty's rules alone.
//!
//! A line holds if each half-move is a legal move of the side that the stipulation names, if no half-move that another
//! one of the same side follows gives check, and if the goal stands at the end. That there are no other lines is not
//! checked here: it rests on the search.

use std::fmt::Write as _;

use shakmaty::{CastlingMode, Chess, Move, Position as _, san::SanPlus};

use crate::chess::{End, MoveCode, Play, Side, Stipulation};

use super::picture::Picture;

/// A line that was replayed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReplayedLine {
    /// The numbered moves in standard algebraic notation, in the problemists' form: `1.Rc5 Bh1 2.Kd5 Rg6#`.
    pub san: String,
    /// The moves in UCI notation.
    pub uci: Vec<String>,
    /// Whether the final position is a pure, model or ideal mate.
    pub mate: Picture,
}

/// Replays a line from its diagram, in which the side that begins is to move. `None` if it does not hold, which is a
/// fault of the search.
pub(crate) fn replay(start: &Chess, stipulation: Stipulation, line: &[MoveCode]) -> Option<ReplayedLine> {
    if stipulation.half_moves().map(usize::from) != Some(line.len()) {
        return None;
    }
    let attacker = stipulation.attacker(start.turn());
    let mut position = start.clone();
    let mut replayed =
        ReplayedLine { san: String::new(), uci: Vec::with_capacity(line.len()), mate: Picture::default() };
    for (at, &code) in line.iter().enumerate() {
        let side = |at: usize| stipulation.half_move(at as u16).side;
        if position.turn() != side(at).color(attacker) {
            // A series: the other side does not move, and must not be in check.
            position = position.swap_turn().ok()?;
        }
        let m = find(&position, code)?;
        let mode = if position.castles().mode() == CastlingMode::Chess960 {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        };
        replayed.uci.push(m.to_uci(mode).to_string());
        let number = number(stipulation, at, side(at));
        let san = SanPlus::from_move_and_play_unchecked(&mut position, m);
        let _ = write!(replayed.san, "{}{number}{san}", if at > 0 { " " } else { "" });
    }
    let is_end = match stipulation.goal().end {
        End::Mate => position.is_checkmate(),
        End::Stalemate => position.is_stalemate(),
    };
    replayed.mate = Picture::of(&position);
    (is_end && position.turn() != attacker).then_some(replayed)
}

fn find(position: &Chess, code: MoveCode) -> Option<Move> {
    let moves = position.legal_moves();
    moves
        .into_iter()
        .find(|m| m.from() == Some(code.from()) && m.to() == code.to() && m.promotion() == code.promotion())
}

/// Returns what is written before a move: its number at the beginning of a move, `1...` if the line begins in the
/// middle of one.
fn number(stipulation: Stipulation, at: usize, side: Side) -> String {
    match stipulation.play() {
        // In a series each move has a number; the other side's answer has none.
        Play::Series | Play::SeriesHelp if side == stipulation.begins() => return format!("{}.", at + 1),
        Play::SeriesHelp => return String::new(),
        _ => {}
    }
    match (stipulation.begins(), at) {
        (Side::Attacker, 0) => "1...".to_owned(),
        (Side::Attacker, at) if at % 2 == 1 => format!("{}.", at / 2 + 2),
        (Side::Defender, at) if at % 2 == 0 => format!("{}.", at / 2 + 1),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::parse_position;

    fn code(text: &str) -> MoveCode {
        let square = |at: usize| text[at..at + 2].parse().unwrap();
        MoveCode::new(square(0), square(2), None)
    }

    #[test]
    fn a_line_must_be_legal_of_the_right_length_and_end_in_the_goal() {
        let start = parse_position("8/8/8/8/8/1k1K4/8/7R b - - 0 1").unwrap();
        let two = Stipulation::helped(Play::Help, End::Mate, 4);
        let line = ["b3b2", "d3d2", "b2a1", "h1h1"].map(code);
        assert_eq!(replay(&start, two, &line), None, "no legal move");
        let line = ["b3a2", "d3c2", "a2a1", "h1a1"].map(code);
        assert_eq!(replay(&start, two, &line), None, "the last move is not legal or no mate");
        let line = ["b3a2", "d3c2", "a2a3", "h1h3"].map(code);
        assert_eq!(replay(&start, two, &line), None, "a check, but no mate");
        let start = parse_position("8/8/8/8/8/k1K5/8/7R b - - 0 1").unwrap();
        let found = replay(&start, Stipulation::helped(Play::Help, End::Mate, 2), &["a3a2", "h1a1"].map(code));
        assert_eq!(found, None);
        let start = parse_position("8/8/8/8/8/1K6/7R/k7 w - - 0 1").unwrap();
        let found = replay(&start, Stipulation::helped(Play::Help, End::Mate, 1), &["h2h1"].map(code)).unwrap();
        assert_eq!((found.san.as_str(), found.uci.as_slice()), ("1...Rh1#", ["h2h1".to_owned()].as_slice()));
        assert_eq!(replay(&start, Stipulation::helped(Play::Help, End::Stalemate, 1), &["h2h1"].map(code)), None);
    }

    #[test]
    fn a_series_gives_check_only_with_its_last_move() {
        let start = parse_position("k7/8/2K5/8/8/8/7R/8 w - - 0 1").unwrap();
        let series = Stipulation::helped(Play::Series, End::Mate, 2);
        let found = replay(&start, series, &["c6b6", "h2h8"].map(code)).unwrap();
        assert_eq!((found.san.as_str(), found.mate.model), ("1.Kb6 2.Rh8#", true));
        let three = Stipulation::helped(Play::Series, End::Mate, 3);
        assert_eq!(replay(&start, three, &["h2h8", "c6b6", "h8h8"].map(code)), None);
    }
}
