//! The words of Popeye's output in its three languages, its numbers of first moves, and its order of moves.
//!
//! **Numbers.** Popeye gives a move its number before it looks whether the own king is left in check. So moves that are
//! illegal for this reason have numbers, too (here not castling and en passant).
//!
//! **Order.** Popeye prints first moves and defences in the order in which it generates them. Men move in the order of
//! their squares, from a1 along the ranks. Kings and line pieces move first along the diagonals, counter-clockwise from
//! the lower left, then down, left, up and right; on a line, far squares come first. A king castles before it moves.
//! Knights have the order of `JUMPS`. Pawns advance, two squares first, before they capture; promotions are to queen,
//! knight, rook and bishop.
//!
//! Within a variation, Popeye also tries the last successful move first. That is not imitated.

use shakmaty::{Bitboard, Chess, Move, Position as _, Rank, Role, Square, attacks};

use crate::chess::notation::after;
use crate::output::report::letters::{self, Letters, SIDES};
use crate::problem::popeye::Language;
use crate::results::report::Ply;

/// The words for transformations of the board in the headings of twins.
const TRANSFORMATIONS: [&str; 4] = ["rotate", "mirror", "shift", "PolishType"];

/// The words of a solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PopeyeWords {
    pub(crate) zugzwang: &'static str,
    pub(crate) threat: &'static str,
    /// Stands before the refutations of a try.
    pub(crate) but: &'static str,
    /// Stands after a defence to which the play after the key has no answer.
    pub(crate) refutes: &'static str,
    /// Stands at the end of a solution that is whole.
    pub finished: &'static str,
    /// Stands at the end of a solution that a limit cut.
    pub partial: &'static str,
    /// Stands before the time.
    pub time: &'static str,
    pub(crate) duplex: &'static str,
    pub(crate) half_duplex: &'static str,
    pub(crate) exclusive: &'static str,
    /// Names a diagram that is no problem itself, only its twins.
    pub zero_position: &'static str,
    pub(crate) letters: Letters,
    /// The letters of White and Black in the headings of twins.
    pub(crate) sides: [char; 2],
    /// The words for `rotate`, `mirror`, `shift` and `PolishType` in these headings.
    pub(crate) transformations: [&'static str; 4],
}

pub(crate) const ENGLISH: PopeyeWords = PopeyeWords {
    zugzwang: "zugzwang.",
    threat: "threat:",
    but: "but",
    refutes: "refutes.",
    finished: "solution finished.",
    partial: "Partial solution",
    time: "Time",
    duplex: "Duplex",
    half_duplex: "HalfDuplex",
    exclusive: "CastlingMutuallyExclusive",
    zero_position: "zeroposition",
    letters: Letters::EnS,
    sides: SIDES,
    transformations: TRANSFORMATIONS,
};

const GERMAN: PopeyeWords = PopeyeWords {
    zugzwang: "Zugzwang.",
    threat: "Drohung:",
    but: "Aber",
    refutes: "Widerlegt.",
    finished: "Loesung beendet.",
    partial: "Partielle Loesung",
    time: "Zeit",
    half_duplex: "HalbDuplex",
    exclusive: "RochadenGegenseitigAusschliessend",
    zero_position: "NullStellung",
    letters: Letters::De,
    sides: ['w', 's'],
    transformations: ["Drehung", "Spiegelung", "Verschiebung", "Farbwechsel"],
    ..ENGLISH
};

const FRENCH: PopeyeWords = PopeyeWords {
    zugzwang: "blocus.",
    threat: "menace:",
    but: "mais",
    refutes: "Refute.",
    finished: "solution terminee.",
    partial: "solution partielle",
    time: "Temps",
    half_duplex: "DemiDuplex",
    exclusive: "RoquesMutuellementExclusifs",
    letters: Letters::Fr,
    sides: ['b', 'n'],
    transformations: ["rotation", "miroir", "translation", "CouleurEchange"],
    ..ENGLISH
};

impl PopeyeWords {
    /// Returns the heading of a twin in this language: `b) wTh1-->g1  Drehung 90` has the heading `wTh1-->g1  Drehung
    /// 90`.
    pub fn heading(&self, text: &str) -> String {
        let translated = |part: &str| {
            let pairs = TRANSFORMATIONS.iter().zip(self.transformations);
            let word = part.split(' ').next().unwrap_or_default();
            let (_, own) = pairs.into_iter().find(|(english, _)| **english == word)?;
            Some(format!("{own}{}", &part[word.len()..]))
        };
        let men = letters::heading(self.letters, text, self.sides);
        let part = |part: &str| translated(part).unwrap_or_else(|| part.to_owned());
        men.split("  ").map(part).collect::<Vec<_>>().join("  ")
    }

