//! Reports as people see them: with texts that are safe to print, and the letters of a language.
//!
//! A report comes with standard algebraic notation, in which the knight is `N`, and with lists of men, in which it is
//! `S`, as problemists write it, as in the headings of twins. [`shown`] makes all of them use the letters of one
//! language.
//!
//! Limits the depth of the play in a report, so that a person can read it.
//!
//! Depth is counted in moves of the attacker; the key is move 1. Play after the last move that is shown is left out and
//! marked as cut. Without `--depth` the text format chooses the depth itself: it shows all play of a mate in at most
//! four moves, and the play of longer mates as deep as a text of 500 lines allows.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use hashbrown::HashMap;
use shakmaty::{Role, Square};

use crate::base::printable::line;
use crate::results::SidedStipulation;
use crate::results::help::HelpSolutions;
use crate::results::report::{
    Continuation, Diagrammed, MenList, Next, Pass, Play, PlayId, Ply, Report, SetPlay, Tree, Variation,
};

pub use crate::chess::Letters;

/// The letters of White and Black in reports, whose words are English.
pub(crate) const SIDES: [char; 2] = ['w', 'b'];

/// Rewrites standard algebraic notation, whose only capital letters are those of the men and the `O` of castling.
fn san(letters: Letters, san: &str) -> String {
    let mut text = String::with_capacity(san.len() + 1);
    for letter in san.chars() {
        match Role::from_char(letter).filter(|_| letter.is_ascii_uppercase()) {
            Some(role) => text.push_str(letters.of(role)),
            None => text.push(letter),
        }
    }
    text
}

/// Rewrites a man in the notation of problemists, such as `Sb3`.
fn man(letters: Letters, man: &str) -> String {
    let role = match man.chars().next() {
        Some('S') => Some(Role::Knight),
        Some(letter) => Role::from_char(letter),
        None => None,
    };
    role.map_or_else(|| man.to_owned(), |role| format!("{}{}", letters.of(role), &man[1..]))
}

/// Rewrites the heading of a twin, such as `wRh1-->g1  -bPh7` or `R ==> B`: the letters of the men, and those of
/// White and Black as in `sides`. Its parts are divided by two spaces; other parts, such as a stipulation, stay.
pub(crate) fn heading(letters: Letters, heading: &str, sides: [char; 2]) -> String {
    let part = |text: &str| part(letters, text, sides).unwrap_or_else(|| text.to_owned());
    heading.split("  ").map(part).collect::<Vec<_>>().join("  ")
}

/// Rewrites a part of a heading; `None` if it names no men.
fn part(letters: Letters, part: &str, sides: [char; 2]) -> Option<String> {
    if let Some((old, new)) = part.split_once(" ==> ") {
        return Some(format!("{} ==> {}", letters.of(role(old)?), letters.of(role(new)?)));
    }
    if let Some((one, two)) = part.split_once("<-->") {
        return Some(format!("{}<-->{}", named(letters, one, sides)?, named(letters, two, sides)?));
    }
    let unsigned = part.trim_start_matches(['+', '-']);
    let sign = &part[..part.len() - unsigned.len()];
    let (man, arrow) = unsigned.split_at(unsigned.find("-->").unwrap_or(unsigned.len()));
    Some(format!("{sign}{}{arrow}", named(letters, man, sides)?))
}

/// Rewrites a man with its side, such as `wSc3`.
fn named(letters: Letters, man: &str, sides: [char; 2]) -> Option<String> {
    let (side, man) = man.split_at_checked(1)?;
    let (letter, square) = man.split_at_checked(1)?;
    let side = match side {
        "w" => sides[0],
        "b" => sides[1],
        _ => return None,
    };
    square.parse::<Square>().ok()?;
    Some(format!("{side}{}{square}", letters.of(role(letter)?)))
}

/// Returns the kind of man that a letter of problemists stands for.
fn role(letter: &str) -> Option<Role> {
    let at = ["K", "Q", "R", "B", "S", "P"].iter().position(|known| *known == letter)?;
    [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn].get(at).copied()
}

/// Returns the report as people see it: its texts of the input are safe to print ([`crate::base::printable`]), and its
/// moves, lists of men and headings are in these letters, if any are given.
pub(crate) fn shown(report: Cow<'_, Report>, letters: Option<Letters>) -> Report {
    let mut report = report.into_owned();
    rewrite(&mut report, letters);
    report
}

fn rewrite(report: &mut Report, letters: Option<Letters>) {
    report.phases.iter_mut().for_each(|phase| rewrite(phase, letters));
    let name = report.phase.iter_mut().flat_map(|name| [&mut name.letter, &mut name.heading]);
    for text in report.id.iter_mut().chain(&mut report.error).chain(&mut report.warnings).chain(name) {
        *text = line(text).into_owned();
    }
    let Some(letters) = letters else { return };
    if let Some(Diagrammed { algebraic: MenList { white, black }, promoted, .. }) = &mut report.position {
        let promoted = promoted.iter_mut().flat_map(|men| &mut men.of);
        for text in white.iter_mut().chain(black).chain(promoted) {
            *text = man(letters, text);
        }
    }
    if let Some(name) = &mut report.phase {
        name.heading = heading(letters, &name.heading, SIDES);
    }
    if letters != Letters::En {
        report.for_each_ply(|ply: &mut Ply| ply.san = san(letters, &ply.san));
        for line in report.help.iter_mut().flat_map(HelpSolutions::lines_mut) {
            line.san = san(letters, &line.san);
        }
    }
}

