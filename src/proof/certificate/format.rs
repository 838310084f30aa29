//! The parts of version 2 that its reader and its writer share: the header, moves as text, and the checksum.

use std::fmt;

use shakmaty::{Chess, Color, Position as _, Role, Square};

use crate::chess::{Goal, MateLength, MoveCode};

use super::{CertificateError, root};

/// The first line of every certificate that is written. The number is the version of the format.
pub(super) const TITLE: &str = "matesolve certificate 2";

/// The number of lines before the first line of the proof.
pub(super) const HEADER_LINES: usize = 5;

/// The beginning of the last line.
pub(super) const END: &str = "end ";

/// The goals, with the signs that stand for them in a stipulation.
const GOALS: [(&str, Goal); 6] = [
    ("#", Goal::MATE),
    ("=", Goal::STALEMATE),
    ("s#", Goal::SELFMATE),
    ("s=", Goal::SELF_STALEMATE),
    ("semi-r#", Goal::SEMI_REFLEX),
    ("r#", Goal::REFLEX),
];

/// The lines of a certificate before its proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header {
    pub fen: String,
    pub attacker: Color,
    pub goal: Goal,
    /// The claimed length, in moves of the attacker.
    pub length: MateLength,
}

impl Header {
    /// Reads the lines 2 to 5, and returns the position too.
    pub(super) fn read(lines: &[String]) -> Result<(Header, Chess), CertificateError> {
        let field = |line: usize, name: &str, expected: &'static str| {
            let text = lines.get(line - 2).and_then(|text| text.strip_prefix(name)?.strip_prefix(' '));
            let text = text.filter(|text| !text.is_empty() && text.split(' ').all(|word| !word.is_empty()));
            text.ok_or(CertificateError::Header { line, expected })
        };
        let fen = field(2, "position", "position FEN")?;
        let root = root(fen)?;
        let expected = "stipulation #MOVES, or another stipulation with one side that plays for the goal";
        let refused = |line, expected| CertificateError::Header { line, expected };
        let (goal, attacker_begins, most) =
            stipulation(field(3, "stipulation", expected)?).ok_or(refused(3, expected))?;
        let expected = "claim solved in MOVES, which are not more than those of the stipulation";
        let length = moves(field(4, "claim solved in", expected)?).filter(|&length| length <= most);
        let length = length.ok_or(refused(4, expected))?;
        let expected = "proof solved in MOVES, the same as in the claim";
        if moves(field(5, "proof solved in", expected)?) != Some(length) {
            return Err(refused(5, expected));
        }
        let attacker = if attacker_begins { root.turn() } else { !root.turn() };
        Ok((Header { fen: fen.to_owned(), attacker, goal, length }, root))
    }

    /// Writes the first lines of a certificate. `turn` is the side to move in the diagram.
    pub(super) fn text(&self, turn: Color) -> String {
        let Header { fen, attacker, goal, length } = self;
        let sign = GOALS.iter().find(|(_, known)| known == goal).map_or("#", |&(sign, _)| sign);
        let begins = if turn == *attacker { "" } else { "-" };
        format!(
            "{TITLE}\nposition {fen}\nstipulation {sign}{begins}{length}\nclaim solved in {length}\n\
             proof solved in {length}\n"
        )
    }
}

/// Reads a stipulation: the goal, whether the attacker begins, and his moves.
fn stipulation(text: &str) -> Option<(Goal, bool, MateLength)> {
    let (sign, rest) = text.split_at(text.find(['#', '='])? + 1);
    let &(_, goal) = GOALS.iter().find(|&&(known, _)| known == sign)?;
    let number = rest.strip_prefix('-').unwrap_or(rest);
    let attacker_begins = number.len() == rest.len();
    let moves = moves(number).filter(|moves| moves.0 > 0 || !attacker_begins)?;
    Some((goal, attacker_begins, moves))
}

/// Reads a number of moves.
fn moves(text: &str) -> Option<MateLength> {
    number(text).map(MateLength).filter(|&moves| moves <= MateLength::MAX)
}

