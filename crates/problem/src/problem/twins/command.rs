//! The commands of a twin, as data and as text that [`Twin::read`] reads.

use std::fmt;

use shakmaty::{Color, Role, Square};

use crate::problem::men::letter;

/// One twin of a problem: what changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Twin {
    /// The letter that the input gives to the twin, such as `b`; `None`: the next letter of the alphabet.
    pub letter: Option<String>,
    /// Whether the commands change the position of the twin before (`Continued`), and not the diagram.
    pub continued: bool,
    /// The commands, in order.
    pub commands: Vec<TwinCommand>,
}

/// One change. Rotations, mirrors and shifts move all men.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TwinCommand {
    /// A man changes its square; a man on the new square is removed.
    Move(NamedMan, Square),
    /// Two men change places.
    Exchange(NamedMan, NamedMan),
    /// A man is removed.
    Remove(NamedMan),
    /// A man is added; a man on its square is removed.
    Add(Color, Role, Square),
    /// Only a man is named, such as `wSa3`. It replaces the man on its square, or is added; a king moves there.
    /// Without a side, it belongs to that of the man whom it replaces.
    Place(Option<Color>, Role, Square),
    /// All men of the first kind become men of the second kind, on both sides.
    Substitute(Role, Role),
    /// The board is turned.
    Rotate(Rotation),
    /// The board is mirrored.
    Mirror(Mirror),
    /// All men move as a man would from the first square to the second.
    Shift(Square, Square),
    /// All men change their colour.
    PolishType,
    /// Another stipulation, as written.
    Stipulation(String),
    /// The side that strives for the goal.
    Attacker(Color),
    /// The other side than in the diagram strives for the goal (a twin `Duplex`).
    OtherSide,
    /// A command that is not solved or not understood, as written.
    Refused(String),
}

/// A man as a twin names it. What is named besides the square must be true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedMan {
    /// The side of the man, if it is named.
    pub color: Option<Color>,
    /// The kind of the man, if it is named.
    pub role: Option<Role>,
    /// Another kind that the letter may mean: in a German text, `B` is a bishop or a pawn (Bauer).
    pub other: Option<Role>,
    /// The square where it stands.
    pub square: Square,
}

/// A rotation of the board. Like Popeye's, `By90` takes a1 to h1, h1 to h8 and so on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rotation {
    /// A quarter turn, against the clock.
    By90,
    /// A half turn.
    By180,
    /// A quarter turn with the clock.
    By270,
}

/// A reflection of the board, named by two corners that change places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mirror {
    /// The files change places: a and h, b and g, …
    A1H1,
    /// The ranks change places: 1 and 8, 2 and 7, …
    A1A8,
    /// Reflection at the diagonal from a8 to h1.
    A1H8,
    /// Reflection at the diagonal from a1 to h8.
    A8H1,
}

impl Rotation {
    /// Returns where the man of a square goes.
    pub(super) fn apply(self, square: Square) -> Square {
        [square.rotate_270(), square.rotate_180(), square.rotate_90()][self as usize]
    }

    /// Returns the number of degrees.
    pub(super) fn degrees(self) -> u16 {
        90 * (1 + self as u16)
    }
}

/// A reflection, its name, and where it takes the man of a square.
pub(super) type Reflection = (Mirror, &'static str, fn(Square) -> Square);

impl Mirror {
    /// All reflections, with Popeye's names, and where the man of a square goes.
    pub(super) const ALL: [Reflection; 4] = [
        (Mirror::A1H1, "a1<-->h1", Square::flip_horizontal),
        (Mirror::A1A8, "a1<-->a8", Square::flip_vertical),
        (Mirror::A1H8, "a1<-->h8", Square::flip_anti_diagonal),
        (Mirror::A8H1, "a8<-->h1", Square::flip_diagonal),
    ];

    /// Returns where the man of a square goes.
    pub(super) fn apply(self, square: Square) -> Square {
        Mirror::ALL[self as usize].2(square)
    }

    /// Returns Popeye's name of the reflection.
    pub(super) fn name(self) -> &'static str {
        Mirror::ALL[self as usize].1
    }
}

