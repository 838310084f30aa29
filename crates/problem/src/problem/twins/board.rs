//! Applies the commands of a twin to the men, and writes the heading that Popeye prints for them.
//!
//! The men may stand anywhere, also where no game can bring them: several commands together may make a position that
//! none of them makes alone.

use std::fmt::Write as _;

use shakmaty::{Board, Color, Piece, Role, Square};

use super::command::{NamedMan, TwinCommand};
use crate::problem::men::letter;

/// Returns the men after a command that changes them. An error is a sentence.
pub fn after(board: &Board, command: &TwinCommand) -> Result<Board, String> {
    let mut men = TwinBoard::new(board.clone());
    men.apply(command)?;
    Ok(men.board)
}

/// Returns the heading of these commands, applied one after the other: `wRe2-->e3  +bPa5`.
pub fn heading<'c>(board: &Board, commands: impl IntoIterator<Item = &'c TwinCommand>) -> Result<String, String> {
    let mut men = TwinBoard::new(board.clone());
    commands.into_iter().try_for_each(|command| men.apply(command))?;
    Ok(men.take_heading())
}

/// The men of a phase while its commands are applied.
#[derive(Debug, Clone, Default)]
pub(super) struct TwinBoard {
    pub board: Board,
    /// The parts of the heading, in order.
    heading: Vec<Entry>,
}

/// A part of the heading of a phase.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Entry {
    Removed(Piece, Square),
    Added(Piece, Square),
    Text(String),
}

impl TwinBoard {
    pub(super) fn new(board: Board) -> TwinBoard {
        TwinBoard { board, heading: Vec::new() }
    }

    /// Adds a text to the heading, such as a stipulation.
    pub(super) fn note(&mut self, text: String) {
        self.heading.push(Entry::Text(text));
    }

    /// Applies a command that changes the men. An error is a sentence.
    pub(super) fn apply(&mut self, command: &TwinCommand) -> Result<(), String> {
        match *command {
            TwinCommand::Move(man, to) => self.shift_man(self.find(man)?, man.square, to),
            TwinCommand::Exchange(first, second) => {
                let (one, two) = (self.find(first)?, self.find(second)?);
                self.board.set_piece_at(first.square, two);
                self.board.set_piece_at(second.square, one);
                self.note(format!("{}<-->{}", named(one, first.square), named(two, second.square)));
            }
            TwinCommand::Remove(man) => {
                let piece = self.find(man)?;
                self.board.discard_piece_at(man.square);
                self.heading.push(Entry::Removed(piece, man.square));
            }
            TwinCommand::Add(color, role, square) => self.add(Piece { color, role }, square),
            TwinCommand::Place(color, role, square) => self.place(color, role, square)?,
            TwinCommand::Substitute(old, new) => {
                for square in self.board.by_role(old) {
                    let Some(piece) = self.board.piece_at(square) else { continue };
                    self.board.set_piece_at(square, Piece { role: new, ..piece });
                }
                self.note(format!("{} ==> {}", letter(old), letter(new)));
            }
            TwinCommand::Rotate(rotation) => self.transform(command, format!("rotate {}", rotation.degrees()))?,
            TwinCommand::Mirror(mirror) => self.transform(command, format!("mirror {}", mirror.name()))?,
            TwinCommand::Shift(from, to) => self.transform(command, format!("shift {from} ==> {to}"))?,
            TwinCommand::PolishType => {
                self.board.swap_colors();
                self.note("PolishType".to_owned());
            }
            TwinCommand::Stipulation(_)
            | TwinCommand::Attacker(_)
            | TwinCommand::OtherSide
            | TwinCommand::Refused(_) => {}
        }
        Ok(())
    }

    /// Returns the man that a command names.
    fn find(&self, man: NamedMan) -> Result<Piece, String> {
        let NamedMan { color, role, other, square } = man;
        let piece =
            self.board.piece_at(square).ok_or_else(|| format!("the twin names a man on {square}, which is empty"))?;
        if color.is_some_and(|color| color != piece.color)
            || role.is_some_and(|role| role != piece.role && other != Some(piece.role))
        {
            let side = color.map_or("", |color| color.fold_wb("w", "b"));
            let role = role.map_or(String::new(), |role| letter(role).to_string());
            return Err(format!("the twin names {side}{role}{square}, but {} stands there", named(piece, square)));
        }
        Ok(piece)
    }

    fn shift_man(&mut self, piece: Piece, from: Square, to: Square) {
        if let Some(taken) = self.board.piece_at(to).filter(|_| from != to) {
            self.heading.push(Entry::Removed(taken, to));
        }
        self.board.discard_piece_at(from);
        self.board.set_piece_at(to, piece);
        self.note(format!("{}-->{to}", named(piece, from)));
    }

    fn add(&mut self, piece: Piece, square: Square) {
        if let Some(replaced) = self.board.piece_at(square) {
            self.heading.push(Entry::Removed(replaced, square));
        }
        self.board.set_piece_at(square, piece);
        self.heading.push(Entry::Added(piece, square));
    }

    fn place(&mut self, color: Option<Color>, role: Role, square: Square) -> Result<(), String> {
        let there = self.board.piece_at(square);
        let Some(color) = color.or(there.map(|piece| piece.color)) else {
            return Err(format!("the twin puts {}{square} on the board, but does not say of which side", letter(role)));
        };
        let piece = Piece { color, role };
        if there == Some(piece) {
            return Err(format!("the twin names {}, which stands there already", named(piece, square)));
        }
        match self.board.king_of(color) {
            Some(king) if role == Role::King => self.shift_man(piece, king, square),
            _ => self.add(piece, square),
        }
        Ok(())
    }