/// Reads a number in the only way it is written: decimal, without a sign and without zeros before it.
pub(super) fn number<N: std::str::FromStr + fmt::Display>(text: &str) -> Option<N> {
    text.parse().ok().filter(|number: &N| number.to_string() == text)
}

/// Reads a move in coordinates, such as `e2e4` or `e7e8q`.
pub(super) fn parse_move(text: &str) -> Option<MoveCode> {
    let bytes = text.as_bytes();
    let promotion = match bytes.get(4) {
        None => None,
        Some(b'n') => Some(Role::Knight),
        Some(b'b') => Some(Role::Bishop),
        Some(b'r') => Some(Role::Rook),
        Some(b'q') => Some(Role::Queen),
        Some(_) => return None,
    };
    let squares = bytes.get(..4).filter(|_| bytes.len() <= 5)?;
    let square = |text| Square::from_ascii(text).ok();
    Some(MoveCode::new(square(&squares[..2])?, square(&squares[2..])?, promotion))
}

/// The order of the defences in a line: by the square where the move begins, the square where it ends, and the role of
/// a promotion. The squares are in the order a1, b1, …, h1, a2, …, h8, the roles in the order n, b, r, q.
pub(super) fn order(code: MoveCode) -> (Square, Square, Option<Role>) {
    (code.from(), code.to(), code.promotion())
}

/// The CRC-32 of gzip (ISO 3309), written in eight hexadecimal digits.
#[derive(Debug, Clone)]
pub(super) struct Crc(u32);

impl Default for Crc {
    fn default() -> Crc {
        Crc(u32::MAX)
    }
}

impl Crc {
    /// What a byte does to the sum. The polynomial is written from its lowest bit, so it is shifted to the right.
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            let mut sum = byte as u32;
            let mut bit = 0;
            while bit < 8 {
                sum = if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
                bit += 1;
            }
            table[byte] = sum;
            byte += 1;
        }
        table
    };

    /// Adds bytes.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = Crc::TABLE[usize::from(self.0 as u8 ^ byte)] ^ self.0 >> 8;
        }
    }
}

impl fmt::Display for Crc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", !self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(stipulation: &str, claim: &str) -> Result<Header, String> {
        let lines = [
            "position k7/8/2K5/8/8/8/8/1R6 w - - 0 1",
            &format!("stipulation {stipulation}"),
            &format!("claim {claim}"),
            &format!("proof {claim}"),
        ];
        let read = Header::read(&lines.map(str::to_owned));
        read.map(|(header, _)| header).map_err(|error| error.to_string())
    }

    #[test]
    fn the_checksum_is_that_of_gzip() {
        // The value that descriptions of this checksum give as their example.
        let mut crc = Crc::default();
        crc.add(b"1234");
        crc.add(b"56789");
        assert_eq!((crc.to_string(), Crc::default().to_string()), ("cbf43926".to_owned(), "00000000".to_owned()));
    }

    #[test]
    fn a_header_is_written_as_it_is_read() {
        for (stipulation, moves) in [("#2", 2), ("#-0", 0), ("=3", 3), ("s#3", 3), ("s=-1", 1)] {
            let read = header(stipulation, &format!("solved in {moves}")).unwrap();
            assert!(
                read.text(Color::White).contains(&format!("\nstipulation {stipulation}\nclaim solved in {moves}\n"))
            );
            assert_eq!((read.length.0, read.attacker.is_white()), (moves, !stipulation.contains('-')));
        }
        assert_eq!(header("#5", "solved in 3").unwrap().length, MateLength(3), "a shorter solution");
    }

    #[test]
    fn what_is_not_known_is_refused_with_its_line() {
        for (stipulation, claim, line) in [
            ("h#2", "solved in 2", 3),
            ("#", "solved in 2", 3),
            ("#0", "solved in 0", 3),
            ("#02", "solved in 2", 3),
            ("#1001", "solved in 2", 3),
            ("#2", "solved in 3", 4),
            ("#2", "solved in +2", 4),
            ("#2", "solved in  2", 4),
            ("#2", "no solution in 2", 4),
        ] {
            let error = header(stipulation, claim).unwrap_err();
            assert!(error.starts_with(&format!("line {line} of the certificate must be ")), "{error}");
        }
    }
}
