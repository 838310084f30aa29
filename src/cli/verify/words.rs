//! What is printed about a certificate that passed its check.

use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Color, fen::Fen};

use crate::chess::{Duty, End, Goal, MateLength, MoveCode, notation};
use crate::output::text::grouped;
use crate::proof::{CheckedCertificate, Claims, VerdictWord};

/// Returns the text: the claims, what was checked, and what the file does not show.
pub(super) fn summary(checked: &CheckedCertificate) -> String {
    let words = Words::of(checked);
    let (claims, meaning, not_shown) = match checked.claims() {
        &Claims::Solved(n) => (words.solved(n), words.plays(), Some(words.no_shorter())),
        &Claims::Nothing(n) => (words.nothing(n), words.plays_not(n), None),
        &Claims::Shortest { moves, nothing } => {
            let shortest = nothing.longer() == moves;
            let (solved, refuted) = (words.solved(moves), words.nothing(nothing));
            (format!("{solved} and {refuted}"), words.plays(), (!shortest).then(|| words.no_shorter()))
        }
        Claims::Verdict { word, keys } => (words.verdict(*word, keys), words.plays_if(keys.is_empty()), None),
        #[allow(unreachable_patterns)]
        _ => return String::new(),
    };
    let mut text = format!("certificate: {claims} holds\n{meaning} from {}\n", checked.fen());
    if checked.positions() > 0 {
        text += &format!("checked: {}\n", words.solutions(checked.positions()));
    }
    if !matches!(checked.claims(), Claims::Solved(_)) {
        text += &format!("checked: {}\n", words.refutations(checked.refuted()));
    }
    if let Some(not_shown) = not_shown {
        text += &format!("not shown: {not_shown}\n");
    }
    text
}

/// The words for the goal and the sides of a certificate.
struct Words<'a> {
    checked: &'a CheckedCertificate,
    goal: Goal,
    attacker_begins: bool,
    side: &'static str,
}

impl Words<'_> {
    fn of(checked: &CheckedCertificate) -> Words<'_> {
        let attacker = checked.attacker();
        let to_move = if checked.fen().split(' ').nth(1) == Some("b") { Color::Black } else { Color::White };
        let side = attacker.fold_wb("White", "Black");
        Words { checked, goal: checked.goal(), attacker_begins: to_move == attacker, side }
    }

    /// Returns the noun for the goal, for the side to move.
    fn what(&self) -> &'static str {
        if self.goal == Goal::MATE && !self.attacker_begins { "mated" } else { self.goal.noun() }
    }

    fn solved(&self, n: MateLength) -> String {
        format!("{} in {n}", self.what())
    }

    fn nothing(&self, n: MateLength) -> String {
        let not = if self.what() == self.goal.noun() { "no" } else { "not" };
        format!("{not} {} in {n}", self.what())
    }

    fn plays(&self) -> String {
        match self.goal == Goal::MATE {
            true => format!("{} mates", self.side),
            false => format!("{} forces a {}", self.side, self.goal.noun()),
        }
    }

    fn plays_not(&self, n: MateLength) -> String {
        format!("{} cannot force a {} in {n}", self.side, self.goal.noun())
    }

    fn plays_if(&self, not: bool) -> String {
        if not { self.plays_not(self.checked.moves()) } else { self.plays() }
    }

    fn no_shorter(&self) -> String {
        format!("that no shorter {} exists", self.goal.noun())
    }

    /// Returns the verdict, with the keys in figurine-free algebraic notation.
    fn verdict(&self, word: VerdictWord, keys: &[MoveCode]) -> String {
        let (goal, moves) = (self.goal.noun(), self.checked.moves());
        let keys = self.sans(keys);
        let none_shorter = if moves.0 > 1 { ", none of them sooner" } else { "" };
        match word {
            VerdictWord::None => format!("no solution: no {goal} in {moves}"),
            VerdictWord::Short => {
                format!("short solution: all keys of a {goal} in {moves} are {keys}, one of them sooner")
            }
            word => {
                let (word, only) = match (word, keys.contains(' ')) {
                    (VerdictWord::Sound, false) => ("sound", "the only key"),
                    (VerdictWord::Sound, true) => ("sound", "the only keys"),
                    _ => ("cooked", "all keys"),
                };
                let sooner = if only == "the only key" {
                    none_shorter.replace("none of them", "not")
                } else {
                    none_shorter.to_owned()
                };
                let verb = if only == "the only key" { "is" } else { "are" };
                format!("{word}: {only} of a {goal} in {moves} {verb} {keys}{sooner}")
            }
        }
    }

    /// Returns moves in the diagram as they are written.
    fn sans(&self, moves: &[MoveCode]) -> String {
        let chess = self.checked.fen().parse::<Fen>().ok().and_then(|fen| {
            let chess: Result<Chess, _> = fen.into_position(CastlingMode::Chess960);
            chess.or_else(shakmaty::PositionError::ignore_too_much_material).ok()
        });
        let san = |code: MoveCode| {
            let chess = chess.as_ref()?;
            let m = notation::legal_move(chess, code)?;
            Some(SanPlus::from_move(chess.clone(), m).to_string())
        };
        let written = moves.iter().map(|&code| san(code).unwrap_or_else(|| format!("{code:?}")));
        written.collect::<Vec<_>>().join(" and ")
    }

    fn solutions(&self, positions: usize) -> String {
        let Words { goal, .. } = *self;
        let end = match goal.end {
            End::Mate => "checkmate",
            _ => "stalemate",
        };
        let end = if goal == Goal::MATE {
            end.to_owned()
        } else {
            format!("{end} of {}", goal.of.color(self.checked.attacker()).fold_wb("White", "Black"))
        };
        let defences = match goal.duty {
            Duty::None => "all legal defences are answered",
            Duty::Defender => "all legal defences are answered, of a side that can mate its mating moves",
            _ => "all legal defences are answered, of a side that can mate its mating moves; the attacker never can",
        };
        format!("{defences} (positions: {}), and every line ends in {end}", grouped(positions as u64))
    }

    fn refutations(&self, positions: usize) -> String {
        let positions = grouped(positions as u64);
        format!(
            "every other move of the attacker has a reply (positions: {positions}), and no last move reaches the goal"
        )
    }
}
