//! The text about a certificate that passed its check.

use std::fmt::Write as _;

use shakmaty::Color;
use shakmaty::san::SanPlus;

use crate::chess::{Duty, End, Goal, MateLength, MoveCode, notation};
use crate::output::text::grouped;
use crate::proof::{CheckedCertificate, Claims, Header, VerdictWord, parse_position};

/// Returns the text: the claims, what was checked, and what the file does not show.
pub(super) fn summary(checked: &CheckedCertificate) -> String {
    let words = Words::of(checked);
    let (claims, meaning, not_shown) = match &checked.header().claims {
        &Claims::Solved(n) => (words.solved(n), words.plays(), (!words.goal.exact).then(|| words.no_shorter())),
        &Claims::Nothing(n) => (words.nothing(n), words.plays_not(n), None),
        &Claims::Shortest { moves, nothing } => {
            let shortest = nothing.longer() == moves;
            let (solved, refuted) = (words.solved(moves), words.nothing(nothing));
            (format!("{solved}, {refuted}"), words.plays(), (!shortest).then(|| words.no_shorter()))
        }
        Claims::Verdict { word, keys } => (words.verdict(*word, keys), words.plays_if(keys.is_empty()), None),
    };
    let mut text = format!("certificate: {claims}\n{meaning} from {}\n", checked.header().fen);
    if checked.positions() > 0 {
        let _ = writeln!(text, "checked: {}", words.solutions(checked.positions()));
    }
    if !matches!(checked.header().claims, Claims::Solved(_)) {
        let _ = writeln!(text, "checked: {}", refutations(checked.refuted()));
    }
    if let Some(not_shown) = not_shown {
        let _ = writeln!(text, "not shown: {not_shown}");
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
        let Header { fen, attacker, goal, .. } = checked.header();
        let to_move = if fen.split(' ').nth(1) == Some("b") { Color::Black } else { Color::White };
        let side = attacker.fold_wb("White", "Black");
        Words { checked, goal: *goal, attacker_begins: to_move == *attacker, side }
    }

    /// Returns the noun for the goal, for the side to move.
    fn what(&self) -> &'static str {
        if self.goal == Goal::MATE && !self.attacker_begins { "mated" } else { self.goal.noun() }
    }

    fn solved(&self, n: MateLength) -> String {
        format!("{} in {n} holds", self.what())
    }

    fn nothing(&self, n: MateLength) -> String {
        let not = if self.what() == self.goal.noun() { "no" } else { "not" };
        format!("{not} {} in {n} holds", self.what())
    }

    fn plays(&self) -> String {
        if self.goal == Goal::MATE {
            format!("{} mates", self.side)
        } else {
            format!("{} forces {}", self.side, self.goal.with_article())
        }
    }

    fn plays_not(&self, n: MateLength) -> String {
        format!("{} cannot force {} in {n}", self.side, self.goal.with_article())
    }

    fn plays_if(&self, not: bool) -> String {
        if not { self.plays_not(self.checked.header().moves) } else { self.plays() }
    }

    fn no_shorter(&self) -> String {
        format!("that no shorter {} exists", self.goal.noun())
    }

    /// Returns the verdict and the keys.
    fn verdict(&self, word: VerdictWord, keys: &[MoveCode]) -> String {
        let (goal, moves) = (self.goal.noun(), self.checked.header().moves);
        let only = if word == VerdictWord::Sound { "the only " } else { "the " };
        let (key, are) = if keys.len() == 1 { ("key", "is") } else { ("keys", "are") };
        let keys = format!("{only}{key} of {} in {moves} {are} {}", self.goal.with_article(), self.sans(keys));
        let sooner = moves.shorter().unwrap_or(MateLength(0));
        let none_sooner =
            if sooner.0 > 0 && !self.goal.exact { format!("; there is no {goal} in {sooner}") } else { String::new() };
        match word {
            VerdictWord::Sound => format!("sound holds: {keys}{none_sooner}"),
            VerdictWord::Cooked => format!("cooked holds: {keys}{none_sooner}"),
            VerdictWord::Short => format!("short solution holds: there is a {goal} in {sooner}; {keys}"),
            VerdictWord::None => format!("no solution holds: there is no {goal} in {moves}"),
        }
    }

    /// Returns moves in the diagram as they are written.
    fn sans(&self, moves: &[MoveCode]) -> String {
        let chess = parse_position(&self.checked.header().fen).ok();
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
            End::Stalemate => "stalemate",
            End::Any => "any position",
        };
        let end = if goal == Goal::MATE {
            end.to_owned()
        } else {
            format!("{end} of {}", goal.of.color(self.checked.header().attacker).fold_wb("White", "Black"))
        };
        let defences = match goal.duty {
            Duty::None => "all legal defences are answered",
            Duty::Defender => "all legal defences are answered, of a side that can so end it the moves that do",
            Duty::Both => {
                "all legal defences are answered, of a side that can so end it the moves that do; the attacker never can"
            }
        };
        format!("{defences} (positions: {}), and every line ends in {end}", grouped(positions as u64))
    }
}

fn refutations(positions: usize) -> String {
    let positions = grouped(positions as u64);
    format!("every other move of the attacker has a reply (positions: {positions}), and no last move reaches the goal")
}