    /// Moves all men, and adds this note to the heading.
    fn transform(&mut self, command: &TwinCommand, note: String) -> Result<(), String> {
        let mut moved = Board::empty();
        for (square, piece) in self.board.clone() {
            // Only a shift does it.
            let why = || note.replacen("shift", "shifts the men by", 1);
            let lost = || format!("the twin {}, which takes the man on {square} off the board", why());
            moved.set_piece_at(command.target(square).ok_or_else(lost)?, piece);
        }
        self.board = moved;
        self.note(note);
        Ok(())
    }

    /// Returns the heading and begins a new one: `bRc7-->f8  -wPb3`.
    pub(super) fn take_heading(&mut self) -> String {
        let entries = std::mem::take(&mut self.heading);
        let mut text = String::new();
        for (at, entry) in entries.iter().enumerate() {
            // A man that replaces another is written without signs, and the other man not at all.
            let (before, after) = (&entries[..at], &entries[at + 1..]);
            let gap = if text.is_empty() { "" } else { "  " };
            let _ = match entry {
                Entry::Text(note) => write!(text, "{gap}{note}"),
                Entry::Removed(_, square)
                    if after.iter().any(|it| matches!(it, Entry::Added(_, on) if on == square)) =>
                {
                    Ok(())
                }
                Entry::Removed(piece, square) => write!(text, "{gap}-{}", named(*piece, *square)),
                Entry::Added(piece, square) => {
                    let replaces = before.iter().any(|it| matches!(it, Entry::Removed(_, on) if on == square));
                    write!(text, "{gap}{}{}", if replaces { "" } else { "+" }, named(*piece, *square))
                }
            };
        }
        text
    }
}

/// Writes a man with its side, such as `wSc3`.
pub fn named(piece: Piece, square: Square) -> String {
    format!("{}{}{square}", piece.color.fold_wb('w', 'b'), letter(piece.role))
}

#[cfg(test)]
mod tests {
    use super::super::Twin;
    use super::*;

    /// Applies the text of a twin; returns the board and the heading, or the sentence.
    fn applied(board: &str, text: &str) -> Result<(String, String), String> {
        let mut twin_board = TwinBoard::new(Board::from_ascii_board_fen(board.as_bytes()).unwrap());
        for command in Twin::read(None, text).commands {
            twin_board.apply(&command)?;
        }
        Ok((twin_board.board.board_fen().to_string(), twin_board.take_heading()))
    }

    /// The positions and headings are those of Popeye 4.87.
    #[test]
    fn commands_do_what_popeye_does() {
        for (text, board, heading) in [
            ("mir a1<-->h1", "8/8/8/8/6k1/8/3R2K1/8", "mirror a1<-->h1"),
            ("sub R S", "8/8/8/8/1k6/8/1K2N3/8", "R ==> S"),
            ("rotate 90", "8/8/8/6R1/8/8/4k1K1/8", "rotate 90"),
            ("rotate 90 shift a2 b2", "8/8/8/7R/8/8/5k1K/8", "rotate 90  shift a2 ==> b2"),
            ("rotate 180 shift e4 d4 polish", "8/2r2k2/8/5K2/8/8/8/8", "rotate 180  shift e4 ==> d4  PolishType"),
            ("mir a1<-->h8", "8/4k1K1/8/8/6R1/8/8/8", "mirror a1<-->h8"),
            ("move e2 e3", "8/8/8/8/1k6/4R3/1K6/8", "wRe2-->e3"),
        ] {
            assert_eq!(applied("8/8/8/8/1k6/8/1K2R3/8", text), Ok((board.to_owned(), heading.to_owned())), "{text}");
        }
    }

    #[test]
    fn headings_name_the_men_as_popeye_does() {
        let board = "4k3/8/8/8/2b5/1P6/8/4K2R";
        for (text, heading) in [
            ("remove b3", "-wPb3"),
            ("add white Qe5", "+wQe5"),
            ("add black Pb3", "bPb3"),
            ("remove b3 add white Rb3", "wRb3"),
            ("exchange b3 c4", "wPb3<-->bBc4"),
            ("move c4 b3", "-wPb3  bBc4-->b3"),
            ("WSc4", "wSc4"),
            ("Rb3", "wRb3"),
            ("bKd8", "bKe8-->d8"),
        ] {
            assert_eq!(applied(board, text).unwrap().1, heading, "{text}");
        }
    }

    #[test]
    fn what_is_not_true_of_the_men_is_an_error() {
        let error = |text| applied("4k3/8/8/8/2b5/1P6/8/4K2R", text).unwrap_err();
        assert_eq!(error("move a1 b1"), "the twin names a man on a1, which is empty");
        assert_eq!(error("Rb3-b4"), "the twin names Rb3, but wPb3 stands there");
        assert_eq!(applied("4k3/8/8/8/2b5/1p6/8/4K2R", "ohne sBb3").unwrap().1, "-bPb3");
        assert_eq!(error("sBc4 nach c5 ohne sBh1"), "the twin names bBh1, but wRh1 stands there");
        assert!(error("shift a1 a2").contains("takes the man on e8 off the board"));
        assert!(error("Sd4").contains("does not say of which side"));
        assert!(error("bBc4").contains("stands there already"));
    }
}