/// The longest mate, in moves, whose play is shown whole, however long the text is.
const ALWAYS_WHOLE: u16 = 4;

/// The least depth that is shown of a longer mate: the key, and the attacker's answer to each defence.
const LEAST_DEPTH: u16 = 2;

/// The most lines of a text that is deeper than [`LEAST_DEPTH`].
const READABLE_LINES: usize = 500;

/// The depth of the play that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// The play to this move of the attacker, at least 1.
    Moves(u16),
    /// All play.
    All,
}

/// The error for a text that is not a depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DepthError;

impl FromStr for Depth {
    type Err = DepthError;

    fn from_str(text: &str) -> Result<Depth, DepthError> {
        if text.eq_ignore_ascii_case("all") {
            return Ok(Depth::All);
        }
        text.parse().ok().filter(|&moves| moves >= 1).map(Depth::Moves).ok_or(DepthError)
    }
}

impl fmt::Display for DepthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("write a number of moves from 1, or all")
    }
}

impl std::error::Error for DepthError {}

/// Returns the report with its play to move `depth`, which `options.depth` of the result states; `None` if the report
/// has no deeper play.
pub(crate) fn limited(report: &Report, depth: u16) -> Option<Report> {
    let mut limited = Report { phases: Vec::new(), duals: Vec::new(), ..report.clone() };
    let mut pruner = Pruner { from: &report.tree, to: Tree::default(), done: HashMap::new(), depth, cut: false };
    for key in &mut limited.keys {
        key.next = pruner.next(key.next, 1);
    }
    for attempt in limited.tries.iter_mut().flatten() {
        attempt.next = pruner.next(attempt.next, 1);
    }
    limited.set_play = report.set_play.and_then(|set| match pruner.next(Next::Play(set.play), 1) {
        Next::Play(play) => Some(SetPlay { play, ..set }),
        Next::End(_) | Next::Cut => None,
    });
    limited.post_key = report.post_key.and_then(|id| match pruner.next(Next::Play(id), 1) {
        Next::Play(play) => Some(play),
        Next::End(_) | Next::Cut => None,
    });
    if !pruner.cut {
        return None;
    }
    limited.options.depth = Some(depth);
    limited.duals.extend(report.duals.iter().filter(|dual| dual.at_move <= depth).cloned());
    limited.tree = Arc::new(pruner.to);
    Some(limited)
}

/// Returns the report with the play that fits a readable text; `None` if all its play does. `lines` counts the lines of
/// a report's text.
pub(crate) fn readable(report: &Report, lines: impl Fn(&Report) -> usize) -> Option<Report> {
    let stipulated = report.stipulation.as_ref().and_then(SidedStipulation::moves);
    if stipulated.or(report.verdict.mate_in).is_some_and(|moves| moves <= ALWAYS_WHOLE) {
        return None;
    }
    let mut shown = limited(report, LEAST_DEPTH)?;
    for depth in LEAST_DEPTH + 1.. {
        let deeper = limited(report, depth);
        if lines(deeper.as_ref().unwrap_or(report)) > READABLE_LINES {
            break;
        }
        shown = deeper?;
    }
    Some(shown)
}

/// Copies a tree to a depth. A walk of its own: it makes a play after those below it, and a play twice at two depths.
struct Pruner<'t> {
    from: &'t Tree,
    to: Tree,
    /// The plays that are copied, by their index and the number of the defender's move. The same play may stand at two
    /// depths, after a short variation.
    done: HashMap<(PlayId, u16), PlayId>,
    depth: u16,
    /// Whether something was left out.
    cut: bool,
}