impl TwinCommand {
    /// Returns where a command that moves all men takes the man of a square; `None` if it leaves the board, or if the
    /// command is another one.
    pub fn target(&self, square: Square) -> Option<Square> {
        match *self {
            TwinCommand::Rotate(rotation) => Some(rotation.apply(square)),
            TwinCommand::Mirror(mirror) => Some(mirror.apply(square)),
            TwinCommand::Shift(from, to) => {
                let files = i32::from(to.file()) - i32::from(from.file());
                let ranks = i32::from(to.rank()) - i32::from(from.rank());
                let file = shakmaty::File::try_from(i32::from(square.file()) + files).ok()?;
                let rank = shakmaty::Rank::try_from(i32::from(square.rank()) + ranks).ok()?;
                Some(Square::from_coords(file, rank))
            }
            _ => None,
        }
    }
}

impl fmt::Display for TwinCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TwinCommand::Move(man, to) => write!(f, "Move {} {to}", man.square),
            TwinCommand::Exchange(NamedMan { square, .. }, other) => write!(f, "Exchange {square} {}", other.square),
            TwinCommand::Remove(man) => write!(f, "Remove {}", man.square),
            TwinCommand::Add(color, role, square) => {
                write!(f, "Add {} {}", color.fold_wb("white", "black"), man(*role, *square))
            }
            TwinCommand::Place(None, role, square) => f.write_str(&man(*role, *square)),
            TwinCommand::Place(Some(color), role, square) => {
                write!(f, "{}{}", color.fold_wb('w', 'b'), man(*role, *square))
            }
            TwinCommand::Substitute(old, new) => write!(f, "Substitute {} {}", letter(*old), letter(*new)),
            TwinCommand::Rotate(rotation) => write!(f, "Rotate {}", rotation.degrees()),
            TwinCommand::Mirror(mirror) => write!(f, "Mirror {}", mirror.name()),
            TwinCommand::Shift(from, to) => write!(f, "Shift {from} {to}"),
            TwinCommand::PolishType => f.write_str("PolishType"),
            TwinCommand::Stipulation(text) => write!(f, "Stipulation {text}"),
            TwinCommand::Attacker(color) => f.write_str(color.fold_wb("White", "Black")),
            TwinCommand::OtherSide => f.write_str("Duplex"),
            TwinCommand::Refused(text) => f.write_str(text),
        }
    }
}

fn man(role: Role, square: Square) -> String {
    format!("{}{square}", letter(role))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotation_by_90_takes_a1_to_h1() {
        assert_eq!(
            [Square::A1, Square::B2, Square::E2].map(|at| Rotation::By90.apply(at)),
            [Square::H1, Square::G2, Square::G5]
        );
        assert_eq!(Rotation::By180.apply(Square::B4), Square::G5);
        assert_eq!(Rotation::By270.apply(Square::H1), Square::A1);
    }

    #[test]
    fn a_mirror_exchanges_the_corners_of_its_name() {
        for mirror in [Mirror::A1H1, Mirror::A1A8, Mirror::A1H8, Mirror::A8H1] {
            let corners: Vec<Square> = mirror.name().split("<-->").filter_map(|name| name.parse().ok()).collect();
            assert_eq!([mirror.apply(corners[0]), mirror.apply(corners[1])], [corners[1], corners[0]]);
        }
        assert_eq!(Mirror::A1H8.apply(Square::E2), Square::G4);
    }

    use super::super::Twin;

    #[test]
    fn commands_are_read_back() {
        for text in [
            "Move a1 b2",
            "Exchange a1 b2",
            "Remove e5",
            "Add white Qe8",
            "Add black Pa3",
            "Substitute R S",
            "Rotate 90",
            "Mirror a1<-->h1",
            "Shift a1 b3",
            "PolishType",
            "Black",
        ] {
            let commands = Twin::read(None, text).commands;
            let written: Vec<String> = commands.iter().map(ToString::to_string).collect();
            assert_eq!(written, [text]);
        }
    }
}