    /// Returns the words of a language.
    pub fn of(language: Language) -> PopeyeWords {
        match language {
            Language::English => ENGLISH,
            Language::German => GERMAN,
            Language::French => FRENCH,
        }
    }
}

/// Returns all first moves in Popeye's order, also those that leave the king in check.
pub fn first_moves(chess: &Chess) -> Vec<Ply> {
    let special = |mv: &Move| matches!(mv, Move::Castle { .. } | Move::EnPassant { .. });
    let mut moves: Vec<Move> = chess.legal_moves().into_iter().filter(special).collect();
    for from in chess.us() {
        moves.extend(moves_of(chess, from));
    }
    let mut plies: Vec<Ply> = moves.into_iter().map(|mv| ply(chess, mv)).collect();
    plies.sort_by_key(order);
    plies
}

/// Returns the moves of one man, without castling and en passant.
fn moves_of(chess: &Chess, from: Square) -> Vec<Move> {
    let board = chess.board();
    let Some(man) = board.piece_at(from) else { return Vec::new() };
    let attacked = attacks::attacks(from, man, board.occupied());
    let targets = match man.role {
        Role::Pawn => (attacked & chess.them()) | advances(chess, from),
        _ => attacked & !chess.us(),
    };
    let promotes = |to: Square| man.role == Role::Pawn && matches!(to.rank(), Rank::First | Rank::Eighth);
    let promotions = [Role::Queen, Role::Knight, Role::Rook, Role::Bishop].map(Some);
    targets
        .into_iter()
        .flat_map(|to| {
            let promotions: &[Option<Role>] = if promotes(to) { &promotions } else { &[None] };
            let normal = |&promotion| Move::Normal { role: man.role, from, capture: board.role_at(to), to, promotion };
            promotions.iter().map(normal).collect::<Vec<_>>()
        })
        .collect()
}

/// Returns the squares to which a pawn can advance.
fn advances(chess: &Chess, from: Square) -> Bitboard {
    let (step, home) = chess.turn().fold_wb((8, Rank::Second), (-8, Rank::Seventh));
    let free = |square: &Square| chess.board().piece_at(*square).is_none();
    let one = from.offset(step).filter(free);
    let two = one.filter(|_| from.rank() == home).and_then(|one| one.offset(step)).filter(free);
    one.into_iter().chain(two).collect()
}

fn ply(chess: &Chess, mv: Move) -> Ply {
    let next = after(chess, mv);
    let uci = mv.to_uci(chess.castles().mode()).to_string();
    Ply { mv, check: next.is_check(), mate: false, san: String::new(), uci }
}

/// The steps of kings and line pieces, in files and ranks.
const LINES: [(i32, i32); 8] = [(-1, -1), (1, -1), (1, 1), (-1, 1), (0, -1), (-1, 0), (0, 1), (1, 0)];

/// The jumps of a knight.
const JUMPS: [(i32, i32); 8] = [(-2, -1), (-1, -2), (1, -2), (2, -1), (2, 1), (1, 2), (-1, 2), (-2, 1)];

/// A key by which moves of one position are sorted: the square, the direction, the distance (far first), the promotion.
pub(super) type MoveOrder = (u32, usize, i32, usize);