impl Pruner<'_> {
    /// Copies the play after the attacker's move with this number.
    fn next(&mut self, next: Next, number: u16) -> Next {
        let Next::Play(id) = next else { return next };
        if number >= self.depth && self.from.closing(next).is_none() {
            self.cut = true;
            return Next::Cut;
        }
        if let Some(&copied) = self.done.get(&(id, number)) {
            return Next::Play(copied);
        }
        let play = self.from.play(id);
        let pass = match &play.pass {
            Pass::Threats(threats) => Pass::Threats(self.continuations(threats, number)),
            Pass::Impossible => Pass::Impossible,
            Pass::Zugzwang => Pass::Zugzwang,
        };
        let variations = play
            .variations
            .iter()
            .map(|variation| Variation {
                continuations: self.continuations(&variation.continuations, number),
                ..variation.clone()
            })
            .collect();
        let mut copy = Play { pass, variations, ..play.clone() };
        let cut_below = copy.continuations().any(|continuation| self.to.is_cut(continuation.next));
        copy.cut |= cut_below;
        let copied = self.to.push(copy);
        self.done.insert((id, number), copied);
        Next::Play(copied)
    }

    fn continuations(&mut self, continuations: &[Continuation], number: u16) -> Vec<Continuation> {
        let copy = |continuation: &Continuation| Continuation {
            ply: continuation.ply.clone(),
            mate_in: continuation.mate_in,
            next: self.next(continuation.next, number + 1),
        };
        continuations.iter().map(copy).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Stipulation;
    use crate::output::sample::report;

    #[test]
    fn moves_are_written_in_every_language() {
        for (letters, expected) in [
            (Letters::En, "Nbxd2+ bxa8=Q# O-O-O Kb1"),
            (Letters::EnS, "Sbxd2+ bxa8=Q# O-O-O Kb1"),
            (Letters::De, "Sbxd2+ bxa8=D# O-O-O Kb1"),
            (Letters::Fr, "Cbxd2+ bxa8=D# O-O-O Rb1"),
            (Letters::Nl, "Pbxd2+ bxa8=D# O-O-O Kb1"),
            (Letters::Pl, "Sbxd2+ bxa8=H# O-O-O Kb1"),
            (Letters::Ru, "Kbxd2+ bxa8=F# O-O-O Krb1"),
        ] {
            assert_eq!(san(letters, "Nbxd2+ bxa8=Q# O-O-O Kb1"), expected);
        }
        assert_eq!(["Kf8", "Sb3", "Ph7"].map(|text| man(Letters::De, text)), ["Kf8", "Sb3", "Bh7"]);
        assert_eq!(["Kf8", "Sb3", "Ph7"].map(|text| man(Letters::En, text)), ["Kf8", "Nb3", "Ph7"]);
    }

    #[test]
    fn the_headings_of_twins_have_the_letters_too() {
        for (text, german) in [
            ("wRh1-->g1  -bPh7", "wTh1-->g1  -sBh7"),
            ("wKf8<-->bBg8  #3", "wKf8<-->sLg8  #3"),
            ("+bQe8  R ==> S  bSa1", "+sDe8  T ==> S  sSa1"),
            ("rotate 90  shift a2 ==> b2", "rotate 90  shift a2 ==> b2"),
            ("s#2  Black mates  Bg7 weg", "s#2  Black mates  Bg7 weg"),
            ("", ""),
        ] {
            assert_eq!(heading(Letters::De, text, ['w', 's']), german);
        }
        assert_eq!(heading(Letters::En, "wSc3-->g3", SIDES), "wNc3-->g3");
        assert_eq!(heading(Letters::Fr, "bKa1", ['b', 'n']), "nRa1");
    }

    #[test]
    fn every_move_of_a_report_is_rewritten() {
        let german = shown(Cow::Owned(crate::output::sample::report()), Some(Letters::De));
        let text = super::super::text::full(&german);
        assert!(text.contains("White Kf8 Th1 Bg6; Black Kh8 Lg8 Bg7 Bh7"), "{text}");
        for word in ["1. Th6!", "1... La2", "2. Txh7#", "1. Tg1?", "3. Txg7+"] {
            assert!(text.contains(word), "{word}: {text}");
        }
    }

    #[test]
    fn depths_are_read() {
        assert_eq!(["3", "all", "ALL"].map(str::parse), [Ok(Depth::Moves(3)), Ok(Depth::All), Ok(Depth::All)]);
        for text in ["", "0", "-1", "x", "99999"] {
            assert_eq!(text.parse::<Depth>(), Err(DepthError), "{text}");
        }
    }

    #[test]
    fn play_after_the_depth_is_cut() {
        let keys = limited(&report(), 1).unwrap();
        assert_eq!((keys.keys[0].next, keys.set_play, keys.tree.plays().len()), (Next::Cut, None, 0));
        let two = limited(&report(), 2).unwrap();
        let Some(Next::Play(attempt)) = two.tries.as_ref().map(|tries| tries[0].next) else {
            panic!("the try has play")
        };
        assert_eq!(two.tree.play(attempt).threats()[0].next, Next::Cut);
        assert_eq!(two.options.depth, Some(2));
        assert_eq!(limited(&report(), 3).map(|report| report.options.depth), None);
    }

    #[test]
    fn a_long_text_of_a_long_mate_is_limited() {
        let depth = |report: &Report, lines: usize| readable(report, |_| lines).and_then(|report| report.options.depth);
        assert_eq!(depth(&report(), usize::MAX), None, "the sample is a mate in two");
        let mut long = report();
        long.stipulation = Some(SidedStipulation::of(Stipulation::parse("#5").unwrap(), shakmaty::Color::White));
        assert_eq!(depth(&long, READABLE_LINES + 1), Some(LEAST_DEPTH));
        assert_eq!(depth(&long, READABLE_LINES), None);
    }
}
