//! The lines before the proof, such as position, stipulation and claims.

use matesolve_terms::{Goal, MateLength};
use shakmaty::{Chess, Color, Position as _, Square};

use super::claims::{Claims, VerdictWord};
use super::format::{TITLE, number, order, parse_moves};
use super::{CertificateError, root};

/// The lines of a certificate before its proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The position, as a FEN with or without move counters.
    pub fen: String,
    /// Pairs of rooks: castling with one ends the right to castle with the other.
    pub exclusive: Vec<(Square, Square)>,
    /// The side that strives for the goal.
    pub attacker: Color,
    /// The goal that must stand on the board at the end.
    pub goal: Goal,
    /// The number of the stipulation, in moves of the attacker.
    pub moves: MateLength,
    /// The number of keys that are intended.
    pub intended: u16,
    /// The claims of the proof.
    pub claims: Claims,
}

impl Header {
    /// Reads the lines from the second on, and returns the position too.
    pub(super) fn read(lines: &[String]) -> Result<(Header, Chess), CertificateError> {
        let mut fields = Fields { lines, next: 0 };
        let fen = fields.take("position ", "position FEN")?.to_owned();
        let root = root(&fen)?;
        let pairs = "exclusive SQUARES, two for each pair of rooks";
        let exclusive = fields.optional("exclusive ", pairs, square_pairs)?.unwrap_or_default();
        let expected = "stipulation #MOVES, or another stipulation with one side that plays for the goal";
        let stated = stipulation(fields.take("stipulation ", expected)?);
        let (goal, attacker_begins, moves) = stated.ok_or(fields.refused(expected))?;
        let expected = "intended NUMBER, from 2 on";
        let intended = fields.optional("intended ", expected, |text| number(text).filter(|&n: &u16| n > 1))?;
        let attacker = if attacker_begins { root.turn() } else { !root.turn() };
        let mut header = Header {
            fen,
            exclusive,
            attacker,
            goal,
            moves,
            intended: intended.unwrap_or(1),
            claims: Claims::Solved(moves),
        };
        header.claims = header.claims(&mut fields, attacker_begins)?;
        fields.end()?;
        Ok((header, root))
    }

    /// Reads the lines of the claims.
    fn claims(&self, fields: &mut Fields<'_>, attacker_begins: bool) -> Result<Claims, CertificateError> {
        let expected = "claim WHAT, with no more moves than in the stipulation";
        let text = fields.take("claim ", expected)?;
        let claims = if let Some(verdict) = text.strip_prefix("verdict ").filter(|_| attacker_begins) {
            verdict_of(verdict, self)
        } else if let Some(n) = text.strip_prefix("no solution in ") {
            moves(n).filter(|n| n.0 > 0 || !attacker_begins).map(Claims::Nothing)
        } else {
            text.strip_prefix("solved in ").and_then(moves).map(Claims::Solved)
        };
        // Of an exact question other lengths say nothing.
        let fits = |most: MateLength| most == self.moves || !self.goal.exact && most < self.moves;
        let claims = claims.filter(|claims| claims.most().is_none_or(fits));
        let claims = claims.ok_or(fields.refused(expected))?;
        let Claims::Solved(moves) = claims else { return Ok(claims) };
        if self.goal.exact {
            return Ok(claims);
        }
        let expected = "claim no solution in MOVES, with fewer moves than in the first claim";
        let nothing = fields.optional("claim ", expected, |text| {
            let n = self::moves(text.strip_prefix("no solution in ")?)?;
            Some(n).filter(|&n| n < moves && (n.0 > 0 || !attacker_begins))
        })?;
        Ok(nothing.map_or(claims, |nothing| Claims::Shortest { moves, nothing }))
    }

    /// Writes the first lines of a certificate. `turn` is the side to move in the diagram.
    pub(super) fn text(&self, turn: Color) -> String {
        let Header { fen, exclusive, attacker, goal, moves, intended, claims } = self;
        let sign = goal.sign();
        let begins = if turn == *attacker { "" } else { "-" };
        let pairs: Vec<String> = exclusive.iter().map(|(a, b)| format!("{a}{b}")).collect();
        let exclusive = if pairs.is_empty() { String::new() } else { format!("exclusive {}\n", pairs.join(" ")) };
        let intended = if *intended == 1 { String::new() } else { format!("intended {intended}\n") };
        let claims = claims.text();
        // A stipulation gives the attacker a move if he begins, also where the goal stands already.
        let moves = if turn == *attacker { (*moves).max(MateLength(1)) } else { *moves };
        format!("{TITLE}\nposition {fen}\n{exclusive}stipulation {sign}{begins}{moves}\n{intended}{claims}\n")
    }
}

/// The lines of a header while they are read.
struct Fields<'a> {
    lines: &'a [String],
    next: usize,
}