/// Returns the place of a move in Popeye's order.
pub(super) fn order(ply: &Ply) -> MoveOrder {
    let mv = ply.mv;
    let (Some(from), role) = (mv.from(), mv.role()) else { return (u32::MAX, 0, 0, 0) };
    if let Move::Castle { king, rook } = mv {
        return (u32::from(king), 0, i32::MIN, usize::from(rook < king));
    }
    let to = mv.to();
    let files = to.file() as i32 - from.file() as i32;
    let ranks = to.rank() as i32 - from.rank() as i32;
    let position = |steps: &[(i32, i32)], step: (i32, i32)| steps.iter().position(|known| *known == step);
    let direction = match role {
        Role::Knight => position(&JUMPS, (files, ranks)),
        Role::Pawn => Some(match files {
            0 => 0,
            1 => 1,
            _ => 2,
        }),
        _ => position(&LINES, (files.signum(), ranks.signum())),
    };
    let promotions = [Role::Queen, Role::Knight, Role::Rook, Role::Bishop];
    let promotion = mv.promotion().and_then(|role| promotions.iter().position(|known| *known == role));
    let distance = files.abs().max(ranks.abs());
    (u32::from(from), direction.unwrap_or(usize::MAX), -distance, promotion.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::sample::ply;

    #[test]
    fn the_headings_of_twins_are_in_the_language() {
        let heading = "wRh1-->g1  -bPh7  rotate 90  mirror a1<-->h1  shift a2 ==> b2  PolishType  #3";
        for (words, expected) in [
            (ENGLISH, heading),
            (GERMAN, "wTh1-->g1  -sBh7  Drehung 90  Spiegelung a1<-->h1  Verschiebung a2 ==> b2  Farbwechsel  #3"),
            (FRENCH, "bTh1-->g1  -nPh7  rotation 90  miroir a1<-->h1  translation a2 ==> b2  CouleurEchange  #3"),
        ] {
            assert_eq!(words.heading(heading), expected);
        }
    }

    fn numbered(fen: &str) -> String {
        let fen: shakmaty::fen::Fen = fen.parse().expect("the text is a FEN");
        let chess: Chess = fen.into_position(shakmaty::CastlingMode::Standard).expect("the position can be played");
        first_moves(&chess).into_iter().map(|ply| ply.uci).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn moves_that_leave_the_king_in_check_have_a_number() {
        assert_eq!(numbered("4K3/8/7b/8/8/8/8/k7 w - -"), "e8d7 e8f7 e8e7 e8d8 e8f8");
    }

    #[test]
    fn pawns_advance_capture_and_promote() {
        assert_eq!(
            numbered("k7/4K3/8/8/8/3p1p2/4P3/8 w - -").split(' ').take(4).collect::<Vec<_>>().join(" "),
            "e2e4 e2e3 e2f3 e2d3"
        );
        assert!(numbered("k7/4P3/8/8/8/8/8/K7 w - -").ends_with("e7e8q e7e8n e7e8r e7e8b"));
        assert!(numbered("4k3/8/8/Pp6/8/8/8/4K2R w K b6 0 1").starts_with("e1g1 e1f2"));
        assert!(numbered("4k3/8/8/Pp6/8/8/8/4K2R w K b6 0 1").ends_with("a5a6 a5b6"));
    }

    fn sorted(fen: &str, moves: &str) -> String {
        let mut plies: Vec<Ply> = moves.split(' ').map(|uci| ply(fen, uci)).collect();
        plies.sort_by_key(order);
        plies.into_iter().map(|ply| ply.uci).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn moves_are_in_popeyes_order() {
        let fen = "5r2/1R3p2/3P1kpP/3Q4/4PP2/5n2/1K6/8 w - -";
        let expected = "b2a1 b2c1 b2c3 b2a3 b2b1 b2a2 b2b3 b2c2 e4e5 d5a2 d5b3 d5c4 d5f7 d5e6 d5d1 d5a5 d5h5 d6d7 b7b3";
        let mut shuffled: Vec<&str> = expected.split(' ').collect();
        shuffled.sort_unstable();
        assert_eq!(sorted(fen, &shuffled.join(" ")), expected);
        let knight = "8/8/8/8/8/4n3/8/k1K5 b - -";
        let expected = "e3c2 e3d1 e3f1 e3g2 e3g4 e3f5 e3d5 e3c4";
        let mut shuffled: Vec<&str> = expected.split(' ').collect();
        shuffled.sort_unstable();
        assert_eq!(sorted(knight, &shuffled.join(" ")), expected);
        let pawns = "k7/8/8/8/8/3R1R2/4p3/K7 b - -";
        assert_eq!(sorted(pawns, "e2e1b e2e1n e2e1q e2e1r"), "e2e1q e2e1n e2e1r e2e1b");
        let castling = "4k3/8/8/8/8/8/8/R3K2R w KQ -";
        assert_eq!(sorted(castling, "h1h2 e1e2 e1a1 e1d2 e1h1 a1a2 e1f1"), "a1a2 e1h1 e1a1 e1d2 e1e2 e1f1 h1h2");
    }
}