impl<'a> Fields<'a> {
    /// Returns what follows `name` in the next line.
    fn take(&mut self, name: &str, expected: &'static str) -> Result<&'a str, CertificateError> {
        let text = self.lines.get(self.next).and_then(|line| line.strip_prefix(name));
        let text = text.filter(|text| !text.is_empty() && text.split(' ').all(|word| !word.is_empty()));
        self.next += 1;
        text.ok_or(self.refused(expected))
    }

    /// Reads the next line if it begins with `name`.
    fn optional<T>(
        &mut self,
        name: &str,
        expected: &'static str,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<Option<T>, CertificateError> {
        if !self.lines.get(self.next).is_some_and(|line| line.starts_with(name)) {
            return Ok(None);
        }
        read(self.take(name, expected)?).map(Some).ok_or(self.refused(expected))
    }

    /// Checks that no line is left.
    fn end(&self) -> Result<(), CertificateError> {
        let expected = "the first line of a section, such as proof solved in MOVES";
        if self.lines.len() > self.next {
            return Err(CertificateError::Header { line: self.next + 2, expected });
        }
        Ok(())
    }

    /// Returns the error of the line that was read last.
    fn refused(&self, expected: &'static str) -> CertificateError {
        CertificateError::Header { line: self.next + 1, expected }
    }
}

/// Reads a stipulation: the goal, whether the attacker begins, and his moves.
fn stipulation(text: &str) -> Option<(Goal, bool, MateLength)> {
    let (sign, rest) = text.split_at(text.find(['#', '='])? + 1);
    let goal = Goal::ALL.into_iter().find(|goal| goal.sign() == sign)?;
    let number = rest.strip_prefix('-').unwrap_or(rest);
    let attacker_begins = number.len() == rest.len();
    let moves = moves(number).filter(|moves| moves.0 > 0 || !attacker_begins)?;
    Some((goal, attacker_begins, moves))
}

/// Reads a number of moves.
fn moves(text: &str) -> Option<MateLength> {
    number(text).map(MateLength).filter(|&moves| moves <= MateLength::MAX)
}

/// Reads what follows `verdict`. The keys are those that the word allows, in the order of moves.
fn verdict_of(text: &str, header: &Header) -> Option<Claims> {
    let (word, keys) = text.split_once(' ').map_or((text, None), |(word, keys)| (word, Some(keys)));
    let &(word, _) = VerdictWord::ALL.iter().find(|&&(_, known)| known == word)?;
    let keys = keys.map_or(Some(Vec::new()), parse_moves)?;
    let fits = match word {
        VerdictWord::Short => !keys.is_empty() && header.moves.0 > 1 && !header.goal.exact,
        word => VerdictWord::of(keys.len(), header.intended) == Some(word),
    };
    let in_order = keys.is_sorted_by(|&a, &b| order(a) < order(b));
    (fits && in_order).then_some(Claims::Verdict { word, keys })
}

/// Reads pairs of squares.
fn square_pairs(text: &str) -> Option<Vec<(Square, Square)>> {
    let square = |text: &str| -> Option<Square> { text.parse().ok() };
    text.split(' ').map(|pair| Some((square(pair.get(..2)?)?, square(pair.get(2..)?)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(lines: &[&str]) -> Result<Header, String> {
        let lines: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
        Header::read(&lines).map(|(header, _)| header).map_err(|error| error.to_string())
    }

    const POSITION: &str = "position k7/8/2K5/8/8/8/8/1R6 w - - 0 1";

    #[test]
    fn a_header_is_written_as_it_is_read() {
        for (stipulation, claim) in [
            ("#2", "claim solved in 2"),
            ("#-0", "claim solved in 0"),
            ("#5", "claim solved in 3"),
            ("exact-#3", "claim solved in 3"),
            ("exact-#-3", "claim no solution in 3"),
            ("exact-#3", "claim verdict sound c6c7"),
            ("=3", "claim no solution in 3"),
            ("s=-1", "claim no solution in 0"),
            ("#4", "claim solved in 4\nclaim no solution in 3"),
            ("s#3", "claim verdict sound c6c7"),
            ("#3\nintended 2", "claim verdict sound b1b7 c6c7"),
            ("#3", "claim verdict cooked b1b7 c6c7"),
            ("#3", "claim verdict short c6c7"),
            ("r#3", "claim verdict none"),
        ] {
            for exclusive in ["", "exclusive a1h8 a1a8\n"] {
                let text = format!("{POSITION}\n{exclusive}stipulation {stipulation}\n{claim}\n");
                let read = header(&text.lines().collect::<Vec<_>>()).unwrap();
                assert_eq!(read.text(Color::White), format!("{TITLE}\n{text}"));
                let turned = ["#-", "=-"].iter().any(|sign| stipulation.contains(sign));
                assert_eq!(read.attacker.is_white(), !turned);
            }
        }
    }

    #[test]
    fn what_is_not_known_is_refused_with_its_line() {
        for (stipulation, claims, line) in [
            ("h#2", "solved in 2", 3),
            ("#", "solved in 2", 3),
            ("#0", "solved in 0", 3),
            ("#02", "solved in 2", 3),
            ("#1001", "solved in 2", 3),
            ("#2", "solved in 3", 4),
            ("#2", "solved in +2", 4),
            ("#2", "solved in  2", 4),
            ("#2", "no solution in 0", 4),
            ("#2", "won in 2", 4),
            ("#2", "verdict sound", 4),
            ("#2", "verdict sound c6c7 b1b7", 4),
            ("#2", "verdict cooked c6c7", 4),
            ("#2", "verdict cooked c6c7 b1b7", 4),
            ("#1", "verdict short c6c7", 4),
            ("exact-#3", "verdict short c6c7", 4),
            ("exact-#3", "solved in 2", 4),
            ("exact-#3", "no solution in 2", 4),
            ("exact-#3", "solved in 3\nclaim no solution in 2", 5),
            ("#-2", "verdict none", 4),
            ("#2", "solved in 2\nclaim no solution in 2", 5),
            ("#2", "solved in 2\nclaim solved in 1", 5),
            ("#2", "no solution in 2\nclaim solved in 1", 5),
            ("#2\nintended 1", "verdict sound c6c7", 4),
        ] {
            let text = format!("{POSITION}\nstipulation {stipulation}\nclaim {claims}");
            let error = header(&text.lines().collect::<Vec<_>>()).unwrap_err();
            assert!(error.starts_with(&format!("line {line} of the certificate must be ")), "{text}: {error}");
        }
    }
}
